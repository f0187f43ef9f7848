// Package slurm prints an evaluated queue as Slurm's sprio and sshare do. In comes an evaluation.Result, out goes
// text as it was recorded.
package slurm

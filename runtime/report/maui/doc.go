// Package maui prints an evaluated queue as Maui's own commands do: checkjob, diagnose -f, -p and -q, showq.
// In comes an evaluation.Result, out goes text as it was recorded.
package maui

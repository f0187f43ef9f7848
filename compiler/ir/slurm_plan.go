package ir

import "github.com/fairway-sched/fairway/runtime/program"

// SlurmPlan is what slurm.conf says of placing jobs.
type SlurmPlan struct{ program.SlurmPlan }

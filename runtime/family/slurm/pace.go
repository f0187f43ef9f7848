package slurm

import (
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Pace is that of slurmctld. Jobs end when they did: who exceeded a limit then was cancelled then.
func Pace(*program.Program) evaluation.Pace { return evaluation.Pace{Ticks: true, OverrunSeconds: -1} }

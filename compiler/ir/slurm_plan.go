package ir

import "github.com/fairway-sched/fairway/runtime/program"

// SlurmPlan is what slurm.conf says of placing jobs: what the planner goes by, and what it does not.
type SlurmPlan struct {
	program.SlurmPlan

	// QueueDepth is default_queue_depth: how many jobs a pass tests that an event sets off. Every
	// sched_interval one tests them all, and that one is planned.
	QueueDepth int64
}

package slurm

import "github.com/fairway-sched/fairway/runtime/backfill"

// PlanPlainly is Plan without all that makes it fast: nothing is remembered, nothing skipped, nothing counted.
func PlanPlainly(in *Input) (*backfill.Schedule, error) { return plan(in, true) }

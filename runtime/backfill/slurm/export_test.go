package slurm

import "github.com/fairway-sched/fairway/runtime/backfill"

// PlanPlainly is Plan without all that makes it fast: nothing is remembered, nothing passed over, nothing counted.
func PlanPlainly(in *Input) (*backfill.Schedule, error) { return plan(in, true) }

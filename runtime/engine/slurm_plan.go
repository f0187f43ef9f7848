package engine

import "github.com/fairway-sched/fairway/runtime/backfill"

// planSlurm plans as slurmctld does.
func (r *Result) planSlurm(q *planQueue, o PlanOptions) (*backfill.Schedule, error) {
	return nil, &PlanError{Problem: "Slurm's planning is not built in", Advice: "plan with --planner native"}
}

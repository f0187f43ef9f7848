package engine

import "github.com/fairway-sched/fairway/runtime/backfill"

// planMaui plans as Maui does.
func (r *Result) planMaui(q *planQueue, o PlanOptions) (*backfill.Schedule, error) {
	return nil, &PlanError{Problem: "Maui's planning is not built in", Advice: "plan with --planner native"}
}

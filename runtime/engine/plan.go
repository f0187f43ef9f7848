package engine

import (
	"context"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family"
	"github.com/fairway-sched/fairway/runtime/planning"
)

// Plan says of every job of an evaluated queue when and where it starts. Maui's and Slurm's policies
// are planned by what these schedulers do, all others by the native planner.
func Plan(r *evaluation.Result, o planning.Options) (*backfill.Schedule, error) {
	if o.Context == nil {
		o.Context = context.Background()
	}
	if r.State == nil {
		return nil, &planning.Error{Problem: "the queue could not be evaluated"}
	}
	s, err := plan(r, o)
	if err == nil && plannedByFamily(r, o) { // of the native planner's own plan its offers hold
		s.Smaller = smaller(r, s, o)
	}
	return s, err
}

// plannedByFamily reports a plan that is not the native planner's.
func plannedByFamily(r *evaluation.Result, o planning.Options) bool {
	return !o.Native && family.Of(r.Program).Plan != nil
}

func plan(r *evaluation.Result, o planning.Options) (*backfill.Schedule, error) {
	q, err := planning.NewQueue(r, o)
	if err != nil {
		return nil, err
	}
	row, own := family.Of(r.Program), plannedByFamily(r, o)
	planner, of := planning.Native, r
	if own {
		planner = row.Plan
	}
	if own && r.Facts.Selects && r.Schedule == nil {
		if of, err = planAgain(r, o); err != nil {
			return nil, err
		}
	}
	s, err := planner(of, q, o)
	if err != nil {
		return nil, err
	}
	q.Unplanned(s)
	if own && o.Only == "" { // one pass is asked who starts; the native planner says it itself, see backfill.Schedule.Detail
		planning.FillWaits(s)
		planning.GapFillers(s)
	}
	return s, nil
}

// planAgain evaluates a queue anew with its planner, which is part of the evaluation where it decides who starts. What
// that leaves to the next iteration is the result's.
func planAgain(r *evaluation.Result, o planning.Options) (*evaluation.Result, error) {
	again := r.Options
	again.Plan, again.Place, again.Procs, again.Context = true, o.Place, o.Procs, o.Context
	planned, err := Run(r.Program, r.Snapshot, again)
	if err != nil {
		return nil, err
	}
	for _, d := range planned.Findings {
		if slices.Contains([]string{"plan-given-twice", "plan-setting-left-out", "plan-suspended", "plan-request-left-out"},
			d.Code) {
			r.Findings = append(r.Findings, d)
		}
	}
	r.MakeNext = planned.MakeNext
	return planned, nil
}

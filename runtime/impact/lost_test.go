package impact

import (
	"testing"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// TestLostInAnyOrder: two plans that end the same jobs lose the same work, whatever the order in which they do.
func TestLostInAnyOrder(t *testing.T) {
	ran := []int64{4858, 636, 207}
	jobs := column.NewBuilder("jobs")
	for range ran {
		jobs.Row()
		jobs.String("job.user", "u")
		jobs.String("job.account", "a")
	}
	r := &evaluation.Result{Jobs: jobs.Table()}
	side := func(order ...int32) Side {
		s := &backfill.Schedule{}
		for i := range ran {
			s.Requests = append(s.Requests, backfill.Request{Job: int32(i), Row: int32(i)})
			s.Placements = append(s.Placements, backfill.Placement{By: backfill.ByRunning})
		}
		for _, i := range order {
			s.Preempted = append(s.Preempted, backfill.Victim{Job: i, RanSeconds: ran[i], Procs: 1, Mode: "cancel"})
		}
		return Side{Result: r, Plan: s}
	}
	same, less := &Comparison{}, &Comparison{}
	same.lost(side(0, 1, 2), side(2, 1, 0))
	if same.Lost != nil || same.Summary.lost() != "" {
		t.Errorf("the same jobs: %+v, %s", same.Lost, same.Summary.lost())
	}
	less.lost(side(0, 1, 2), side(2, 1))
	if len(less.Lost) != 2 || less.Lost[0].Old != float64(4858+636+207)/3600 || less.Lost[1].New != float64(636+207)/3600 {
		t.Errorf("one less: %+v", less.Lost)
	}
}

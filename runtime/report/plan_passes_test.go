package report_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/explain"
)

// TestPlansPassWhenExplained: no job over a limit is planned before the time by which an explanation says that it
// passes; on a machine that has room for all, the first of them starts just then.
func TestPlansPassWhenExplained(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 7))
	seen := map[string]int{}
	for n := range 300 {
		q := drawAdvised(random, n%2 == 0)
		if q.limits = q.limits[:1]; n%4 >= 2 {
			q.limits[0].soft = q.limits[0].hard // else Maui's backfill asks the hard number and the explanation the soft one
		}
		r := q.evaluate(t)
		s, err := engine.Plan(r, planning.Options{Procs: 1000})
		if err != nil {
			t.Fatal(err)
		}
		first := len(s.Started) == 0
		for i := range s.Requests {
			p := &s.Placements[i]
			if p.By == backfill.ByRunning {
				continue
			}
			by, active := passesBy(t, r, int(s.Requests[i].Row))
			if !active {
				first = false
				continue
			}
			kind := map[bool]string{true: "scratch ", false: "maui "}[q.scratch] + q.limits[0].name
			switch {
			case by == 0 && p.By == backfill.ByNone:
				seen["never "+kind]++
			case p.By == backfill.ByNone:
				t.Fatalf("job %d passes by %d, and the plan has no time for it\n%s\n%s", i, by, q.policy().Text, q.snapshot())
			case p.Start < by && (q.scratch || q.limits[0].soft == q.limits[0].hard):
				t.Fatalf("job %d passes by %d and is planned at %d\n%s\n%s", i, by, p.Start, q.policy().Text, q.snapshot())
			case first && q.limits[0].soft == q.limits[0].hard && p.Start != by:
				t.Fatalf("job %d passes by %d and is planned at %d, and nobody is before it\n%s\n%s", i, by, p.Start,
					q.policy().Text, q.snapshot())
			default:
				seen[kind]++
				if first && p.Start == by {
					seen["just then"]++
				}
			}
			first = false
		}
	}
	for _, want := range []string{"scratch jobs", "scratch procs", "scratch proc_seconds", "maui MAXPROC", "maui MAXPS",
		"never scratch procs", "just then"} {
		if seen[want] == 0 {
			t.Errorf("%s was never met: %v", want, seen)
		}
	}
}

// passesBy is when an explanation says that a job passes a limit on what runs, 0 if it says nothing; active is that
// such a limit is all that stops it.
func passesBy(t *testing.T, r *evaluation.Result, job int) (by int64, active bool) {
	t.Helper()
	if b := r.Why[int32(job)]; b == nil || b.Limit == nil || b.Limit.Phase != limit.Active || len(b.Also) > 0 {
		return 0, false
	}
	var out struct {
		Blocks []struct {
			advised
			By *int64 `json:"passes_by"`
		}
	}
	if err := json.Unmarshal([]byte(text(t, one(explain.WriteExplainJSON, job), r, eval.Options{})), &out); err != nil {
		t.Fatal(err)
	}
	if out.Blocks[0].By != nil {
		by = *out.Blocks[0].By
	}
	return by, true
}

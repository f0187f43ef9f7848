package explain

import (
	"math/rand/v2"
	"testing"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// TestReleaseEqualsWaiting compares with waiting second by second.
func TestReleaseEqualsWaiting(t *testing.T) {
	const now = 1000
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for range 2000 {
		b := column.NewBuilder("job")
		var uses []limit.Use
		counts := []string{"procs", "proc_seconds", "walltime"}[random.IntN(3)]
		for job := range 1 + random.IntN(4) {
			b.Row()
			b.String("job.state", "running")
			left := int64(random.IntN(40) - 5) // one may be over its limit
			b.Time("job.start_time", now-100)
			b.Int("job.walltime_seconds", 100+left)
			amount := int64(1 + random.IntN(9))
			switch counts {
			case "proc_seconds":
				amount *= max(0, left)
			case "walltime":
				amount = max(0, left)
			}
			uses = append(uses, limit.Use{Job: job, Amount: amount})
		}
		jobs := b.Table()
		r := &evaluation.Result{Now: now, Jobs: jobs, State: make([]evaluation.State, jobs.Rows)}
		room, sum := int64(random.IntN(30)), int64(0)
		for _, use := range uses {
			sum += use.Amount
		}
		if sum <= room {
			continue
		}
		got, want := release(r, counts, uses, room), waited(r, counts, uses, room)
		if !got.known || got.time != want {
			t.Fatalf("%s: %v over %d is released at %d (%v), by waiting at %d", counts, uses, room, got.time, got.known, want)
		}
		if got.after >= 0 {
			seen[counts+" by an end"]++
			if end := now + max(1, eval.Remaining(r, got.after).Int); end != got.time {
				t.Fatalf("job %d ends at %d, not at %d", got.after, end, got.time)
			}
		} else {
			seen[counts+" running down"]++
		}
	}
	if len(seen) < 5 {
		t.Errorf("only %v were met", seen)
	}
}

// waited is the first second at which the jobs use no more than room.
func waited(r *evaluation.Result, counts string, uses []limit.Use, room int64) int64 {
	for at := r.Now; ; at++ {
		use := 0.0
		for _, u := range uses {
			left := max(1, eval.Remaining(r, u.Job).Int) // one beyond its time ends next
			switch end := r.Now + left; {
			case end <= at:
			case counts == "procs":
				use += float64(u.Amount)
			default:
				use += float64(u.Amount) * float64(end-at) / float64(left)
			}
		}
		if use <= float64(room) {
			return at
		}
	}
}

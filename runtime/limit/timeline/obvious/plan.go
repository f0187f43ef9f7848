// Package obvious is the slow and obvious way to plan under limits, which timelines must equal: for tests.
package obvious

import (
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/runtime/limit/timeline"
)

// Span is when a job has what it has.
type Span struct {
	Job      int
	From, To int64 // epoch seconds, without the last
}

// Plan plans the slow way: it tries each moment, and asks a twin of the limits with the jobs that run then.
type Plan struct {
	Spans []Span
	Check func(job int, start, now int64, running []int) (stopped bool)
}

// fits reports that limits let a job run from a start on: then, and whenever another one starts meanwhile.
func (w *Plan) fits(job int, start, seconds int64) bool {
	moments := []int64{start}
	for _, s := range w.Spans {
		if s.From > start && s.From < start+seconds {
			moments = append(moments, s.From)
		}
	}
	for _, now := range moments {
		var running []int
		for _, s := range w.Spans {
			if s.From <= now && now < s.To {
				running = append(running, s.Job)
			}
		}
		if w.Check(job, start, now, running) {
			return false
		}
	}
	return true
}

// First tries each of some moments.
func (w *Plan) First(job int, moments []int64, seconds int64) (int64, bool) {
	for _, start := range moments {
		if w.fits(job, start, seconds) {
			return start, true
		}
	}
	return 0, false
}

// Wrong reports what is wrong with the limits that are named for a start.
func Wrong(list []timeline.Holding, spans []Span, after, start int64) string {
	last := after
	for _, h := range list {
		if h.Until <= after || h.Until > start || h.Limit == nil {
			return fmt.Sprintf("a limit until %d, between %d and %d", h.Until, after, start)
		}
		if h.By >= 0 && !slices.ContainsFunc(spans, func(s Span) bool { return s.Job == int(h.By) && s.To == h.Until }) {
			return fmt.Sprintf("job %d does not end at %d", h.By, h.Until)
		}
		last = max(last, h.Until)
	}
	if last != start {
		return fmt.Sprintf("limits until %d are named, and it starts at %d", last, start)
	}
	return ""
}

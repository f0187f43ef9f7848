package explain

import (
	"strings"

	"github.com/fairway-sched/fairway/runtime/report/form"
)

// blocks writes what keeps a job from starting, where that comes from, and what would let it
// pass.
func (t *tree) blocks(e *Explanation) {
	if len(e.Blocks) == 0 {
		return
	}
	t.line(0, "%s", t.strong("why it may not start"))
	for i := range e.Blocks {
		x := &e.Blocks[i]
		t.line(1, "%s", x.What)
		for _, detail := range x.Details {
			t.line(2, "%s", detail)
		}
		for k, way := range x.Passes {
			word := "it passes "
			if k > 0 {
				word = "or "
			}
			t.line(2, "%s%s", word, way)
		}
	}
	for _, h := range besides(e) {
		t.line(1, "besides, %s limit %s%s: %s", h.Phase, h.set.Name, whose(e.r, h.Per, h.Names), h.sum())
	}
	t.line(0, "")
}

// limits writes the limits on the job that are nearest, and how its queue time is counted.
func (t *tree) limits(e *Explanation) {
	if list := e.Limits; len(list) > 0 {
		shown := list
		if !t.o.All && len(shown) > maxHeadrooms {
			shown = shown[:maxHeadrooms]
		}
		t.line(0, "%s", t.strong("limits on it, the nearest first"))
		t.table(1, headroomTable(e.r, shown))
		if n := len(list) - len(shown); n > 0 {
			t.line(1, "and %d more, which --all shows", n)
		}
		t.line(0, "")
	}
	if list := slurmRooms(e.r, e.job); len(list) > 0 {
		t.line(0, "%s", t.strong("limits on it, in the order in which they are asked"))
		t.table(1, slurmTable(list))
		t.line(0, "")
	}
	t.ageClock(e)
	if q := e.QueueTime; q != nil {
		t.line(0, "%s", t.strong("queue time "+form.SpanText(q.Seconds)))
		for _, line := range q.lines() {
			t.line(1, "%s", line)
		}
		t.line(0, "")
	}
}

// table writes the lines of a table, indented.
func (t *tree) table(depth int, text string) {
	for line := range strings.Lines(text) {
		t.line(depth, "%s", strings.TrimSuffix(line, "\n"))
	}
}

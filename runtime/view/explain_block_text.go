package view

import (
	"strings"

	"github.com/fairway-sched/fairway/runtime/engine"
)

// blocks writes what keeps a job from starting, where that comes from, and what would let it
// pass.
func (t *tree) blocks(r *engine.Result, job int) {
	list := explainBlocks(r, job)
	if len(list) == 0 {
		return
	}
	t.line(0, "%s", t.strong("why it may not start"))
	for i := range list {
		x := &list[i]
		t.line(1, "%s", x.what)
		for _, detail := range x.details {
			t.line(2, "%s", detail)
		}
		for k, way := range x.unblock {
			word := "it passes "
			if k > 0 {
				word = "or "
			}
			t.line(2, "%s%s", word, way)
		}
	}
	for _, h := range besides(r, job, list) {
		t.line(1, "besides, %s limit %s%s: %s", h.Phase, h.set.Name, whose(r, h.Per, h.Names), h.sum())
	}
	t.line(0, "")
}

// limits writes the limits on the job that are nearest, and how its queue time is counted.
func (t *tree) limits(r *engine.Result, job int) {
	if list := headrooms(r, job); len(list) > 0 {
		shown := list
		if !t.o.All && len(shown) > maxHeadrooms {
			shown = shown[:maxHeadrooms]
		}
		t.line(0, "%s", t.strong("limits on it, the nearest first"))
		t.table(1, headroomTable(r, shown))
		if n := len(list) - len(shown); n > 0 {
			t.line(1, "and %d more, which --all shows", n)
		}
		t.line(0, "")
	}
	if list := slurmRooms(r, job); len(list) > 0 {
		t.line(0, "%s", t.strong("limits on it, in the order in which they are asked"))
		t.table(1, slurmTable(list))
		t.line(0, "")
	}
	t.ageClock(r, job)
	if q, ok := queueTimeOf(r, job); ok {
		t.line(0, "%s", t.strong("queue time "+spanText(q.seconds)))
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

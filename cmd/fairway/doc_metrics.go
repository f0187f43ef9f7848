package main

import (
	"io"

	"github.com/fairway-sched/fairway/runtime/replay"
)

// docMetrics prints what a replay measures.
func docMetrics(w io.Writer, _ []string) error {
	m := newMarkdown(w, "Metrics of a replay")
	m.para("What `fairway replay` measures, of the replay as a whole or of a group of its jobs: all, or those of a " +
		"user, group, account, QOS, partition or class of sizes. A dot in a name begins a member of an inner object " +
		"in JSON.")
	for _, part := range []struct {
		title string
		whole bool
	}{{"Of a group of jobs", false}, {"Of the replay as a whole", true}} {
		m.heading(part.title)
		m.head("name", "unit", "better", "definition")
		for i := range replay.Metrics {
			if x := &replay.Metrics[i]; x.Whole == part.whole {
				m.row("`"+x.Name+"`", x.Unit, []string{"", "less", "more"}[x.Goal], x.Doc)
			}
		}
	}
	return m.err
}

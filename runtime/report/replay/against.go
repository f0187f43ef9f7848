package replay

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// against is a comparison in JSON.
type against struct {
	Policy  string       `json:"policy"`
	Drawn   int          `json:"drawn_workloads"`
	Shorter int          `json:"wait_less"`
	Longer  int          `json:"wait_more"`
	Same    int          `json:"wait_alike"`
	Whole   []difference `json:"metrics" form:"lines"`
	Groups  []difference `json:"groups" form:"lines"`
}

type difference struct {
	Metric string  `json:"metric"`
	Kind   string  `json:"kind" form:"ornull"`
	Name   string  `json:"name" form:"ornull"`
	Jobs   float64 `json:"jobs"`
	This   float64 `json:"this"`
	Other  float64 `json:"other"`
	Change float64 `json:"difference"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Sure   bool    `json:"sure"`
}

func (r *Report) against() *against {
	x := r.Against
	if x == nil {
		return nil
	}
	list := func(all []replay.Difference) (out []difference) {
		for i := range all {
			d := &all[i]
			out = append(out, difference{replay.Metrics[d.Metric].Name, d.Kind, d.Name, d.Jobs, d.This, d.Other, d.Change(),
				d.Low, d.High, d.Sure()})
		}
		return out
	}
	return &against{r.Other, x.Drawn, x.Shorter, x.Longer, x.Same, list(x.Whole), list(x.Groups)}
}

// verdict says whether a difference is more than luck, and whether this policy gains by it.
func verdict(d *replay.Difference) string {
	switch {
	case d.Change() == 0:
		return "the same"
	case d.Low != d.Low:
		return "unknown"
	case d.Better() > 0:
		return "better"
	case d.Better() < 0:
		return "worse"
	}
	return "may be luck"
}

// againstText is the comparison for people.
func (r *Report) againstText() string {
	x := r.Against
	if x == nil {
		return ""
	}
	text := fmt.Sprintf("\nagainst %s: %d %s less, %d more, %d as long", source.Plain(r.Other), x.Shorter,
		form.Plural(x.Shorter, "job waits", "jobs wait"), x.Longer, x.Same)
	if x.Never > 0 {
		text += fmt.Sprintf("; it never starts %d", x.Never)
	}
	text += "\n\n" + r.differences(x.Whole, "METRIC", func(d *replay.Difference) string {
		return replay.Metrics[d.Metric].Name
	}) + "\nmean wait\n\n" + r.differences(x.Groups, "NAME", func(d *replay.Difference) string {
		return source.Plain(d.Name)
	})
	if x.Drawn > 0 {
		text += fmt.Sprintf("\nThe intervals are 95 %% ones, from %d workloads drawn from this one. About one in 20 "+
			"differences that are only luck looks like more.\n", x.Drawn)
	}
	return text
}

// known are the differences that at least one policy has a figure for.
func known(list []replay.Difference) []replay.Difference {
	return slices.DeleteFunc(slices.Clone(list), func(d replay.Difference) bool {
		return d.This != d.This && d.Other != d.Other
	})
}

// differences is a row for each of some differences.
func (r *Report) differences(list []replay.Difference, title string, name func(*replay.Difference) string) string {
	list = known(list)
	g := &form.Grid{Rows: len(list)}
	cell := func(title string, right bool, text func(d *replay.Difference, m *replay.Metric) string) {
		g.AddUsed(title, right, func(row int) string { return text(&list[row], &replay.Metrics[list[row].Metric]) })
	}
	cell("", false, func(d *replay.Difference, _ *replay.Metric) string { return d.Kind })
	cell(title, false, func(d *replay.Difference, _ *replay.Metric) string { return name(d) })
	cell("THIS", true, func(d *replay.Difference, m *replay.Metric) string { return figure(m, d.This) })
	cell("OTHER", true, func(d *replay.Difference, m *replay.Metric) string { return figure(m, d.Other) })
	cell("DIFFERENCE", true, func(d *replay.Difference, m *replay.Metric) string { return signed(m, d.Change()) })
	if r.Against.Drawn > 0 {
		cell("FROM", true, func(d *replay.Difference, m *replay.Metric) string { return signed(m, d.Low) })
		cell("TO", true, func(d *replay.Difference, m *replay.Metric) string { return signed(m, d.High) })
		cell("THIS IS", false, func(d *replay.Difference, _ *replay.Metric) string { return verdict(d) })
	}
	return g.Text(r.Colour)
}

// signed writes a difference of a metric with its sign.
func signed(m *replay.Metric, f float64) string {
	text := figure(m, math.Abs(f))
	switch {
	case f != f || text == figure(m, 0):
		return text
	case f < 0:
		return "-" + text
	}
	return "+" + text
}

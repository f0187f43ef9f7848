package replay

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/replay"
)

// Beside is one workload under a policy before and after a change, for a page that shows both.
type Beside struct {
	Charts  []Picture `json:"charts"`
	Metrics []Change  `json:"metrics"`
	Groups  []Change  `json:"groups"`
	Shorter int       `json:"shorter"` // jobs that wait less now
	Longer  int       `json:"longer"`
	Same    int       `json:"same"`
	Notes   []string  `json:"notes"` // of the replay with the change
}

// Picture is a chart as SVG, with a line before and a line now.
type Picture struct {
	Title string `json:"title"`
	Unit  string `json:"unit"`
	SVG   string `json:"svg"`
}

// Change is a figure of both, as text.
type Change struct {
	Kind   string `json:"kind"` // of a group; "" for all jobs
	Name   string `json:"name"` // of the group, or of the metric
	Doc    string `json:"doc"`
	Jobs   int    `json:"jobs"`
	Before string `json:"before"`
	Now    string `json:"now"`
	Change string `json:"change"` // "" where a figure is unknown, or both are alike
	Gain   int    `json:"gain"`   // 1 where now is better by the metric's goal, -1 where it is worse, else 0
}

// ShowBeside is a replay before and after a change.
func ShowBeside(before, now *Report) (*Beside, error) {
	x := replay.Compare(now.Result, now.Measured, before.Result, before.Measured)
	out := &Beside{Shorter: x.Shorter, Longer: x.Longer, Same: x.Same, Metrics: changes(x.Whole),
		Groups: changes(x.Groups),
		Notes:  []string{}}
	for _, d := range now.Report() {
		out.Notes = append(out.Notes, source.Plain(d.Message))
	}
	for _, c := range both(before, now) {
		c.draw()
		var b strings.Builder
		if err := page.ExecuteTemplate(&b, "picture", c); err != nil {
			return nil, err
		}
		out.Charts = append(out.Charts, Picture{c.Title, c.Unit, b.String()})
	}
	return out, nil
}

// both are the charts of two replays on the same axes.
func both(before, now *Report) (list []*chart) {
	s, t := before.Measured.Series, now.Measured.Series
	for _, of := range []struct {
		id, title, unit string
		before, now     []float64
	}{
		{"queue", "Jobs in the queue", "jobs", s.Queued, t.Queued},
		{"busy", "Busy processors", "processors", s.Busy, t.Busy},
		{"age", "How long jobs in the queue have waited, mean", "hours", hours(s.Age), hours(t.Age)},
	} {
		c := before.chart(of.id, of.title, of.unit, of.before)
		c.span = max(c.span, now.End-s.Begin)
		c.Lines[0].Name = "before"
		c.add("now", of.now)
		c.Lines[1].step = t.StepSeconds
		if of.id == "busy" && now.Procs > 0 {
			c.mark("all processors", float64(now.Procs))
		}
		list = append(list, c)
	}
	return list
}

func changes(all []replay.Difference) []Change {
	list := []Change{}
	for _, d := range known(all) {
		m := &replay.Metrics[d.Metric]
		c := Change{Kind: d.Kind, Name: source.Plain(d.Name), Doc: m.Doc, Jobs: int(d.Jobs), Before: figure(m, d.Other),
			Now: figure(m, d.This)}
		if d.Kind == "" {
			c.Name = m.Name
		}
		if x := d.Change(); x == x && c.Before != c.Now {
			c.Change = signed(m, x)
			switch {
			case m.Goal == replay.Neither:
			case (x > 0) == (m.Goal == replay.More):
				c.Gain = 1
			default:
				c.Gain = -1
			}
		}
		list = append(list, c)
	}
	return list
}

package main

import (
	"bytes"
	"io"

	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/runtime/impact/page"
	"github.com/fairway-sched/fairway/runtime/report/plan"
	"github.com/fairway-sched/fairway/runtime/report/plan/gantt"
)

// writeDiffHTML writes one page that needs no network.
func writeDiffHTML(w io.Writer, r *diffed) error {
	p := &page.Page{Old: r.old, New: r.new, Verdict: r.policies.Verdict(), Queue: r.short}
	for _, d := range r.policies.Differences {
		s := page.Setting{Group: string(d.Group), Kind: string(d.Kind), Name: d.Name}
		if d.Reason != "" {
			s.Group += ": " + d.Reason
		}
		s.Old, s.OldPlace = sideText(d.Old, d.Name)
		s.New, s.NewPlace = sideText(d.New, d.Name)
		p.Settings = append(p.Settings, s)
	}
	var err error
	if p.Charts, err = r.charts(); err != nil {
		return err
	}
	return page.Write(w, p)
}

// mostCharted is how many jobs a chart of a page may be of: more are no picture.
const mostCharted = 2000

// charts draws the plans of both sides.
func (r *diffed) charts() (list []page.Chart, err error) {
	if r.before == nil || r.after == nil || r.before.Result.Jobs.Rows > mostCharted {
		return nil, nil
	}
	for _, side := range []struct {
		title string
		plan  *plan.Plan
	}{{"before: " + r.old, r.before}, {"after: " + r.new, r.after}} {
		var chart bytes.Buffer
		if err := gantt.WriteGantt(&chart, side.plan); err != nil {
			return nil, err
		}
		list = append(list, page.Chart{Title: side.title, SVG: chart.Bytes()})
	}
	return list, nil
}

// sideText is a side's value and place, with its name where that is another one.
func sideText(s *diff.Side, name string) (value, place string) {
	if s == nil {
		return "", ""
	}
	if value = s.Value; s.Name != name {
		value = s.Name + ": " + value
	}
	if !s.Span.IsZero() {
		place = s.Span.String()
	}
	return value, place
}

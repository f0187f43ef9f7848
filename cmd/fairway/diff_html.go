package main

import (
	"io"

	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/runtime/impact/page"
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
	return page.Write(w, p)
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

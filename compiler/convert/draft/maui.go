package draft

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/source"
)

// maui writes what Maui holds after loading a maui.cfg: each value once, whatever the file repeats. What Maui
// ignores has no place in a policy.
func (w *Writer) maui(file *mauicfg.File, opt lower.Options) {
	cfg := lower.MauiConfig(file, opt)
	for _, p := range cfg.Params {
		index := p.Index
		if index == "0" && !strings.HasPrefix(p.Name, "QOS") {
			index = "" // what Maui makes of no index at all; a QOS may be called that
		}
		text := p.Raw
		if p.Value.Kind == mauicfg.KindList {
			text = strings.Join(p.Value.List, " ") // of several lines, or with the # that a comment leaves behind
		}
		w.param(p.Name, index, Setting{Text: text, Span: p.Span})
		if written := p.NameSpan.Text(); !strings.EqualFold(written, p.Name) {
			w.Spelt[p.Span] = written
		}
	}
	for i := range cfg.Objects {
		o := &cfg.Objects[i]
		r := Record{Kind: o.Family, Name: o.Index, Span: o.Span}
		for _, a := range o.Attrs {
			if a.From != "" {
				continue // an old-style parameter sets it, which is above
			}
			name, text := a.Name, a.Raw
			if a.Sub != "" {
				name += "[" + a.Sub + "]"
			}
			if a.Name == "JOBFLAGS" { // of several lines
				text = strings.Join(a.Value.List, ",")
			}
			r.Settings = append(r.Settings, Setting{name, text, a.Span})
		}
		if len(r.Settings) > 0 || len(o.Attrs) == 0 {
			w.Records = append(w.Records, r)
		}
	}
	w.inOrder(file)
	for _, g := range cfg.Ignored {
		name := g.Name
		if g.Index != "" {
			name += "[" + g.Index + "]"
		}
		switch {
		case g.Attr != "" && g.Span.Shown() != g.Span.Text():
			name += " " + source.Hidden
		case g.Attr != "":
			name += " " + g.Attr
		}
		if text := g.Span.File.Line(1); strings.HasPrefix(text, "\ufeff") && g.Span.Position().Line == 1 {
			w.Diags.Warnf("convert-left-out", g.Span, "the file begins with a byte order mark, which hides %s "+
				"from Maui", name).
				Note("save the file without it, and convert again")
			continue
		}
		w.LeftOut(g.Span, name, "`fairway check` says why: "+g.Code)
	}
	for _, f := range append([]*mauicfg.File{file}, file.Included...) {
		for i := range f.Lines {
			if l := &f.Lines[i]; l.Kind == mauicfg.UnrecognisedLine {
				w.LeftOut(l.Span, "a line that Maui cannot read", "write a # before it if it is meant as a comment")
			}
		}
	}
}

// inOrder puts everything as it stands in the file and then in those that it includes.
func (w *Writer) inOrder(file *mauicfg.File) {
	files := []*source.File{file.Source}
	for _, f := range file.Included {
		files = append(files, f.Source)
	}
	order := func(a, b source.Span) int {
		return cmp.Or(slices.Index(files, a.File)-slices.Index(files, b.File), int(a.Start)-int(b.Start))
	}
	slices.SortStableFunc(w.Set, func(a, b Setting) int { return order(a.Span, b.Span) })
	slices.SortStableFunc(w.Records, func(a, b Record) int { return order(a.Span, b.Span) })
	w.Index = DumpIndex{}
}

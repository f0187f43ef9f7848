package editor

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/source"
)

// Check is lint of a group of files as they were when it was made: it may run while the texts change.
type Check struct {
	Group *Group
	Input compiler.Input
	// Decide takes out what the site has decided about; nil takes out nothing.
	Decide func(*compiler.Linted) diag.List

	included []string // files that those of the group take in

	found *compiler.Linted
	diags diag.List
	texts map[*source.File]*Text
}

// NewCheck takes the files of a text's policy as they are now.
func (w *Workspace) NewCheck(d *Document, opt lower.Options) *Check {
	c := &Check{Group: w.Group(d), texts: map[*source.File]*Text{}}
	c.Input = compiler.Input{Include: w.files(), Options: opt}
	for _, f := range c.Group.Files {
		c.Input.Files = append(c.Input.Files, f.File)
		c.included = append(c.included, w.included(f)...)
	}
	c.Input.Fragment = c.Group.Fragment
	if files := c.Group.Files; len(files) == 1 && files[0].named != "" {
		c.Input.Lang = files[0].Lang()
	} else if len(files) == 1 && files[0].Role() != lower.Unknown {
		c.Input.Lang = files[0].Lang()
	}
	for _, d := range c.Group.All() {
		c.texts[d.File] = d.Text
	}
	return c
}

// Run lints the files.
func (c *Check) Run() {
	c.found = &compiler.Linted{}
	switch g := c.Group; {
	case len(g.Files) == 1 && (withoutPolicy(g.Files[0]) || g.Files[0].Lang() == ""):
		if g.Files[0].Lang() == lower.HCL {
			_, c.found.Diags = policy.Parse(g.Files[0].File)
		}
	case len(g.Files) > 0:
		c.found = compiler.Lint(c.Input, lint.Options{})
	}
	opt := c.Input.Options
	if c.found.Policy != nil {
		opt.Version = c.found.Policy.Version
	}
	for _, b := range c.Group.Beside {
		var main *source.File
		if len(c.Group.Files) > 0 {
			main = c.Group.Files[0].File
		}
		list := lower.CheckBeside(b.File, main, c.Input.Include, opt)
		lint.Raise(list)
		c.found.Diags = append(c.found.Diags, list...)
		c.found.Files = append(c.found.Files, b.File)
	}
	for _, t := range c.Group.Tests {
		_, list := policy.Parse(t.File)
		c.found.Diags = append(c.found.Diags, list...)
		c.found.Files = append(c.found.Files, t.File)
	}
	c.diags = c.found.Diags
	if c.Decide != nil {
		c.diags = c.Decide(c.found)
	}
	c.diags.Sort()
}

// Finding is one finding with its place as editors count.
type Finding struct {
	*diag.Diagnostic
	Place
	Notes []FindingNote // those with a place of their own
}

// FindingNote is a note that points somewhere else.
type FindingNote struct {
	Place
	Text string
}

// Findings are what was found, by file. Files of the group, and what they include, are there without findings too.
func (c *Check) Findings() map[string][]Finding {
	list := map[string][]Finding{}
	for _, d := range c.Group.All() {
		list[d.Path] = nil
	}
	for _, name := range c.included {
		list[name] = nil
	}
	for _, d := range c.diags {
		f := Finding{Diagnostic: d, Place: c.place(d.Span)}
		if f.Path == "" && len(c.Group.All()) > 0 {
			f.Path = c.Group.All()[0].Path
		}
		for _, n := range d.Notes {
			if !n.Span.IsZero() && strings.HasPrefix(n.Span.File.Name, "/") {
				f.Notes = append(f.Notes, FindingNote{c.place(n.Span), n.Text})
			}
		}
		list[f.Path] = append(list[f.Path], f)
	}
	return list
}

// place is where a span is, as editors count.
func (c *Check) place(s source.Span) Place {
	if s.IsZero() {
		return Place{}
	}
	t := c.texts[s.File]
	if t == nil {
		t = newText(s.File)
		c.texts[s.File] = t
	}
	return Place{s.File.Name, t.Span(s)}
}

// Explain is what the pages of the findings at a place say, as Markdown: why they matter, and what to write instead.
func (c *Check) Explain(name string, at Position) string {
	var parts []string
	for _, f := range c.Findings()[name] {
		page := pages.Of(f.Code)
		if page == nil || after(f.Start, at) || after(at, f.End) || f.Start == f.End {
			continue
		}
		text := "**" + f.Code + "**: " + sentence(page.What)
		if page.Why != "" {
			text += "\n\nWhy: " + sentence(page.Why)
		}
		switch {
		case strings.HasSuffix(page.Instead, "."):
			text += "\n\nInstead: " + page.Instead
		case page.Instead != "":
			text += "\n\nInstead:\n" + fenced(page.Instead)
		}
		if page.Source != "" {
			text += "\n\nSource: " + sentence(page.Source)
		}
		parts = append(parts, text)
	}
	return strings.Join(slices.Compact(parts), "\n\n---\n\n")
}

// Action is a way to mend a finding.
type Action struct {
	Title string
	Of    Finding // the zero Finding of one that mends many
	Edits map[string][]Edit
}

// Actions are the fixes of the findings that touch a range of a file.
func (c *Check) Actions(name string, r Range) (list []Action) {
	for _, f := range c.Findings()[name] {
		if after(f.Start, r.End) || after(r.Start, f.End) {
			continue
		}
		for _, fix := range compiler.Fixes(f.Diagnostic) {
			place := c.place(fix.Span)
			list = append(list, Action{
				Title: fixTitle(fix), Of: f, Edits: map[string][]Edit{place.Path: {{place.Range, fix.NewText}}},
			})
		}
	}
	return list
}

func after(a, b Position) bool { return a.Line > b.Line || a.Line == b.Line && a.Column > b.Column }

func fixTitle(fix diag.Fix) string {
	switch {
	case fix.NewText == "" && strings.HasSuffix(fix.Span.Text(), "\n"):
		return "delete the line"
	case strings.TrimSpace(fix.NewText) == "":
		return "delete " + shortened(strings.TrimSpace(fix.Span.Shown()))
	case fix.Span.Start == fix.Span.End:
		return "insert " + shortened(fix.Shown())
	}
	return "write " + shortened(fix.Shown())
}

// mostTitle is the longest text that a title quotes.
const mostTitle = 60

func shortened(text string) string {
	text = source.Plain(strings.TrimSpace(text))
	if r := []rune(text); len(r) > mostTitle {
		return string(r[:mostTitle]) + "…"
	}
	return text
}

// FixAll are the edits of all fixes that change no meaning, as `fairway lint --fix` makes them.
func (c *Check) FixAll() map[string][]Edit {
	shown := func(l *compiler.Linted) diag.List {
		if c.Decide == nil {
			return l.Diags
		}
		return c.Decide(l)
	}
	if c.found == nil || c.found.Policy == nil {
		return nil
	}
	edits := map[string][]Edit{}
	for _, f := range compiler.Fix(c.Input, c.found, lint.Options{}, shown).Files {
		if edit, changed := replaced(newText(f.File), f.Text); changed {
			edits[f.File.Name] = []Edit{edit}
		}
	}
	return edits
}

// Format is a text in the canonical form of its language, as the one edit that makes it so; nil if it cannot be read,
// or is so already.
func (d *Document) Format() []Edit {
	if d.Lang() == "" || d.Role() == lower.Beside {
		return nil
	}
	text, diags := lower.Format(d.File, d.Lang())
	if diags.HasErrors() {
		return nil
	}
	if edit, changed := replaced(d.Text, text); changed {
		return []Edit{edit}
	}
	return nil
}

// replaced is the edit that makes one text of another: the lines between those that both begin and end with.
func replaced(t *Text, text []byte) (Edit, bool) {
	old := t.File.Text
	if slices.Equal(old, text) {
		return Edit{}, false
	}
	first := 0
	for i := 0; i < len(old) && i < len(text) && old[i] == text[i]; i++ {
		if old[i] == '\n' {
			first = i + 1
		}
	}
	last, most := 0, min(len(old), len(text))-first
	for i := 1; i <= most && old[len(old)-i] == text[len(text)-i]; i++ {
		if i < most && old[len(old)-i-1] == '\n' && text[len(text)-i-1] == '\n' {
			last = i
		}
	}
	return Edit{t.Range(first, len(old)-last), string(text[first : len(text)-last])}, true
}

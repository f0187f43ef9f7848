package compiler

import (
	"bytes"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Fixed is a file with edits in it.
type Fixed struct {
	File  *source.File // as it was
	Text  []byte       // as it should be
	Edits int
}

// Repaired is what Fix makes of the files of a policy.
type Repaired struct {
	Files []Fixed // those that change, included ones too
	Left  int     // fixes that would change what the policy means, or bring another finding: for a person
	Input Input   // the files as they should be
	Found *Linted // what lint says of them
}

// Fix applies those fixes of findings that change no meaning: the policy and its facts are the same
// before and after, and no mistake comes up that was not there, which is tested here for the very edits
// that are made. shown takes out the findings that the site has silenced: what they are about stays as
// it is. nil shows all.
func Fix(in Input, found *Linted, opt lint.Options, shown func(*Linted) diag.List) *Repaired {
	return repair(in, found, opt, shown, false)
}

// FixAll also applies those that change what the policy means, such as a name put right. Each brings no mistake that
// was not there, either.
func FixAll(in Input, found *Linted, opt lint.Options, shown func(*Linted) diag.List) *Repaired {
	return repair(in, found, opt, shown, true)
}

func repair(in Input, found *Linted, opt lint.Options, shown func(*Linted) diag.List, changes bool) *Repaired {
	if shown == nil {
		shown = func(l *Linted) diag.List { return l.Diags }
	}
	r := &Repaired{Input: in, Found: found}
	if found.Policy == nil {
		return r
	}
	now := fixInput{Input: in}
	now.NodeFacts = true
	now.Files = slices.Clone(in.Files)
	f := &fixing{opt: opt, want: Lint(now.Input, opt).Policy.Meaning(), changes: changes}
	first, count := map[string]*source.File{}, map[string]int{}
	var names []string
	// One edit may make room for another: of a setting made twice the first line goes, then the second changes.
	for before := map[string]bool{}; ; {
		state := now.state()
		if before[state] {
			break
		}
		before[state] = true
		edits := slices.DeleteFunc(candidates(shown(r.Found)), func(e diag.Fix) bool {
			return !now.has(e.Span.File) || slices.Contains(e.Span.File.Text, 0) // a byte of value 0 is no text
		})
		f.in, f.taken, f.mistakes = now, nil, mistakes(r.Found.Diags)
		f.more = slices.ContainsFunc(r.Found.Diags,
			func(d *diag.Diagnostic) bool { return strings.HasSuffix(d.Code, "-more-findings") })
		f.add(edits)
		if r.Left = len(edits) - len(f.taken); len(f.taken) == 0 {
			break
		}
		for _, e := range f.taken {
			if name := e.Span.File.Name; first[name] == nil {
				first[name] = e.Span.File
				names = append(names, name)
			}
			count[e.Span.File.Name]++
		}
		now = now.with(f.taken)
		r.Found = Lint(now.Input, opt)
	}
	for _, name := range names {
		r.Files = append(r.Files, Fixed{first[name], now.text(name), count[name]})
	}
	r.Input = now.Input
	r.Input.NodeFacts = in.NodeFacts
	r.Found = Lint(r.Input, opt)
	return r
}

// fixInput is an input whose included files may have been changed.
type fixInput struct {
	Input
	included map[string][]byte // by the names that people see
}

// with is the input with edits made.
func (in fixInput) with(edits []diag.Fix) fixInput {
	out := in
	out.Files = slices.Clone(in.Files)
	out.included = map[string][]byte{}
	maps.Copy(out.included, in.included)
	for _, e := range edits {
		name := e.Span.File.Name
		if i := slices.IndexFunc(in.Files, func(f *source.File) bool { return f.Name == name }); i >= 0 {
			if out.Files[i] == in.Files[i] {
				out.Files[i] = source.NewFile(name, apply(in.Files[i], edits))
			}
			continue
		}
		out.included[name] = apply(e.Span.File, edits)
	}
	out.Include = in.Include.With(out.included)
	return out
}

// has reports a file of the policy, or one that these include; a setting of the command line is neither.
func (in fixInput) has(file *source.File) bool {
	return slices.Contains(in.Files, file) || in.Include.Has(file.Name, file.Text)
}

// text is a file as it stands.
func (in fixInput) text(name string) []byte {
	for _, f := range in.Files {
		if f.Name == name {
			return f.Text
		}
	}
	return in.included[name]
}

// state is the text of all files, by a sum of it: one that comes again would go round for ever.
func (in fixInput) state() string {
	sum := sha256.New()
	for _, f := range in.Files {
		_, _ = sum.Write(f.Text) // a hash takes everything
		_, _ = sum.Write([]byte{0})
	}
	for _, name := range slices.Sorted(maps.Keys(in.included)) {
		_, _ = sum.Write(append([]byte(name+"\x00"), in.included[name]...))
	}
	return string(sum.Sum(nil))
}

type fixing struct {
	in       fixInput
	opt      lint.Options
	want     string
	changes  bool // the meaning may change
	mistakes map[string]int
	more     bool // there were more findings than are reported: what comes up may have been there
	taken    []diag.Fix
}

// add takes as many of the edits as keep the meaning: all together if they do, else each half by
// itself. What has been taken stays, so that the whole is tested and not each edit alone.
func (f *fixing) add(edits []diag.Fix) {
	if len(edits) == 0 {
		return
	}
	all := append(slices.Clone(f.taken), edits...)
	if f.good(all) {
		f.taken = all
		return
	}
	if len(edits) > 1 {
		f.add(edits[:len(edits)/2])
		f.add(edits[len(edits)/2:])
	}
}

// good reports that the edits change no meaning and bring no mistake.
func (f *fixing) good(edits []diag.Fix) bool {
	l := Lint(f.in.with(edits).Input, f.opt)
	if l.Policy == nil || !f.changes && l.Policy.Meaning() != f.want {
		return false
	}
	for code, n := range mistakes(l.Diags) {
		if n > f.mistakes[code] && !f.more {
			return false
		}
	}
	return true
}

// mistakes counts the findings of each code that are more than notes. A repeated setting counts too: which of
// the two is meant is for a person to say.
func mistakes(list diag.List) map[string]int {
	n := map[string]int{}
	for _, d := range list {
		if d.Severity != diag.Info {
			n[d.Code]++
		}
	}
	return n
}

// candidates are the fixes of findings; no two touch.
func candidates(list diag.List) (edits []diag.Fix) {
	add := func(fix *diag.Fix) {
		if fix != nil && !slices.ContainsFunc(edits, func(e diag.Fix) bool {
			return e.Span.File.Name == fix.Span.File.Name && e.Span.Start <= fix.Span.End &&
				fix.Span.Start <= e.Span.End
		}) {
			edits = append(edits, *fix)
		}
	}
	for _, d := range list { // a line that goes need not be mended
		add(deadLine(d))
	}
	for _, d := range list {
		add(d.Fix)
	}
	slices.SortStableFunc(edits, func(a, b diag.Fix) int { return int(a.Span.Start - b.Span.Start) })
	return edits
}

// Fixes are the edits that mend one finding, each by itself.
func Fixes(d *diag.Diagnostic) (list []diag.Fix) {
	for _, fix := range []*diag.Fix{d.Fix, deadLine(d)} {
		if fix != nil {
			list = append(list, *fix)
		}
	}
	return list
}

// deadLine deletes a line that nothing reads, as the finding says: of a setting made twice
// the first, and keys that are ignored.
func deadLine(d *diag.Diagnostic) *diag.Fix {
	at := d.Span
	switch d.Code {
	case "maui-overridden", "maui-repeated", "slurm-defunct-key":
	case "slurm-duplicate-key": // its note is about the earlier one
		for _, n := range d.Notes {
			if !n.Span.IsZero() {
				at = n.Span
			}
		}
	default:
		return nil
	}
	if at.IsZero() {
		return nil
	}
	text := at.File.Text
	start := bytes.LastIndexByte(text[:at.Start], '\n') + 1
	end := len(text)
	if i := bytes.IndexByte(text[at.End:], '\n'); i >= 0 {
		end = int(at.End) + i + 1
	}
	line := string(text[start:end])
	words := strings.Fields(line)
	before := strings.TrimRight(string(text[:start]), " \t\r\n")
	above := before[strings.LastIndexByte(before, '\n')+1:]
	continued := strings.Contains(line, `\`) || strings.HasSuffix(before, `\`)
	if continued || strings.Contains(line, "#") || len(words) > 2 || strings.Count(line, "=") > 1 {
		return nil // the line holds more
	}
	if strings.Contains(above, "fairway:ignore") {
		return nil // the comment would speak of the line after
	}
	return &diag.Fix{Span: at.File.Span(start, end)}
}

func apply(file *source.File, edits []diag.Fix) (text []byte) {
	last := 0
	for _, e := range edits {
		if e.Span.File.Name != file.Name || int(e.Span.Start) < last {
			continue
		}
		text = append(text, file.Text[last:e.Span.Start]...)
		text = append(text, e.NewText...)
		last = int(e.Span.End)
	}
	return append(text, file.Text[last:]...)
}

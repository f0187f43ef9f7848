package lower

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/maui"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// What follows is for who writes a scheduler's file: how it says what a policy means.

// Written are the scheduler's own files that the `params` and records of policy files come to: the main one, and the
// dump of accounts. Either may be nil.
type Written struct {
	Main, Dump *source.File

	from []*writtenFile
}

// Moved are findings about the written files, at the places of the policy files; those about `params` are dropped.
func (w *Written) Moved(list diag.List) diag.List {
	for _, f := range w.from {
		list = f.findings(list)
	}
	return list
}

// SchedulerFiles writes what policy files say as the scheduler's own files.
func SchedulerFiles(units []Unit, opt Options) (out Written, diags diag.List) {
	l := &lowering{opt: opt, params: newParams(), tables: newTables(), deviations: map[string]source.Span{}}
	l.policyFiles(units)
	l.chooseVersion(units)
	l.numberedDeviations()
	l.dialects(units)
	for _, w := range l.wrote {
		if w.file.Name == dumpName {
			out.Dump = w.file
		} else {
			out.Main = w.file
		}
	}
	out.from = l.wrote
	return out, l.diags
}

// ParamText writes a value as the scheduler's file has it; false for one that it cannot have.
func ParamText(family string, p *ir.Param, v schema.Value) (string, bool) {
	r := reader{family: family}
	text, ok := r.text(p, v)
	if ok && family == "maui" && v.Type == schema.Bool {
		text = map[bool]string{true: "TRUE", false: "FALSE"}[v.Int != 0]
	}
	return text, ok
}

// MauiFamily is the family of records for a credential, "" if Maui has none.
func MauiFamily(object string) string {
	for family, o := range maui.Objects {
		if o == object {
			return family
		}
	}
	return ""
}

// MauiAttribute is the attribute that sets a column of a credential, "" if there is none.
func MauiAttribute(column schema.ColumnID) string {
	for attribute, name := range maui.Columns {
		if string(column) == column.Object()+"."+name {
			return attribute
		}
	}
	return ""
}

// MauiLimit is the attribute, or the parameter, that sets a limit, with its value; false if Maui has none that
// it enforces.
func MauiLimit(l *ir.Limit) (name, value string, ok bool) {
	if l.When.IsSet() || l.AtLeast || l.Override || l.Hard == nil || l.Soft == nil ||
		*l.Hard != float64(int64(*l.Hard)) ||
		*l.Soft != float64(int64(*l.Soft)) ||
		len(l.Cross) > 0 {
		return "", "", false
	}
	value = fmt.Sprintf("%d,%d", int64(*l.Soft), int64(*l.Hard))
	if *l.Soft == *l.Hard {
		value = fmt.Sprint(int64(*l.Hard))
	}
	find := func(m map[string]string, word string) string {
		for name, counts := range m {
			if counts == word {
				return name
			}
		}
		return ""
	}
	count := find(maui.Counts, l.Counts)
	switch {
	case l.Object == "" && l.Phase == "job":
		name = find(maui.SystemLimits, l.Counts)
		return name, value, name != ""
	case l.Phase == "job":
		name = find(maui.JobLimits, l.Counts)
	case count == "":
	case l.Phase == "idle" && len(l.Per) == 1:
		name = "MAXI" + count
	case l.Phase == "active" && len(l.Per) == 1:
		name = "MAX" + count
	case l.Phase == "active" && slices.Equal(l.Per, []string{"partition", "user"}):
		name = "MAX" + count + "PERUSER"
	}
	return name, value, maui.Enforced()[MauiFamily(l.Object)+" "+name]
}

// TreeParam is the parameter of Slurm's for a setting of an account tree, "" if there is none.
func TreeParam(setting string) string {
	for _, p := range treeParams {
		if p.name == setting {
			return p.param
		}
	}
	return ""
}

// MauiWindows is the parameter of Maui's for a setting of windows of usage, with its value; "" if there is none of its
// own.
func MauiWindows(f *ir.Fairshare, s ir.Setting) (name, value string) {
	for _, p := range windowParams {
		if p.name == s.Name {
			name = p.param
		}
	}
	switch value = s.Value.String(); name {
	case "FSPOLICY":
		for _, u := range windowUsage {
			if u.word == s.Value.Str {
				value = u.policy
			}
		}
		if f.Setting("ratio").Value.Int != 0 {
			value += "%"
		}
	case "FSDECAY":
		value = strconv.FormatFloat(s.Value.Double, 'f', -1, 64)
	}
	return name, value
}

// MauiTarget writes a fairshare target.
func MauiTarget(t *ir.Target) string {
	for suffix, kind := range map[string]string{"": "target", "+": "floor", "-": "ceiling", "^": "cap",
		"%": "relative_cap"} {
		if kind == t.Kind {
			return fmt.Sprint(t.Value) + suffix
		}
	}
	return ""
}

// wordPlace narrows a place to the string literal of a word in it: an attribute may be
// a list of several.
func wordPlace(span source.Span, word string) source.Span {
	literal := strconv.Quote(word)
	at := strings.Index(span.Text(), literal)
	if at < 0 {
		return span
	}
	return span.Sub(at, at+len(literal))
}

// didYouMean offers the nearest word, as a literal where one is in the file.
func didYouMean(d *diag.Diagnostic, word string, candidates []string) {
	near := diag.Nearest(word, candidates)
	if near == "" {
		return
	}
	d.Note("did you mean %q?", near)
	if d.Span.Text() == strconv.Quote(word) {
		near = strconv.Quote(near)
	}
	d.Suggest(d.Span, near)
}

package compiler

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/check"
	"github.com/fairway-sched/fairway/compiler/codegen"
	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Linted is what lint has to say of the files of a policy.
type Linted struct {
	Policy *ir.Policy // nil if it could not be made
	Files  []*source.File
	Diags  diag.List
}

// Lint finds mistakes in the files of one policy. Unlike Compile it goes on after errors of a
// scheduler's file, and where the files are a scheduler's alone it does not compile the formula.
func Lint(in Input, opt lint.Options) *Linted {
	out := &Output{}
	parse(&in, out)
	in.Lenient = true
	formula := in.Semantics != "" || len(in.Deviations)+len(in.Without)+len(in.Params) > 0
	for _, u := range out.units {
		formula = formula || u.HCL != nil
	}
	in.SettingsOnly = !formula
	l := &Linted{Files: in.Files}
	policy, diags := lower.Lower(out.units, in.Options)
	l.Diags = append(out.Diags, diags...)
	if policy != nil {
		policy.Facts.Partial = policy.Facts.Partial || in.Fragment || slices.ContainsFunc(l.Diags, lint.Unread)
		if formula {
			policy = fold.Policy(policy)
		}
		l.Diags = append(l.Diags, slices.DeleteFunc(check.Policy(policy), func(d *diag.Diagnostic) bool {
			return !formula && d.Code == "empty-policy"
		})...)
		if formula && !l.Diags.HasErrors() {
			_, diags := codegen.Generate(policy)
			l.Diags = append(l.Diags, diags...)
		}
		l.Diags = slices.DeleteFunc(l.Diags, aboutFairway)
		lint.Raise(l.Diags)
		l.add(lint.Policy(policy, opt))
		lint.ForMoab(l.Diags)
	}
	l.Policy = policy
	l.Diags.Sort()
	l.Diags = slices.CompactFunc(l.Diags, same)
	l.Files = filesOf(l.Files, l.Diags)
	return l
}

// aboutFairway reports findings that say what this program does not compute: the file is right.
func aboutFairway(d *diag.Diagnostic) bool {
	switch d.Code {
	case "preemption-not-applied", "fairshare-secondary-groups", "fairshare-ticket-based":
		return true
	}
	return strings.HasPrefix(d.Code, "unsupported-") || strings.HasPrefix(d.Code, "plan-not-")
}

// add joins findings. Where a rule has a finding at a place where the lowering says that the manual
// has it otherwise, the latter becomes a note of the former.
func (l *Linted) add(found diag.List) {
	for _, d := range found {
		l.Diags = slices.DeleteFunc(l.Diags, func(hint *diag.Diagnostic) bool {
			if hint.Code != "deviation-matters" || hint.Span != d.Span && !ofItsLine(hint.Span, d.Span) {
				return false
			}
			d.Note("%s", hint.Message)
			d.Notes = append(d.Notes, hint.Notes...)
			return true
		})
	}
	l.Diags = append(l.Diags, found...)
}

// ofItsLine reports a place on the line of a name that begins it: such a line holds one setting.
func ofItsLine(value, name source.Span) bool {
	if value.IsZero() || name.IsZero() || value.File != name.File {
		return false
	}
	v, n := value.Position(), name.Position()
	return v.Line == n.Line && n.Column == 1 && v.Column > 1
}

// filesOf adds the included files in which something was found.
func filesOf(files []*source.File, list diag.List) []*source.File {
	for _, d := range list {
		if f := d.Span.File; f != nil && !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	return files
}

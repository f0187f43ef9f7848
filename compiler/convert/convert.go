// Package convert writes a policy in another language.
//
// In: the parsed files of one policy. Out: text in the other language, and findings on what it cannot say.
// `fairway convert` calls it. A conversion is never taken on trust: what was written is compiled again, and
// where the two policies differ in meaning nothing is written.
package convert

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Result is a policy in another language.
type Result struct {
	Text     []byte
	Accounts []byte // the dump of accounts that goes with a slurm.conf, nil if there is none

	Read lower.Options // with what the files are to be read, as they cannot state it
}

// Targets are the languages that policies are written in.
var Targets = []lower.Lang{lower.HCL, lower.Maui, lower.Slurm}

// To writes a policy in a language; the result is empty if there are errors.
func To(lang lower.Lang, units []lower.Unit, opt lower.Options) (Result, diag.List) {
	if lang == lower.HCL {
		text, diags := HCL(units, opt)
		return Result{Text: text}, diags
	}
	return toScheduler(string(lang), units, opt)
}

// HCL writes the files of a scheduler as one policy in Fairway's own language that means the same: the
// parameters in `params`, all else in `record` blocks. The text is nil if there are errors.
func HCL(units []lower.Unit, opt lower.Options) ([]byte, diag.List) {
	var diags diag.List
	for _, u := range units {
		if u.HCL != nil {
			diags.Errorf("convert-same-language", u.Source.Span(0, 0), "%s is in HCL already", u.Source.Name).
				Note("give the scheduler's files alone; a policy file can stay beside the converted one, under the " +
					"same policy name")
			return nil, diags
		}
	}
	opt.NodeFacts = true
	units = lower.Stated(units, opt.Params)
	before, found := lower.Lower(units, opt)
	diags = append(diags, found...)
	if found.HasErrors() {
		readAs(units, opt, diags)
		return nil, diags
	}
	w := newWriter(before, &diags)
	w.header(units, opt)
	for _, u := range units {
		w.remarks.see(u.Source)
		w.unit(u, opt)
	}
	text := policy.Format([]byte(w.text()))
	if diags.HasErrors() {
		return nil, diags
	}
	if d := w.verify(units[0], text, before, opt); d.HasErrors() {
		return nil, append(diags, d...)
	}
	if w.withoutPasswords() {
		text = policy.Format([]byte(w.text()))
	}
	return text, diags
}

// withoutPasswords takes passwords out of what is written, once it has been compared, and says where. A policy
// is read by more people than the scheduler's own file, and nothing is computed from them.
func (w *writer) withoutPasswords() (found bool) {
	hide := func(kind string, s *setting) {
		shown := source.Mask(s.text)
		if source.Secret(kind) || source.Secret(s.name) {
			shown = source.Hidden
		}
		if s.text == "" || shown == s.text {
			return
		}
		found, s.text = true, shown
		w.diags.Infof("convert-password", s.span, "the password in %s is left out", cmp.Or(s.name, kind)).
			Note("nothing is computed from it; it stays in the scheduler's file alone")
	}
	for i := range w.set {
		hide("", &w.set[i])
	}
	for i := range w.records {
		r := &w.records[i]
		if r.value != nil {
			hide(r.kind, r.value)
		}
		for j := range r.settings {
			hide("", &r.settings[j])
		}
	}
	return found
}

func newWriter(p *ir.Policy, diags *diag.List) *writer {
	return &writer{policy: p, params: paramsOf(p), diags: diags, from: schedulerOf(p), made: map[string]bool{},
		translation: translation{taken: map[source.Span]bool{}, reasons: map[source.Span]string{},
			spelt: map[source.Span]string{}, collided: map[source.Span]bool{}, overridden: map[string]bool{}}}
}

// unit gathers what a scheduler's file says.
func (w *writer) unit(u lower.Unit, opt lower.Options) {
	switch {
	case u.Maui != nil:
		w.maui(u.Maui, opt)
	case u.Slurm != nil:
		w.slurm(u.Slurm, opt)
	case u.Dump != nil:
		w.dump(u.Dump)
	}
}

// verify compiles what was written. Neither finding is the user's fault, but a wrong policy would be worse.
func (w *writer) verify(first lower.Unit, text []byte, before *ir.Policy, opt lower.Options) (diags diag.List) {
	written := source.NewFile("converted.fairway.hcl", text)
	unit, found := lower.Parse(written, lower.HCL, lower.Files{})
	var after *ir.Policy
	if !found.HasErrors() {
		after, found = lower.Lower([]lower.Unit{unit},
			lower.Options{NodeFacts: true, SnapshotVersion: opt.SnapshotVersion, Without: opt.Without})
	}
	place := first.Source.Span(0, 0)
	if found.HasErrors() {
		d := diags.Errorf("convert-refused", place, "what this policy becomes in HCL cannot be read")
		for _, f := range found {
			if f.Severity == diag.Error {
				d.Note("%s: %s", strings.TrimSpace(written.Shown(f.Span.Position().Line)), f.Message)
			}
		}
		return diags
	}
	if line, other := firstDifference(before.Meaning(), after.Meaning()); line != other {
		diags.Errorf("convert-refused", place, "HCL cannot say all that this policy says, so nothing was written").
			Note("here: %s", line).Note("in HCL: %s", other)
	}
	return diags
}

func firstDifference(a, b string) (string, string) {
	left, right := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(left), len(right)) {
		l, r := "(nothing)", "(nothing)"
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		if l != r {
			return l, r
		}
	}
	return "", ""
}

// header writes what stands before the first setting.
func (w *writer) header(units []lower.Unit, opt lower.Options) {
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = u.Source.Name
	}
	w.intro = fmt.Sprintf("# Made from %s by `fairway convert`; it means the same.\n", strings.Join(names, ", "))
	w.heads = append(w.heads, "use = "+quote(libraryName(w.policy, w.policy.Family)))
	if w.from.versions && opt.Version != "" {
		w.heads = append(w.heads, "version = "+quote(w.policy.Version))
	}
	if opt.Semantics != "" {
		w.heads = append(w.heads, "semantics = "+quote(opt.Semantics))
	}
	if len(opt.Deviations) > 0 {
		list := make([]string, len(opt.Deviations))
		for i, d := range opt.Deviations {
			list[i] = quote(d)
		}
		w.heads = append(w.heads, "deviations = ["+strings.Join(list, ", ")+"]")
	}
}

// number reports text that is a whole number as it stands: it needs no quotes.
func number(text string, p *ir.Param) bool {
	if p != nil &&
		(p.Type != schema.Int && p.Type != schema.Double || p.Unit != "" && p.Unit != "jobs" && p.Unit != "MB") {
		return false // a bare number would be in the unit that is stored, not in that of the file
	}
	digits := strings.TrimPrefix(text, "-")
	return len(digits) > 0 && len(digits) < 16 && strings.Trim(digits, "0123456789") == "" &&
		(digits[0] != '0' || text == "0")
}

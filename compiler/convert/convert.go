// Package convert writes a policy in another language.
//
// In: the parsed files of one policy. Out: text in the other language, and findings on what it cannot say.
// `fairway convert` calls it. A conversion is never taken on trust: what was written is compiled again, and
// where the two policies differ in meaning nothing is written.
package convert

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// Result is a policy in another language.
type Result = draft.ResultOf

// Targets are the languages that policies are written in.
var Targets = []lower.Lang{lower.HCL, lower.Maui, lower.Slurm}

// Member is a user of a queue in an account, "" for none, with how many jobs.
type Member = draft.Member

// Beside is what goes with a slurm.conf: the members of a queue, who get a place among its accounts, and the name
// of the policy file that says what slurm.conf cannot, "" if none is asked for.
type Beside struct {
	Members []Member
	Rest    string
}

// To writes a policy in a language; the result is empty if there are errors.
func To(lang lower.Lang, units []lower.Unit, opt lower.Options) (Result, diag.List) {
	return With(lang, units, opt, Beside{})
}

// With is To with what goes beside.
func With(lang lower.Lang, units []lower.Unit, opt lower.Options, beside Beside) (Result, diag.List) {
	if lang == lower.HCL {
		text, diags := HCL(units, opt)
		return Result{Text: text}, diags
	}
	return toScheduler(string(lang), units, opt, beside)
}

// HCL writes the files of a scheduler as one policy in Fairway's own language that means the same: the
// parameters in `params`, nodes, partitions, accounts and QOS in its own blocks, all else in `record` blocks. The text is
// nil if there are errors.
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
		return nil, diags
	}
	opt.Version = release(before, opt)
	w := conversion{draft.NewWriter(before, &diags)}
	w.header(units, opt)
	for _, u := range units {
		w.Remarks.See(u.Source)
		w.Unit(u, opt)
	}
	w.Blocks = true
	text := []byte(w.Text(formatted()))
	if diags.HasErrors() {
		return nil, diags
	}
	if w.verify(units[0], text, before, opt).HasErrors() { // a file in an order or with names that no blocks have
		w.Blocks = false
		text = []byte(w.Text(formatted()))
		if d := w.verify(units[0], text, before, opt); d.HasErrors() {
			return nil, append(diags, d...)
		}
	}
	if w.withoutPasswords() {
		text = []byte(w.Text(formatted()))
	}
	return text, diags
}

// formatted formats the lines within blocks; what it has formatted it knows.
func formatted() func(depth int, lines string) string {
	known := map[string]string{}
	return func(depth int, lines string) string {
		key := strconv.Itoa(depth) + lines
		out, ok := known[key]
		if !ok {
			out = string(policy.Format([]byte(strings.Repeat("x {\n", depth) + lines + strings.Repeat("}\n", depth))))
			for range depth {
				_, out, _ = strings.Cut(out, "\n")
				out = out[:strings.LastIndexByte(out[:len(out)-1], '\n')+1]
			}
			known[key] = out
		}
		return out
	}
}

// release is the release that the files are for, if it is stated anywhere or had to be found out: what is written
// is read as the same one.
func release(p *ir.Policy, opt lower.Options) string {
	if opt.Version == "" && p.Family == "slurm" && p.Version != slurmconf.Newest() {
		return p.Version
	}
	return opt.Version
}

// withoutPasswords takes passwords out of what is written, once it has been compared, and says where. A policy
// is read by more people than the scheduler's own file, and nothing is computed from them.
func (w *conversion) withoutPasswords() (found bool) {
	hide := func(kind string, s *draft.Setting) {
		shown := source.Mask(s.Text)
		if source.Secret(kind) || source.Secret(s.Name) {
			shown = source.Hidden
		}
		if s.Text == "" || shown == s.Text {
			return
		}
		found, s.Text = true, shown
		w.Diags.Infof("convert-password", s.Span, "the password in %s is left out", cmp.Or(s.Name, kind)).
			Note("nothing is computed from it; it stays in the scheduler's file alone")
	}
	for i := range w.Set {
		hide("", &w.Set[i])
	}
	for i := range w.Records {
		r := &w.Records[i]
		if r.Value != nil {
			hide(r.Kind, r.Value)
		}
		for j := range r.Settings {
			hide("", &r.Settings[j])
		}
	}
	return found
}

// verify compiles what was written. Neither finding is the user's fault, but a wrong policy would be worse.
func (w *conversion) verify(first lower.Unit, text []byte, before *ir.Policy, opt lower.Options) (diags diag.List) {
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

// header writes what comes before the first setting.
func (w *conversion) header(units []lower.Unit, opt lower.Options) {
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = u.Source.Name
	}
	w.Intro = fmt.Sprintf("# Made from %s by `fairway convert`; it means the same.\n", strings.Join(names, ", "))
	w.Heads = append(w.Heads, "use = "+draft.Quote(draft.LibraryName(w.Policy, w.Policy.Family)))
	if w.From.Versions && opt.Version != "" {
		w.Heads = append(w.Heads, "version = "+draft.Quote(w.Policy.Version))
	}
	if opt.Semantics != "" {
		w.Heads = append(w.Heads, "semantics = "+draft.Quote(opt.Semantics))
	}
	if len(opt.Deviations) > 0 {
		list := make([]string, len(opt.Deviations))
		for i, d := range opt.Deviations {
			list[i] = draft.Quote(d)
		}
		w.Heads = append(w.Heads, "deviations = ["+strings.Join(list, ", ")+"]")
	}
}

package convert

import (
	"cmp"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/convert/maui"
	"github.com/fairway-sched/fairway/compiler/convert/slurm"
	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// conversion is a policy on its way into another language.
type conversion struct{ *draft.Writer }

// target is a scheduler whose files are written: how, of a policy for another one and of its own.
type target struct {
	translate func(w *draft.Writer, opt lower.Options)
	native    func(w *draft.Writer, base *ir.Policy)
}

var targetsOf = map[string]target{"maui": {maui.Translate, maui.Native}, "slurm": {slurm.Translate, slurm.Native}}

// scheduler writes a policy as the files of a scheduler. What params and records say is written as it is; the
// rest as far as the scheduler has words for it. The files are then read again, and what differs is reported:
// nothing that they cannot say goes by unseen.
func toScheduler(family string, units []lower.Unit, opt lower.Options, beside Beside) (Result, diag.List) {
	opt.NodeFacts = true
	units = lower.Stated(units, opt.Params)
	before, diags := lower.Lower(units, opt)
	if diags.HasErrors() {
		return Result{}, diags
	}
	opt.Version = release(before, opt)
	w := conversion{draft.NewWriter(before, &diags)}
	w.Members = beside.Members
	w.Use, w.To, w.Asked = family, draft.Schedulers[family], opt.Version
	w.Settle()
	if w.Foreign() {
		w.translate(units, opt)
	} else {
		w.Base(units, opt)
		w.native(opt)
	}
	out := w.Files(opt)
	if diags.HasErrors() {
		return Result{}, diags
	}
	after, found := w.Read(out, opt)
	w.incomplete(found)
	if w.Foreign() {
		w.finish(after)
	} else {
		w.compare(after)
		w.choices()
	}
	w.QosByHand()
	if beside.Rest != "" && after != nil {
		out.Rest = w.writeRest(beside.Rest, after.Name)
	}
	if out.Rest != nil && len(out.Text) > 0 {
		out.Text = append([]byte("# What slurm.conf cannot say is in "+draft.OneLine(beside.Rest)+
			", to be pushed: fairway doc guide "+
			"push\n"), out.Text...)
	}
	out.Read = w.readWith(opt)
	return out, diags
}

// translate writes a policy for another scheduler than its own, or for one where it has none. Rules take what
// has a counterpart. A setting is taken where it is expressed, or where the list names it, and nowhere else: all
// that is left at the end and has an effect is reported.
func (w *conversion) translate(units []lower.Unit, opt lower.Options) {
	passed := draft.NewWriter(w.Policy, w.Diags) // what the policy's own scheduler ignores is nothing to translate
	passed.Use = w.Policy.Family
	passed.Base(units, opt)
	w.Spelt, w.Effects = passed.Spelt, draft.NewEffects(w.Policy, units, opt)
	targetsOf[w.Use].translate(w.Writer, opt)
	w.left()
}

// native adds what blocks of policy files say beyond params and records. Each thing that the gathered words do
// not mean yet is put into the words that the scheduler has for it; whether that was enough is found out by
// reading them again.
func (w *conversion) native(opt lower.Options) {
	base := w.Reread(opt)
	there := draft.ParamsOf(base)
	for i := range w.Policy.Params {
		p := &w.Policy.Params[i]
		old := there[p.Name]
		same := old != nil && old.Value.String() == p.Value.String() && !old.Set.IsZero()
		if p.Set.IsZero() || same || old == nil && len(there) > 0 {
			continue
		}
		if text, ok := lower.ParamText(w.Policy.Family, p, p.Value); ok {
			w.SetParam(p.Name, text, p.Set)
		}
	}
	targetsOf[w.Use].native(w.Writer, base)
}

// readWith are the options of whoever reads what was written.
func (w *conversion) readWith(opt lower.Options) lower.Options {
	stated := w.AsStated(opt)
	read := lower.Options{Semantics: stated.Semantics, Deviations: stated.Deviations}
	if w.To.Versions {
		read.Version = opt.Version
		if !w.Foreign() && w.Version {
			read.Version = w.Policy.Version
		}
	}
	return read
}

// choices says what stood in a policy's header, which no scheduler's file has.
func (w *conversion) choices() {
	var flags []string
	if w.Policy.Semantics == "documented" {
		flags = append(flags, "--semantics documented")
	} else {
		for _, d := range w.Policy.Deviations {
			if d.Documented {
				flags = append(flags, "--deviation "+d.Name)
			}
		}
	}
	if w.Version {
		flags = append(flags, "--slurm-version "+w.Policy.Version)
	}
	if len(flags) > 0 {
		w.Diags.Infof("convert-choice", w.Policy.Span, "the policy is read with choices that %s "+
			"cannot state", w.To.File).
			Note("read it with %s", strings.Join(flags, " "))
	}
}

// compare reports what the written files do not say, or say otherwise.
func (w *conversion) compare(after *ir.Policy) {
	if after == nil {
		return
	}
	for _, d := range diff.Policies(fold.Policy(w.Policy), fold.Policy(after)).Differences {
		w.difference(&d)
	}
}

// incomplete says what the scheduler would refuse.
func (w *conversion) incomplete(found diag.List) {
	for _, d := range found {
		if d.Severity == diag.Error || d.Code == "slurm-no-partition" {
			w.Diags.Warnf("convert-incomplete", w.Policy.Span, "what was written is not whole yet: %s", d.Message).
				Note("a policy file need not say it; complete the file")
		}
	}
}

// difference reports one thing that a file cannot say.
func (w *conversion) difference(d *diff.Difference) {
	if w.isNone(d) {
		return
	}
	block := w.blockOf(d.Name)
	own := strings.Contains(d.Name, ", ") && block != w.Policy.Span // a part of a term that a policy file has
	old, other := spoken(d.Old, own), spoken(d.New, false)
	for _, side := range []*diff.Side{d.Old, d.New} {
		if side != nil && draft.FromLibrary(side.Span) {
			side.Span = block
		}
	}
	if d.Group == diff.Priority && d.Old != nil && d.New != nil && block != w.Policy.Span {
		d.Old.Span = block // rather than a parameter that stays as it is
	}
	code, report := "convert-not-said", w.Diags.Warnf
	if d.Group == diff.Other {
		code, report = "convert-left-out", w.Diags.Infof
	}
	file, name := w.To.File, calledIn(d)
	switch {
	case d.New == nil:
		f := report(code, d.Old.Span, "%s cannot say %s%s", file, name, before(": ", old))
		if why := w.Reasons[d.Old.Span]; why != "" {
			f.Note("%s", why)
		}
	case d.Old == nil:
		report(code, d.New.Span, "%s also means %s: %s", file, d.Name, cmp.Or(other, "it is the scheduler's own"))
	case old == "":
		report(code, d.Old.Span, "%s cannot say %s: there it is %s", file, name, cmp.Or(other, "the scheduler's own"))
	case other == "":
		report(code, d.Old.Span, "%s cannot say that %s is %s: there it is the scheduler's own", file, name, old)
	default:
		report(code, d.Old.Span, "%s of %s becomes %s", name, strings.TrimPrefix(old, "weight "),
			strings.TrimPrefix(other, "weight ")).
			Note("%s has no other way to say it", file)
	}
}

// isNone reports a difference that does not matter.
func (w *conversion) isNone(d *diff.Difference) bool {
	is := func(prefix string) bool { return strings.HasPrefix(d.Name, prefix) }
	switch {
	case d.Kind == diff.Renamed || w.Same[d.Name]:
		return true
	case d.Name == diff.Listed: // a file of accounts lists them all, where a policy file may name some
		return true
	case d.Group == diff.Other && (d.Old == nil || w.Says(d.Name)): // of no effect, and the policy overrides it
		return true
	case d.New == nil:
		return w.Became[draft.Said{At: d.Old.Span, Name: cmp.Or(d.Old.Source, d.Name)}]
	case d.Old != nil:
		return false
	case w.isPlaceholder(d.New.Span):
		return true
	case w.Bare && (is("association ") || is("qos ")): // what all of them have without a word in the input
		return true
	case d.Name == "association root" || d.Name == "association root/root":
		// every cluster has them so, and root has no siblings to share with
		return d.New.Value == "shares 1" || strings.HasPrefix(d.New.Value, "shares 1 below ")
	}
	return false
}

// calledIn names a difference in the words of a policy file.
func calledIn(d *diff.Difference) string {
	name, part, is := strings.Cut(d.Name, ", ")
	switch {
	case d.Group != diff.Priority:
		return d.Name
	case is:
		return "the " + part + " of term " + name
	case d.Old != nil && d.New != nil && strings.HasPrefix(d.Old.Value, "weight "):
		return "the weight of term " + name
	case d.Old != nil && strings.HasPrefix(d.Old.Value, "weight "),
		d.New != nil && strings.HasPrefix(d.New.Value, "weight "):
		return "term " + name
	}
	return name
}

// spoken is a value that fits into a sentence, "" for the text of the library's own formula, which no file has.
func spoken(s *diff.Side, own bool) string {
	if s == nil {
		return ""
	}
	text := draft.OneLine(s.Value)
	for _, word := range []string{"param.", "define.", "documented.", "version "} {
		if !own && draft.FromLibrary(s.Span) && strings.Contains(text, word) {
			return ""
		}
	}
	const most = 64
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return text
}

func before(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}

// blockOf is where a policy file changes what the library has, by the name of the difference; the policy if it
// removes something.
func (w *conversion) blockOf(name string) source.Span {
	name, what, _ := strings.Cut(name, ", ")
	of, term, ok := strings.Cut(name, " / ")
	if !ok {
		term = of
	}
	best := w.Policy.Span
	w.Policy.Expressions(func(name string, s ir.Scalar) {
		if draft.UsualHere(s) ||
			!strings.HasSuffix(name, "component "+of) && !strings.HasSuffix(name, "term "+of+" / "+term) {
			return
		}
		if best == w.Policy.Span || what != "" && strings.Contains(name, "the "+what+" of") {
			best = draft.PlaceOf(s)
		}
	})
	return best
}

// isPlaceholder reports a place in what was written that says what was never written.
func (w *conversion) isPlaceholder(s source.Span) bool {
	if s.IsZero() {
		return false
	}
	first, _, _ := strings.Cut(s.File.Line(s.Position().Line), " ")
	return w.Made[first]
}

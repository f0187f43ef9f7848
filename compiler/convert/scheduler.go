package convert

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// target is a scheduler whose files are written: how, of a policy for another one and of its own.
type target struct {
	translate func(w *writer, opt lower.Options)
	native    func(w *writer, base *ir.Policy)
}

var targetsOf = map[string]target{"maui": {toMaui, nativeMaui}, "slurm": {toSlurm, nativeSlurm}}

// scheduler writes a policy as the files of a scheduler. What params and records say is written as it is; the
// rest as far as the scheduler has words for it. The files are then read again, and what differs is reported:
// nothing that they cannot say goes by unseen.
func toScheduler(family string, units []lower.Unit, opt lower.Options) (Result, diag.List) {
	opt.NodeFacts = true
	units = lower.Stated(units, opt.Params)
	before, diags := lower.Lower(units, opt)
	if diags.HasErrors() {
		readAs(units, opt, diags)
		return Result{}, diags
	}
	w := newWriter(before, &diags)
	w.use, w.to, w.asked = family, schedulers[family], opt.Version
	w.settle()
	if w.foreign() {
		w.translate(units, opt)
	} else {
		w.base(units, opt)
		w.native(opt)
	}
	out := w.files(opt)
	if diags.HasErrors() {
		return Result{}, diags
	}
	after, found := w.read(out, opt)
	w.incomplete(found)
	if w.foreign() {
		w.finish(after)
	} else {
		w.compare(after)
		w.choices()
	}
	w.qosByHand()
	out.Read = w.readWith(opt)
	return out, diags
}

// translate writes a policy for another scheduler than its own, or for one where it has none. Rules take what
// has a counterpart. A setting is taken where it is said, or where the list names it, and nowhere else: all
// that is left at the end and has an effect is reported.
func (w *writer) translate(units []lower.Unit, opt lower.Options) {
	passed := newWriter(w.policy, w.diags) // what the policy's own scheduler passes over is nothing to translate
	passed.use = w.policy.Family
	passed.base(units, opt)
	w.spelt, w.effects = passed.spelt, newEffects(w.policy, units, opt)
	targetsOf[w.use].translate(w, opt)
	w.left()
}

// native adds what blocks of policy files say beyond params and records. Each thing that the gathered words do
// not mean yet is put into the words that the scheduler has for it; whether that was enough is found out by
// reading them again.
func (w *writer) native(opt lower.Options) {
	base := w.reread(opt)
	there := paramsOf(base)
	for i := range w.policy.Params {
		p := &w.policy.Params[i]
		old := there[p.Name]
		same := old != nil && old.Value.String() == p.Value.String() && !old.Set.IsZero()
		if p.Set.IsZero() || same || old == nil && len(there) > 0 {
			continue
		}
		if text, ok := lower.ParamText(w.policy.Family, p, p.Value); ok {
			w.setParam(p.Name, text, p.Set)
		}
	}
	targetsOf[w.use].native(w, base)
}

// readWith are the options of whoever reads what was written.
func (w *writer) readWith(opt lower.Options) lower.Options {
	stated := w.asStated(opt)
	read := lower.Options{Semantics: stated.Semantics, Deviations: stated.Deviations}
	if w.to.versions {
		read.Version = opt.Version
		if !w.foreign() && w.version {
			read.Version = w.policy.Version
		}
	}
	return read
}

// readAs says of a slurm.conf that today's Slurm refuses which version reads it.
func readAs(units []lower.Unit, opt lower.Options, diags diag.List) {
	slurm := slices.ContainsFunc(units, func(u lower.Unit) bool { return u.Slurm != nil })
	if !slurm || opt.Version != "" {
		return
	}
	for _, version := range slices.Backward(slurmconf.Versions) {
		opt.Version, opt.SettingsOnly = version, true
		if _, found := lower.Lower(units, opt); found.HasErrors() {
			continue
		}
		for _, d := range diags {
			if d.Severity == diag.Error {
				d.Note("it reads as Slurm %s: --slurm-version %s", version, version)
			}
		}
		return
	}
}

// base gathers what stands in the scheduler's words already: its own files, and what policy files say in params
// and records.
func (w *writer) base(units []lower.Unit, opt lower.Options) {
	var site []lower.Unit
	own := false
	for _, u := range units {
		w.remarks.see(u.Source)
		switch {
		case u.HCL != nil:
			site = append(site, u)
			for _, p := range u.HCL.Policies {
				w.version = w.version || p.Version.IsSet()
			}
		default:
			own = own || u.Dump == nil
			w.file = own
			w.unit(u, opt)
		}
	}
	w.dumpsQOS = w.hasRecord("QOS", "")
	if own || len(site) == 0 { // what params set beside a file is added as native
		return
	}
	written, _ := lower.SchedulerFiles(site, opt)
	found := diag.List{}
	quiet := newWriter(w.policy, &found)
	for _, f := range []struct {
		lang lower.Lang
		file *source.File
	}{{lower.Lang(w.use), written.Main}, {lower.Dump, written.Dump}} {
		if f.file != nil {
			unit, _ := lower.Parse(f.file, f.lang, lower.Files{})
			quiet.unit(unit, w.asStated(opt)) // with what the policy's header states
		}
	}
	*w.diags = append(*w.diags, written.Moved(found)...)
	w.set, w.records = append(w.set, quiet.set...), append(w.records, quiet.records...)
}

// files writes what was gathered. It goes by way of HCL, whose lowering knows how the files say it.
func (w *writer) files(opt lower.Options) (out Result) {
	plain := &writer{policy: w.policy, params: w.params, diags: w.diags, gathered: w.gathered,
		page: page{heads: []string{"use = " + quote(libraryName(w.policy, w.use))}, bare: true, quoted: true}}
	unit, found := lower.Parse(source.NewFile("policy", []byte(plain.text())), lower.HCL, lower.Files{})
	var written lower.Written
	if !found.HasErrors() {
		written, found = lower.SchedulerFiles([]lower.Unit{unit}, w.asStated(opt))
	}
	if found.HasErrors() {
		for _, d := range found {
			if d.Severity == diag.Error && (d.Code == "record-text" || strings.HasPrefix(d.Code, "policy-")) {
				w.diags.Errorf("convert-refused", source.Span{}, "%s has no way to write a value", w.to.file).
					Note("%s: %s", strings.TrimSpace(d.Span.File.Shown(d.Span.Position().Line)), d.Message)
				return out
			}
		}
	}
	if written.Dump == nil || len(w.set)+len(w.conf()) > 0 {
		out.Text = w.formatted(written.Main, lower.Lang(w.use))
	}
	if written.Dump != nil {
		out.Accounts = w.formatted(written.Dump, lower.Dump, w.qosCommands()...)
	}
	return out
}

// formatted is a written file in canonical form, with where it is from.
func (w *writer) formatted(f *source.File, lang lower.Lang, comments ...string) []byte {
	text := []byte("# Made by `fairway convert`.\n")
	for _, c := range comments {
		text = append(text, "# "+oneLine(c)+"\n"...)
	}
	if f != nil {
		text = append(text, bytes.TrimPrefix(f.Text, []byte("#\n"))...)
	}
	if canonical, diags := lower.Format(source.NewFile("written", text), lang); !diags.HasErrors() {
		return canonical
	}
	return text
}

// asStated are the options that a policy file's header states, as the scheduler's file cannot.
func (w *writer) asStated(opt lower.Options) lower.Options {
	if w.foreign() {
		return lower.Options{Version: opt.Version, NodeFacts: true}
	}
	stated := lower.Options{
		Version:         w.policy.Version,
		Semantics:       opt.Semantics,
		NodeFacts:       true,
		SnapshotVersion: opt.SnapshotVersion,
	}
	if w.policy.Semantics == "documented" {
		stated.Semantics = "documented"
	}
	for _, d := range w.policy.Deviations {
		if d.Documented && stated.Semantics == "" {
			stated.Deviations = append(stated.Deviations, d.Name)
		}
	}
	return stated
}

// choices says what stood in a policy's header, which no scheduler's file has.
func (w *writer) choices() {
	var flags []string
	if w.policy.Semantics == "documented" {
		flags = append(flags, "--semantics documented")
	} else {
		for _, d := range w.policy.Deviations {
			if d.Documented {
				flags = append(flags, "--deviation "+d.Name)
			}
		}
	}
	if w.version {
		flags = append(flags, "--slurm-version "+w.policy.Version)
	}
	if len(flags) > 0 {
		w.diags.Infof("convert-choice", w.policy.Span, "the policy is read with choices that %s "+
			"cannot state", w.to.file).
			Note("read it with %s", strings.Join(flags, " "))
	}
}

// read lowers what was written.
func (w *writer) read(out Result, opt lower.Options) (*ir.Policy, diag.List) {
	var units []lower.Unit
	for _, part := range []struct {
		name string
		lang lower.Lang
		text []byte
	}{{w.to.file, lower.Lang(w.use), out.Text}, {"accounts", lower.Dump, out.Accounts}} {
		if part.text == nil || w.to.database && part.lang != lower.Dump && len(w.set)+len(w.conf()) == 0 {
			continue // a dump alone
		}
		u, _ := lower.Parse(source.NewFile(part.name, part.text), part.lang, lower.Files{})
		units = append(units, u)
	}
	stated := w.asStated(opt)
	stated.Lenient = true
	return lower.Lower(units, stated)
}

// reread is what has been gathered so far, without findings.
func (w *writer) reread(opt lower.Options) *ir.Policy {
	quiet := len(*w.diags)
	p, _ := w.read(w.files(opt), opt)
	*w.diags = (*w.diags)[:quiet]
	if p == nil {
		p = &ir.Policy{}
	}
	return p
}

// compare reports what the written files do not say, or say otherwise.
func (w *writer) compare(after *ir.Policy) {
	if after == nil {
		return
	}
	for _, d := range diff.Policies(fold.Policy(w.policy), fold.Policy(after)).Differences {
		w.difference(&d)
	}
}

// incomplete says what the scheduler would refuse.
func (w *writer) incomplete(found diag.List) {
	for _, d := range found {
		if d.Severity == diag.Error || d.Code == "slurm-no-partition" {
			w.diags.Warnf("convert-incomplete", w.policy.Span, "what was written is not whole yet: %s", d.Message).
				Note("a policy file need not say it; complete the file")
		}
	}
}

// difference reports one thing that a file cannot say.
func (w *writer) difference(d *diff.Difference) {
	if w.isNone(d) {
		return
	}
	block := w.blockOf(d.Name)
	own := strings.Contains(d.Name, ", ") && block != w.policy.Span // a part of a term that a policy file has
	old, other := spoken(d.Old, own), spoken(d.New, false)
	for _, side := range []*diff.Side{d.Old, d.New} {
		if side != nil && fromLibrary(side.Span) {
			side.Span = block
		}
	}
	if d.Group == diff.Priority && d.Old != nil && d.New != nil && block != w.policy.Span {
		d.Old.Span = block // rather than a parameter that stays as it is
	}
	code, report := "convert-not-said", w.diags.Warnf
	if d.Group == diff.Other {
		code, report = "convert-left-out", w.diags.Infof
	}
	file, name := w.to.file, calledIn(d)
	switch {
	case d.New == nil:
		f := report(code, d.Old.Span, "%s cannot say %s%s", file, name, before(": ", old))
		if why := w.reasons[d.Old.Span]; why != "" {
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
func (w *writer) isNone(d *diff.Difference) bool {
	is := func(prefix string) bool { return strings.HasPrefix(d.Name, prefix) }
	switch {
	case d.Kind == diff.Renamed || w.same[d.Name]:
		return true
	case d.Name == diff.Listed: // a file of accounts lists them all, where a policy file may name some
		return true
	case d.Group == diff.Other && (d.Old == nil || w.says(d.Name)): // of no effect, and the policy overrides it
		return true
	case d.New == nil:
		return w.became[said{d.Old.Span, cmp.Or(d.Old.Source, d.Name)}]
	case d.Old != nil:
		return false
	case w.isPlaceholder(d.New.Span):
		return true
	case w.bare && (is("association ") || is("qos ")): // what all of them have of which nobody says anything
		return true
	case d.Name == "association root" || d.Name == "association root/root":
		// every cluster has them so, and root has no siblings with whom it would share
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

// spoken is a value that fits into a sentence, "" for the text of the library's own formula, which nobody wrote.
func spoken(s *diff.Side, own bool) string {
	if s == nil {
		return ""
	}
	text := oneLine(s.Value)
	for _, word := range []string{"param.", "define.", "documented.", "version "} {
		if !own && fromLibrary(s.Span) && strings.Contains(text, word) {
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
func (w *writer) blockOf(name string) source.Span {
	name, what, _ := strings.Cut(name, ", ")
	of, term, ok := strings.Cut(name, " / ")
	if !ok {
		term = of
	}
	best := w.policy.Span
	scalars(w.policy, func(name string, s ir.Scalar) {
		if usualHere(s) ||
			!strings.HasSuffix(name, "component "+of) && !strings.HasSuffix(name, "term "+of+" / "+term) {
			return
		}
		if best == w.policy.Span || what != "" && strings.Contains(name, "the "+what+" of") {
			best = placeOf(s)
		}
	})
	return best
}

// isPlaceholder reports a place in what was written that says what nobody did.
func (w *writer) isPlaceholder(s source.Span) bool {
	if s.IsZero() {
		return false
	}
	first, _, _ := strings.Cut(s.File.Line(s.Position().Line), " ")
	return w.made[first]
}

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
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/sacctmgr"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// fileName is what findings call the file of a scheduler.
var fileName = map[string]string{"maui": "maui.cfg", "slurm": "slurm.conf"}

// scheduler writes a policy as the files of a scheduler. What params and records say is written as it is;
// the rest as far as the scheduler has words for it. The files are then read again, and what
// differs is reported: nothing that they cannot say goes by unseen.
func scheduler(family string, units []lower.Unit, opt lower.Options) (Result, diag.List) {
	opt.NodeFacts = true
	units = lower.Stated(units, opt.Params)
	before, diags := lower.Lower(units, opt)
	if diags.HasErrors() {
		readAs(units, opt, diags)
		return Result{}, diags
	}
	w := newWriter(before, &diags)
	w.use, w.asked = family, opt.Version
	w.settle()
	if before.Family == family {
		w.base(units, opt)
		w.native(opt)
	} else {
		passed := newWriter(before, &diags) // what the policy's own scheduler passes over is nothing to translate
		passed.use = before.Family
		passed.base(units, opt)
		w.spelt = passed.spelt
		w.effects = newEffects(before, units, opt)
		w.translate(family, opt)
	}
	out := w.files(family, opt)
	if diags.HasErrors() {
		return Result{}, diags
	}
	if before.Family == family {
		w.compare(out, opt)
	} else {
		after, found := w.read(out, family, opt)
		w.incomplete(found)
		w.finish(after, fileName[family])
	}
	w.choices(family)
	if family == "slurm" {
		w.qosByHand()
	}
	out.Read = w.readWith(opt)
	return out, diags
}

// readWith are the options of whoever reads what was written.
func (w *writer) readWith(opt lower.Options) lower.Options {
	stated := w.asStated(opt)
	read := lower.Options{Version: opt.Version, Semantics: stated.Semantics, Deviations: stated.Deviations}
	if w.use == w.policy.Family && w.version {
		read.Version = w.policy.Version
	}
	if w.use == "maui" {
		read.Version = ""
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
	quiet := &writer{policy: w.policy, params: w.params, diags: &found}
	for _, f := range []*source.File{written.Main, written.Dump} {
		switch {
		case f == nil:
			continue
		case f == written.Dump:
			file, _ := sacctmgr.Parse(f)
			quiet.dump(file)
		case w.policy.Family == "maui":
			file, _ := mauicfg.Parse(f)
			quiet.maui(file, w.asStated(opt)) // with what the policy's header states
		default:
			lines, _ := slurmconf.Load(nil, f.Name, f)
			quiet.slurm(lines, opt)
		}
	}
	*w.diags = append(*w.diags, written.Moved(found)...)
	w.set, w.records = append(w.set, quiet.set...), append(w.records, quiet.records...)
}

// files writes what was gathered. It goes by way of HCL, whose lowering knows how the files say it.
func (w *writer) files(family string, opt lower.Options) (out Result) {
	w.intro, w.heads = "", []string{"use = " + quote(w.base0(family))}
	plain := &writer{policy: w.policy, params: w.params, diags: w.diags, gathered: w.gathered, page: page{heads: w.heads, bare: true, quoted: true}}
	unit, found := lower.Parse(source.NewFile("policy", []byte(plain.text())), lower.HCL, lower.Files{})
	var written lower.Written
	if !found.HasErrors() {
		written, found = lower.SchedulerFiles([]lower.Unit{unit}, w.asStated(opt))
	}
	if found.HasErrors() {
		for _, d := range found {
			if d.Severity == diag.Error && (d.Code == "record-text" || strings.HasPrefix(d.Code, "policy-")) {
				w.diags.Errorf("convert-refused", source.Span{}, "%s has no way to write a value", fileName[family]).
					Note("%s: %s", strings.TrimSpace(d.Span.File.Shown(d.Span.Position().Line)), d.Message)
				return out
			}
		}
	}
	if written.Dump == nil || len(w.set)+len(w.conf()) > 0 {
		out.Text = w.formatted(written.Main, lower.Lang(family))
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

// base0 is the library policy of a family that the policy is for.
func (w *writer) base0(family string) string {
	if family == "slurm" && isBasic(w.policy) {
		return "slurm_basic"
	}
	return family
}

// asStated are the options that a policy file's header states, as the scheduler's file cannot.
func (w *writer) asStated(opt lower.Options) lower.Options {
	if w.use != w.policy.Family {
		return lower.Options{Version: opt.Version, NodeFacts: true}
	}
	stated := lower.Options{Version: w.policy.Version, Semantics: opt.Semantics, NodeFacts: true, SnapshotVersion: opt.SnapshotVersion}
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
func (w *writer) choices(family string) {
	if w.policy.Family != family {
		return
	}
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
		w.diags.Infof("convert-choice", w.policy.Span, "the policy is read with choices that %s cannot state", fileName[family]).
			Note("read it with %s", strings.Join(flags, " "))
	}
}

// read lowers what was written.
func (w *writer) read(out Result, family string, opt lower.Options) (*ir.Policy, diag.List) {
	var units []lower.Unit
	for _, part := range []struct {
		name string
		lang lower.Lang
		text []byte
	}{{fileName[family], lower.Lang(family), out.Text}, {"accounts", lower.Dump, out.Accounts}} {
		if part.text == nil || family == "slurm" && part.lang == lower.Slurm && len(w.set)+len(w.conf()) == 0 {
			continue // a dump alone
		}
		u, _ := lower.Parse(source.NewFile(part.name, part.text), part.lang, lower.Files{})
		units = append(units, u)
	}
	stated := w.asStated(opt)
	stated.Lenient = true
	return lower.Lower(units, stated)
}

// says reports that a setting such as "USERCFG amy PRIORITY" is among those that are written.
func (g *gathered) says(name string) bool {
	for i := range g.records {
		r := &g.records[i]
		if rest, ok := strings.CutPrefix(name, strings.TrimSpace(r.kind+" "+r.name)+" "); ok && r.text(rest) != "" {
			return true
		}
	}
	return false
}

// conf are the records that do not stand in a dump.
func (g *gathered) conf() (list []record) {
	for _, r := range g.records {
		if !inDump(r.kind) {
			list = append(list, r)
		}
	}
	return list
}

func inDump(kind string) bool {
	for _, k := range []string{"Cluster", "Parent", "Account", "User", "QOS"} {
		if strings.EqualFold(k, kind) {
			return true
		}
	}
	return false
}

// compare reports what the written files do not say, or say otherwise.
func (w *writer) compare(out Result, opt lower.Options) {
	after, found := w.read(out, w.policy.Family, opt)
	w.incomplete(found)
	if after == nil {
		return
	}
	for _, d := range diff.Policies(fold.Policy(w.policy), fold.Policy(after)).Differences {
		w.difference(&d, fileName[w.policy.Family])
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
func (w *writer) difference(d *diff.Difference, file string) {
	switch {
	case d.Kind == diff.Renamed || w.same[d.Name] || d.New == nil && w.became[said{d.Old.Span, cmp.Or(d.Old.Source, d.Name)}] || d.Old == nil && w.isPlaceholder(d.New.Span):
		return
	case w.bare && d.Old == nil && (strings.HasPrefix(d.Name, "association ") || strings.HasPrefix(d.Name, "qos ")):
		return // what all of them have of which nobody says anything
	case d.Group == diff.Other && (d.Old == nil || w.says(d.Name)):
		return // a setting from which nothing is computed, and which the policy overrides
	case d.Old == nil && (d.Name == "association root" || d.Name == "association root/root") && (d.New.Value == "shares 1" || strings.HasPrefix(d.New.Value, "shares 1 below ")):
		return // every cluster has them so, and root has no siblings with whom it would share
	case d.Name == diff.Listed:
		return // a file of accounts lists them all, where a policy file may name some; jobs without one are no matter of what it says
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
	name := calledIn(d)
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
		report(code, d.Old.Span, "%s of %s becomes %s", name, strings.TrimPrefix(old, "weight "), strings.TrimPrefix(other, "weight ")).
			Note("%s has no other way to say it", file)
	}
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
	case d.Old != nil && strings.HasPrefix(d.Old.Value, "weight "), d.New != nil && strings.HasPrefix(d.New.Value, "weight "):
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

// blockOf is where a policy file changes what the library has, by the name of the difference; the policy if it removes something.
func (w *writer) blockOf(name string) source.Span {
	name, what, _ := strings.Cut(name, ", ")
	of, term, ok := strings.Cut(name, " / ")
	if !ok {
		term = of
	}
	best := w.policy.Span
	scalars(w.policy, func(name string, s ir.Scalar) {
		if usualHere(s) || !strings.HasSuffix(name, "component "+of) && !strings.HasSuffix(name, "term "+of+" / "+term) {
			return
		}
		if best == w.policy.Span || what != "" && strings.Contains(name, "the "+what+" of") {
			best = placeOf(s)
		}
	})
	return best
}

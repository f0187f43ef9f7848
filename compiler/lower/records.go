package lower

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/compiler/lower/mauiplan"
	"github.com/fairway-sched/fairway/compiler/lower/slurm"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/sacctmgr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// A policy file that uses maui or slurm says in `params` and `record` blocks what would else be
// in the scheduler's own file. They are written as that file and read by its front end, so that
// there is one reading of each setting; every span then goes back to the policy file.

// writtenFile is the scheduler's file that the settings of policy files come to.
type writtenFile struct {
	name   string
	text   bytes.Buffer
	places []place
	file   *source.File
}

// place is what a piece of the text was written from; it reaches to the next place.
type place struct {
	start int
	span  source.Span
	param bool // of `params`, whose findings are reported with the parameter
}

func newWritten(name string) *writtenFile {
	w := &writtenFile{name: name}
	w.text.WriteString("#\n") // findings about the file as a whole are at its begin
	return w
}

func (w *writtenFile) put(span source.Span, param bool, pieces ...string) {
	w.places = append(w.places, place{w.text.Len(), span, param})
	for _, s := range pieces {
		w.text.WriteString(s)
	}
}

func (w *writtenFile) source() *source.File {
	w.file = source.NewFile(w.name, w.text.Bytes())
	return w.file
}

// of finds the place that a span of the written file comes from.
func (w *writtenFile) of(s source.Span) (place, bool) {
	i, _ := slices.BinarySearchFunc(
		w.places,
		int(s.Start)+1,
		func(p place, at int) int { return cmp.Compare(p.start, at) },
	)
	if s.File != w.file || i == 0 {
		return place{}, false
	}
	return w.places[i-1], true
}

// move lets a span point to the policy file.
func (w *writtenFile) move(s *source.Span) {
	if s.File == w.file && w.file != nil {
		p, _ := w.of(*s)
		*s = p.span
	}
}

// findings are those about records, at their places.
func (w *writtenFile) findings(list diag.List) diag.List {
	return slices.DeleteFunc(list, func(d *diag.Diagnostic) bool {
		if d.Span.File != w.file {
			return false
		}
		p, ok := w.of(d.Span)
		if !ok || p.param {
			return true
		}
		d.Span, d.Fix = p.span, nil
		for i := range d.Notes {
			w.move(&d.Notes[i].Span)
		}
		return false
	})
}

// moveFront lets all spans of what was read point to the policy file.
func (w *writtenFile) moveFront(f *front.Front) {
	for i := range f.Params {
		w.move(&f.Params[i].Span)
	}
	for _, rows := range [][]front.Row{f.Rows, f.Others} {
		for i := range rows {
			w.move(&rows[i].Span)
		}
	}
	for i := range f.Limits {
		w.move(&f.Limits[i].Span)
	}
	for i := range f.Targets {
		w.move(&f.Targets[i].Span)
	}
	for i := range f.Backfill {
		w.move(&f.Backfill[i].Span)
	}
	for i := range f.Associations {
		w.move(&f.Associations[i].Span)
	}
	for i := range f.Billing {
		w.move(&f.Billing[i].Span)
	}
	for i := range f.Partitions {
		w.move(&f.Partitions[i].Span)
	}
	for i := range f.Facts.Clusters {
		w.move(&f.Facts.Clusters[i].Span)
	}
	for i := range f.Facts.Records {
		r := &f.Facts.Records[i]
		w.move(&r.Span)
		if m := r.Machine; m != nil {
			w.move(&m.MemoryMB.Set)
			w.move(&m.SystemMB.Set)
			w.move(&m.SystemCores.Set)
		}
		for j := range r.Attrs {
			w.move(&r.Attrs[j].Span)
		}
	}
}

const dumpName = "the policy's dump"

// dumpKinds are the objects of a sacctmgr dump; all other records are in slurm.conf.
var dumpKinds = []string{"Cluster", "Parent", "Account", "User", "QOS"}

// records reads the settings of the policy files, unless there is a file of the scheduler itself.
func (l *lowering) records() {
	use, main := "", slices.ContainsFunc(l.fronts, func(f *front.Front) bool { return f.Base != "" })
	for _, p := range l.site {
		if _, ok := libraries[p.Use.Value]; ok && use == "" {
			use = p.Use.Value
		}
	}
	conf, dump := newWritten("the policy's maui.cfg"), newWritten(dumpName)
	family := libraries[use].family
	if family == "slurm" {
		conf.name = "the policy's slurm.conf"
	}
	dumped := false
	for _, p := range l.site {
		for i := range p.Records {
			if !l.recordPlace(&p.Records[i], use, main) {
				return
			}
		}
	}
	if use == "" || main {
		return
	}
	for _, p := range l.site {
		for _, s := range p.Params {
			l.writeParam(conf, family, s)
		}
	}
	for _, o := range l.opt.Params {
		if family == "maui" && !o.Typed.Known() { // Maui's plan is read from its file
			l.writeParam(conf, family, l.override(o))
		}
	}
	for _, p := range l.site {
		for i := range p.Records {
			switch r := &p.Records[i]; {
			case family == "maui":
				l.writeMaui(conf, r)
			case slices.ContainsFunc(dumpKinds,
				func(kind string) bool { return strings.EqualFold(kind, r.Kind.Value) }):
				dumped = true
				l.writeDump(dump, r)
			default:
				l.writeSlurm(conf, r)
			}
		}
	}
	if l.diags.HasErrors() {
		return
	}
	l.readWritten(conf, family)
	if dumped {
		file, diags := sacctmgr.Parse(dump.source())
		l.enter(dump, slurm.ReadDump(file), diags)
	}
}

// blockFamily is whose file the records of a block are in.
var blockFamily = map[string]string{"machine": "slurm", "database": "slurm", "credentials": "maui"}

// recordPlace refuses a record where the policy has no file of a scheduler that it could be in.
func (l *lowering) recordPlace(r *policy.Record, use string, main bool) bool {
	switch {
	case use == "" || main:
		why := map[bool]string{true: "one is given", false: "this policy uses no scheduler"}[main]
		l.diags.Errorf("record-place", r.Span,
			"records, a machine, a database and credentials take the place of a scheduler's own file, and %s", why).
			Note("write it into that file, or use = \"maui\" or \"slurm\" in the policy; `fairway convert` turns such a " +
				"file into blocks")
	case r.Block != "" && libraries[use].family != blockFamily[r.Block]:
		l.diags.Errorf("record-place", r.Span, "a %s block is for policies that use %s", r.Block, blockFamily[r.Block]).
			Note("this one uses %s: `fairway doc language` has its blocks, and a record block what has none", use)
	default:
		return true
	}
	return false
}

func (l *lowering) readWritten(conf *writtenFile, family string) {
	var f *front.Front
	var diags diag.List
	if family == "maui" {
		file, list := mauicfg.Parse(conf.source())
		f, diags = readMaui(file, l.opt), list
	} else {
		lines, list := slurmconf.Load(nil, conf.name, conf.source())
		opt := l.opt
		if opt.Version == "" {
			opt.Version = cmp.Or(opt.Until, slurmconf.Newest()) // a policy file may leave out what a slurm.conf needs
		}
		f, diags = slurm.Read(lines, opt), list
	}
	f.Base, f.Written = "", true
	l.enter(conf, f, diags)
}

// enter adds what was read, at the beginning of the scheduler's files: dumps complete it.
func (l *lowering) enter(w *writtenFile, f *front.Front, diags diag.List) {
	l.diags = append(l.diags, w.findings(append(diags, f.Diags...))...)
	f.Diags = nil
	f.Params = slices.DeleteFunc(f.Params, func(s front.Setting) bool {
		p, ok := w.of(s.Span)
		return ok && p.param
	})
	w.moveFront(f)
	l.wrote = append(l.wrote, w)
	at := len(l.fronts)
	if f.Written {
		at = 0
	}
	l.fronts = slices.Insert(l.fronts, at, f)
}

// writeParam writes a parameter as the file has it; one that the policy declares itself is not the scheduler's.
func (l *lowering) writeParam(w *writtenFile, family string, s policy.ParamSetting) {
	row, sign := mauiplan.Row(s.Name.Value), " "
	if family == "slurm" {
		row, sign = slurm.Param(s.Name.Value), "="
	}
	if row == nil {
		return
	}
	p := &ir.Param{Name: row.Name, Type: mauiParamType(*row, l.opt)}
	if family == "slurm" {
		p.Type = slurm.Type(row.Type)
	}
	r := reader{family: family}
	text, ok := r.text(p, s.Value)
	if !ok || strings.ContainsAny(text, "\n\r\x00\\") {
		return // reported where the parameter is read
	}
	if family == "slurm" {
		if text, ok = slurmQuoted(text); !ok {
			return
		}
	}
	w.put(s.Span, true, s.Name.Value, sign, text, "\n")
}

func (l *lowering) writeMaui(w *writtenFile, r *policy.Record) {
	name := r.Kind.Value
	if r.Name.Value != "" {
		name += "[" + r.Name.Value + "]"
	}
	switch {
	case !l.fits(r.Span, name, "\n\r\x00\\#= "):
	case r.Value.IsSet():
		if text := recordText("maui", r.Value.Value); l.fitsMaui(r.Value.Span, text) {
			w.put(r.Value.Span, false, name, " ", text, "\n")
		}
	case len(r.Settings) == 0 && strings.HasSuffix(r.Kind.Value, "CFG"):
		w.put(r.Span, true, name, " -\n") // a word that sets nothing: the object is there all the same
	case len(r.Settings) == 0:
		w.put(r.Span, false, name, " \n")
	}
	at := 0 // settings on the line
	for _, s := range r.Settings {
		text := recordText("maui", s.Value)
		if !l.fits(s.Name.Span, s.Name.Value, "\n\r\x00\\#= ") || !l.fitsMaui(s.Span, text) {
			continue
		}
		if quoted := mauiQuoted(text); quoted != text || strings.HasSuffix(text, "#") || at == maxOnLine || at == 0 {
			if text = quoted; at > 0 {
				w.put(r.Span, false, "\n")
			}
			w.put(r.Span, false, name, " ")
			at = 0
		} else {
			w.put(r.Span, false, " ")
		}
		w.put(s.Name.Span, false, s.Name.Value, "=")
		w.put(s.Span, false, text)
		if at++; strings.HasSuffix(text, "#") || strings.ContainsAny(text, "'\"") {
			at = maxOnLine // nothing can follow
		}
	}
	if at > 0 {
		w.put(r.Span, false, "\n")
	}
}

// maxOnLine is how many attributes are on one line of a maui.cfg, which may not be long.
const maxOnLine = 8

// fitsMaui refuses what Maui cannot have in a value. A # at the end is what a comment leaves behind.
func (l *lowering) fitsMaui(span source.Span, text string) bool {
	return l.fits(span, strings.TrimSuffix(text, "#"), "\n\r\x00\\#")
}

// mauiQuoted puts quotes around blanks, which the first attribute of a NODECFG may have.
func mauiQuoted(text string) string {
	switch {
	case !strings.ContainsAny(text, " \t"):
		return text
	case strings.Contains(text, "'"):
		return `"` + text + `"`
	}
	return "'" + text + "'"
}

func (l *lowering) writeSlurm(w *writtenFile, r *policy.Record) {
	if !l.fits(r.Span, r.Kind.Value+r.Name.Value, "\n\r\x00 =#\"") {
		return
	}
	if r.Value.IsSet() {
		if text, ok := slurmQuoted(recordText("slurm", r.Value.Value)); ok || l.fits(r.Value.Span, text, "\n\r\x00\"") {
			w.put(r.Value.Span, false, r.Kind.Value, "=", text, "\n")
		}
		return
	}
	w.put(r.Span, false, r.Kind.Value, "=", r.Name.Value)
	for _, s := range r.Settings {
		if !l.fits(s.Name.Span, s.Name.Value, "\n\r\x00 =#\"") {
			return
		}
		if text, ok := slurmQuoted(recordText("slurm", s.Value)); ok || l.fits(s.Span, text, "\n\r\x00\"") {
			w.put(s.Name.Span, false, " ", s.Name.Value, "=")
			w.put(s.Span, false, text)
		}
	}
	w.put(r.Span, false, "\n")
}

// slurmQuoted writes a value: quotes keep blanks, a backslash keeps itself and a comment sign. False for
// what cannot be written.
func slurmQuoted(text string) (string, bool) {
	escaped := strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), "#", `\#`)
	if text != "" && !strings.ContainsAny(text, " \t\v\f") {
		return escaped, !strings.ContainsAny(text, "\n\r\x00")
	}
	return `"` + escaped + `"`, !strings.ContainsAny(text, "\n\r\x00\"")
}

// writeDump writes a line of a dump. A key with a sign after it, as in "QOS+", adds or takes away.
func (l *lowering) writeDump(w *writtenFile, r *policy.Record) {
	quoted := func(span source.Span, text string) (string, bool) {
		if !strings.Contains(text, "'") {
			return "'" + text + "'", l.fits(span, text, "\n\r\x00")
		}
		return `"` + text + `"`, l.fits(span, text, "\n\r\x00\"")
	}
	name, ok := quoted(r.Name.Span, r.Name.Value)
	if !ok {
		return
	}
	w.put(r.Span, false, r.Kind.Value, " - ", name)
	for _, s := range r.Settings {
		if text, ok := quoted(
			s.Span,
			recordText("slurm", s.Value),
		); ok &&
			l.fits(s.Name.Span, s.Name.Value, "\n\r\x00 =:'\"") {
			w.put(s.Name.Span, false, ":", s.Name.Value, "=")
			w.put(s.Span, false, text)
		}
	}
	w.put(r.Span, false, "\n")
}

// fits refuses text that would end a line, or be taken for something else in it.
func (l *lowering) fits(span source.Span, text, without string) bool {
	i := strings.IndexAny(text, without)
	if i < 0 {
		return true
	}
	l.diags.Errorf("record-text", span, "the scheduler's file cannot say %q here", text).
		Note("the character %q would end the line or the word", text[i])
	return false
}

// recordText is a value as the file has it.
func recordText(family string, v schema.Value) string {
	yes, no := "YES", "NO"
	if family == "maui" {
		yes, no = "TRUE", "FALSE"
	}
	switch v.Type {
	case schema.Int:
		return strconv.FormatInt(v.Int, 10)
	case schema.Double:
		return strconv.FormatFloat(v.Double, 'f', -1, 64)
	case schema.StringList:
		return strings.Join(v.List, ",")
	case schema.Bool:
		if v.Int != 0 {
			return yes
		}
		return no
	}
	return v.Str
}

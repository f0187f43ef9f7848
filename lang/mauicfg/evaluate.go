package mauicfg

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// evaluator turns statements into a Config.
type evaluator struct {
	opt     Options
	cfg     *Config
	objects map[string]int // where an object is in cfg
	diags   *diag.Bounded
	whole   diag.List            // about the file as a whole: never too many
	policy  map[string]*oldLimit // old-style limits, by the attribute they set
	classes fixedTable
	parts   fixedTable
	moab    diag.List // what Moab alone knows
	moabs   int       // how much that is, the findings too many included
}

func newEvaluator(opt Options) *evaluator {
	return &evaluator{
		opt: opt, cfg: &Config{}, objects: map[string]int{}, diags: bounds.Findings(),
		policy: map[string]*oldLimit{}, classes: fixedTable{room: maxClasses}, parts: fixedTable{room: maxPartitions},
	}
}

// Evaluate says what Maui holds after loading the file and what it includes.
func Evaluate(file *File, opt Options) (*Config, diag.List) {
	e := newEvaluator(opt)
	if file.refused {
		return e.cfg, nil // Parse has reported it
	}
	for _, f := range append([]*File{file}, file.Included...) {
		e.diags.Resume(f.Source, f.kept)
	}
	params := map[string][]*statement{}
	families := map[string][]*statement{}
	for _, line := range file.allLines() {
		if line.Kind != SettingLine {
			continue
		}
		st := newStatement(line)
		row, ok := e.known(st)
		if !ok {
			continue
		}
		e.layout(st, row)
		if IsFamily(row) {
			families[row.Name] = append(families[row.Name], st)
		} else {
			params[canonical(row)] = append(params[canonical(row)], st)
		}
	}
	// MSysLoadConfig: old-style parameters in table order, then the families.
	for _, row := range stdlib.MauiParams.Params() {
		e.param(row, params[row.Name])
	}
	e.oldLimits()
	for _, family := range familyOrder {
		for _, st := range families[family] {
			e.object(family, st)
		}
	}
	e.wholeFile(file)
	e.moabFile()
	e.sort()
	diags := append(e.diags.List(), e.whole...)
	diags.Sort()
	return e.cfg, diags
}

// familyOrder is the order in which Maui loads the families.
var familyOrder = []string{"SCHEDCFG", "SYSCFG", "QOSCFG", "USERCFG", "GROUPCFG", "ACCOUNTCFG", "CLASSCFG", "SRCFG",
	"RMCFG", "AMCFG", "NODECFG"}

// allLines is Maui's buffer: the file, then what it includes.
func (file *File) allLines() []*Line {
	var lines []*Line
	for i := range file.Lines {
		lines = append(lines, &file.Lines[i])
	}
	for _, f := range file.Included {
		for i := range f.Lines {
			lines = append(lines, &f.Lines[i])
		}
	}
	return lines
}

// canonical is the name a parameter is stored under; old names are translated
// when a value is dispatched.
func canonical(row stdlib.Param) string {
	if row.Effective == "alias" {
		return row.ReplacedBy
	}
	return row.Name
}

// ignore reports something Maui ignores and keeps it in the Config.
func (e *evaluator) ignore(code string, st *statement, attr *word, span source.Span, format string,
	args ...any) *diag.Diagnostic {
	ig := Ignored{Code: code, Name: st.name.text, Index: st.index.text, Raw: st.raw, Span: span}
	if attr != nil {
		ig.Attr, ig.Raw = attr.text, attr.span.Text()
	}
	e.cfg.Ignored = append(e.cfg.Ignored, ig)
	return e.diags.Warnf(code, span, format, args...)
}

// layout reports what the shape of a known line does to its value.
func (e *evaluator) layout(st *statement, row stdlib.Param) {
	if !st.cut.IsZero() {
		e.ignore("maui-line-truncated", st, nil, st.cut, "the value is longer than %d characters, Maui drops the rest",
			maxValue).
			Note("spread it over several lines")
	}
	if !st.joined.IsZero() {
		e.diags.Warnf("maui-comment-in-value", st.joined,
			"this # begins a comment and itself becomes part of the value before it").
			Note("write a blank before the #; a value cannot hold a #, not even in quotes")
	}
	if !st.lost.IsZero() && IsFamily(row) {
		ix := st.name.text
		if st.hasIndex() {
			ix += "[" + st.index.text + "]"
		}
		e.ignore("maui-lost-equals", st, nil, st.span,
			"without a blank after %s every = of the line is lost, so Maui sees no attribute", ix).
			Note("write a blank after the name and its index").
			Suggest(betweenNameAndValue(st), "  ")
	}
}

// betweenNameAndValue is the text between the name with its index and the value.
func betweenNameAndValue(st *statement) source.Span {
	span := source.Span{File: st.name.span.File, Start: st.name.span.End, End: st.words[0].span.Start}
	if st.hasIndex() {
		span.Start = min(st.index.span.End+1, span.End)
	}
	return span
}

// wholeFile checks what no single line can show.
func (e *evaluator) wholeFile(file *File) {
	hosted := e.cfg.Param("SERVERHOST", "") != nil || e.cfg.Object("SCHEDCFG", "").Attr("SERVER", "") != nil
	if !hosted && file.Template == "" && !e.ofMoab() && e.runsServer() {
		e.whole.Warnf("maui-no-server-host", file.Source.Span(0, 0), "SERVERHOST is not set").
			Note("Maui exits at start without it; write SERVERHOST and the name of the host it runs on")
	}
	if n := len(e.classes.names); n > maxClasses {
		e.whole.Warnf("maui-table-full", e.classes.over, "%d classes are configured, Maui has room for %d", n,
			maxClasses).
			Note("this one and those after it are dropped; merge some of them")
	}
	if n := len(e.parts.names); n > maxPartitions {
		e.whole.Warnf("maui-table-full", e.parts.over,
			"%d partitions are named, Maui has room for %d beside ALL and DEFAULT", n, maxPartitions).
			Note("this one and those after it are dropped; merge some of them")
	}
}

// runsServer tells a whole configuration from a file that holds policies only, or only says which
// resource manager there is: a part that another file includes, or an example.
func (e *evaluator) runsServer() bool {
	served := func(p Param) bool {
		switch vocab().params[p.Name].Category {
		case "server", "rm", "admin", "logging":
			return true
		}
		return false
	}
	manager := func(o Object) bool { return o.Family == "RMCFG" || o.Family == "SCHEDCFG" }
	others := len(e.cfg.Params) > 0 || slices.ContainsFunc(e.cfg.Objects, func(o Object) bool { return !manager(o) })
	return slices.ContainsFunc(e.cfg.Params, served) || others && slices.ContainsFunc(e.cfg.Objects, manager)
}

// moabNamesOfAFile is how many names of Moab's make a file Moab's: a few stray
// into every maui.cfg, since its manuals are found first.
const moabNamesOfAFile = 5

// moabName keeps a finding about a name of Moab's, nil if it is one too many.
func (e *evaluator) moabName(d *diag.Diagnostic) {
	e.moabs++
	if d != nil {
		e.moab = append(e.moab, d)
	}
}

// ofMoab reports a file for Moab: with several of its names, or a short one with hardly any others.
func (e *evaluator) ofMoab() bool {
	others := len(e.cfg.Params)
	for _, o := range e.cfg.Objects {
		others += len(o.Attrs)
	}
	return e.moabs >= moabNamesOfAFile || e.moabs > 1 && e.moabs >= others
}

// moabFile says once that a file is for Moab; its names are then no surprise. One with SERVERHOST is for Maui, which
// does not start without it, or was once.
func (e *evaluator) moabFile() {
	if !e.ofMoab() || len(e.moab) == 0 {
		return
	}
	first := e.moab[0]
	for _, d := range e.moab {
		d.Severity = diag.Info
		if d.Span.File == first.Span.File && d.Span.Start < first.Span.Start {
			first = d
		}
	}
	level := diag.Info
	if e.cfg.Param("SERVERHOST", "") != nil {
		level = diag.Warning
	}
	e.whole.Add(level, "maui-moab-file", first.Span, "this is a moab.cfg: Maui would ignore %d of its settings", e.moabs).
		Note("it is read as Maui would read it; what only Moab has is left out")
}

// fixedTable is one of Maui's tables; over is the place of the first name without room.
type fixedTable struct {
	room  int
	names []string
	over  source.Span
}

func (t *fixedTable) add(name string, at source.Span) {
	if slices.Contains(t.names, name) {
		return
	}
	if t.names = append(t.names, name); len(t.names) == t.room+1 {
		t.over = at
	}
}

// Table sizes Maui is built with; ALL and DEFAULT take two more partitions.
const (
	maxClasses    = 16
	maxPartitions = 2
)

// sort puts the result in an order that does not depend on the file, so that two
// configurations can be compared by walking them side by side.
func (e *evaluator) sort() {
	row := map[string]int{}
	for i, p := range stdlib.MauiParams.Params() {
		row[p.Name] = i
	}
	slices.SortStableFunc(e.cfg.Params, func(a, b Param) int {
		if a.Name != b.Name {
			return row[a.Name] - row[b.Name]
		}
		return strings.Compare(a.Index, b.Index)
	})
	slices.SortStableFunc(e.cfg.Objects, func(a, b Object) int {
		if c := strings.Compare(a.Family, b.Family); c != 0 {
			return c
		}
		return strings.Compare(a.Index, b.Index)
	})
}

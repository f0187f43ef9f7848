package mauicfg

import (
	"io/fs"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/stdlib"
)

// known finds the table row of a statement's name. If Maui does not act on the
// line it says why and returns false.
func (e *evaluator) known(st *statement) (stdlib.Param, bool) {
	v := vocab()
	name := st.name.text
	if e.opt.CaseInsensitive {
		name = strings.ToUpper(name)
	}
	row, ok := v.params[name]
	if !ok {
		e.unknownName(st)
		return row, false
	}
	// Only the loaders of *CFG lines skip leading white space (other
	// names must be at the very start of a line; recorded runs show both).
	if st.line.Indented && !IsFamily(row) && row.Effective != "documented-only" {
		indent := st.name.span
		indent.Start, indent.End = indentStart(st.line), st.name.span.Start
		e.ignore("maui-indented-name", st, nil, st.name.span, "%s is not seen, because there is white space before it",
			name).
			Note("begin the line with the name").
			Suggest(indent, "")
		return row, false
	}
	switch row.Effective {
	case "documented-only":
		if now, ok := e.inManual(st, row); ok {
			return now, true
		}
		e.documentedOnly(st, row)
		return row, false
	case "not-dispatched":
		if now, ok := e.inManual(st, row); ok {
			return now, true
		}
		d := e.ignore("maui-no-setter", st, nil, st.name.span, "%s is a known name, but Maui has no code that sets it",
			name).
			Note("%s", why(row))
		if now, ok := v.params[row.ReplacedBy]; ok && now.Effective == "yes" {
			d.Suggest(st.name.span, now.Name)
		}
		return row, false
	case "never-loaded":
		e.ignore("maui-family-not-loaded", st, nil, st.name.span, "Maui never loads %s lines", name).
			Note("set partitions with NODECFG[node] PARTITION=name and queues with CLASSCFG")
		return row, false
	case "private-file-only":
		e.ignore("maui-private-file", st, nil, st.name.span, "%s is read from the private file only", name).
			Note("move the line to maui-private.cfg")
		return row, false
	case "alias":
		e.diags.Infof("maui-old-name", st.name.span, "%s is the old name of %s", name, row.ReplacedBy).
			Note("Maui still takes it; write %s", row.ReplacedBy).
			Suggest(st.name.span, row.ReplacedBy)
	}
	return row, true
}

// indentStart is where the white space before a name begins.
func indentStart(line *Line) int32 { return line.Tokens[0].Span.Start }

// unknownName tells apart the names of Moab, names in the wrong case and plain
// mistakes: each has another remedy.
func (e *evaluator) unknownName(st *statement) {
	v := vocab()
	name := st.name.text
	if v.moab[name] {
		e.moabName(e.ignore("maui-moab-name", st, nil, st.name.span, "%s is a parameter of Moab, Maui ignores it",
			name).
			Note("remove the line if the file is for Maui"))
		return
	}
	if upper := strings.ToUpper(name); upper != name {
		if _, ok := v.params[upper]; ok {
			e.ignore("maui-wrong-case", st, nil, st.name.span, "%s must be written in capitals, Maui ignores it", name).
				Note("names are case-sensitive, whatever the manual says").
				Suggest(st.name.span, upper)
			return
		}
	}
	d := e.ignore("maui-unknown-parameter", st, nil, st.name.span, "unknown parameter %s, Maui ignores the line", name)
	if near, ok := meant[name]; ok {
		d.Note("did you mean %q?", near).Suggest(st.name.span, near)
		return
	}
	if d.DidYouMean(st.name.span, name, v.paramNames); d != nil && d.Fix == nil {
		d.Note("no parameter of Maui or Moab has this name; remove the line or correct the name")
	}
}

// meant are names that sites write for others which are too long to be recognised by their letters: those of QOSCFG's
// attributes, of sprio's and diagnose's columns, and the directive without what begins it.
var meant = map[string]string{
	"QTWEIGHT": "QUEUETIMEWEIGHT", "QUEUEWEIGHT": "QUEUETIMEWEIGHT", "QUEUETIME": "QUEUETIMEWEIGHT",
	"QTCAP": "QUEUETIMECAP", "QUEUECAP": "QUEUETIMECAP",
	"INCLUDE":  "#INCLUDE",
	"XFWEIGHT": "XFACTORWEIGHT", "XFACTOR": "XFACTORWEIGHT", "XFCAP": "XFACTORCAP",
}

// documentedOnly reports a name of the manual that the program does not have.
func (e *evaluator) documentedOnly(st *statement, row stdlib.Param) {
	d := e.ignore("maui-documented-only", st, nil, st.name.span, "%s is in the manual alone, Maui ignores it",
		row.Name)
	now, ok := vocab().params[row.ReplacedBy]
	switch {
	case !ok:
		d.Note("Maui has no parameter for it")
	case now.Effective == "yes" || IsFamily(now):
		d.Note("the name that works is %s", now.Name).Suggest(st.name.span, now.Name)
	default:
		d.Note("its current name %s has no effect either", now.Name)
	}
}

// why is the table's own explanation of a row.
func why(row stdlib.Param) string {
	if row.Notes != "" {
		return row.Notes
	}
	return "the default always applies; remove the line"
}

// vocabulary is the parameter tables, ready to look names up in.
type vocabulary struct {
	params     map[string]stdlib.Param
	attrs      map[string]map[string]stdlib.Param // family → attribute
	paramNames []string                           // names that have an effect, for suggestions
	attrNames  map[string][]string
	moab       map[string]bool // NAME, or FAMILY.ATTRIBUTE
}

// vocab is built once; the tables it reads are embedded.
var vocab = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{
		params:    map[string]stdlib.Param{},
		attrs:     map[string]map[string]stdlib.Param{},
		attrNames: map[string][]string{},
		moab:      moabNames(),
	}
	for _, p := range stdlib.MauiParams.Params() {
		v.params[p.Name] = p
		if p.Effective == "yes" {
			v.paramNames = append(v.paramNames, p.Name)
		}
	}
	for _, a := range stdlib.MauiAttributes.Params() {
		if v.attrs[a.Record] == nil {
			v.attrs[a.Record] = map[string]stdlib.Param{}
		}
		v.attrs[a.Record][a.Name] = a
		if a.Effective == "yes" {
			v.attrNames[a.Record] = append(v.attrNames[a.Record], a.Name)
		}
	}
	return v
})

// moabNames reads the list of names that Moab, Maui's successor, added.
func moabNames() map[string]bool {
	text, err := fs.ReadFile(stdlib.Files, "maui/moab_names.txt")
	if err != nil {
		panic("INVARIANT: embedded table maui/moab_names.txt: " + err.Error())
	}
	names := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		family, rest, attrs := strings.Cut(line, ":")
		if !attrs {
			family, rest = "", line
		}
		for _, name := range strings.Fields(rest) {
			if attrs {
				name = strings.TrimSpace(family) + "." + name
			}
			names[name] = true
		}
	}
	return names
}

// IsFamily reports whether a parameter holds attributes of objects (USERCFG …).
func IsFamily(p stdlib.Param) bool { return p.Type == "attrs" }

// needsIndex: only these two families describe a single object; a line of any
// other family without [name] is skipped.
func needsIndex(family string) bool { return family != "SYSCFG" && family != "SCHEDCFG" }

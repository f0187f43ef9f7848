package convert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// gathered is what the text says: parameters, then records by kind in the order of the file.
type gathered struct {
	set     []setting
	records []record
	index   dumpIndex
}

// record is one record of the scheduler's file.
type record struct {
	kind, name string
	settings   []setting
	value      *setting // of a parameter with an index
	span       source.Span
}

// setting is one value, as the file has it, with its place there.
type setting struct {
	name, text string
	span       source.Span
}

// param sets a parameter; one that `params` has already, or does not know, becomes a record.
func (w *writer) param(name, index string, s setting) {
	known := w.params[name] != nil && index == "" &&
		!strings.ContainsAny(s.text, "\\#") // else the record knows how to write it
	for _, old := range w.set {
		known = known && old.name != name
	}
	if s.name = name; known {
		w.set = append(w.set, s)
		return
	}
	w.records = append(w.records, record{kind: name, name: index, value: &s, span: s.span})
}

// setParam gives a parameter a value, whether it has one or not.
func (g *gathered) setParam(name, text string, span source.Span) {
	stands := func(r record) bool { return r.kind == name && r.name == "" && r.value != nil }
	if slices.ContainsFunc(g.records, stands) {
		g.records, g.index = slices.DeleteFunc(g.records, stands), dumpIndex{}
	}
	for i := range g.set {
		if g.set[i].name == name {
			g.set[i].text, g.set[i].span = text, span
			return
		}
	}
	g.set = append(g.set, setting{name, text, span})
}

// sameName reports one credential: those of slurmdbd are alike in any case, slurmctld's partitions are not, and
// Maui's classes stand for these.
func sameName(kind, a, b string) bool {
	return a == b || kind != "CLASSCFG" && strings.EqualFold(a, b)
}

// collides reports that a translation has put something else there already, from another place, and keeps it:
// of two settings that become one the first is said, and the other is named as left.
func (w *writer) collides(r *record, s setting, part string) bool {
	if !w.foreign() && w.became == nil {
		return false
	}
	for _, old := range r.settings {
		if !strings.EqualFold(old.name, s.name) || old.span.IsZero() || old.span == s.span {
			continue
		}
		for _, text := range strings.Split(old.text, ",") {
			is, _, list := strings.Cut(text, "=")
			of, _, _ := strings.Cut(part, "=")
			if text != part && (!list || is == of) {
				w.collided[s.span] = true
				w.because(s.span, fmt.Sprintf("%s of %s is %s already, by line %d", s.name,
					strings.TrimSpace(r.kind+" "+r.name), text, old.span.Position().Line))
				return true
			}
		}
	}
	return false
}

func (r *record) change(s setting) {
	for i := range r.settings {
		if strings.EqualFold(r.settings[i].name, s.name) {
			r.settings[i] = s
			return
		}
	}
	r.settings = append(r.settings, s)
}

// has reports a parameter that is written already, and is not 0.
func (g *gathered) has(param string) bool {
	return slices.ContainsFunc(g.set, func(s setting) bool { return s.name == param && s.text != "0" })
}

// textOf is what a parameter is set to, "" if it is not.
func (g *gathered) textOf(param string) string {
	for _, s := range g.set {
		if s.name == param {
			return s.text
		}
	}
	return ""
}

func (r *record) text(name string) string {
	for _, s := range r.settings {
		if strings.EqualFold(s.name, name) {
			return s.text
		}
	}
	return ""
}

// hasRecord reports a record of a kind, of any name if it is "".
func (g *gathered) hasRecord(kind, name string) bool {
	return slices.ContainsFunc(g.records, func(r record) bool {
		return strings.EqualFold(r.kind, kind) && (name == "" || strings.EqualFold(r.name, name))
	})
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

// drop takes back a setting of a record.
func (g *gathered) drop(kind, name string, s setting) {
	for i := range g.records {
		if r := &g.records[i]; r.kind == kind && strings.EqualFold(r.name, name) {
			r.settings = slices.DeleteFunc(r.settings,
				func(old setting) bool { return old.name == s.name && old.span == s.span })
		}
	}
	g.index = dumpIndex{}
	g.records = slices.DeleteFunc(g.records,
		func(r record) bool { return r.kind == kind && r.value == nil && len(r.settings) == 0 })
}

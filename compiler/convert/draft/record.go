package draft

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// gathered is what the text says: parameters, then records by kind in the order of the file.
type gathered struct {
	Set     []Setting
	Records []Record
	Index   DumpIndex
}

// Record is one record of the scheduler's file.
type Record struct {
	Kind, Name string
	Settings   []Setting
	Value      *Setting // of a parameter with an index
	Span       source.Span
}

// Setting is one value, as the file has it, with its place there.
type Setting struct {
	Name, Text string
	Span       source.Span
}

// Set is a setting.
func Set(name, text string, at source.Span) Setting { return Setting{name, text, at} }

// param sets a parameter; one that `params` has already, or does not know, becomes a record.
func (w *Writer) param(name, index string, s Setting) {
	known := w.params[name] != nil && index == "" &&
		!strings.ContainsAny(s.Text, "\\#") // else the record knows how to write it
	for _, old := range w.Set {
		known = known && old.Name != name
	}
	if s.Name = name; known {
		w.Set = append(w.Set, s)
		return
	}
	w.Records = append(w.Records, Record{Kind: name, Name: index, Value: &s, Span: s.Span})
}

// SetParam gives a parameter a value, whether it has one or not.
func (g *gathered) SetParam(name, text string, span source.Span) {
	stands := func(r Record) bool { return r.Kind == name && r.Name == "" && r.Value != nil }
	if slices.ContainsFunc(g.Records, stands) {
		g.Records, g.Index = slices.DeleteFunc(g.Records, stands), DumpIndex{}
	}
	for i := range g.Set {
		if g.Set[i].Name == name {
			g.Set[i].Text, g.Set[i].Span = text, span
			return
		}
	}
	g.Set = append(g.Set, Setting{name, text, span})
}

// SameName reports one credential: those of slurmdbd are alike in any case, slurmctld's partitions are not, and
// Maui's classes stand for these.
func SameName(kind, a, b string) bool {
	return a == b || kind != "CLASSCFG" && strings.EqualFold(a, b)
}

// Collides reports that a translation has put something else there already, from another place, and keeps it:
// of two settings that become one the first is written, and the other is named as left.
func (w *Writer) Collides(r *Record, s Setting, part string) bool {
	if !w.Foreign() && w.Became == nil {
		return false
	}
	for _, old := range r.Settings {
		if !strings.EqualFold(old.Name, s.Name) || old.Span.IsZero() || old.Span == s.Span {
			continue
		}
		for _, text := range strings.Split(old.Text, ",") {
			is, _, list := strings.Cut(text, "=")
			of, _, _ := strings.Cut(part, "=")
			if text != part && (!list || is == of) {
				w.Collided[s.Span] = true
				w.Because(s.Span, fmt.Sprintf("%s of %s is %s already, by line %d", s.Name,
					strings.TrimSpace(r.Kind+" "+r.Name), text, old.Span.Position().Line))
				return true
			}
		}
	}
	return false
}

func (r *Record) Change(s Setting) {
	for i := range r.Settings {
		if strings.EqualFold(r.Settings[i].Name, s.Name) {
			r.Settings[i] = s
			return
		}
	}
	r.Settings = append(r.Settings, s)
}

// Has reports a parameter that is written already, and is not 0.
func (g *gathered) Has(param string) bool {
	return slices.ContainsFunc(g.Set, func(s Setting) bool { return s.Name == param && s.Text != "0" })
}

// TextOf is what a parameter is set to, "" if it is not.
func (g *gathered) TextOf(param string) string {
	for _, s := range g.Set {
		if s.Name == param {
			return s.Text
		}
	}
	return ""
}

func (r *Record) Text(name string) string {
	for _, s := range r.Settings {
		if strings.EqualFold(s.Name, name) {
			return s.Text
		}
	}
	return ""
}

// HasRecord reports a record of a kind, of any name if it is "".
func (g *gathered) HasRecord(kind, name string) bool {
	return slices.ContainsFunc(g.Records, func(r Record) bool {
		return strings.EqualFold(r.Kind, kind) && (name == "" || strings.EqualFold(r.Name, name))
	})
}

// Says reports that a setting such as "USERCFG amy PRIORITY" is among those that are written.
func (g *gathered) Says(name string) bool {
	for i := range g.Records {
		r := &g.Records[i]
		if rest, ok := strings.CutPrefix(name, strings.TrimSpace(r.Kind+" "+r.Name)+" "); ok && r.Text(rest) != "" {
			return true
		}
	}
	return false
}

// Conf are the records that are not in a dump.
func (g *gathered) Conf() (list []Record) {
	for _, r := range g.Records {
		if !InDump(r.Kind) {
			list = append(list, r)
		}
	}
	return list
}

func InDump(kind string) bool {
	return slices.ContainsFunc([]string{"Cluster", "Parent", "Account", "User", "QOS"}, func(k string) bool {
		return strings.EqualFold(k, kind)
	})
}

// Drop takes back a setting of a record.
func (g *gathered) Drop(kind, name string, s Setting) {
	for i := range g.Records {
		if r := &g.Records[i]; r.Kind == kind && strings.EqualFold(r.Name, name) {
			r.Settings = slices.DeleteFunc(r.Settings,
				func(old Setting) bool { return old.Name == s.Name && old.Span == s.Span })
		}
	}
	g.Index = DumpIndex{}
	g.Records = slices.DeleteFunc(g.Records,
		func(r Record) bool { return r.Kind == kind && r.Value == nil && len(r.Settings) == 0 })
}

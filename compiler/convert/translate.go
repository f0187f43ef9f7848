package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// translate writes a policy for another scheduler than its own, or for one where it has none. Rules take what
// has a counterpart; each marks what it took, and all that is left at the end is reported.
func (w *writer) translate(family string) {
	w.taken, w.takenParams = map[source.Span]bool{}, map[string]bool{}
	if family == "slurm" {
		w.toSlurm()
	} else {
		w.toMaui()
	}
	w.left(fileName[family])
}

// exact marks a setting as said.
func (w *writer) exact(s source.Span) { w.taken[s] = true }

// near marks a setting as said nearly, and how.
func (w *writer) near(s source.Span, how, format string, args ...any) {
	w.taken[s] = true
	w.diags.Infof("convert-approximated", s, format, args...).Note("%s", how)
}

// isSet reports a parameter that the site sets, and marks it as taken.
func (w *writer) isSet(name string) (*ir.Param, bool) {
	p := w.params[name]
	if p == nil || p.Set.IsZero() {
		return p, false
	}
	w.takenParams[name] = true
	return p, true
}

// number is a parameter's value, 0 if there is none; whoever asks has it taken.
func (w *writer) number(name string) float64 {
	p, _ := w.isSet(name)
	switch {
	case p == nil:
		return 0
	case p.Value.Type == schema.Double:
		return p.Value.Double
	}
	return float64(p.Value.Int)
}

func (w *writer) word(name string) string {
	if p, _ := w.isSet(name); p != nil {
		return p.Value.Str
	}
	return ""
}

// span is where a parameter is set.
func (w *writer) span(name string) source.Span {
	if p := w.params[name]; p != nil {
		return p.Set
	}
	return source.Span{}
}

// rows of a column, DEFAULT for all other names.
func (w *writer) rows(column schema.ColumnID) (list []ir.TableRow) {
	for i := range w.policy.Tables {
		t := &w.policy.Tables[i]
		if t.Column != column {
			continue
		}
		if t.Others != nil && !t.Others.Span.IsZero() {
			others := *t.Others
			others.Name = "DEFAULT"
			list = append(list, others)
		}
		list = append(list, t.Rows...)
	}
	return list
}

// left reports everything that the site wrote and no rule took, in the order of the files.
func (w *writer) left(file string) {
	type remaining struct {
		name  string
		span  source.Span
		about bool // it runs the scheduler and is no policy
	}
	var list []remaining
	seen := map[source.Span]bool{}
	add := func(name string, s source.Span, about bool) {
		if !s.IsZero() && !w.taken[s] && !seen[s] && !strings.HasPrefix(s.File.Name, "stdlib:") {
			seen[s] = true
			list = append(list, remaining{name, s, about})
		}
	}
	p := w.policy
	categories := categoriesOf(p.Family)
	for i := range p.Params {
		v := &p.Params[i]
		if !w.takenParams[v.Name] {
			add(v.Name, v.Set, running[categories[v.Name]])
		} else {
			seen[v.Set] = true
		}
	}
	for i := range p.Components {
		for k := range p.Components[i].Terms {
			t := &p.Components[i].Terms[k]
			add("term "+p.Components[i].Name+" / "+t.Name, t.Span, false)
		}
	}
	for _, o := range p.Finish.Overrides {
		add("override "+o.Name, o.Span, false)
	}
	for _, h := range p.Holds {
		add("hold "+h.Name, h.Span, false)
	}
	for i := range p.Limits {
		add(p.Limits[i].Source, p.Limits[i].Span, false)
	}
	for i := range p.Fairshare {
		f := &p.Fairshare[i]
		for _, t := range f.Targets {
			add(t.Source, t.Span, false)
		}
		for _, a := range f.Associations {
			if a.Key() != "root" {
				add(a.Source, a.Span, false)
			}
		}
	}
	for i := range p.Tables {
		if derived[p.Tables[i].Column] || p.Tables[i].Column.Object() == "cluster" && p.Family == "slurm" {
			continue
		}
		for _, r := range p.Tables[i].Rows {
			if p.Family == "slurm" && !r.Span.IsZero() && r.Span.Position().Column == 1 {
				continue // a default, at the place of the whole record
			}
			add(cmp.Or(r.Source, string(p.Tables[i].Column)+" of "+r.Name), r.Span, false)
		}
		if o := p.Tables[i].Others; o != nil {
			add(cmp.Or(o.Source, string(p.Tables[i].Column)), o.Span, false)
		}
	}
	for _, r := range p.Reservations {
		add("reservation "+r.Name, r.Span, false)
	}
	for i := range p.Facts.Records {
		r := &p.Facts.Records[i]
		if running[r.Kind] {
			add(strings.TrimSpace(r.Kind+" "+r.Name), r.Span, true)
			continue
		}
		for _, a := range r.Attrs {
			if r.Kind != "" && !a.Inherited && !a.Old {
				add(strings.TrimSpace(r.Kind+" "+r.Name)+" "+a.Name, a.Span, running[a.Name])
			}
		}
	}
	for _, s := range p.Backfill {
		if name, _, _ := strings.Cut(s.Name, "["); !w.takenParams[name] {
			add(s.Name, s.Span, false)
		}
	}
	slices.SortStableFunc(list, func(a, b remaining) int {
		return cmp.Or(strings.Compare(a.span.File.Name, b.span.File.Name), int(a.span.Start)-int(b.span.Start))
	})
	for _, l := range list {
		if l.about {
			w.diags.Infof("convert-not-said", l.span, "%s is left out: it runs the scheduler and ranks no job", l.name)
			continue
		}
		w.diags.Warnf("convert-not-said", l.span, "%s cannot say %s", file, l.name)
	}
}

// derived are columns that follow from where a record stands.
var derived = map[schema.ColumnID]bool{"association.parent": true, "association.shares": true}

// running are the categories of parameters, and the records, that keep a scheduler running.
var running = map[string]bool{
	"server": true, "rm": true, "admin": true, "logging": true, "daemon": true, "stats": true, "sim": true, "bank": true,
	"power": true, "plugins": true, "timers": true, "accounting": true,
	"controller": true, "network": true, "security": true, "launch": true, "hooks": true, "monitoring": true, "health": true, "jobcomp": true, "removed": true, "rest": true,
	"Description": true, "Organization": true, "AdminLevel": true, "DefaultAccount": true, "DefaultQOS": true, "Coordinator": true,
	"RMCFG": true, "SCHEDCFG": true, "AMCFG": true, "NODECFG": true, "NodeName": true, "SlurmctldHost": true, "DownNodes": true, "FrontendName": true,
}

func categoriesOf(family string) map[string]string {
	rows := stdlib.MauiParams.Params()
	if family == "slurm" {
		rows = stdlib.SlurmParams.Params()
	}
	m := map[string]string{}
	for _, r := range rows {
		if r.Record == "" || r.Record == "global" {
			m[r.Name] = r.Category
		}
	}
	return m
}

// say sets a parameter of the other scheduler.
func (w *writer) say(name string, value any, from source.Span) {
	w.setParam(name, fmt.Sprint(value), from)
}

package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/source"
)

// facts compares what the files say besides: settings from which nothing is computed, but for nodes.
func (c *comparison) facts() {
	if len(c.before.Facts.Records) == 0 || len(c.after.Facts.Records) == 0 {
		return // a policy file says nothing else
	}
	said := map[source.Span]bool{}
	lines, records := map[string]bool{}, map[string]bool{}
	for i := range c.found {
		lines[c.found[i].Name] = true
		for _, s := range []*Side{c.found[i].Old, c.found[i].New} {
			if s != nil && !s.Span.IsZero() {
				said[s.Span] = true
				// a whole record is new or gone
				records[lineOf(s.Span)] = records[lineOf(s.Span)] || c.found[i].Kind != Changed
			}
		}
	}
	params := map[string]bool{} // compared already, with the index 0 too, which is Maui's for none
	for i := range c.before.Params {
		params[c.before.Params[i].Name] = !carriers[c.before.Params[i].Name]
	}
	counted := map[source.Span]bool{} // compared already too
	mark(c.before, counted)
	mark(c.after, counted)
	list := func(p *ir.Policy) (out []item) {
		for i := range p.Facts.Records {
			r := &p.Facts.Records[i]
			object := strings.TrimSpace(r.Kind + " " + r.Name)
			for _, a := range r.Attrs {
				name := a.Name
				if a.Index != "" {
					name += "[" + a.Index + "]"
				}
				if object == "" && (a.Index == "" || a.Index == "0") && params[a.Name] ||
					counted[a.Span] && !carriers[a.Name] || lines[name] || said[a.Span] || records[lineOf(a.Span)] ||
					a.Inherited || object == "" && carriers[a.Name] && c.carried(a.Name) {
					continue
				}
				name = strings.TrimSpace(object + " " + name)
				out = append(out, item{group: factGroup(r.Kind, a.Name), key: name, name: name,
					means: fmt.Sprint(plainValue(a.Value), a.Soft, a.Hard, a.Kind, a.Infinite),
					side:  Side{Value: a.Text, Span: a.Span}})
			}
		}
		return out
	}
	c.pair(list)
}

// factGroup is what a record's setting affects. Which nodes a partition has decides where its jobs run, though no
// priority and no limit is made of it; how many is a column of its own.
func factGroup(kind, name string) Group {
	if kind == "PartitionName" && name == "Nodes" || kind == "NodeSet" {
		return Planning
	}
	return Other
}

// mark finds the places of all that something is computed from.
func mark(p *ir.Policy, places map[source.Span]bool) {
	for _, t := range p.Tables {
		for _, r := range t.Rows {
			places[r.Span] = true
		}
		if t.Others != nil {
			places[t.Others.Span] = true
		}
	}
	for _, l := range p.Limits {
		places[l.Span] = true
	}
	for _, s := range p.Backfill {
		places[s.Span] = true
	}
	for _, f := range p.Fairshare {
		for _, t := range f.Targets {
			places[t.Span] = true
		}
		for _, s := range f.Settings {
			places[s.Span] = true
		}
		for _, a := range f.Associations {
			places[a.Span] = true
		}
	}
	delete(places, source.Span{})
}

func lineOf(s source.Span) string {
	if s.IsZero() {
		return ""
	}
	return fmt.Sprintf("%s:%d", s.File.Name, s.Position().Line)
}

// carried reports that entries of a parameter are reported, so that it need not be.
func (c *comparison) carried(param string) bool {
	return slices.ContainsFunc(c.found, func(d Difference) bool {
		return d.Old != nil && d.Old.Source == param || d.New != nil && d.New.Source == param
	})
}

package runner

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Coverage is which parts of the policies some test exercises. Its zero value is empty.
type Coverage struct {
	parts   map[string]*Part // by place and name
	written bool             // a test has written the queue that is added
}

// Part is a rule that the site's files state: the library's own are not the site's to test.
type Part struct {
	Name      string // as people call it: term house.patience
	Lacks     string // what no test shows, where none does
	Span      source.Span
	Exercised bool
}

// Parts are all parts of the policies in the order of their places.
func (c *Coverage) Parts() []Part {
	list := make([]Part, 0, len(c.parts))
	for _, p := range c.parts {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b Part) int {
		return cmp.Or(cmp.Compare(a.Span.File.Name, b.Span.File.Name), cmp.Compare(a.Span.Start, b.Span.Start),
			cmp.Compare(a.Name, b.Name))
	})
	return list
}

// add notes which parts of its program an evaluation exercised, or, of a queue that no test wrote, which there are.
func (c *Coverage) add(r *evaluation.Result, written bool) {
	p := r.Program
	c.written = written
	for k := range r.Terms {
		t := &r.Terms[k]
		component := &p.Components[t.Component]
		term := &component.Terms[t.Term]
		c.part("term "+component.Name+"."+term.Name, "no job has points of it", placeOf(component, term),
			slices.ContainsFunc(t.Value, func(x float64) bool { return x != 0 }))
	}
	for i := range p.Overrides {
		exercised := i < len(r.Overridden) && r.Overridden[i].Any()
		c.part("override "+p.Overrides[i].Name, "it decides no job's priority", p.Overrides[i].Span, exercised)
	}
	stopped := stops(r)
	for i := range p.Holds {
		c.part("hold "+p.Holds[i].Name, "it holds no job", p.Holds[i].Span,
			stopped[stop{p.Holds[i].Span, p.Holds[i].Name, ""}])
	}
	for i := range p.Admission {
		if h := &p.Admission[i]; !h.Library {
			c.part("hold "+h.Name, "it refuses no job", h.Span, i < len(r.Admission) && r.Admission[i].Any())
		}
	}
	for i := range p.Limits {
		l := &p.Limits[i]
		name := "limit " + l.Name
		if l.Row != "" {
			name += fmt.Sprintf(" of %s %s", l.Object, l.Row)
		}
		c.part(name, "no job waits for it", l.Span, stopped[stopOf(l)])
	}
}

func (c *Coverage) part(name, lacks string, at source.Span, exercised bool) {
	if at.IsZero() || lower.FromLibrary(at) {
		return
	}
	key := at.String() + " " + name
	part := c.parts[key]
	if part == nil {
		if c.parts == nil {
			c.parts = map[string]*Part{}
		}
		part = &Part{Name: name, Lacks: lacks, Span: at}
		c.parts[key] = part
	}
	part.Exercised = part.Exercised || exercised && c.written
}

// placeOf is where the site has a term: its block, or what gives one of the library its weight.
func placeOf(c *program.Component, t *program.Term) source.Span {
	if !lower.FromLibrary(t.Span) {
		return t.Span
	}
	for _, weight := range []program.Number{t.Weight, c.Weight} {
		for _, s := range weight.Sources {
			if !s.Span.IsZero() && !lower.FromLibrary(s.Span) {
				return s.Span
			}
		}
	}
	return t.Span
}

// stop is a hold or a limit.
type stop struct {
	span         source.Span
	name, counts string
}

func stopOf(l *program.Limit) stop { return stop{l.Span, l.Name, l.Counts} }

// stops are the holds and limits that keep a job from starting.
func stops(r *evaluation.Result) map[stop]bool {
	found := map[stop]bool{}
	var walk func(b *evaluation.Block)
	walk = func(b *evaluation.Block) {
		if b == nil {
			return
		}
		if b.Kind == evaluation.BlockPolicy && b.Refusal == nil {
			hold := &r.Program.Holds[b.Hold]
			found[stop{hold.Span, hold.Name, ""}] = true
		}
		if b.Limit != nil {
			found[stopOf(&r.Program.Limits[b.Limit.Limit])] = true
		}
		if b.Slurm != nil {
			found[stopOf(b.Slurm.Limit)] = true
		}
		for _, also := range b.Also {
			walk(also)
		}
	}
	for _, b := range r.Why {
		walk(b)
	}
	for _, b := range r.Barred {
		walk(b)
	}
	return found
}

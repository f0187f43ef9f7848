package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
)

// params compares parameters of one scheduler by name, with defaults resolved. Between two
// schedulers no name means the same; there the terms are compared.
func (c *comparison) params() {
	if !c.family {
		return
	}
	read := c.reads()
	sides := [2][]item{c.paramsOf(c.before, c.after, read), c.paramsOf(c.after, c.before, read)}
	for _, side := range sides {
		for i := range side {
			name, _, _ := strings.Cut(side[i].name, " ")
			side[i].asleep(c.unweighed(name))
		}
	}
	c.items(sides[0], sides[1])
	for i := range c.found {
		if d := &c.found[i]; d.Group != Other || d.Reason != "" {
			param, _, _ := strings.Cut(d.Name, " ") // of a word of it
			c.changed[param] = true
			for _, s := range []*Side{d.Old, d.New} {
				if s != nil && !s.Span.IsZero() {
					c.places[s.Span] = true
				}
			}
		}
	}
}

// readers say which parameters expressions and planners of two policies go by.
type readers struct {
	used, idle map[string]bool // by expressions that are evaluated, and by those that are not because their weight is 0
	plans      map[string]bool // by the planner, with an index or without
}

func (c *comparison) reads() readers {
	r := readers{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, p := range []*ir.Policy{c.before, c.after} {
		uses(p, r.used, r.idle)
	}
	for _, s := range slices.Concat(c.before.Backfill, c.after.Backfill) {
		name, _, _ := strings.Cut(s.Name, "[")
		r.plans[name] = true
	}
	return r
}

// group corrects what the name of a parameter says of what it affects.
func (r readers) group(name string, group Group) Group {
	switch {
	case r.used[name] && group == Other:
		return Priority
	case r.plans[name] && group == Other:
		return Planning
	case r.idle[name] && !r.used[name] && group == Priority:
		return Other // nothing weighs what it is for
	}
	return group
}

// paramsOf are the items of a policy's parameters. A default that the other version does not know is none: what it did
// shows elsewhere.
func (c *comparison) paramsOf(p, other *ir.Policy, read readers) []item {
	there := map[string]bool{}
	for i := range other.Params {
		there[other.Params[i].Name] = true
	}
	old, known := oldNames(p)
	out := append(controllers(p), old...)
	for i := range p.Params {
		v := &p.Params[i]
		switch {
		case carriers[v.Name], known[v.Name], slices.Contains(controllerParams, v.Name):
		case v.Set.IsZero() && !there[v.Name]:
		case isList(p, v.Name):
			out = append(out, listWords(p, v)...)
		default:
			x := item{group: read.group(v.Name, groupOf(p, v.Name)), key: v.Name, name: v.Name,
				side: Side{Value: withUnit(v), Span: v.Set}, means: meaningOf(v)}
			x.addLines(p)
			out = append(out, x)
		}
	}
	return out
}

// addLines adds the other lines of scripts, which may be several.
func (i *item) addLines(p *ir.Policy) {
	if !strings.Contains(i.name, "rolog") && !strings.Contains(i.name, "pilog") {
		return
	}
	for n, a := range repeated(p, i.name) {
		if n > 0 {
			i.side.Value += fmt.Sprintf(" %q", a.Text)
			i.means = i.side.Value
		}
	}
}

// meaningOf is a value without its notation. Whether a number may have a fraction is none: the manual's parameters are
// other types than the program's.
func meaningOf(v *ir.Param) string {
	switch {
	case v.Name == "PriorityWeightTRES":
		return cmp.Or(tresMeaning(v.Value.Str), v.Value.String())
	case v.Name == "CredType":
		return withoutKind(v)
	}
	return plainValue(v.Value)
}

// plainValue is a value as it is compared.
func plainValue(v schema.Value) string {
	switch {
	case v.Known() && (v.Type == schema.Int || v.Type == schema.Double):
		return fmt.Sprint(v.Number())
	case v.Type == schema.StringList:
		list := slices.Clone(v.List)
		slices.Sort(list)
		return fmt.Sprintf("%q", list)
	}
	return v.String()
}

func withUnit(p *ir.Param) string {
	value := p.Value.String()
	if p.Unit != "" && p.Value.Known() {
		value += " " + p.Unit
	}
	if p.Set.IsZero() {
		value += " (default)"
	}
	return value
}

// uses finds the parameters that expressions are made of: of those that are evaluated, and of those
// that are not because their weight is 0.
func uses(p *ir.Policy, used, idle map[string]bool) {
	mark := func(set map[string]bool, list ...ir.Scalar) {
		for _, name := range names(list...) {
			set[name] = true
		}
	}
	each(p, func(c *ir.Component, t *ir.Term) { mark(used, c.Weight, c.Cap, t.Weight, t.Cap, t.Factor) })
	rest := *p
	rest.Components = nil
	rest.Expressions(func(_ string, s ir.Scalar) { mark(used, s) })
	p.Expressions(func(_ string, s ir.Scalar) { mark(idle, s) })
}

// carriers are parameters that hold many settings; these are compared one by one.
var carriers = map[string]bool{
	"SelectTypeParameters": true, "PreemptMode": true,
}

// scheduler compares what the policy is read for. Other semantics are one difference, which decides all deviations.
func (c *comparison) scheduler(p *ir.Policy) []item {
	family := cmp.Or(p.Family, "none: a policy from scratch")
	out := []item{
		{group: Scheduler, key: "family", name: "scheduler", side: Side{Value: family}},
		{group: Scheduler, key: "semantics", name: "semantics", side: Side{Value: p.Semantics}},
	}
	if p.Version != "" {
		out = append(out, item{group: Scheduler, key: "version", name: "version", side: Side{Value: p.Version}})
	}
	documented := 0
	for _, d := range p.Deviations {
		if !d.Documented {
			continue
		}
		if documented++; c.before.Semantics == c.after.Semantics {
			out = append(out, item{group: Scheduler, key: "deviation " + d.Name, name: "deviation " + d.Name,
				side: Side{Value: "as the manual has it"}})
		}
	}
	if documented > 0 && c.before.Semantics != c.after.Semantics {
		out[1].side.Value += fmt.Sprintf(", in %d deviations: see fairway doc deviations", documented)
	}
	without := slices.Clone(p.Without)
	slices.Sort(without)
	for _, name := range slices.Compact(without) {
		out = append(out, item{group: Scheduler, key: "without " + name, name: "left out: " + name,
			side: Side{Value: "not evaluated"}})
	}
	return out
}

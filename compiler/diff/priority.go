package diff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/source"
)

// Like are the counterparts of the new policy's terms in the old one, each as component/term.
func Like(before, after *ir.Policy) map[string]string {
	if before.Family == after.Family {
		return nil
	}
	like := map[string]string{}
	for own, slurm := range familyOf(before).counterparts {
		like[slurm] = own
	}
	maps.Copy(like, familyOf(after).counterparts)
	return like
}

// terms compares the terms that are evaluated: one of weight 0 is none.
func (c *comparison) terms() {
	before, after := c.activeTerms(c.before), c.activeTerms(c.after)
	c.items(before, after)
	var shared [2][]string
	for k, list := range [][]item{before, after} {
		other := [][]item{after, before}[k]
		for i := range list {
			if list[i].term() && slices.ContainsFunc(other, func(x item) bool { return x.key == list[i].key }) {
				shared[k] = append(shared[k], list[i].key)
			}
		}
	}
	if c.family && !slices.Equal(shared[0], shared[1]) { // sums of doubles depend on their order
		order := func(names []string) *item {
			return &item{group: Priority, name: "order of the terms", side: Side{Value: strings.Join(names, " ")}}
		}
		c.report(Changed, order(shared[0]), order(shared[1]))
	}
}

// term reports the item that stands for a whole term.
func (i *item) term() bool { return !strings.Contains(i.key, "#") }

// activeTerms says of each evaluated term its weight, then its caps and its factor where both policies have it.
func (c *comparison) activeTerms(p *ir.Policy) []item {
	other := c.before
	if p == c.before {
		other = c.after
	}
	there := map[string]bool{}
	each(other, func(comp *ir.Component, t *ir.Term) { there[c.termKey(other, comp, t)] = true })
	var out []item
	each(p, func(comp *ir.Component, t *ir.Term) {
		key := c.termKey(p, comp, t)
		name := t.Name
		if comp.Name != t.Name {
			name = comp.Name + " / " + t.Name
		}
		weight := item{group: Priority, key: key, name: name, means: comp.Weight.String() + " * " + t.Weight.String(),
			like: strings.Join([]string{comp.Weight.String(), comp.Cap.String(), t.Weight.String(), t.Cap.String(),
				t.Factor.String()}, "|"),
			by: names(comp.Weight, t.Weight), side: scalarSide(t.Span, comp.Weight, t.Weight)}
		if weight.side.Value = "weight " + weightText(comp.Weight, t.Weight); !there[key] {
			if t.Cap.IsSet() && !t.Cap.IsZero() {
				weight.side.Value += ", cap " + text(t.Cap)
			}
			weight.side.Value += ", factor " + text(t.Factor)
			weight.akin = t.Factor.String()
			weight.means = weight.side.Value
			out = append(out, weight)
			return
		}
		out = append(out, weight)
		for _, part := range []struct {
			word   string
			scalar ir.Scalar
		}{{"cap", t.Cap}, {"cap of the component", comp.Cap}, {"factor", t.Factor}} {
			x := item{group: Priority, key: key + "#" + part.word, name: name + ", " + part.word, called: name,
				means: part.scalar.String(), by: names(part.scalar), side: scalarSide(t.Span, part.scalar)}
			x.side.Value = text(part.scalar)
			if part.word != "factor" && (!part.scalar.IsSet() || part.scalar.IsZero()) {
				x.means, x.side.Value = "none", "none"
			}
			out = append(out, x)
		}
	})
	return out
}

// each visits the terms that are evaluated.
func each(p *ir.Policy, visit func(*ir.Component, *ir.Term)) {
	for i := range p.Components {
		c := &p.Components[i]
		for j := range c.Terms {
			if t := &c.Terms[j]; !c.Weight.IsZero() && !t.Weight.IsZero() {
				visit(c, t)
			}
		}
	}
}

func (c *comparison) termKey(p *ir.Policy, comp *ir.Component, t *ir.Term) string {
	key := comp.Name + "/" + t.Name
	if slurm := familyOf(p).counterparts[key]; !c.family && slurm != "" {
		return slurm
	}
	return key
}

// finish compares what happens to the sum.
func finish(p *ir.Policy) []item {
	f := &p.Finish
	out := []item{
		{group: Priority, key: "rounding", name: "rounding of the priority",
			side: Side{Value: f.Rounding, Span: f.Span}},
	}
	for _, bound := range []struct {
		name   string
		scalar ir.Scalar
	}{{"least priority", f.Floor}, {"greatest priority", f.Ceiling}} {
		out = append(out, scalarItem(Priority, bound.name, bound.scalar, f.Span))
	}
	for _, o := range f.Overrides {
		if o.When.IsZero() {
			continue // it never holds
		}
		out = append(out, item{group: Priority, key: "override " + o.Name, name: "override " + o.Name,
			means: o.When.String() + " ? " + o.Value.String(), like: o.When.String() + " ? " + o.Value.String(),
			by: names(o.When, o.Value), side: Side{Value: text(o.Value) + " when " + text(o.When), Span: o.Span}})
	}
	return out
}

func scalarItem(g Group, name string, s ir.Scalar, at source.Span) item {
	side := scalarSide(at, s)
	side.Value = text(s)
	return item{group: g, key: name, name: name, means: s.String(), by: names(s), side: side}
}

// scalarSide says what set the scalars: the last source that the site wrote, else where the formula comes from.
func scalarSide(at source.Span, list ...ir.Scalar) Side {
	side := Side{Span: at}
	for _, s := range list {
		for _, from := range s.Sources {
			if !from.Span.IsZero() {
				if side.Span = from.Span; from.Name != "constant" { // a number of the policy file
					side.Source = from.Name
				}
			}
		}
	}
	return side
}

func names(list ...ir.Scalar) (out []string) {
	for _, s := range list {
		for _, from := range s.Sources {
			out = append(out, from.Name)
		}
	}
	return out
}

// text is a scalar as its author wrote it, and a constant as what it is.
func text(s ir.Scalar) string {
	switch {
	case !s.IsSet():
		return "none"
	case s.Expr.IsConst():
		return s.Expr.Value.String()
	}
	if words := strings.Fields(s.Expr.Span.Text()); len(words) > 0 {
		return strings.ReplaceAll(strings.Join(words, " "), `\"`, `"`) // of a string in a policy file
	}
	return s.String()
}

// weightText is the product of two weights; that of 1 need not be expressed.
func weightText(component, term ir.Scalar) string {
	a, okA := constant(component)
	b, okB := constant(term)
	switch {
	case okA && okB && (a == 1 || b == 1):
		return fmt.Sprint(a * b)
	case okA && okB:
		return fmt.Sprintf("%v × %v = %v", a, b, a*b)
	case okA && a == 1:
		return text(term)
	}
	return cmp.Or(text(component), "1") + " × " + text(term)
}

func constant(s ir.Scalar) (float64, bool) {
	if !s.Expr.IsConst() {
		return 0, false
	}
	return s.Expr.Value.Number(), true
}

// backfillOnly are the fields of ir.SlurmPlan that only the backfill scheduler reads.
var backfillOnly = []string{"CycleSeconds", "WindowSeconds", "ResolutionSeconds", "LinearSeconds", "Licenses",
	"RunningReserve",
	"OneReservation", "Tests", "TableSize", "Starts", "ArrayReservations", "PerPartition", "PerUser",
	"PerUserPartition", "PerAssociation", "PartitionReserve", "MinAgeSeconds", "MinPriority"}

// idle says why what a field stands for has no effect in either policy; "" if it may have one. A setting that one
// policy alone makes no use of has: the two differ in what they do.
func (c *comparison) idle(f field) string {
	if a, b := c.before.SlurmPlan, c.after.SlurmPlan; slices.Contains(backfillOnly, f.name) && a != nil && b != nil &&
		!a.Backfill && !b.Backfill {
		return "neither policy runs backfill"
	}
	return c.unweighed(f.param)
}

// unweighed is idle of a parameter: priority/basic is first come, first served, and reads no Priority parameter and
// no flag of PriorityFlags but its own type.
func (c *comparison) unweighed(param string) string {
	own := strings.HasPrefix(param, "Priority") && param != "PriorityType" || param == "FairShareDampeningFactor"
	if own && basic(c.before) && basic(c.after) {
		return "PriorityType=priority/basic does not read it"
	}
	return ""
}

func basic(p *ir.Policy) bool {
	v := param(p, "PriorityType")
	return familyOf(p).basic != "" && v != nil && strings.EqualFold(v.Value.Str, familyOf(p).basic)
}

// asleep moves an item to those without effect if there is a reason.
func (i *item) asleep(why string) {
	if why != "" && i.group != Other {
		i.group, i.why = Other, why
	}
}

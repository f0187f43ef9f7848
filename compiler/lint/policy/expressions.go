// Package policy has the rules about what a site writes in the policy language: terms, holds and expressions. What an
// expression is for every job is decided by trying the cases of its conditions.
package policy

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// Rules are those about what a site writes in the policy language.
func Rules() []rule.Rule {
	return []rule.Rule{
		{Code: "unused-param", Check: unusedParams},
		{Code: "dead-term", Check: deadTerms},
		{Code: "constant-factor", Check: constantFactors},
		{Code: "unit-mix-up", Check: unitMixUps},
		{Code: "not-vectorised", Check: notVectorised},
		{Code: "unreachable-hold", Check: unreachableHolds},
		{Code: "hold-for-all", Check: holdsForAll},
		{Code: "unguarded-zero", Check: unguarded},
	}
}

func unusedParams(p *rule.Pass) {
	for _, d := range p.Facts.Declared {
		if !d.Read {
			p.Report(d.Span, "nothing reads the parameter %s", d.Name).
				Note("read it as param.%s, or delete the block", d.Name)
		}
	}
}

// terms visits the site's terms.
func terms(p *rule.Pass, visit func(c *ir.Component, t *ir.Term)) {
	for i := range p.Components {
		c := &p.Components[i]
		for k := range c.Terms {
			if t := &c.Terms[k]; rule.OwnText(t.Span) {
				visit(c, t)
			}
		}
	}
}

func deadTerms(p *rule.Pass) {
	terms(p, func(c *ir.Component, t *ir.Term) {
		switch {
		case t.Weight.IsZero():
			p.Report(t.Span, "term %q has the weight 0 and is not evaluated", t.Name).
				Note("give it a weight, or delete it")
		case c.Weight.IsZero():
			p.Report(t.Span, "term %q is not evaluated, because its component %q has the weight 0", t.Name, c.Name).
				Note("give the component a weight, or delete the term")
		}
	})
}

func constantFactors(p *rule.Pass) {
	terms(p, func(_ *ir.Component, t *ir.Term) {
		if value := constant(t.Factor.Expr); value != nil && !t.Weight.IsZero() {
			p.Report(t.Span, "the factor of term %q is %s for every job%s", t.Name, value.Value.String(),
				whereKnown(t.Factor.Expr)).
				Note("it orders nothing; read something of the job, or delete the term")
		} else if e := t.Factor.Expr; e != nil && !t.Weight.IsZero() && readsNoJob(e) {
			p.Report(t.Span, "the factor of term %q is the same for every job: it reads only what all jobs share",
				t.Name).
				Note("it orders nothing; read something of the job, or delete the term")
		}
	})
}

// whereKnown names what an expression reads that is not known of every job: of the others it has no value.
func whereKnown(e *expr.Expr) string {
	var list []string
	for _, id := range e.Columns() {
		if v := (&variable{id: id}); id.Object() == "job" && !v.everyJobHas() {
			list = append(list, string(id))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " with a known " + rule.Names(list)
}

// readsNoJob reports an expression in which nothing differs between jobs: the time, totals of the cluster or the queue.
func readsNoJob(e *expr.Expr) bool {
	shared := true
	e.Walk(func(n *expr.Expr) {
		if n.Op == expr.Column || n.Op == expr.Present {
			shared = shared && onePerRun(n)
		}
	})
	return shared
}

// expressions visits those in the site's text, each with what it is called.
func expressions(p *rule.Pass, visit func(what string, e *expr.Expr)) {
	look := func(what string, s ir.Scalar) {
		if s.Expr != nil && rule.OwnText(s.Expr.Span) {
			visit(what, s.Expr)
		}
	}
	for i := range p.Components {
		c := &p.Components[i]
		look("the weight of component "+c.Name, c.Weight)
		look("the cap of component "+c.Name, c.Cap)
		for _, t := range c.Terms {
			look("the weight of term "+t.Name, t.Weight)
			look("the cap of term "+t.Name, t.Cap)
			look("the factor of term "+t.Name, t.Factor)
		}
	}
	look("the floor", p.Finish.Floor)
	look("the ceiling", p.Finish.Ceiling)
	for _, o := range p.Finish.Overrides {
		look("override "+o.Name, o.When)
		look("override "+o.Name, o.Value)
	}
	for _, h := range p.Holds {
		look("hold "+h.Name, h.When)
	}
	for _, l := range p.Limits {
		look("limit "+l.Name, l.When)
	}
}

// sameUnit are the operations whose operands are amounts of one thing.
var sameUnit = []string{
	"add_",
	"subtract_",
	"less_",
	"less_equals_",
	"greater_",
	"greater_equals_",
	"equals",
	"not_equals",
	"math_@min",
	"math_@max",
	"clamp",
}

func unitMixUps(p *rule.Pass) {
	expressions(p, func(_ string, e *expr.Expr) {
		e.Walk(func(n *expr.Expr) {
			if n.Op == expr.Cond {
				if a, b := unitOf(n.Args[1]), unitOf(n.Args[2]); a != "" && b != "" && a != b {
					p.Report(n.Args[2].Span, "the result is in %s here, and in %s otherwise", b, a).
						Note("the names of columns end in their unit; convert one of the two")
				}
				return
			}
			if n.Op != expr.Call ||
				!slices.ContainsFunc(sameUnit, func(op string) bool { return strings.HasPrefix(n.Func, op) }) {
				return
			}
			first := ""
			for _, a := range n.Args {
				u := unitOf(a)
				if u == "" && compares(n) && countsThings(a) {
					u = "counts"
				}
				switch {
				case u == "":
				case first == "":
					first = u
				case u != first:
					p.Report(a.Span, "%s are compared with %s", u, first).
						Note("the names of columns end in their unit; convert one of the two")
					return
				}
			}
		})
	})
}

// compares reports a comparison. Counts are added to amounts with a unit where a site builds points from both,
// but which is more
// makes no sense.
func compares(e *expr.Expr) bool {
	return slices.ContainsFunc([]string{"less_", "greater_", "equals", "not_equals"},
		func(op string) bool { return strings.HasPrefix(e.Func, op) })
}

// countsThings reports a column that counts processors, nodes or other things, perhaps converted.
func countsThings(e *expr.Expr) bool {
	for e.Op == expr.Call && len(e.Args) == 1 && (strings.HasSuffix(e.Func, "_to_double") || strings.HasSuffix(e.Func,
		"_to_int64")) {
		e = e.Args[0]
	}
	c := schema.Lookup(e.Column)
	return e.Op == expr.Column && c != nil && c.Unit == schema.Count
}

// unitOf works out what a number counts; "" where it has no unit or it cannot be expressed. Multiplying
// and dividing by the factors of time converts, 1 leaves the unit; any other factor is a weight, and what
// is weighed is points.
func unitOf(e *expr.Expr) string {
	switch e.Op {
	case expr.Column:
		if c := schema.Lookup(e.Column); c != nil {
			switch c.Unit {
			case schema.Seconds, schema.Minutes, schema.MB, schema.ProcSeconds, schema.Epoch, schema.Percent:
				return string(c.Unit)
			}
		}
	case expr.Cond:
		return agreed(e.Args[1], e.Args[2])
	case expr.Call:
		switch {
		case strings.HasPrefix(e.Func, "multiply_"):
			return scaled(e.Args[0], e.Args[1], true)
		case strings.HasPrefix(e.Func, "divide_"):
			return scaled(e.Args[0], e.Args[1], false)
		case len(e.Args) == 1 && (strings.HasSuffix(e.Func, "_to_double") || strings.HasSuffix(e.Func, "_to_int64") ||
			strings.HasPrefix(e.Func, "negate_")):
			return unitOf(e.Args[0])
		case strings.HasPrefix(e.Func, "add_"),
			strings.HasPrefix(e.Func, "subtract_"),
			strings.HasPrefix(e.Func, "math_@min"),
			strings.HasPrefix(e.Func, "math_@max"):
			return agreed(e.Args...)
		}
	}
	return ""
}

// agreed is the unit that all operands with one have.
func agreed(args ...*expr.Expr) string {
	unit := ""
	for _, a := range args {
		u := unitOf(a)
		if unit != "" && u != "" && u != unit {
			return ""
		}
		if u != "" {
			unit = u
		}
	}
	return unit
}

// conversions turn units of time into each other.
var conversions = []struct {
	from   string
	factor float64
	to     string
}{
	{"minutes", 60, "seconds"}, {"minutes", 1.0 / 60, "hours"}, {"minutes", 1.0 / 1440, "days"},
	{"seconds", 1.0 / 60, "minutes"}, {"seconds", 1.0 / 3600, "hours"}, {"seconds", 1.0 / 86400, "days"},
}

// scaled is the unit of a product or quotient.
func scaled(a, b *expr.Expr, product bool) string {
	if product && a.IsConst() {
		a, b = b, a
	}
	unit := unitOf(a)
	if unit == "" || !b.IsConst() {
		return "" // a rate, an area or a ratio
	}
	factor := float64(b.Value.Int)
	if b.Value.Type == schema.Double {
		factor = b.Value.Double
	}
	if !product && factor != 0 {
		factor = 1 / factor
	}
	for _, c := range conversions {
		if c.from == unit && factor > c.factor*0.999999 && factor < c.factor*1.000001 {
			return c.to
		}
	}
	if factor == 1 {
		return unit
	}
	return ""
}

// notVectorised leaves out what is computed once for each name, a part that reads nothing but one
// credential or word of the job, and over what is computed once, such as now.getHours().
func notVectorised(p *rule.Pass) {
	expressions(p, func(what string, e *expr.Expr) {
		e.Walk(func(n *expr.Expr) {
			if n.Op != expr.Opaque {
				return
			}
			args := slices.DeleteFunc(slices.Clone(n.Args), onePerRun)
			if len(args) == 0 ||
				len(args) == 1 && (args[0].Type == schema.String || args[0].Type == schema.StringList) {
				return
			}
			p.Report(n.Span, "not vectorised: %s", n.Reason).
				Note("%s is evaluated job by job; parts that read one word of the job are evaluated once for each "+
					"word", what)
		})
	})
}

// onePerRun reports a column with the same value for all jobs.
func onePerRun(e *expr.Expr) bool {
	if _, _, ok := schema.Aggregate(e.Column); ok || e.Column == schema.Now {
		return true
	}
	o := schema.ObjectByName(e.Column.Object())
	return o != nil && o.Name != "job" && o.Key == ""
}

func unreachableHolds(p *rule.Pass) {
	for i, h := range p.Holds {
		if !rule.OwnText(h.Span) || h.When.Expr == nil {
			continue
		}
		if never(h.When.Expr) {
			p.Report(h.Span, "hold %q never keeps a job: its condition is never true", h.Name).
				Note("correct the condition, or delete the hold")
			continue
		}
		for _, earlier := range p.Holds[:i] {
			if earlier.When.Expr != nil && !earlier.When.Expr.IsConst() && implies(h.When.Expr, earlier.When.Expr) {
				p.Report(h.Span, "hold %q never decides: hold %q keeps all its jobs already", h.Name, earlier.Name).
					NoteAt(earlier.Span, "the first hold that is true gives the reason").
					Note("put the narrower one first, or delete it")
				break
			}
		}
	}
}

func holdsForAll(p *rule.Pass) {
	for _, h := range p.Holds {
		if e := h.When.Expr; rule.OwnText(h.Span) && e != nil && always(e, true) {
			p.Report(h.Span, "hold %q keeps every job", h.Name).
				Note("write a condition that reads the job, or delete the hold")
		}
	}
}

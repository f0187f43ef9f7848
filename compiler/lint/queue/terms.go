package queue

import (
	"math"
	"slices"
	"strconv"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/source"
)

// Term is one term of the formula over the jobs.
type Term struct {
	Component, Term string
	Factors         []float64
	Counted         []float64 // the factors as the term's cap leaves them
	Points          []float64 // what it adds to the score, before the component's cap
	Effect          []float64 // what the score would be less without it
	Saturated       int       // jobs whose factor is at its cap, or at 1 for an age
	Idle            bool      // the jobs are in the same order without it
}

// fewJobs: a queue of fewer jobs says little of a weight. The rules' pages name the number.
const fewJobs = 10

// term asks whether the term moves anything, and how finely it tells jobs apart. What a cap does is
// reported for the cap and not for the weight.
func (p *pass) term(t *Term) {
	component, term := p.lookup(t)
	n := len(t.Factors)
	if term == nil || n < fewJobs {
		return
	}
	at, weight := p.weightOf(component, term)
	if at.IsZero() {
		return
	}
	factors, counted, points := distinct(t.Factors), distinct(t.Counted), distinct(truncated(t.Points))
	switch age := t.Term == "age" || t.Term == "queuetime"; {
	case age && t.Saturated*2 > n:
		if bound := map[string]string{"age": "PriorityMaxAge", "queuetime": "QUEUETIMECAP"}[t.Term]; p.IsSet(bound) {
			at = p.At(bound)
		}
		p.report("queue-age-saturated", at, "%d of %d jobs have waited longer than age counts", t.Saturated, n).
			Note("they are in no order by age; raise the bound above the longest usual wait")
	case factors == 1 && t.Idle:
		p.report("queue-term-idle", at, "the factor of %s is %g for all %d jobs", t.Term, t.Factors[0], n).
			Note("%s orders nothing in this queue", weight)
	case counted == 1 && factors > 1:
		at, name := capOf(term.Cap, at)
		p.report("queue-term-idle", at, "%s makes the factor of %s %g for all %d jobs", name, t.Term, t.Counted[0], n).
			Note("without it they are from %g to %g; raise it, or leave the term out", slices.Min(t.Factors),
				slices.Max(t.Factors))
	case counted >= 4 && points*2 <= counted && points > 1:
		p.report("queue-weight-small", at, "%d different factors of %s become %d different numbers of points",
			counted, t.Term, points).
			Note("raise the weight, so that each difference is at least one point")
	case distinct(t.Effect) == 1 && distinct(t.Points) > 1:
		at, name := capOf(component.Cap, at)
		p.report("queue-term-idle", at, "%s leaves nothing of what tells %d jobs apart by %s", name, n, t.Term).
			Note("the rest of %s reaches the cap by itself; raise it, or leave the term out", t.Component)
	case t.Idle:
		d := p.report("queue-term-idle", at, "without %s all %d jobs would keep their places", t.Term, n).
			Note("it adds from %s to %s points, too few beside the others or in the same order; raise the weight "+
				"if it should decide", points0(slices.Min(t.Points)), points0(slices.Max(t.Points)))
		for _, c := range []struct {
			capped int
			scalar ir.Scalar
		}{{differ(t.Factors, t.Counted), term.Cap}, {differ(t.Points, t.Effect), component.Cap}} {
			if c.capped > 0 {
				at, name := capOf(c.scalar, at)
				d.NoteAt(at, "%s holds back %d of them", name, c.capped)
			}
		}
	}
}

// points0 writes points without a fraction, and nothing below a point as 0.
func points0(v float64) string { return strconv.FormatFloat(math.Trunc(v)+0, 'f', 0, 64) }

// differ counts the places where two lists do.
func differ(a, b []float64) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// lookup finds a term that is evaluated.
func (p *pass) lookup(t *Term) (*ir.Component, *ir.Term) {
	for i := range p.Components {
		c := &p.Components[i]
		for k := range c.Terms {
			if term := &c.Terms[k]; c.Name == t.Component && term.Name == t.Term && !term.Weight.IsZero() &&
				!c.Weight.IsZero() {
				return c, term
			}
		}
	}
	return nil, nil
}

// weightOf finds where the site weighs a term, and what it is called there; the zero place where
// it is not set. The component's weight is a term's own where the library gives the term none, as for Slurm;
// a default that the site multiplies by more (CREDWEIGHT over an unset CLASSWEIGHT) is not the site's.
func (p *pass) weightOf(c *ir.Component, t *ir.Term) (source.Span, string) {
	if at, name := p.writtenWeight(t.Weight); !at.IsZero() {
		return named(at, name, t)
	}
	if rule.OwnText(t.Span) {
		return t.Span, "the term " + t.Name
	}
	if !t.Weight.Expr.IsConst() || len(t.Weight.Sources) > 0 {
		return source.Span{}, ""
	}
	at, name := p.writtenWeight(c.Weight)
	return named(at, name, t)
}

// named calls a number that the policy file itself has by its term.
func named(at source.Span, name string, t *ir.Term) (source.Span, string) {
	if name == "constant" {
		name = "the term " + t.Name
	}
	return at, name
}

// writtenWeight finds the first number that the site wrote and that is not 0, of those that a weight is made
// from: parameters, or what a credential has, such as QTWEIGHT of a QOS. A word that a weight depends
// on, such as AccountingStorageType, is none of them.
func (p *pass) writtenWeight(w ir.Scalar) (at source.Span, name string) {
	for _, s := range w.Sources {
		if v := s.Value; !s.Span.IsZero() && (v.Int != 0 || v.Double != 0 || v.Str != "" && len(w.Sources) == 1) {
			return s.Span, s.Name
		}
	}
	if w.Expr == nil {
		return at, ""
	}
	w.Expr.Walk(func(e *expr.Expr) {
		if e.Op != expr.Column || !at.IsZero() {
			return
		}
		table := p.Table(e.Column)
		if table == nil {
			return
		}
		for _, r := range table.Rows {
			if at.IsZero() && !r.Span.IsZero() && (r.Value.Int != 0 || r.Value.Double != 0) {
				at, name = r.Span, r.Source
			}
		}
	})
	return at, name
}

// capOf finds where a cap was written, else the place given.
func capOf(c ir.Scalar, otherwise source.Span) (source.Span, string) {
	for _, s := range c.Sources {
		if !s.Span.IsZero() && s.Name != "constant" {
			return s.Span, s.Name
		}
		if !s.Span.IsZero() {
			return s.Span, "the cap"
		}
	}
	return otherwise, "the cap"
}

func truncated(list []float64) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = math.Trunc(v)
	}
	return out
}

func distinct(list []float64) int {
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	return len(slices.Compact(sorted))
}

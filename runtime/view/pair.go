package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/engine"
)

// pair is why one job stands before another: first is the one before. Of jobs with several
// entries, the ones that rank them are compared.
type pair struct {
	r             *engine.Result
	first, second int // jobs
	rule          engine.OrderRule
	reason        string // the rule in words
	differences   []difference
	flips         []flip
	noFlip        string // why no weight turns the order round, "" if one does
}

// difference is what one term, or one component's cap, gives each of the two.
type difference struct {
	name          string
	first, second amount
	place         string // of what set it for the first job
}

// amount is a contribution, or that there is none because an expression failed.
type amount struct {
	value  float64
	failed bool
}

func (t *explainedTerm) amount() amount { return amount{t.contribution, t.failed} }

// size is the first's lead; not known if a term failed for either.
func (d *difference) size() (lead float64, known bool) {
	if d.first.failed || d.second.failed {
		return 0, false
	}
	return d.first.value - d.second.value, true
}

func compare(r *engine.Result, a, b int) pair {
	p := pair{r: r, first: a, second: b}
	if before(r, b, a) {
		p.first, p.second = b, a
	}
	p.rule, p.reason = decide(r, p.first, p.second)
	x, y := explain(r, p.first, int(r.RankRow[p.first])), explain(r, p.second, int(r.RankRow[p.second]))
	for c := range x.components {
		p.compareComponent(&x.components[c], &y.components[c])
	}
	slices.SortStableFunc(p.differences, func(a, b difference) int {
		x, _ := a.size()
		y, _ := b.size()
		return cmp.Compare(math.Abs(y), math.Abs(x))
	})
	p.flips, p.noFlip = findFlips(r, p.first, p.second, p.rule)
	return p
}

// compareComponent adds the terms that give the two jobs different amounts. What a
// component's cap takes away stands on a line of its own, so that the lines add
// up to the difference of the scores. A component with a failed term has no cap to speak of.
func (p *pair) compareComponent(x, y *explainedComponent) {
	capX, capY := x.value, y.value
	for k := range x.terms {
		d := difference{name: qualified(x.Component.Name, x.terms[k].Name, len(x.terms)), first: x.terms[k].amount(), second: y.terms[k].amount()}
		capX -= d.first.value
		capY -= d.second.value
		if lead, known := d.size(); lead != 0 || !known {
			d.place = p.place(x, k)
			p.differences = append(p.differences, d)
		}
	}
	if (x.capped || y.capped) && capX != capY && !x.failed && !y.failed {
		p.differences = append(p.differences, difference{name: x.Name + " cap", first: amount{value: capX}, second: amount{value: capY}, place: spanOf(x.cap)})
	}
}

func (p *pair) place(x *explainedComponent, term int) string {
	for i := range p.r.Terms {
		if t := &p.r.Terms[i]; t.Component == x.column.Component && t.Term == term {
			return placeOf(p.r, t, int(p.r.RankRow[p.first])).String()
		}
	}
	return ""
}

func spanOf(q quantity) string {
	for i := len(q.sources) - 1; i >= 0; i-- {
		if !q.sources[i].Span.IsZero() {
			return q.sources[i].Span.String()
		}
	}
	return ""
}

func qualified(component, term string, terms int) string {
	if terms == 1 && term == component {
		return component
	}
	return component + "." + term
}

// before reports whether job a stands before job b; ranked jobs stand before others.
func before(r *engine.Result, a, b int) bool {
	if (r.Rank[a] > 0) != (r.Rank[b] > 0) {
		return r.Rank[a] > 0
	}
	if r.Rank[a] != r.Rank[b] {
		return r.Rank[a] < r.Rank[b]
	}
	return a < b
}

// decide names the first rule of the queue's order that tells the two apart.
func decide(r *engine.Result, first, second int) (rule engine.OrderRule, reason string) {
	if r.Rank[second] == 0 {
		rule.Name = notRanked
		if r.Rank[first] == 0 {
			return rule, "neither waits in the queue: the first is " + stateWord(r, first) + ", the second " + stateWord(r, second)
		}
		return rule, "the second job is not in the queue: it is " + stateWord(r, second)
	}
	rules := r.OrderRules()
	pairwise := slices.ContainsFunc(rules, func(rule engine.OrderRule) bool { return rule.Before != nil })
	for _, rule := range rules {
		switch order := rule.Compare(first, second); {
		case order == 0:
		case order < 0 || !pairwise:
			return rule, rule.Why(first, second)
		default:
			rule.Name = circle
			return rule, "who may preempt whom goes round in a circle through jobs between them; taken alone the second would stand first: " + rule.Why(second, first)
		}
	}
	return engine.OrderRule{Name: "snapshot order", Tie: true}, "equal in all else, the first stands first in the snapshot"
}

// notRanked is the name of the rule for jobs that no rule of the queue's order compares.
const notRanked = "not ranked"

// circle is the name of the rule for jobs whose places no rule explains, since preemption is no order.
const circle = "preemption circle"

// secondWinsTies reports whether the second job would be first if both had one priority.
func secondWinsTies(r *engine.Result, first, second int) bool {
	for _, rule := range r.OrderRules() {
		if order := rule.Compare(first, second); rule.Tie && order != 0 {
			return order > 0
		}
	}
	return second < first
}

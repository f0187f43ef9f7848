package backfill

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// greedyTries bounds how many combinations are tried; Maui's BACKFILLMAXSCHEDULES is the same number.
const greedyTries = 10000

// best are the candidates that together make the most of the metric now, as Maui's manual describes
// GREEDY: combinations of jobs that fit are compared, and the best is started. Of combinations that are
// worth the same it is the one with the earlier jobs. After so many tries it is the best found.
func (p *planner) best(candidates []int) []int {
	g := greedy{planner: p}
	for _, i := range candidates {
		if _, ok := p.find(i, p.now, p.now+1); ok && p.allowed(i) {
			g.jobs = append(g.jobs, i)
			g.worth = append(g.worth, p.metric(i))
		}
	}
	g.rest = make([]int64, len(g.jobs)+1)
	for n := len(g.jobs) - 1; n >= 0; n-- {
		g.rest[n] = add(g.rest[n+1], g.worth[n])
	}
	// The best fits first are a good start: what is worth less than they are need not be looked at.
	order := make([]int, len(g.jobs))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(min(max(g.worth[b]-g.worth[a], -1), 1)) })
	linear := p.linear
	p.linear, p.trial = true, true // what is tried is given back, so that nothing learnt here holds
	taken, _ := g.together(order)
	slices.Sort(taken)
	if again, sum := g.together(taken); len(again) == len(taken) { // on shared nodes jobs can fit in one order alone
		g.best, g.bestWorth = taken, sum
	}
	g.search(0, 0, nil)
	p.linear, p.trial = linear, false
	chosen := make([]int, 0, len(g.best))
	for _, n := range g.best {
		chosen = append(chosen, g.jobs[n])
	}
	return chosen
}

type greedy struct {
	planner   *planner
	jobs      []int
	worth     []int64
	rest      []int64 // worth of the jobs from here on
	best      []int
	bestWorth int64
	found     bool // best is of the search, which finds the earlier ones first
	tries     int
}

// together are the jobs that fit now, each beside those before it, and what they are worth.
func (g *greedy) together(order []int) (taken []int, sum int64) {
	for _, n := range order {
		if back, ok := g.try(n); ok {
			defer back()
			taken = append(taken, n)
			sum = add(sum, g.worth[n])
		}
	}
	return taken, sum
}

// search decides the jobs from n on, in order, with a job before without.
func (g *greedy) search(n int, sum int64, taken []int) {
	if sum > g.bestWorth || sum == g.bestWorth && !g.found {
		g.best, g.bestWorth, g.found = slices.Clone(taken), sum, true
	}
	if n == len(g.jobs) || g.tries >= greedyTries {
		return
	}
	if most := add(sum, g.rest[n]); most < g.bestWorth || most == g.bestWorth && g.found {
		return
	}
	g.tries++
	if back, ok := g.try(n); ok {
		g.search(n+1, add(sum, g.worth[n]), append(taken, n))
		back()
	}
	g.search(n+1, sum, taken)
}

// try places a job now, and says how to take it back.
func (g *greedy) try(n int) (back func(), ok bool) {
	p, i := g.planner, g.jobs[n]
	f, ok := p.find(i, p.now, p.now+1)
	if !ok {
		return nil, false
	}
	mark := len(p.undo)
	before, spot := p.schedule.Placements[i], p.spots[i]
	p.put(i, f, profile.End(f.start, p.seconds(i, f)))
	return func() {
		for n := len(p.undo) - 1; n >= mark; n-- {
			p.undo[n]()
		}
		p.undo = p.undo[:mark]
		p.schedule.Placements[i], p.spots[i] = before, spot
	}, true
}

func add(a, b int64) int64 {
	if a > Forever-b {
		return Forever
	}
	return a + b
}

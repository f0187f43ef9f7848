package backfill

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// combination is a search for those of some things that fit together and are worth the most. Of combinations that are
// worth the same it is the one with the earlier things. After so many tries it is the best found.
type combination[W int64 | float64] struct {
	worth []W
	tries int64
	try   func(n int) (back func(), ok bool) // takes a thing beside those that are taken, and says how to give it back
	rest  []W                                // worth of the things from here on
	// asked every so many tries: the result is not wanted any more; nil never does
	stop      func() bool
	best      []int
	bestWorth W
	found     bool // best is of the search, which finds the earlier ones first
}

const triesUntilAsked = 256

// Combine chooses things that fit together, by their places.
func Combine[W int64 | float64](worth []W, tries int64, stop func() bool,
	try func(n int) (back func(), ok bool)) []int {
	c := combination[W]{worth: worth, tries: tries, stop: stop, try: try, rest: make([]W, len(worth)+1)}
	for n := len(worth) - 1; n >= 0; n-- {
		c.rest[n] = sum(c.rest[n+1], worth[n])
	}
	// The best fits first are a good start: what is worth less than they are need not be looked at.
	order := make([]int, len(worth))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	taken, _ := c.together(order)
	slices.Sort(taken)
	if again, worth := c.together(taken); len(again) == len(taken) { // on shared nodes jobs can fit in one order alone
		c.best, c.bestWorth = taken, worth
	}
	c.search(0, 0, nil)
	return c.best
}

// together are the things that fit, each beside those before it, and what they are worth.
func (c *combination[W]) together(order []int) (taken []int, all W) {
	for _, n := range order {
		if back, ok := c.try(n); ok {
			defer back()
			taken = append(taken, n)
			all = sum(all, c.worth[n])
		}
	}
	return taken, all
}

// search decides the things from n on, in order, with a thing before without.
func (c *combination[W]) search(n int, all W, taken []int) {
	if all > c.bestWorth || all == c.bestWorth && !c.found {
		c.best, c.bestWorth, c.found = slices.Clone(taken), all, true
	}
	if n == len(c.worth) || c.tries <= 0 {
		return
	}
	if most := sum(all, c.rest[n]); most < c.bestWorth || most == c.bestWorth && c.found {
		return
	}
	if c.tries--; c.stop != nil && c.tries%triesUntilAsked == 0 && c.stop() {
		c.tries = 0
		return
	}
	if back, ok := c.try(n); ok {
		c.search(n+1, sum(all, c.worth[n]), append(taken, n))
		back()
	}
	c.search(n+1, all, taken)
}

// sum stays in the range of numbers.
func sum[W int64 | float64](a, b W) W { return min(a+b, W(Forever)) }

// greedyTries bounds how many combinations are tried where the policy says nothing; it is Maui's default of
// BACKFILLMAXSCHEDULES.
const greedyTries = 10000

// best are the candidates that together make the most of the metric now, as Maui's manual describes
// GREEDY: combinations of jobs that fit are compared, and the best is started.
func (p *planner) best(candidates []int) []int {
	var jobs []int
	var worth []int64
	for _, i := range candidates {
		if _, ok := p.find(i, p.now, p.now+1); ok && p.allowed(i) {
			jobs, worth = append(jobs, i), append(worth, p.metric(i))
		}
	}
	linear := p.linear
	p.linear, p.trial = true, true // what is tried is given back, so that nothing learnt here holds
	tries := p.settings.Combinations
	if tries <= 0 {
		tries = greedyTries
	}
	best := Combine(worth, tries, p.unwanted, func(n int) (func(), bool) { return p.tryNow(jobs[n]) })
	p.linear, p.trial = linear, false
	chosen := make([]int, 0, len(best))
	for _, n := range best {
		chosen = append(chosen, jobs[n])
	}
	return chosen
}

// unwanted reports that the plan is not wanted any more.
func (p *planner) unwanted() bool {
	if p.watch != nil {
		p.stopped = p.watch(p.done, p.total())
	}
	return p.stopped != nil
}

// tryNow places a job now, and says how to take it back.
func (p *planner) tryNow(i int) (back func(), ok bool) {
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

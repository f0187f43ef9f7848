package backfill

import "github.com/fairway-sched/fairway/runtime/backfill/profile"

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

package backfill

import (
	"cmp"
	"slices"
	"sort"
)

// Limits are a policy's limits over time, on what runs and what is planned together: what planned ends free others
// may have.
// A nil Limits lets all pass.
type Limits interface {
	// Expect says that it will be asked about a request.
	Expect(r *Request, partition string, seconds int64)
	// First is the first time from after on and before another at which limits let a request run in a partition for
	// so many seconds; ok is false if no planned end lets it.
	First(r *Request, partition string, after, before, seconds int64) (start int64, ok bool)
	// Never says which limit a request is above by itself, so that it never runs in a partition; "" if none is known.
	Never(r *Request, partition string) string
	// Add counts a request in a partition from one time on, to another.
	Add(r *Request, partition string, from, to int64)
	// Waits are the limits that keep a request which may start from after on from starting before a time.
	Waits(r *Request, partition string, after, start, seconds int64) []Wait
}

// partitionOf is the name of an option's partition, "" if it is in none.
func (p *planner) partitionOf(o *option) string {
	if o.partition < 0 {
		return ""
	}
	return p.partitions[o.partition].Name
}

// expect says which requests limits will be asked about.
func (p *planner) expect() {
	if p.limits == nil {
		return
	}
	for i := len(p.ends); i < len(p.requests); i++ {
		a := &p.ask[i]
		for o := range p.kinds[a.kind].options {
			p.limits.Expect(&p.requests[i], p.partitionOf(&p.kinds[a.kind].options[o]), a.least)
		}
	}
}

// mayPass reports that limits let a request run some day.
func (p *planner) mayPass(i int) bool {
	if p.limits == nil {
		return false
	}
	a := &p.ask[i]
	for o := range p.kinds[a.kind].options {
		partition := p.partitionOf(&p.kinds[a.kind].options[o])
		if _, ok := p.limits.First(&p.requests[i], partition, p.now, Forever, a.least); ok {
			return true
		}
	}
	return false
}

// aboveLimits notes of a request that limits never let run which it is above by itself, in each of its partitions.
func (p *planner) aboveLimits(i int) {
	pl, words := &p.schedule.Placements[i], ""
	options := p.kinds[p.ask[i].kind].options
	for o := range options {
		never := p.limits.Never(&p.requests[i], p.partitionOf(&options[o]))
		if never == "" {
			return
		}
		words = cmp.Or(words, never)
	}
	pl.Never = words
}

// within is a start that was found by nodes alone if limits allow it, else the first that nodes and limits do.
func (p *planner) within(i int, found fit, ok bool, after, before int64) (best fit, fits bool) {
	if p.limits == nil || !ok {
		return found, ok
	}
	r, a := &p.requests[i], &p.ask[i]
	k := p.kinds[a.kind]
	first := func(o *option, after int64) (int64, bool) {
		return p.limits.First(r, p.partitionOf(o), after, before, a.least)
	}
	if at, ok := first(found.option, after); ok && at <= found.start {
		if at, ok = first(found.option, found.start); ok && at == found.start {
			return found, true
		}
	}
	for o := range k.options {
		option := &k.options[o]
		at, ok := first(option, after)
		for at = max(p.ceil(at), found.start); ok && at < before; {
			var f fit
			if f, ok = p.earliestIn(k, option, a, at, before, a.least); !ok {
				break
			}
			if at, ok = first(option, f.start); ok && at == f.start {
				f.free = slices.Clone(f.free)
				best, fits, before = f, true, f.start
				break
			}
			at = p.ceil(at)
		}
	}
	return best, fits
}

// longest is the longest run that limits let a request have that starts so, between two lengths in seconds. They let it
// have the shorter one, and what they let it have in a longer run they let it have in a shorter one.
func (p *planner) longest(i int, f fit, least, most int64) int64 {
	if p.limits == nil || least == most {
		return most
	}
	may := func(seconds int64) bool {
		_, ok := p.limits.First(&p.requests[i], p.partitionOf(f.option), f.start, f.start+1, seconds)
		return ok
	}
	if may(most) {
		return most
	}
	shorter := sort.Search(int(most-least-1), func(k int) bool { return !may(least + int64(k) + 1) })
	return least + int64(shorter)
}

// limited notes which limits a request waits for that could start from after on and starts later.
func (p *planner) limited(i int, f fit, after int64) {
	r, pl, start := &p.requests[i], &p.schedule.Placements[i], f.start
	after = max(after, r.Begin)
	if after == p.now && p.passed && len(r.After)+len(r.AfterStart) == 0 {
		after-- // when the pass asked
	}
	if start <= after {
		return
	}
	waits := p.limits.Waits(r, p.partitionOf(f.option), after, start, p.ask[i].least)
	if len(waits) > 0 {
		pl.WaitsFor = slices.DeleteFunc(pl.WaitsFor, func(w Wait) bool { return w.Kind == WaitLimit && w.Until == 0 })
		pl.WaitsFor = append(waits, pl.WaitsFor...)
	}
	for k := range waits {
		if waits[k].Until == start && (pl.Reason == ReasonResources || pl.Reason == ReasonPriority) {
			pl.Reason = waits[k].Name
		}
		if p.ceil(waits[k].Until) == start && start > p.now && !p.byLimit[i] && p.hasRoomBefore(i, start) {
			if p.byLimit == nil {
				p.byLimit = map[int]bool{}
			}
			p.byLimit[i] = true
		}
	}
}

// hasRoomBefore reports that a request has nodes just before a time too, so that it waits for none until then.
func (p *planner) hasRoomBefore(i int, start int64) bool {
	a := &p.ask[i]
	k := p.kinds[a.kind]
	for o := range k.options {
		if _, ok := p.earliestIn(k, &k.options[o], a, start-p.resolution, start, a.least); ok {
			return true
		}
	}
	return false
}

// passesNow reports that limits let a request run now.
func (p *planner) passesNow(i int) bool {
	if p.limits == nil {
		return true
	}
	a := &p.ask[i]
	for o := range p.kinds[a.kind].options {
		partition := p.partitionOf(&p.kinds[a.kind].options[o])
		if _, ok := p.limits.First(&p.requests[i], partition, p.now, p.now+1, a.least); ok {
			return true
		}
	}
	return false
}

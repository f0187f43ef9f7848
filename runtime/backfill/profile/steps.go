package profile

import "slices"

// Steps is a Profile as a sorted array of steps: from at[i] on free[i] are free, until at[i+1].
// The last step has no end. A plan adds its spans mostly near the end of the array and
// scans it forward, which no tree does faster (flux-sched keeps two).
type Steps struct {
	at   []int64
	free []int64
}

var _ Profile = (*Steps)(nil)

// NewSteps has all of its capacity free from origin on; nothing is asked before.
func NewSteps(origin, capacity int64) *Steps {
	return &Steps{at: []int64{origin}, free: []int64{capacity}}
}

// Clone is a copy that changes on its own.
func (p *Steps) Clone() *Steps {
	return &Steps{at: slices.Clone(p.at), free: slices.Clone(p.free)}
}

// index is the step in which a time lies; the first one for times before.
func (p *Steps) index(time int64) int {
	low, high := 0, len(p.at)
	for high-low > 1 {
		if middle := int(uint(low+high) >> 1); p.at[middle] <= time {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// FreeDuring is what is free at every moment of [from, to).
func (p *Steps) FreeDuring(from, to int64) int64 {
	i := p.index(from)
	least := p.free[i]
	for i++; i < len(p.at) && p.at[i] < to; i++ {
		least = min(least, p.free[i])
	}
	return least
}

// FirstFit is the earliest start with count free for so many seconds.
func (p *Steps) FirstFit(after, before, seconds, count int64) (int64, bool) {
	return p.firstFit(p.index(after), after, before, seconds, count)
}

// firstFit is the same if after lies in a step or behind it. No start before the end of a step that has too little
// will do: every one would run into it. What is free goes up and down all the time, so that a branch on it would be
// mispredicted at every other step; the start moves without one.
func (p *Steps) firstFit(i int, after, before, seconds, count int64) (int64, bool) {
	i = p.indexFrom(i, after)
	ends := p.at[i+1:]
	free := p.free[i : i+1+len(ends)]
	start := after
	seconds = max(seconds, 1)
	for k, end := range ends {
		if free[k] < count {
			start = end
		}
		if start >= before {
			return 0, false
		}
		if end-start >= seconds {
			return start, true
		}
	}
	if start >= before || free[len(ends)] < count {
		return 0, false
	}
	return start, true
}

// indexFrom is the step in which a time lies, which is that step or one near behind it.
func (p *Steps) indexFrom(step int, time int64) int {
	at := p.at
	if step+1 >= len(at) || at[step+1] > time {
		return step
	}
	far := 1
	for step+2*far < len(at) && at[step+2*far] <= time {
		far *= 2
	}
	low, high := step+far, min(step+2*far, len(at))
	for high-low > 1 {
		if middle := int(uint(low+high) >> 1); at[middle] <= time {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// FreeUntil is until when count stays free from a time on; the time itself if it is not.
func (p *Steps) FreeUntil(from, count int64) int64 {
	i := p.index(from)
	if p.free[i] < count {
		return from
	}
	for i++; i < len(p.at); i++ {
		if p.free[i] < count {
			return p.at[i]
		}
	}
	return Forever
}

// Add takes count during [from, to).
func (p *Steps) Add(from, to, count int64) {
	from = max(from, p.at[0])
	if from >= to || count == 0 {
		return
	}
	i := p.cut(p.index(from), from)
	last := len(p.at)
	if to < Forever {
		last = p.cut(p.indexFrom(i, to), to)
	}
	taken := p.free[i:last]
	for k := range taken {
		taken[k] -= count
	}
}

// Remove gives back what an Add of the same span took.
func (p *Steps) Remove(from, to, count int64) { p.Add(from, to, -count) }

// cut makes a step begin at a time, which lies in step i, and says which.
func (p *Steps) cut(i int, time int64) int {
	if p.at[i] == time {
		return i
	}
	if len(p.at) == cap(p.at) { // twice as much: a plan goes on adding
		p.at, p.free = slices.Grow(p.at, len(p.at)), slices.Grow(p.free, len(p.free))
	}
	p.at = slices.Insert(p.at, i+1, time)
	p.free = slices.Insert(p.free, i+1, p.free[i])
	return i + 1
}

// Each calls visit with every step that reaches into [from, to), cut to it, in order of time.
func (p *Steps) Each(from, to int64, visit func(from, to, free int64)) {
	for i := p.index(from); i < len(p.at); i++ {
		begin, end := max(p.at[i], from), Forever
		if i+1 < len(p.at) {
			end = p.at[i+1]
		}
		if begin >= to {
			return
		}
		visit(begin, min(end, to), p.free[i])
	}
}

// NewStepsHeld is NewSteps of which one each is taken until these times.
func NewStepsHeld(origin, capacity int64, until []int64) *Steps {
	p := NewSteps(origin, capacity-int64(len(until)))
	slices.Sort(until)
	for _, at := range until {
		last := len(p.at) - 1
		switch {
		case at >= Forever:
			return p
		case at > p.at[last]:
			p.at = append(p.at, at)
			p.free = append(p.free, p.free[last]+1)
		default:
			p.free[last]++
		}
	}
	return p
}

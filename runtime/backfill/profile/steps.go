package profile

import "slices"

// Steps is a Profile as a sorted list of steps: so many are free from the time of one until that of the next. The
// last step has no end. A plan scans them forward, which no tree does faster (flux-sched keeps two); they are in
// blocks, so that a new one moves few others.
type Steps struct {
	begin  []int64 // by block: the time of its first step
	blocks []block
}

// block are steps that follow each other, one at least.
type block struct{ at, free []int64 }

// place is the index of a step.
type place struct{ block, step int }

const mostSteps = 256 // of a block

var _ Profile = (*Steps)(nil)

// NewSteps has all of its capacity free from origin on; nothing is asked before.
func NewSteps(origin, capacity int64) *Steps {
	return &Steps{begin: []int64{origin}, blocks: []block{{at: []int64{origin}, free: []int64{capacity}}}}
}

// NewStepsHeld is NewSteps with one each taken until these times.
func NewStepsHeld(origin, capacity int64, until []int64) *Steps {
	p := NewSteps(origin, capacity-int64(len(until)))
	slices.Sort(until)
	for len(until) > 0 {
		same := 1
		for same < len(until) && until[same] == until[0] {
			same++
		}
		p.Remove(until[0], Forever, int64(same))
		until = until[same:]
	}
	return p
}

// Clone is a copy that changes on its own.
func (p *Steps) Clone() *Steps {
	c := &Steps{begin: slices.Clone(p.begin), blocks: slices.Clone(p.blocks)}
	for i, b := range c.blocks {
		c.blocks[i] = block{at: slices.Clone(b.at), free: slices.Clone(b.free)}
	}
	return c
}

// upTo is how many of sorted values are not above a value. It has no branch that could be mispredicted. INVARIANT:
// nothing in sorted is below 0, and value is not below -1, as times and amounts are not; else the difference
// overflows.
func upTo(sorted []int64, value int64) (count int) {
	for n := len(sorted); n > 0; {
		half := int(uint(n+1) >> 1)
		count += half & int((sorted[count+half-1]-value-1)>>63)
		n -= half
	}
	return count
}

// latest is the place of the last of sorted times that is not after a time; 0 if all are.
func latest(times []int64, time int64) int { return upTo(times[1:], time) }

// index is the step in which a time lies; the first one for times before.
func (p *Steps) index(time int64) place {
	b := latest(p.begin, time)
	return place{b, latest(p.blocks[b].at, time)}
}

// indexFrom is the same if the time lies in a step or after it.
func (p *Steps) indexFrom(i place, time int64) place {
	if next := i.block + 1; next < len(p.begin) && p.begin[next] <= time {
		return p.index(time)
	}
	if at := p.blocks[i.block].at[i.step:]; len(at) > 1 && at[1] <= time {
		i.step += latest(at, time)
	}
	return i
}

func (p *Steps) free(i place) int64 { return p.blocks[i.block].free[i.step] }

// next is the step after another, and when it begins; Forever if there is none.
func (p *Steps) next(i place) (place, int64) {
	if i.step++; i.step == len(p.blocks[i.block].at) {
		if i = (place{i.block + 1, 0}); i.block == len(p.blocks) {
			return i, Forever
		}
	}
	return i, p.blocks[i.block].at[i.step]
}

// FreeDuring is what is free at every moment of [from, to). INVARIANT: to is at most Forever.
func (p *Steps) FreeDuring(from, to int64) int64 {
	i := p.index(from)
	least := p.free(i)
	for i, at := p.next(i); at < to; i, at = p.next(i) {
		least = min(least, p.free(i))
	}
	return least
}

// FirstFit is the earliest start with count free for so many seconds.
func (p *Steps) FirstFit(after, before, seconds, count int64) (int64, bool) {
	return p.firstFit(p.index(after), after, before, seconds, count)
}

// firstFit is the same if after lies in a step or after it. No start before the end of a step that has too little
// will do: every one would run into it. What is free goes up and down all the time, so that a branch on it would be
// mispredicted at every other step; the start moves without one.
func (p *Steps) firstFit(i place, after, before, seconds, count int64) (int64, bool) {
	i = p.indexFrom(i, after)
	start, free := after, p.free(i)
	seconds = max(seconds, 1)
	for ; i.block < len(p.blocks); i = (place{i.block + 1, -1}) {
		b := &p.blocks[i.block]
		ends := b.at[i.step+1:]
		behind := b.free[i.step+1:][:len(ends)]
		for k, end := range ends {
			if free < count {
				start = end
			}
			if start >= before {
				return 0, false
			}
			if end-start >= seconds {
				return start, true
			}
			free = behind[k]
		}
	}
	if start >= before || free < count {
		return 0, false
	}
	return start, true
}

// least is what is free at every moment of [start, end), where start lies in a step, and until when no more is for what
// starts later and ends no sooner.
func (p *Steps) least(i place, start, end int64) (least, until int64) {
	free := p.free(i)
	least = free
	for ; i.block < len(p.blocks); i = (place{i.block + 1, -1}) {
		b := &p.blocks[i.block]
		ends := b.at[i.step+1:]
		behind := b.free[i.step+1:][:len(ends)]
		for k, at := range ends {
			if free <= least {
				least, until = free, at
			}
			if at >= end {
				return least, until
			}
			free = behind[k]
		}
	}
	if free <= least {
		return free, Forever
	}
	return least, until
}

// FreeUntil is until when count stays free from a time on; the time itself if it is not.
func (p *Steps) FreeUntil(from, count int64) int64 {
	i, at := p.index(from), from
	for at < Forever && p.free(i) >= count {
		i, at = p.next(i)
	}
	return at
}

// Add takes count during [from, to).
func (p *Steps) Add(from, to, count int64) {
	from = max(from, p.begin[0])
	if from >= to || count == 0 {
		return
	}
	if to < Forever {
		p.cut(to)
	}
	for i := p.cut(from); i.block < len(p.blocks); i = (place{i.block + 1, 0}) {
		b := &p.blocks[i.block]
		at := b.at[i.step:]
		free := b.free[i.step:][:len(at)]
		for k := range free {
			if at[k] >= to {
				return
			}
			free[k] -= count
		}
	}
}

// Remove gives back what an Add of the same span took.
func (p *Steps) Remove(from, to, count int64) { p.Add(from, to, -count) }

// cut makes a step begin at a time and says where it is. Places after it are others then.
func (p *Steps) cut(time int64) place {
	i := p.index(time)
	b := &p.blocks[i.block]
	if b.at[i.step] == time {
		return i
	}
	if len(b.at) == mostSteps {
		p.halve(i.block)
		return p.cut(time)
	}
	b.at = slices.Insert(b.at, i.step+1, time)
	b.free = slices.Insert(b.free, i.step+1, b.free[i.step])
	return place{i.block, i.step + 1}
}

// halve makes two blocks of one.
func (p *Steps) halve(i int) {
	b, half := &p.blocks[i], mostSteps/2
	upper := block{at: make([]int64, mostSteps-half, mostSteps), free: make([]int64, mostSteps-half, mostSteps)}
	copy(upper.at, b.at[half:])
	copy(upper.free, b.free[half:])
	b.at, b.free = b.at[:half], b.free[:half]
	p.begin = slices.Insert(p.begin, i+1, upper.at[0])
	p.blocks = slices.Insert(p.blocks, i+1, upper)
}

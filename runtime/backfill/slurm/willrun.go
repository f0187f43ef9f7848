package slurm

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// The will-run test answers when a job could start on some nodes, given what runs on them and nothing else: now, or
// once enough running jobs have reached the ends of their time limits (_will_run_test of
// select/cons_tres and select/linear).

// firstWindowSeconds is the first of the time windows within which ends are looked at together.
const firstWindowSeconds = 30

// start is an answer of the will-run test.
type start struct {
	at    int64
	nodes []share
}

// willRun finds the earliest start on some of avail; nil nodes mean that there is none. From and until are the
// time asked about and the next change of the map, which later versions take into account; 0 is no bound. A job that
// asks to share starts on processors of its own if it can now (_try_sched; recorded: loopback-shared-rows).
func (p *planner) willRun(w *want, avail set, nowOnly bool, from, until int64) start {
	if w.shares && !p.in.Cluster.Partitions[w.partition].Forced {
		dedicated := *w
		dedicated.shares = false
		if now := p.willRunAs(&dedicated, avail, true, from, until); now.nodes != nil && now.at <= p.now {
			return now
		}
	}
	return p.willRunAs(w, avail, nowOnly, from, until)
}

func (p *planner) willRunAs(w *want, avail set, nowOnly bool, from, until int64) start {
	if !p.rules.fromStart || p.in.Settings.Linear || from <= p.now {
		if nodes := p.choose(w, p.use, avail); nodes != nil {
			return start{p.now, nodes}
		}
	}
	if len(p.removable)+len(p.staying) > 0 {
		return p.willRunWithout(p.removable, p.staying, w, avail, nowOnly)
	}
	if nowOnly {
		return start{}
	}
	switch whole := p.takesWhole(w); {
	case p.in.Settings.Linear && whole:
		return p.oneByOneWhole(w, avail)
	case p.in.Settings.Linear:
		return p.oneByOne(w, avail)
	case whole && !p.in.Settings.BusyNodes:
		return p.inWindowsWhole(w, avail, from, until)
	}
	return p.inWindows(w, avail, from, until)
}

// inWindows releases running jobs in the order of their ends, several at a time: all that end within a time window. The
// first window is 30 s and begins at a multiple of 30 s; as long as nodes do not suffice, it is doubled, or
// made longer by bf_window_linear. So a start that is far away may be later than it had to be.
func (p *planner) inWindows(w *want, avail set, from, until int64) start {
	p.chooser.busy = p.in.Settings.BusyNodes
	defer func() { p.chooser.busy = false }()
	f := p.foresee(w, avail)
	defer f.undo()
	ends := p.byEnd()
	if p.rules.fromStart && from > 0 {
		for len(ends) > 0 && ends[0].end <= from {
			if ends[0].meets(avail) {
				f.release(ends[0])
			}
			ends = ends[1:]
		}
		if nodes := f.choose(); nodes != nil {
			return start{p.now, nodes}
		}
	}
	window, first := int64(firstWindowSeconds), int64(0)
	for k := 0; k < len(ends); {
		last := -1
		for more := true; more && k < len(ends); k++ {
			h := ends[k]
			if p.rules.fromStart && until > 0 && h.end > until {
				k = len(ends)
				break
			}
			if !h.meets(avail) {
				continue
			}
			if first == 0 {
				first = h.end + window - h.end%window
			}
			last = k
			f.release(h)
			more = k+1 < len(ends) && ends[k+1].end <= first+window
		}
		if last < 0 {
			break
		}
		if nodes := f.choose(); nodes != nil {
			return start{p.released(ends[:last+1], nodes), nodes}
		}
		if k < len(ends) {
			window = p.wider(window, ends[k].end-first)
		}
	}
	return start{}
}

// foresight is what is in use once some running jobs have ended. It counts the nodes that may do, and the processors
// of them that are free, so that nodes are chosen no more often than they may suffice.
type foresight struct {
	p        *planner
	w        *want
	avail    set
	released []*holding
	nodes    int64
	procs    int64
	each     int64 // processors that the job needs on each node
}

func (p *planner) foresee(w *want, avail set) *foresight {
	f := &p.foresight
	*f = foresight{p: p, w: w, avail: avail, released: f.released[:0], each: w.procsPerTask * max(1, w.perNode)}
	if p.plain {
		return f
	}
	if w.alone {
		f.nodes = int64(common3(avail, w.fit, p.future.idle))
		return f
	}
	for k := range avail {
		for word := avail[k] & w.fit[k] &^ p.future.closed[k]; word != 0; word &= word - 1 {
			f.count(int32(k<<6+bits.TrailingZeros64(word)), 1)
		}
	}
	return f
}

// count counts a node that the job could have.
func (f *foresight) count(i int32, by int64) {
	if f.w.alone {
		f.nodes += by
	} else if free := f.p.nodes[i].Capacity.Procs - f.p.future.procs[i]; free >= f.each {
		f.nodes += by
		f.procs += by * free
	}
}

func (f *foresight) has(i int32) bool {
	u := f.p.future
	return f.avail.has(i) && f.w.fit.has(i) && !u.closed.has(i) && (!f.w.alone || u.idle.has(i))
}

// release ends a running job.
func (f *foresight) release(h *holding) {
	f.released = append(f.released, h)
	if f.p.plain {
		f.p.future.remove(h)
		return
	}
	for _, s := range h.shares {
		if f.has(s.node) {
			f.count(s.node, -1)
		}
	}
	f.p.future.remove(h)
	for _, s := range h.shares {
		if f.has(s.node) {
			f.count(s.node, 1)
		}
	}
}

// may reports that there may be enough.
func (f *foresight) may() bool { return f.nodes >= f.w.nodesMin && (f.w.alone || f.procs >= f.w.procs) }

// choose finds nodes for the job; nil if there are none.
func (f *foresight) choose() []share {
	if !f.p.plain && !f.may() {
		return nil
	}
	return f.p.choose(f.w, f.p.future, f.avail)
}

// undo lets the jobs run again.
func (f *foresight) undo() {
	for k := len(f.released) - 1; k >= 0; k-- {
		f.p.future.add(f.released[k])
	}
}

// soonest is a time before which the will-run test finds no start, whatever the nodes: so many processors on
// so many nodes are in use until then.
func (p *planner) soonest(w *want) int64 {
	if w.readyOf == p.epoch+1 {
		return w.ready
	}
	w.readyOf, w.ready = p.epoch+1, 0
	if p.takesWhole(w) {
		w.ready = p.soonestWhole(w)
		return w.ready
	}
	f := p.foresee(w, w.fit)
	defer f.undo()
	if f.may() {
		return 0
	}
	for _, h := range p.byEnd() {
		if f.release(h); f.may() {
			w.ready = h.end
			return w.ready
		}
	}
	w.ready = math.MaxInt64
	return w.ready
}

// freeTimes are when nodes may come free: for a job that shares its nodes with no other job, with the last end of
// those that run there; for others, when processors come free. Jobs that start later make it no earlier.
type freeTimes struct {
	at    []int64 // by node
	order []int32 // nodes by that
	some  []set   // the first stride nodes of the order, twice as many and so on
}

const stride = 64

// by puts those of the nodes into out that may be free by a time, and counts them.
func (f *freeTimes) by(t int64, nodes, fit, out set) int64 {
	n := sort.Search(len(f.order), func(k int) bool { return f.at[f.order[k]] > t })
	whole := n / stride
	if whole == 0 {
		clear(out)
	} else {
		for k, w := range f.some[whole-1] {
			out[k] = w & nodes[k] & fit[k]
		}
	}
	for _, i := range f.order[whole*stride : n] {
		if nodes.has(i) && fit.has(i) {
			out.add(i)
		}
	}
	return int64(out.count())
}

// freeBy is when nodes may come free.
func (p *planner) freeBy(alone bool) *freeTimes {
	which := 0
	if alone {
		which = 1
	}
	if p.free[which] == nil {
		f := &freeTimes{at: make([]int64, len(p.nodes)), order: make([]int32, len(p.nodes))}
		if alone {
			for _, h := range p.running {
				for _, s := range h.shares {
					f.at[s.node] = max(f.at[s.node], h.end)
				}
			}
		} else {
			p.whenShared(f.at)
		}
		for i := range f.order {
			f.order[i] = int32(i)
		}
		slices.SortFunc(f.order, func(a, b int32) int { return cmp.Compare(f.at[a], f.at[b]) })
		all := newSet(len(p.nodes))
		for k, i := range f.order {
			if all.add(i); (k+1)%stride == 0 {
				f.some = append(f.some, all.clone())
			}
		}
		p.free[which] = f
	}
	return p.free[which]
}

// whenShared is when processors of each node come free.
func (p *planner) whenShared(at []int64) {
	u, ends := p.future, p.byEnd()
	open := func(i int32) bool { return !u.closed.has(i) && p.nodes[i].Capacity.Procs > u.procs[i] }
	for i := range at {
		if !open(int32(i)) {
			at[i] = math.MaxInt64
		}
	}
	for _, h := range ends {
		u.remove(h)
		for _, s := range h.shares {
			if at[s.node] == math.MaxInt64 && open(s.node) {
				at[s.node] = h.end
			}
		}
	}
	for k := len(ends) - 1; k >= 0; k-- {
		u.add(ends[k])
	}
}

// wider is the next window that reaches as far as least.
func (p *planner) wider(window, least int64) int64 {
	if step := p.in.Settings.LinearSeconds; step > 0 {
		return window + step*max(1, (least-window+step-1)/step)
	}
	for window *= 2; window < least; {
		window *= 2
	}
	return window
}

// oneByOne is select/linear's way, which looks for nodes after every end.
func (p *planner) oneByOne(w *want, avail set) start {
	f := p.foresee(w, avail)
	defer f.undo()
	for _, h := range p.byEnd() {
		f.release(h)
		if !h.meets(avail) {
			continue
		}
		if nodes := f.choose(); nodes != nil {
			return start{p.endOf(h), nodes}
		}
	}
	return start{}
}

// released is the start once these jobs have ended: with the last of them, or with the last that held some
// of the nodes.
func (p *planner) released(ends []*holding, nodes []share) int64 {
	if p.rules.lastRelevant {
		for k := len(ends) - 1; k >= 0; k-- {
			for _, s := range nodes {
				if ends[k].nodes.has(s.node) {
					return p.endOf(ends[k])
				}
			}
		}
	}
	return p.endOf(ends[len(ends)-1])
}

// endOf is when a job's nodes are free. One that is over its limit is taken to end any moment (_guess_job_end).
func (p *planner) endOf(h *holding) int64 {
	if h.end > p.now {
		return h.end
	}
	if p.in.Settings.Linear {
		return p.now + 1
	}
	return max(p.now+1, h.end+p.in.Settings.OverTimeSeconds+p.in.Settings.KillWaitSeconds)
}

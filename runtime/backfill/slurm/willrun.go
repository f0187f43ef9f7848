package slurm

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
// time asked about and the next change of the map, which later versions take into account; 0 is no bound.
func (p *planner) willRun(w *want, avail set, nowOnly bool, from, until int64) start {
	if !p.rules.fromStart || p.in.Settings.Linear || from <= p.now {
		if nodes := p.choose(w, p.use, avail); nodes != nil {
			return start{p.now, nodes}
		}
	}
	if nowOnly {
		return start{}
	}
	if p.in.Settings.Linear {
		return p.oneByOne(w, avail)
	}
	return p.inWindows(w, avail, from, until)
}

// inWindows releases running jobs in the order of their ends, several at a time: all that end within a time window. The
// first window is 30 s and begins at a multiple of 30 s; as long as nodes do not suffice, it is doubled, or
// made longer by bf_window_linear. So a start that is far away may be later than it had to be.
func (p *planner) inWindows(w *want, avail set, from, until int64) start {
	u := p.future
	u.copyFrom(p.use)
	ends := p.byEnd()
	if p.rules.fromStart && from > 0 {
		for len(ends) > 0 && ends[0].end <= from {
			if ends[0].nodes.meets(avail) {
				u.remove(ends[0])
			}
			ends = ends[1:]
		}
		if nodes := p.choose(w, u, avail); nodes != nil {
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
			if !h.nodes.meets(avail) {
				continue
			}
			if first == 0 {
				first = h.end + window - h.end%window
			}
			last = k
			u.remove(h)
			more = k+1 < len(ends) && ends[k+1].end <= first+window
		}
		if last < 0 {
			break
		}
		if nodes := p.choose(w, u, avail); nodes != nil {
			return start{p.released(ends[:last+1], nodes), nodes}
		}
		if k < len(ends) {
			window = p.wider(window, ends[k].end-first)
		}
	}
	return start{}
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
	u := p.future
	u.copyFrom(p.use)
	for _, h := range p.byEnd() {
		u.remove(h)
		if !h.nodes.meets(avail) {
			continue
		}
		if nodes := p.choose(w, u, avail); nodes != nil {
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

package slurm

// earliest asks the will-run test for a job that may want features (_try_sched). Of features that must be the same
// on all nodes, that with the earliest start counts. Counted ones are asked about one after the
// other, and the job starts with the last.
func (p *planner) earliest(w *want, avail set, nowOnly bool, from, until int64) start {
	if w.sameForAll != nil {
		best := start{}
		for _, same := range w.sameForAll {
			some := avail.clone()
			some.and(same)
			if s := p.willRun(w, some, nowOnly, from, until); s.nodes != nil && (best.nodes == nil || s.at < best.at) {
				best = start{s.at, append([]share(nil), s.nodes...)}
			}
		}
		return best
	}
	if w.steps == nil {
		return p.willRun(w, avail, nowOnly, from, until)
	}
	one := *w
	one.steps, one.tasks, one.required = nil, 0, nil
	best, left := start{}, avail.clone()
	for _, s := range w.steps {
		one.nodesMin, one.nodesWanted = max(1, s.count), max(1, s.count)
		some := left.clone()
		some.and(s.nodes)
		found := p.willRun(&one, some, nowOnly, from, until)
		if found.nodes == nil {
			return start{}
		}
		best = start{max(best.at, found.at), append(best.nodes, found.nodes...)}
		for _, n := range found.nodes {
			left.remove(n.node)
		}
	}
	if n := int64(len(best.nodes)); n < w.nodesWanted {
		one.nodesMin, one.nodesWanted, one.nodesMax = max(0, w.nodesMin-n), w.nodesWanted-n, w.nodesMax-n
		rest := p.willRun(&one, left, nowOnly, from, until)
		if rest.nodes == nil {
			return start{}
		}
		best = start{max(best.at, rest.at), append(best.nodes, rest.nodes...)}
	}
	return best
}

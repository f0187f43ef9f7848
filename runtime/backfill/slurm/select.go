package slurm

import "github.com/fairway-sched/fairway/lang/schema/slurmtext"

// answer is what looking for nodes to start on now comes to (select_nodes).
type answer uint8

const (
	starts     answer = iota
	preempts          // once others are ended
	busy              // nodes that would do are in use
	away              // nodes that would do are down or reserved
	never             // no nodes would do, whatever their state
	tooFew            // the partition does not give so many nodes to a job
	notNow            // the reservation that it asked for cannot be used now
	allKept           // only nodes that are reserved would do
	overLimits        // a limit stops it
)

// selectNow looks for nodes on which an entry can start now and run for limit seconds. may are those that the pass
// lets it have. Where it cannot, the job's reason says why.
func (p *planner) selectNow(entry int32, limit int64, may set) ([]share, answer) {
	e, w := &p.in.Entries[entry], p.wantOf(entry)
	j := &p.jobs[e.Request]
	if p.gate != nil {
		if word := p.gate.BeforeNodes(e.Row); word != "" {
			j.reason = word
			return nil, overLimits
		}
	}
	switch most, word := p.limited(e); {
	case most > 0 && most < w.nodesMin:
		j.reason = word
		return nil, overLimits
	case w.nodesMax < w.nodesMin:
		j.reason = NodeLimit
		return nil, tooFew
	}
	avail := p.scratch(&p.usable)
	copy(avail, may)
	_, overlaps, left := p.unreserved(e, w, p.now, limit, false, avail)
	own := p.in.Waiting[e.Request].Reservation != ""
	switch {
	case left == unusual:
		j.reason = Reservation
		return nil, notNow
	case left == closed:
		clear(avail)
	}
	p.weigh(e, w)
	nodes, victims, result := p.pickNow(e, w, avail, overlaps)
	if p.gate != nil {
		if word := p.gate.WithNodes(e.Row, p.got(w, nodes)); word != "" {
			j.reason = word
			return nil, overLimits
		}
	}
	if left == closed && result == away && !own {
		result = allKept
	}
	switch result {
	case starts:
		return nodes, starts
	case preempts:
		p.preempt(e, victims)
		j.reason = Resources
		return nil, busy
	case away, allKept:
		if j.reason = p.unavailable(e, w, may); left == closed {
			j.reason = "ReqNodeNotAvail, Reserved for maintenance"
		}
	case never:
		if overlaps {
			j.reason = Reservation
			return nil, notNow
		}
		if j.reason == "" || j.reason == Priority {
			j.reason = Resources
		}
	default:
		j.reason = Resources
	}
	return nil, result
}

// unavailable says which nodes of the partition a job cannot have: those that are down, withdrawn in this pass or of
// another user (select_nodes; recorded: loopback-rows-tiers, job 5).
func (p *planner) unavailable(e *Entry, w *want, may set) string {
	can := may.clone()
	p.withoutStrangers(e, can)
	not := p.partitions[e.Partition].clone()
	not.without(can)
	if w.required != nil {
		not.and(w.required)
	}
	var names []string
	for i := not.next(0); i >= 0; i = not.next(i + 1) {
		names = append(names, p.nodes[i].Name)
	}
	if names == nil {
		return NodeNotAvail + ", May be reserved for other job"
	}
	return NodeNotAvail + ", UnavailableNodes:" + slurmtext.CompressHostlist(names)
}

// limited is how many nodes limits give the entry's job at most.
func (p *planner) limited(e *Entry) (most int64, word string) {
	if p.gate == nil {
		return 0, ""
	}
	return p.gate.NodesMax(e.Row)
}

// pickNow chooses among the nodes that are free enough; else it says whether others would have done
// (_pick_best_nodes).
func (p *planner) pickNow(e *Entry, w *want, avail set, overlaps bool) (nodes []share, victims []*holding,
	result answer) {
	avail.and(p.up)
	own := avail
	if p.owns || p.stops > 0 {
		own = avail.clone()
		own.without(p.completing)
		p.withoutStrangers(e, own)
	}
	if nodes := p.chooseFeatures(w, p.use, own); nodes != nil {
		return nodes, nil, starts
	}
	if p.in.Preempt != nil && !p.says {
		if nodes, victims := p.makeRoom(e, w, own); nodes != nil {
			return nodes, victims, preempts
		}
	}
	if w.switches > 0 { // nodes on more switches would do later
		anywhere := *w
		anywhere.switches = 0
		w = &anywhere
	}
	all := p.scratch(&p.look)
	copy(all, w.fit)
	switch {
	case w.kind > 0 && !p.fits(w), w.kind == 0 && p.chooseFeatures(w, p.nothing(), all) == nil:
		return nil, nil, never
	}
	all.and(avail)
	if p.chooseFeatures(w, p.nothing(), all) != nil {
		return nil, nil, busy
	}
	// Too few are up and not reserved; if some of these are in use, that is what is waited for.
	copy(all, w.fit)
	all.and(avail)
	if w.required != nil {
		if w.required.within(avail) {
			return nil, nil, busy
		}
		return nil, nil, away
	}
	if w.alone && !all.within(p.use.idle) || all.meets(p.use.closed) {
		return nil, nil, busy
	}
	return nil, nil, away
}

// chooseFeatures chooses nodes for a job that may want certain numbers of nodes with certain features, or the same
// feature on all nodes (_get_req_features). Counted features are looked for one after the other, each among
// the nodes that are left, and then what else the job needs beside these.
func (p *planner) chooseFeatures(w *want, u *usage, avail set) []share {
	for _, same := range w.sameForAll {
		some := avail.clone()
		some.and(same)
		if nodes := p.choose(w, u, some); nodes != nil {
			return nodes
		}
	}
	if w.sameForAll != nil {
		return nil
	}
	if w.steps == nil {
		return p.choose(w, u, avail)
	}
	required := newSet(len(p.nodes))
	if w.required != nil {
		copy(required, w.required)
	}
	one := *w
	one.steps, one.tasks = nil, 0
	for _, s := range w.steps {
		one.nodesMin, one.nodesWanted, one.nodesMax, one.procs = s.count, s.count, s.count, s.count
		some := avail.clone()
		some.and(s.nodes)
		some.without(required)
		nodes := p.chooseWith(&one, u, some, nil)
		if nodes == nil {
			return nil
		}
		for _, n := range nodes {
			required.add(n.node)
		}
	}
	whole := *w
	found := int64(required.count())
	whole.nodesMin, whole.nodesWanted, whole.procs = max(w.nodesMin, found), max(w.nodesWanted, found), max(w.procs, found)
	if whole.nodesMin > w.nodesMax {
		return nil
	}
	return p.chooseWith(&whole, u, avail, required)
}

// weigh takes back what earlier searches have left of the weights of nodes, and makes those outside a flexible reservation
// of the job heavier. Tests of backfill do neither, and go by what the last search left (_set_sched_weight; recorded:
// loopback-reserves-flex, job 5).
func (p *planner) weigh(e *Entry, w *want) {
	inside := set(nil)
	if name := p.in.Waiting[e.Request].Reservation; name != "" {
		if own := p.in.Cluster.Current(name, p.now); own >= 0 && p.in.Cluster.Reservations[own].Flexible {
			inside = p.reservedNodes(int(own))
		}
	}
	for i := w.fit.next(0); i >= 0; i = w.fit.next(i + 1) {
		p.gpuWeight[i] = 0
		if p.outside.remove(i); inside != nil && !inside.has(i) {
			p.outside.add(i)
		}
	}
}

// got is what a job gets of these nodes, or asks for if it gets none.
func (p *planner) got(w *want, nodes []share) Got {
	g := Got{Procs: w.procs, Count: w.nodesWanted}
	if nodes == nil {
		return g
	}
	g.Procs, g.Count = 0, int64(len(nodes))
	for _, s := range nodes {
		g.Nodes = append(g.Nodes, s.node)
		g.Procs += p.counted(w, &s)
	}
	return g
}

// planned is what a job would get later: which nodes it would be in the end does not count.
func (p *planner) planned(w *want, nodes []share) Got {
	g := p.got(w, nodes)
	g.Nodes = nil
	return g
}

// begin starts an entry on nodes for so many seconds.
func (p *planner) begin(entry int32, nodes []share, by started) {
	e, w := &p.in.Entries[entry], p.wantOf(entry)
	r, j := &p.in.Waiting[e.Request], &p.jobs[e.Request]
	h := &holding{request: int32(len(p.in.Running)) + e.Request, entry: entry, start: p.now, end: by.holding.end,
		nodes: newSet(len(p.nodes)), alone: w.alone, private: p.owns && p.private(r, e.Partition)}
	for k, has := range spread(r, nodes) {
		s := nodes[k]
		switch {
		case w.memPerNode > 0:
			s.mem = w.memPerNode
		case w.memPerProc > 0 && s.tasks > 0: // it is known by core
		case w.memPerProc > 0:
			s.mem = w.memPerProc * s.procs
		default:
			s.mem = p.nodes[s.node].Capacity.MemMB
		}
		s.gres = p.gresFor(w.gres, w.gresPerTask, has)
		h.shares = append(h.shares, s)
		h.nodes.add(s.node)
	}
	p.spreadOfJob(h.shares, w.gresOfJob)
	p.hold(h)
	p.suspend(e, h)
	p.licenses.start(r)
	if p.gate != nil {
		got := p.got(w, nodes)
		p.gate.Start(e.Row, got)
		h.got = &got
	}
	by.request, by.entry, by.holding, by.task = e.Request, entry, h, -1
	if r.TaskIDs != nil {
		by.task = len(r.TaskIDs) - int(j.tasks)
		j.runs++
	}
	j.tasks--
	p.started = append(p.started, by)
}

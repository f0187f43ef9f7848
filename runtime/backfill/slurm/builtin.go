package slurm

// builtin gives the estimates of sched/builtin (_compute_start_times in sched/builtin): when the jobs would start if
// each were alone with what runs, but one that would get nodes which a job before it gets not before the last of these
// has ended. Of several partitions the last one counts, and any node of the cluster that is large enough, in the
// partition or not, up or not. Nothing is kept for anybody.
func (p *planner) builtin() error {
	p.now = max(p.in.Cycle, p.in.Now)
	used, tests := newSet(len(p.nodes)), int64(0)
	lastEnd := p.now - 1
	last := p.lastEntries()
	for k, entry := range p.queue {
		if err := p.reached("estimates of builtin", k, len(p.queue)); err != nil {
			return err
		}
		e := &p.in.Entries[entry]
		j := &p.jobs[e.Request]
		if j.tasks == 0 || last[e.Request] != entry {
			continue
		}
		if tests > p.in.Settings.BuiltinTests {
			p.stopped = "max_job_bf"
			p.bindRest(p.queue[k:])
			return nil
		}
		tests++
		p.tried++
		limit, _ := p.limit(e)
		w := *p.wantOf(entry)
		avail := p.avail
		avail.fill(len(p.nodes))
		w.fit, w.steps, w.sameForAll = avail.clone(), nil, nil
		if _, _, left := p.unreserved(e, &w, p.now, limit, true, avail); left != open || w.nodesMin > w.nodesMax {
			continue
		}
		found := p.willRun(&w, avail, false, 0, 0)
		if found.nodes == nil {
			continue
		}
		nodes := newSet(len(p.nodes))
		for _, n := range found.nodes {
			nodes.add(n.node)
		}
		if nodes.meets(used) && found.at <= lastEnd {
			found.at = lastEnd
		}
		used.or(nodes)
		lastEnd = found.at + limit
		j.start, j.end, j.partition = found.at, lastEnd, e.Partition
	}
	return nil
}

// lastEntries are the entries of the partitions that jobs come to last: those of the lowest tier.
func (p *planner) lastEntries() []int32 {
	last := make([]int32, len(p.jobs))
	tier := func(entry int32) int64 { return p.in.Cluster.Partitions[p.in.Entries[entry].Partition].PriorityTier }
	for k := range last {
		last[k] = -1
	}
	for k := range p.in.Entries {
		e := &p.in.Entries[k]
		if l := last[e.Request]; e.opens() && (l < 0 || tier(int32(k)) <= tier(l)) {
			last[e.Request] = int32(k)
		}
	}
	return last
}

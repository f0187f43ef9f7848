package slurm

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// A heterogeneous job is several jobs, its components, that start together. The main pass starts none of them.
// Backfill plans each by itself, those that are found later not before those found earlier, and starts all at its end
// if all can start now (_het_job_start_find, _het_job_start_set and _het_job_start_test of sched/backfill; recorded:
// hetjob-plan, hetjob-full).

// hetJob is what a cycle has found for the components of a heterogeneous job.
type hetJob struct {
	entries []int32         // of the components that were found, in their order
	starts  map[int32]int64 // by request: the earliest start found
	nodes   map[int32]set   // by request: of those that can start now, where
}

// notBefore is the time before which a component is not looked at: when the last of the others was found to start.
func (c *cycle) notBefore(request int32) (at int64) {
	h := c.het[c.p.in.Waiting[request].Het]
	if h == nil {
		return 0
	}
	for other, start := range h.starts {
		if other != request {
			at = max(at, start)
		}
	}
	return at
}

// afterHetless reports a component after one for which the cycle has found no start: it is not looked at (recorded:
// loopback-hetless, jobs 18 and 19).
func (c *cycle) afterHetless(e *Entry, r *backfill.Request) bool {
	at := c.hetless[r.Het]
	return r.Het != 0 && at != 0 && at != e.Request+1
}

// noteHetless notes a component without a start in any of its partitions so far.
func (c *cycle) noteHetless(e *Entry, r *backfill.Request) {
	if r.Het == 0 {
		return
	}
	if h := c.het[r.Het]; h != nil && slices.Contains(h.requests(c.p), e.Request) {
		delete(c.hetless, r.Het)
		return
	}
	if c.hetless == nil {
		c.hetless = map[int64]int32{}
	}
	c.hetless[r.Het] = e.Request + 1
}

// requests are those of the components that were found.
func (h *hetJob) requests(p *planner) (list []int32) {
	for _, entry := range h.entries {
		list = append(list, p.in.Entries[entry].Request)
	}
	return list
}

// foundHet notes a start of a component. Of several the earliest counts.
func (a *attempt) foundHet(at int64, nodes set) {
	if a.r.Het == 0 {
		return
	}
	if a.het == nil {
		a.het = map[int64]*hetJob{}
	}
	h := a.het[a.r.Het]
	if h == nil {
		h = &hetJob{starts: map[int32]int64{}, nodes: map[int32]set{}}
		a.het[a.r.Het] = h
		a.hets = append(a.hets, a.r.Het)
	}
	if !slices.Contains(h.entries, a.entry) {
		h.entries = append(h.entries, a.entry)
	}
	if start, known := h.starts[a.e.Request]; !known || at < start {
		h.starts[a.e.Request] = at
	}
	if at <= a.p.now {
		h.nodes[a.e.Request] = nodes
	}
}

// hetStart is when the last component of a heterogeneous job in a partition starts.
type hetStart struct{ het, at int64 }

// deadlocks reports a component whose job would wait in one partition for another that waits for it in a second one:
// nothing is kept for it (_het_job_deadlock_test; recorded: loopback-het-deadlock, job 17).
func (a *attempt) deadlocks(at int64) bool {
	if a.r.Het == 0 {
		return false
	}
	if a.orders == nil {
		a.orders = map[int32][]hetStart{}
	}
	of := func(partition int32, het int64) int {
		return slices.IndexFunc(a.orders[partition], func(s hetStart) bool { return s.het == het })
	}
	here := a.e.Partition
	own := of(here, a.r.Het)
	if own < 0 {
		own = len(a.orders[here])
		a.orders[here] = append(a.orders[here], hetStart{het: a.r.Het})
	}
	a.orders[here][own].at = max(a.orders[here][own].at, at)
	last := a.orders[here][own].at
	slices.SortStableFunc(a.orders[here], func(x, y hetStart) int { return cmp.Compare(y.at, x.at) })
	for other := range a.orders {
		if other == here || of(other, a.r.Het) < 0 {
			continue
		}
		for _, s := range a.orders[here][:of(here, a.r.Het)] {
			if k := of(other, s.het); k >= 0 && a.orders[other][k].at < last {
				return true
			}
		}
	}
	return false
}

// startHets starts the jobs whose components can all start now.
func (c *cycle) startHets() {
	for _, id := range c.hets {
		c.startHet(id)
	}
}

func (c *cycle) startHet(id int64) {
	p, h := c.p, c.het[id]
	components := int64(0)
	for k := range p.in.Waiting {
		if p.in.Waiting[k].Het == id && p.jobs[k].tasks > 0 {
			components++
		}
	}
	if h == nil || int64(len(h.nodes)) < components {
		return
	}
	starts := p.together(h)
	if starts == nil {
		return
	}
	for k, entry := range starts.entries {
		p.begin(entry, starts.nodes[k], startOf(backfill.ByBackfill, p.now+p.mainLimit(&p.in.Entries[entry])))
	}
}

// hetStarts are the nodes of entries of a job.
type hetStarts struct {
	entries []int32
	nodes   [][]share
}

// together finds nodes for all components of a job, each beside those before it, also under limits and with its
// licences; nil if one finds none (_het_job_limit_check, _het_job_start_now).
func (p *planner) together(h *hetJob) *hetStarts {
	if gate := p.gate; gate != nil {
		p.gate = gate.Copy()
		defer func() { p.gate = gate }()
	}
	may, found, seen := p.up.clone(), &hetStarts{}, map[int32]bool{}
	for _, entry := range h.entries {
		e := &p.in.Entries[entry]
		r := &p.in.Waiting[e.Request]
		if h.nodes[e.Request] == nil || p.jobs[e.Request].tasks == 0 || seen[e.Request] {
			continue
		}
		limit := p.mainLimit(e)
		if !p.licenses.suffice(r, p.freeLicenses(r, p.now, limit)) {
			p.jobs[e.Request].reason = Licenses
			return nil
		}
		nodes, result := p.selectNow(entry, limit, may.clone())
		if result != starts {
			return nil
		}
		nodes, seen[e.Request] = slices.Clone(nodes), true
		found.entries, found.nodes = append(found.entries, entry), append(found.nodes, nodes)
		for _, s := range nodes {
			may.remove(s.node)
		}
		p.licenses.start(r)
		defer p.licenses.stop(r)
		if p.gate != nil {
			p.gate.Start(e.Row, p.got(p.wantOf(entry), nodes))
		}
	}
	return found
}

// passHet is the main pass at a component: it holds its partition up, and waits for resources if it has no other
// reason.
func (m *mainPass) passHet(e *Entry, j *job) {
	if j.reason == "" || j.reason == Priority {
		j.reason = Resources
	}
	m.fail(e)
}

// hetPriority is the priority of a component where all have the same (bf_hetjob_prio).
func (p *planner) hetPriority(id int64) (tier, priority int64) {
	how, sum, n := p.in.Settings.HetPriority, int64(0), int64(0)
	for k := range p.in.Entries {
		e := &p.in.Entries[k]
		if p.in.Waiting[e.Request].Het != id {
			continue
		}
		t := p.in.Cluster.Partitions[e.Partition].PriorityTier
		if sum, n = sum+e.Priority, n+1; n == 1 {
			tier, priority = t, e.Priority
			continue
		}
		if how == "max" {
			tier, priority = max(tier, t), max(priority, e.Priority)
		} else {
			tier, priority = min(tier, t), min(priority, e.Priority)
		}
	}
	if how == "avg" && n > 0 {
		priority = sum / n
	}
	return tier, priority
}

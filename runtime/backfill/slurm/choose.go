package slurm

import (
	"maps"
	"slices"
)

// chooser finds the nodes for one request, of those that it is given (_eval_nodes of select/cons_tres, _job_test of
// select/linear). Nodes are taken from runs of neighbours: of runs with lighter nodes first; of equally heavy ones the
// smallest that suffices alone, else the largest, until nodes and processors suffice.
type chooser struct {
	p *planner
	w *want
	u *usage

	procs    []int64 // by node: what the job could have of it; 0 is nothing
	runs     []nodeRun
	required set // w's, and nodes found for counted features
	chosen   []share
	nodes    int64   // still wanted
	least    int64   // still needed at least
	most     int64   // still allowed
	left     int64   // processors still needed
	room     int64   // processors that it may still get
	gres     []int64 // generic resources of the whole job still needed
	busy     bool    // nodes that jobs have now come first
}

// nodeRun are neighbours of one weight.
type nodeRun struct {
	first, end int32
	nodes      int64
	procs      int64
	weight     int64
	required   int32 // the first of its nodes that the job insists on; -1 is none
}

// choose finds nodes among avail for a job that starts when u is in use; nil if there are too few.
func (p *planner) choose(w *want, u *usage, avail set) []share {
	return p.chooseWith(w, u, avail, w.required)
}

func (p *planner) chooseWith(w *want, u *usage, avail, required set) []share {
	if p.rows != nil && u != p.empty {
		return p.chooseInRows(w, u, avail, required)
	}
	return p.chooseOn(w, u, avail, required)
}

func (p *planner) chooseOn(w *want, u *usage, avail, required set) []share {
	// the same nodes without any job must be on few enough switches first (_job_test, test 0)
	if w.switches > 0 && u != p.empty && p.chooseOn(w, p.nothing(), avail, required) == nil {
		return nil
	}
	candidates := p.scratch(&p.candidateSet)
	copy(candidates, avail)
	candidates.and(w.fit)
	candidates.without(u.closed)
	if w.alone {
		candidates.and(u.idle)
	}
	if int64(candidates.count()) < w.nodesMin || required != nil && !required.within(candidates) {
		return nil
	}
	c := &p.chooser
	c.p, c.w, c.u, c.required = p, w, u, required
	if !c.measure(candidates) {
		return nil
	}
	if c.pick(candidates) {
		return c.inCores()
	}
	// on too many switches: that is final (recorded: topology-cpus, job 10)
	if w.switches > 0 && (c.enough() || c.left <= 0 && c.fewEnough(0)) {
		return nil
	}
	return c.withoutSmall(candidates)
}

// measure says what the job could have of each node, and drops those that have nothing for it.
func (c *chooser) measure(candidates set) bool {
	for i := candidates.next(0); i >= 0; i = candidates.next(i + 1) {
		if c.procs[i] = c.p.room(c.w, c.u, i); c.procs[i] == 0 {
			if c.required != nil && c.required.has(i) {
				return false
			}
			candidates.remove(i)
		}
	}
	return int64(candidates.count()) >= c.w.nodesMin
}

// room is how many processors of a node the job could have beside what is in use there; 0 if it
// cannot run there (_verify_node_state, can_job_run_on_node).
func (p *planner) room(w *want, u *usage, i int32) int64 {
	node := &p.nodes[i].Capacity
	free := node.Procs - u.procs[i]
	if w.alone {
		free = node.Procs
	} else if p.held != nil && u != p.empty {
		free -= p.held[i]
	}
	free = p.onSockets(w, u, i, free)
	if p.threads != nil {
		free = p.usableOf(w, i, free, node.MemMB-u.mem[i])
	}
	if w.perNode > 0 && !w.alone {
		free = min(free, w.perNode*w.procsPerTask)
	}
	tasks := free / w.procsPerTask
	switch {
	case w.perNode > 0 && tasks < w.perNode, tasks <= 0, w.nodesMax == 1 && tasks < w.tasks:
		return 0
	}
	for g, n := range w.gres {
		if n > p.gresOf(i, g)-u.gres[int(i)*p.gresCount+g] {
			return 0
		}
	}
	for g, n := range w.gresOfJob {
		if n > 0 && p.gresFree(u, i, g) <= 0 {
			return 0
		}
	}
	for g, n := range w.gresPerTask {
		if n > 0 {
			left := p.gresOf(i, g) - u.gres[int(i)*p.gresCount+g]
			if w.gres != nil {
				left -= w.gres[g]
			}
			free = min(free, left/n*w.procsPerTask)
		}
	}
	if p.in.Settings.Memory {
		free = p.roomInMemory(w, node.MemMB-u.mem[i], u.mem[i], free)
	}
	if w.procsPerTask > 1 {
		free -= free % w.procsPerTask
	}
	if free < max(1, w.perNode) || free < w.leastTasks()*w.procsPerTask || !w.takesOfGres(free) {
		return 0
	}
	return free
}

// leastTasks are those that each node must have room for: where tasks are counted by socket or core, as many as one may
// have (_select_cores; recorded: loopback-sockets-least, job 14).
func (w *want) leastTasks() int64 {
	switch {
	case w.perNode > 0:
		return w.perNode
	case w.perSocket > 0:
		return w.perSocket
	}
	return w.cores.TasksPerCore
}

// roomInMemory bounds processors by the memory that each needs. A job that states none takes all of a node's, so that
// no other job may have any.
func (p *planner) roomInMemory(w *want, free, used, procs int64) int64 {
	switch {
	case w.memPerNode > 0:
		if w.memPerNode > free {
			return 0
		}
	case w.memPerProc > 0:
		if w.memPerProc*w.procsPerTask*max(1, w.perNode) > free || w.alone && w.memPerProc*procs > free {
			return 0
		}
		return min(procs, free/w.memPerProc)
	case used > 0:
		return 0
	}
	return procs
}

// pick takes nodes until the job has enough; false if it never does.
func (c *chooser) pick(candidates set) bool {
	w := c.w
	c.chosen = c.chosen[:0]
	c.nodes, c.least, c.most, c.left = max(w.nodesMin, w.nodesWanted), w.nodesMin, w.nodesMax, w.procs
	c.gres = append(c.gres[:0], w.gresOfJob...)
	if w.gresOfJob != nil {
		c.nodes = w.nodesMin
	}
	all, node := w.procsOfGres(w.nodesMin)
	c.room = max(c.left, all, node*c.nodes)
	if w.tasks > 0 && c.most > w.tasks {
		c.most = max(w.tasks, w.nodesMin)
	}
	if c.required != nil {
		for i := c.required.next(0); i >= 0 && c.most > 0; i = c.required.next(i + 1) {
			c.take(i)
		}
		if c.enough() {
			return true
		}
	}
	if c.p.in.Settings.Linear && c.uneven(candidates) {
		return c.largestFirst(candidates)
	}
	switch {
	case c.busy:
		return c.busyFirst(candidates)
	case c.p.nearby(w):
		return c.bySwitch(candidates)
	case c.p.in.Settings.PackSerial && w.procs == 1 && c.nodes == 1:
		return c.fromTheEnd(candidates)
	case w.leastLoaded:
		return c.byLoad(candidates)
	}
	c.findRuns(candidates)
	for c.most > 0 {
		best := c.bestRun()
		if best == nil {
			break
		}
		c.takeFrom(best)
		if c.enough() {
			return true
		}
		best.nodes, best.procs = 0, 0
	}
	return c.suffices()
}

// busyFirst takes, of the lightest nodes first, those that jobs have now, then idle ones, in order (_eval_nodes_busy; for
// starts to come, with bf_busy_nodes). Where those that jobs have suffice, one idle node is taken all the same (recorded:
// loopback-busy-nodes, job 9).
func (c *chooser) busyFirst(candidates set) bool {
	if c.w.tasks > 0 {
		c.most = min(c.most, c.w.tasks)
	}
	if c.most <= 0 {
		return c.suffices()
	}
	byWeight := map[int64][]int32{}
	for i := candidates.next(0); i >= 0; i = candidates.next(i + 1) {
		if c.required == nil || !c.required.has(i) {
			weight := c.p.weight(i, c.w, c.u)
			byWeight[weight] = append(byWeight[weight], i)
		}
	}
	done := false
	for _, weight := range slices.Sorted(maps.Keys(byWeight)) {
		for _, idle := range []bool{false, true} {
			for _, i := range byWeight[weight] {
				if c.p.use.idle.has(i) != idle {
					continue
				}
				c.take(i)
				if done = c.enough() || c.most == 0; done {
					break
				}
			}
		}
		if done {
			break
		}
	}
	return c.left <= 0 && c.least <= 0 && c.hasGres()
}

func (c *chooser) enough() bool { return c.nodes <= 0 && c.left <= 0 && c.hasGres() }

// suffices reports that the job can do with what it has, also with fewer nodes than it wants.
func (c *chooser) suffices() bool { return c.left <= 0 && c.fewEnough(0) && c.hasGres() }

// fewEnough reports that n more nodes would do: those wanted beyond the minimum need not be there.
func (c *chooser) fewEnough(n int64) bool {
	need := c.nodes
	if c.w.nodesWanted > c.w.nodesMin {
		need += c.w.nodesMin - c.w.nodesWanted
	}
	return n >= need
}

// take gives the job a node: all of one that it does not share, else what it still needs, but one processor
// for each node to come (_cpus_to_use).
func (c *chooser) take(i int32) {
	procs := c.procs[i]
	if !c.w.alone {
		if keep := c.room - max(0, c.least-1); procs > keep {
			_, least := c.w.procsOfGres(1)
			procs = c.rounded(i, max(keep, c.w.procsPerTask*max(1, c.w.perNode), least))
		}
	}
	with := c.takeGres(i, procs)
	if !c.w.alone {
		procs = with
	}
	c.chosen = append(c.chosen, share{node: i, procs: procs})
	c.nodes--
	c.least--
	c.most--
	c.left -= with
	c.room -= with
}

func (c *chooser) findRuns(candidates set) {
	c.runs = c.runs[:0]
	last := int32(-2)
	for i := candidates.next(0); i >= 0; i = candidates.next(i + 1) {
		weight := c.p.weight(i, c.w, c.u)
		required := c.required != nil && c.required.has(i)
		if n := len(c.runs) - 1; n < 0 || i != last+1 || !required && c.runs[n].nodes > 0 && weight != c.runs[n].weight {
			c.runs = append(c.runs, nodeRun{first: i, required: -1, weight: weight})
		}
		r := &c.runs[len(c.runs)-1]
		r.end, last = i+1, i
		if required {
			if r.required < 0 {
				r.required = i
			}
			continue
		}
		if r.nodes == 0 {
			r.weight = weight
		}
		r.nodes++
		r.procs += c.procs[i]
	}
}

// bestRun chooses the run to take nodes from; nil if none is left.
func (c *chooser) bestRun() *nodeRun {
	var best *nodeRun
	enough := false
	for k := range c.runs {
		r := &c.runs[k]
		if r.nodes == 0 {
			continue
		}
		suffices := r.procs >= c.left && c.fewEnough(r.nodes) && c.gresOn(r.first, r.end)
		better := best == nil || best.required < 0 && r.required >= 0 || r.weight < best.weight
		if !better && r.weight == best.weight {
			better = suffices && (!enough || r.procs < best.procs) || !suffices && r.procs > best.procs
		}
		if better {
			best, enough = r, suffices
		}
	}
	return best
}

// takeFrom takes nodes of a run: beside those that the job insists on, upwards and then downwards; else in
// order. For one last node, the one with the fewest processors that suffice.
func (c *chooser) takeFrom(r *nodeRun) {
	if r.required >= 0 {
		for i := r.required; i < r.end && c.goesOn(); i++ {
			if !c.required.has(i) {
				c.take(i)
			}
		}
		for i := r.required - 1; i >= r.first && c.goesOn(); i-- {
			if !c.required.has(i) {
				c.take(i)
			}
		}
		return
	}
	if c.nodes <= 1 && !c.p.in.Settings.Linear {
		if i := c.tightest(r); i >= 0 {
			c.take(i)
			return
		}
	}
	for i := r.first; i < r.end && c.goesOn(); i++ {
		if c.most == 1 && c.procs[i] < c.left && !c.p.in.Settings.Linear {
			continue // the last node it may have, and not large enough
		}
		c.take(i)
	}
}

func (c *chooser) goesOn() bool { return c.most > 0 && !c.enough() }

func (c *chooser) tightest(r *nodeRun) int32 {
	best := int32(-1)
	for i := r.first; i < r.end; i++ {
		if n := c.procs[i]; n >= c.left && (best < 0 || n < c.procs[best]) && c.gresOn(i, i+1) {
			if best = i; n == c.left {
				break
			}
		}
	}
	return best
}

// withoutSmall tries again without the nodes that have least to offer, so that a job that may have few
// nodes does not waste them on small ones (choose_nodes).
func (c *chooser) withoutSmall(candidates set) []share {
	if c.p.in.Settings.Linear {
		return nil
	}
	rest, most := int64(candidates.count()), int64(0)
	for i := candidates.next(0); i >= 0; i = candidates.next(i + 1) {
		most = max(most, c.procs[i])
	}
	for bound := int64(1); bound < most && rest > c.w.nodesMin; bound++ {
		changed := false
		for i := candidates.next(0); i >= 0 && rest > c.w.nodesMin; i = candidates.next(i + 1) {
			if c.procs[i] <= bound && (c.required == nil || !c.required.has(i)) {
				candidates.remove(i)
				rest--
				changed = true
			}
		}
		if (changed || bound == 1) && c.pick(candidates) {
			return c.inCores()
		}
	}
	return nil
}

// uneven reports nodes of different size when not any would do: then select/linear takes the largest first.
func (c *chooser) uneven(candidates set) bool {
	first, low, differ := int64(-1), int64(-1), false
	for i := candidates.next(0); i >= 0; i = candidates.next(i + 1) {
		n := c.procs[i]
		if first < 0 {
			first, low = n, n
		}
		low, differ = min(low, n), differ || n != first
	}
	return differ && c.left > low*c.nodes
}

func (c *chooser) largestFirst(candidates set) bool {
	for c.goesOn() {
		best := int32(-1)
		for i := candidates.next(0); i >= 0; i = candidates.next(i + 1) {
			if c.required != nil && c.required.has(i) {
				continue
			}
			if best < 0 || c.procs[i] >= c.procs[best] {
				best = i
			}
		}
		if best < 0 {
			break
		}
		c.take(best)
		candidates.remove(best)
	}
	return c.suffices()
}

package maui

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/program"
)

// forever is the end of what has no end.
const forever = backfill.Forever

// node is a node as the iteration goes on.
type node struct {
	*backfill.Node
	index     int32
	partition int32
	features  []string
	access    sharing
	readiness readiness
	profile   timeline
	holds     []hold   // of jobs, in the order in which they were made
	standing  []*piece // of standing reservations
	unknown   amounts  // in use now without a job that says so
	awaited   amounts  // of reservations of jobs that wait and begin now: the profile has them, the machine does not
	priority  int64
	formula   []program.PriorityTerm
	limits    *program.MauiNode // nil: none
	rank      float64           // NODEALLOCATIONPOLICY PRIORITY
}

// readiness says when a node takes jobs.
type readiness uint8

const (
	never readiness = iota // it is down or drained
	// it drains: jobs of later times may be planned on it, although the search for a time leaves it out (recorded: n12)
	later
	ready
)

// hold is a job's part of a node during a time.
type hold struct {
	job        int32
	start, end int64
	tasks      int64
}

// sharing is who may use a node beside a job (NODEACCESSPOLICY).
type sharing uint8

const (
	shared sharing = iota
	singleUser
	singleJob
	singleTask // one task of a job on each node, and no other job
)

func sharingOf(word string) sharing {
	switch word {
	case "SINGLEUSER":
		return singleUser
	case "SINGLEJOB":
		return singleJob
	case "SINGLETASK":
		return singleTask
	}
	return shared
}

// readinessOf reads a state as Maui does: a node of unknown state is idle (recorded: n12). Words of other
// resource managers go by what the snapshot made of them.
func readinessOf(n *backfill.Node) readiness {
	switch strings.ToLower(n.State) {
	case "idle", "running", "busy", "unknown":
		return ready
	case "draining", "drain", "flush":
		return later
	case "down", "drained", "none", "reserved":
		return never
	}
	if n.Up {
		return ready
	}
	return never
}

// newNodes makes the nodes, with what the policy says of each.
func (p *Planner) newNodes(c *backfill.Cluster) {
	configured := map[string]*program.MauiNode{}
	for i := range p.settings.Nodes {
		configured[p.settings.Nodes[i].Name] = &p.settings.Nodes[i]
	}
	others := configured["DEFAULT"]
	classes := map[string]int{}
	for i := range c.Nodes {
		for class := range c.Nodes[i].Classes {
			classes[class] = 0
		}
	}
	names := make([]string, 0, len(classes))
	for class := range classes {
		names = append(names, class)
	}
	slices.Sort(names)
	for k, class := range names {
		classes[class] = k
	}
	p.classes = classes
	p.nodes = make([]node, len(c.Nodes))
	for i := range c.Nodes {
		n := &p.nodes[i]
		*n = node{Node: &c.Nodes[i], index: int32(i), features: c.Nodes[i].Features, readiness: readinessOf(&c.Nodes[i]),
			access: sharingOf(p.settings.Access)}
		free := amounts{procs: n.Capacity.Procs, mem: n.Capacity.MemMB, swap: n.Capacity.SwapMB, disk: n.Capacity.DiskMB,
			gres: slices.Clone(n.Capacity.Gres)}
		if n.Classes != nil {
			free.slots = make([]int64, len(names))
			for class, slots := range n.Classes {
				free.slots[classes[class]] = slots
				p.fewSlots = p.fewSlots || slots < n.Capacity.Procs
			}
		}
		n.profile = timeline{{at: p.now, free: free}}
		partition := "DEFAULT"
		if len(n.Partitions) > 0 {
			partition = n.Partitions[0]
		}
		if said := said(configured[n.Name], others); said != nil {
			n.limits = said
			if said.Access != "" {
				n.access = sharingOf(said.Access)
			}
			partition = cmp.Or(said.Partition, partition)
			n.features = append(slices.Clone(n.features), said.Features...)
			n.formula, n.priority = said.PriorityF, said.Priority
			if said.Speed > 0 {
				n.Speed = said.Speed
			}
			if said.MaxLoad > 0 && n.Load > said.MaxLoad && n.readiness == ready {
				n.readiness = later
			}
		}
		switch n.Sharing {
		case backfill.SingleJob:
			n.access = max(n.access, singleJob)
		case backfill.SingleUser:
			n.access = max(n.access, singleUser)
		}
		if limit := p.settings.MaxLoad; limit > 0 && n.Load > limit && !p.settings.LoadAsProcs && n.readiness == ready {
			n.readiness = later
		}
		p.anyPrivate = p.anyPrivate || n.access == singleUser
		n.partition = p.partitionIndex(partition)
	}
	p.orderPartitions()
}

// orderPartitions numbers the partitions as Maui comes to know them: those that the configuration names first
// (observed in recordings: jobs of the first round start in the partition that PLIST has first).
func (p *Planner) orderPartitions() {
	found := p.partitions
	p.partitions = nil
	for _, name := range slices.Concat(p.settings.Partitions, found) {
		if slices.Contains(found, name) {
			p.partitionIndex(name)
		}
	}
	for i := range p.nodes {
		p.nodes[i].partition = p.partitionIndex(found[p.nodes[i].partition])
	}
}

// said is what the policy says of a node: each attribute by its own line, else by the one for all nodes. Features add
// up.
func said(own, others *program.MauiNode) *program.MauiNode {
	if own == nil || others == nil {
		return cmp.Or(own, others)
	}
	out := *own
	out.Access, out.Partition = cmp.Or(own.Access, others.Access), cmp.Or(own.Partition, others.Partition)
	out.Features = slices.Concat(others.Features, own.Features)
	out.Speed, out.ProcSpeed, out.MaxLoad = cmp.Or(own.Speed, others.Speed), cmp.Or(own.ProcSpeed, others.ProcSpeed),
		cmp.Or(own.MaxLoad, others.MaxLoad)
	if out.Priority = cmp.Or(own.Priority, others.Priority); out.PriorityF == nil {
		out.PriorityF = others.PriorityF
	}
	out.MaxJobs, out.MaxJobsPerUser = cmp.Or(own.MaxJobs, others.MaxJobs),
		cmp.Or(own.MaxJobsPerUser, others.MaxJobsPerUser)
	out.MaxProcs, out.MaxProcsPerUser = cmp.Or(own.MaxProcs, others.MaxProcs),
		cmp.Or(own.MaxProcsPerUser, others.MaxProcsPerUser)
	return &out
}

// partitionIndex numbers the partitions by their first node, as Maui does.
func (p *Planner) partitionIndex(name string) int32 {
	k := slices.Index(p.partitions, name)
	if k < 0 {
		k = len(p.partitions)
		p.partitions = append(p.partitions, name)
	}
	return int32(k)
}

// used notes what is in use now beyond what jobs are known to have: by policy what the resource manager says is in
// use, or the load that no job explains, where the resource manager does not say what is available (maui.md §9 P5).
func (p *Planner) used() {
	s := p.settings.Available
	for i := range p.nodes {
		n := &p.nodes[i]
		free := &n.profile[0].free
		beyond := func(policy string, capacity, free, used int64) int64 {
			switch policy {
			case "DEDICATED":
				return 0
			case "UTILIZED":
				return used - (capacity - free)
			}
			return max(0, used-(capacity-free))
		}
		n.unknown = amounts{
			procs: beyond(s.Procs, n.Capacity.Procs, free.procs, n.Used.Procs),
			mem:   beyond(s.Mem, n.Capacity.MemMB, free.mem, n.Used.MemMB),
			swap:  beyond(s.Swap, n.Capacity.SwapMB, free.swap, n.Used.SwapMB),
			disk:  beyond(s.Disk, n.Capacity.DiskMB, free.disk, n.Used.DiskMB),
		}
		if load := n.Load - float64(n.Capacity.Procs-free.procs); s.Procs == "COMBINED" && load > 0 && !n.Told {
			n.unknown.procs = max(n.unknown.procs, int64(load*p.settings.LoadFactor))
		}
	}
}

// freeNow is what is free of a node at this moment, where what is reserved from now on, but not started, is free.
func (n *node) freeNow() amounts {
	a := n.profile[0].free
	a.procs += n.awaited.procs - n.unknown.procs
	a.mem += n.awaited.mem - n.unknown.mem
	a.swap += n.awaited.swap - n.unknown.swap
	a.disk += n.awaited.disk - n.unknown.disk
	return a
}

// serves reports a node that has a slot of a class left for each of the tasks that a job wants there at least (rules.md
// P66). How many more it has does not count when jobs start (recorded: n05).
func (n *node) serves(class int, least int64) bool {
	slots := n.profile[0].free.slots
	return slots == nil || class < 0 || slots[class] >= least
}

// classTasks is how many tasks a job of a class may have on a node by what others leave of it, while anything is on
// it: by half of the sum of the processors it has and of the slots that are left, rounded up by its tasks per node
// (P31 of conformance/oracle/mauiplan/rules.md).
func (n *node) classTasks(free *amounts, class int, perNode int64) int64 {
	if free.slots == nil || class < 0 {
		return many
	}
	return (n.Capacity.Procs + max(0, free.slots[class]) + perNode) / 2
}

// classSlots is how many tasks a job of a class may have on a node that has nothing on it from its start on: the
// configured slots (P32).
func (n *node) classSlots(class string) int64 {
	if n.Classes == nil || class == "" {
		return many
	}
	return n.Classes[class]
}

// occupied is until when anything is on a node that ends: a job, a reservation, a standing one; endless reports a
// standing one that does not. A reservation of the job itself counts when the job tries to start, and not when a
// time for it is looked for.
func (p *Planner) occupied(n *node, job int32) (until int64, endless bool) {
	until = p.now
	if p.own[n.index] == job+1 {
		until = p.ownUntil
	}
	for _, h := range n.holds {
		if h.job != job {
			until = max(until, h.end)
		}
	}
	for _, s := range n.standing {
		if s.end >= forever {
			endless = true
			continue
		}
		until = max(until, s.end)
	}
	return until, endless
}

// take gives a job its part of a node for a time.
func (p *Planner) take(n *node, job int32, start, end, tasks int64) {
	p.version++
	n.profile.change(start, end, p.demand(job), tasks, -1)
	n.holds = append(n.holds, hold{job: job, start: start, end: end, tasks: tasks})
	switch {
	case start > p.now:
	case !p.runs[job]:
		n.awaited.add(p.demand(job), tasks, 1)
	case p.open != nil && n.readiness == ready:
		p.free -= tasks * p.demand(job).per.Procs
	}
	for _, piece := range n.standing {
		piece.touched = true
	}
}

// holdOf is what a job that waits has of a node; nil if nothing.
func (n *node) holdOf(job int32) *hold {
	for k := range n.holds {
		if n.holds[k].job == job {
			return &n.holds[k]
		}
	}
	return nil
}

// leave takes it back.
func (p *Planner) leave(n *node, job int32, start int64) {
	k := slices.IndexFunc(n.holds, func(h hold) bool { return h.job == job && h.start == start })
	if k < 0 {
		return
	}
	p.version++
	h := n.holds[k]
	n.holds = slices.Delete(n.holds, k, k+1)
	n.profile.change(h.start, h.end, p.demand(job), h.tasks, 1)
	if h.start <= p.now {
		n.awaited.add(p.demand(job), h.tasks, -1)
	}
	for _, piece := range n.standing {
		piece.touched = true
	}
}

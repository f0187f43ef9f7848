package maui

import "slices"

// test is what a node must pass for a job whatever else runs.
type test uint8

const (
	testPartition test = iota
	testHosts
	testExcluded
	testReservation
	testFeatures
	testClass
	testMinimum
	testUp
	tests // how many there are
)

// suits reports a node that a job may use whatever else runs: by its features, configuration, class and hosts.
func (p *Planner) suits(n *node, j *Job) bool { return p.failed(n, j) == tests }

// failed is the first test that a node of the job's partition fails; tests if none.
func (p *Planner) failed(n *node, j *Job) test {
	switch {
	case j.HostTasks != nil && j.HostTasks[n.index] == 0 || len(j.Hosts) > 0 && !slices.Contains(j.Hosts, n.index):
		return testHosts
	case slices.Contains(j.Excluded, n.index):
		return testExcluded
	case j.Reservation != "" && !slices.ContainsFunc(n.standing, func(s *piece) bool { return s.named(j.Reservation) }):
		return testReservation
	case !j.Features.Suit(n.features):
		return testFeatures
	case n.Classes != nil && j.Class != "" && n.Classes[j.Class] == 0:
		return testClass
	case n.Capacity.MemMB < j.Minimum.MemMB || n.Capacity.SwapMB < j.Minimum.SwapMB ||
		n.Capacity.DiskMB < j.Minimum.DiskMB:
		return testMinimum
	case n.readiness == never:
		return testUp
	}
	return tests
}

// holds reports nodes of a partition that could hold a job all at once if they were empty, each with the slots of its
// class that are configured. A job that they could not hold has no time (P33 of conformance/oracle/mauiplan/rules.md).
func (p *Planner) holds(j *Job, partition int32) bool {
	if !p.fewSlots {
		return true // room alone says so
	}
	key := p.kindOf(j, partition)
	most, known := p.mostOf[key]
	if !known {
		d := p.demand(j.Job)
		for _, k := range p.inPartition[partition] {
			if n := &p.nodes[k]; p.suits(n, j) {
				all := amounts{procs: n.Capacity.Procs, mem: n.Capacity.MemMB, swap: n.Capacity.SwapMB, disk: n.Capacity.DiskMB,
					gres: n.Capacity.Gres}
				most += min(all.tasks(d), n.classSlots(j.Class))
			}
		}
		p.mostOf[key] = most
	}
	return most >= j.Tasks
}

// named reports a reservation by its own name or by that of the line it comes from.
func (s *piece) named(name string) bool {
	return s.name == name || len(s.name) > len(name) && s.name[:len(name)] == name && s.name[len(name)] == '.'
}

// shaped is how many of the tasks that a node has room for come into question for a job.
//
// Tasks per node: for a start now a multiple of them (recorded: n06), later as many at least (rules.md P51;
// MINRESOURCE cuts then too); where a node has one task alone, it must be as large as them (maui.md §9 P28). Without
// jobs across nodes: all of them or none (recorded: n11).
func (p *Planner) shaped(n *node, j *Job, tasks int64, now bool) int64 {
	switch k := perNode(j); {
	case tasks < k || !p.couldHold(n, j, k):
		return 0
	case now:
		tasks -= tasks % k
	case k > 1 && (p.allocation(n.partition, false) == "MINRESOURCE" || p.allocation(n.partition, false) == "CPULOAD"):
		tasks = min(tasks, j.Tasks)
		tasks -= tasks % k
	}
	if p.settings.ExactProcs && j.TasksPerNode > 0 && n.Capacity.Procs != j.TasksPerNode*j.PerTask.Procs {
		return 0
	}
	if n.access == singleTask && n.Capacity.Procs < j.TasksPerNode*j.PerTask.Procs {
		return 0
	}
	if p.oneNode[n.partition] && (tasks < j.Tasks || p.demand(j.Job).nodes > 1) {
		return 0
	}
	return tasks
}

// couldHold reports a node that could hold so many tasks of a job at once if nothing else were on it; one that could
// not hold its tasks per node serves it at no time (rules.md P50).
func (p *Planner) couldHold(n *node, j *Job, tasks int64) bool {
	if tasks <= 1 {
		return true
	}
	c := &n.Capacity
	all := amounts{procs: c.Procs, mem: c.MemMB, swap: c.SwapMB, disk: c.DiskMB, gres: c.Gres}
	return min(all.tasks(p.demand(j.Job)), n.classSlots(j.Class)) >= tasks
}

// multiNode reports a partition whose jobs may have several nodes (ENABLEMULTINODEJOBS).
func (p *Planner) multiNode(partition string) bool {
	on, ok := p.settings.MultiNode[partition]
	if !ok {
		on, ok = p.settings.MultiNode[""]
	}
	return on || !ok
}

// bounded is how many tasks the limits of a node leave a job now (NODECFG MAXJOB, MAXPROC …).
func (p *Planner) bounded(n *node, j *Job, tasks int64) int64 {
	l := n.limits
	if l == nil || max(l.MaxJobs, l.MaxJobsPerUser, l.MaxProcs, l.MaxProcsPerUser) <= 0 {
		return tasks
	}
	var jobs, own, procs, ownProcs int64
	for _, h := range n.holds {
		other := &p.jobs[h.job]
		if h.start > p.now || h.end <= p.now || h.job == j.Job {
			continue
		}
		jobs, procs = jobs+1, procs+h.tasks*other.PerTask.Procs
		if other.User == j.User {
			own, ownProcs = own+1, ownProcs+h.tasks*other.PerTask.Procs
		}
	}
	if l.MaxJobs > 0 && jobs >= l.MaxJobs || l.MaxJobsPerUser > 0 && own >= l.MaxJobsPerUser {
		return 0
	}
	per := max(1, j.PerTask.Procs)
	if l.MaxProcs > 0 {
		tasks = min(tasks, max(0, l.MaxProcs-procs)/per)
	}
	if l.MaxProcsPerUser > 0 {
		tasks = min(tasks, max(0, l.MaxProcsPerUser-ownProcs)/per)
	}
	return tasks
}

package backfill

import "slices"

// Where jobs get cores whole, a core of several processors is no two jobs'. A planner that counts processors then
// plans a request for as many processors as the cores have that its tasks need, and says of what it has found which
// tasks of the request are there. Where the nodes that a request may have differ, it counts by those with the fewest
// threads.

// CoreUse is what a request can do with a core.
type CoreUse struct {
	ThreadsPerCore, TasksPerCore int64 // 0 is as many as there are
}

// CoreUse of a request.
func (r *Request) CoreUse() CoreUse { return CoreUse{r.ThreadsPerCore, r.TasksPerCore} }

// Threads are those that it uses of each core with t of them.
func (u CoreUse) Threads(t int64) int64 {
	if u.ThreadsPerCore > 0 {
		return min(t, u.ThreadsPerCore)
	}
	return t
}

// Cores are how many it needs for some tasks on a node whose cores have t threads.
func (u CoreUse) Cores(tasks, procsPerTask, t int64) int64 {
	t = u.Threads(t)
	if u.TasksPerCore == 1 {
		return tasks * UpTo(procsPerTask, t)
	}
	n := UpTo(tasks*procsPerTask, t)
	if u.TasksPerCore > 0 {
		n = max(n, UpTo(tasks, u.TasksPerCore))
	}
	return n
}

// tasksOfCore is how many tasks of so many processors are on a core with t threads; 0 if a task needs more than a core.
func (u CoreUse) tasksOfCore(procs, t int64) int64 {
	used := u.Threads(t)
	each := used / procs
	if u.TasksPerCore > 0 {
		each = min(each, u.TasksPerCore)
	}
	if used%procs != 0 {
		return min(each, 1)
	}
	return each
}

// UpTo is n/by rounded up.
func UpTo(n, by int64) int64 { return (n + by - 1) / by }

// InCores makes of a request one for cores of t processors: of so many as hold its tasks, or as one task of it needs.
// each is how many of its tasks one of the request is; 0 if it is one of the job and whatever processors it has.
// Memory is of all threads that it can use (threadMemory), or of those that it asked for.
func (r *Request) InCores(t int64, threadMemory bool) (each int64) {
	if t <= 1 {
		return 0
	}
	c, use := max(1, r.PerTask.Procs), r.CoreUse()
	used := use.Threads(t)
	if r.Sharing == SingleJob { // it has all cores, and may use some of their threads
		r.PerTask.Procs = UpTo(c, used) * t
		if used == t {
			r.PerTask.Procs = c
		}
		return 0
	}
	each = max(1, use.tasksOfCore(c, t))
	if r.TasksPerNode > 0 { // as many cores on each node as hold its tasks
		each = r.TasksPerNode
	}
	cores := use.Cores(each, c, t)
	if each > 1 {
		most := min(each, UpTo(max(r.Tasks, 1), max(r.Nodes, 1))) // of its tasks are together
		r.Tasks, r.TasksPerNode = max(UpTo(r.Tasks, each), r.Nodes), UpTo(r.TasksPerNode, each)
		r.PerTask.Gres = times(r.PerTask.Gres, most)
	}
	r.PerTask.MemMB, r.PerTask.Procs = MemOfCores(UpTo(r.PerTask.MemMB, c), each*c, cores*used, threadMemory), cores*t
	return each
}

// MemOfCores is the memory of tasks that ask for so many processors, on cores with so many threads that they can use.
func MemOfCores(memPerProc, asked, used int64, threadMemory bool) int64 {
	if threadMemory {
		return memPerProc * used
	}
	return memPerProc * asked
}

func times(list []int64, n int64) []int64 {
	out := make([]int64, len(list))
	for k := range list {
		out[k] = list[k] * n
	}
	return out
}

// OfCores are the shares of a request for cores as those of the request itself, of whose tasks each is so many, by the
// threads of the cores of each node.
func (r *Request) OfCores(shares []Share, each int64, threadMemory bool, threads func(node int32) int64) []Share {
	if each == 0 {
		return shares
	}
	c, use, left := max(1, r.PerTask.Procs), r.CoreUse(), max(r.Tasks, 1)
	out := slices.Clone(shares)
	for k := range out {
		s := &out[k]
		t := max(1, threads(s.Node))
		s.Tasks = max(1, min(s.Tasks*each, left-int64(len(out)-k-1)))
		left -= s.Tasks
		cores := use.Cores(s.Tasks, c, t)
		if cores*t != s.Tasks*c {
			s.Procs = cores * t
		}
		if r.PerTask.MemMB > 0 {
			s.MemMB = r.PerNode.MemMB + MemOfCores(UpTo(r.PerTask.MemMB, c), s.Tasks*c, cores*use.Threads(t), threadMemory)
		}
	}
	return out
}

// ProcsOfCores is how many processors a running job takes of a node with cores of t, given how many it is reported to
// have, or how many tasks.
func (r *Request) ProcsOfCores(s Share, procs, t, capacity int64) int64 {
	if s.Procs == 0 {
		procs = r.CoreUse().Cores(s.Tasks, max(1, r.PerTask.Procs), t) * t
	}
	return min(UpTo(procs, t)*t, max(procs, capacity))
}

// mostThreads is more than any core has.
const mostThreads = 1 << 10

// threads are the processors of each core of a node, 1 where they are given one by one.
func (m *machine) threads(node int32) int64 {
	if node < 0 || int(node) >= len(m.Nodes) {
		return 1
	}
	return min(max(m.Nodes[node].ThreadsPerCore, 1), mostThreads)
}

// inCores makes of requests those for cores, where nodes have cores of several processors.
func (m *machine) inCores(requests []Request) (out []Request, each []int64) {
	if !slices.ContainsFunc(m.Nodes, func(n Node) bool { return n.ThreadsPerCore > 1 }) {
		return requests, nil
	}
	fewest := func(nodes []int32) int64 {
		least := int64(mostThreads)
		for _, n := range nodes {
			least = min(least, m.threads(n))
		}
		return least
	}
	byPartition := make([]int64, len(m.partitions))
	for i := range m.partitions {
		byPartition[i] = fewest(m.partitions[i].Nodes)
	}
	all := fewest(m.order)
	out, each = slices.Clone(requests), make([]int64, len(requests))
	for i := range out {
		r := &out[i]
		if r.runs() && len(r.Allocated) > 0 {
			r.Allocated = slices.Clone(r.Allocated)
			for k := range r.Allocated {
				if s := &r.Allocated[k]; m.threads(s.Node) > 1 {
					s.Tasks, s.Procs = min(max(s.Tasks, 0), mostCount), min(max(s.Procs, 0), mostAmount)
					s.Procs = r.ProcsOfCores(*s, s.Procs, m.threads(s.Node), m.Nodes[s.Node].Capacity.Procs)
				}
			}
			continue
		}
		t := all
		if len(r.Partitions) > 0 {
			t = mostThreads
			for k := range m.partitions {
				if slices.Contains(r.Partitions, m.partitions[k].Name) {
					t = min(t, byPartition[k])
				}
			}
		}
		if t < mostThreads {
			each[i] = r.InCores(t, m.ThreadMemory)
		}
	}
	return out, each
}

// asked are the shares of a request as its tasks, not as those of its cores.
func (p *planner) asked(i int, shares []Share) []Share {
	if p.tasksEach == nil {
		return shares
	}
	return p.schedule.Requests[i].OfCores(shares, p.tasksEach[i], p.ThreadMemory, p.threads)
}

// tasksAsked are how many tasks of a request so many of its request for cores are.
func (p *planner) tasksAsked(i int, tasks int64) int64 {
	if p.tasksEach == nil || p.tasksEach[i] <= 1 {
		return tasks
	}
	return min(tasks*p.tasksEach[i], p.schedule.Requests[i].Tasks)
}

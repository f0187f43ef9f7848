package slurm

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Where the cores of a node have several threads that are processors each, select/cons_tres gives jobs cores, never
// threads of one core to two jobs: under CR_Core and CR_CPU alike (observed with 22.05). They differ in what a job is said to
// have: under CR_Core all processors of its cores, under CR_CPU those that it asked for. A node with as many processors as cores
// has one thread a core here, whatever its ThreadsPerCore says (slurm.conf manual, CPUs). What is taken of a node is counted in processors
// of whole cores.

// threadsOf is how many processors a core of each node has; nil if none has more than one.
func threadsOf(nodes []backfill.Node) (threads []int64) {
	for i := range nodes {
		if t := nodes[i].ThreadsPerCore; t > 1 {
			if threads == nil {
				threads = make([]int64, len(nodes))
				for k := range threads {
					threads[k] = 1
				}
			}
			threads[i] = t
		}
	}
	return threads
}

// coreUse is what a job can do with a core.
type coreUse struct {
	threadsPerCore, tasksPerCore int64 // 0 is as many as there are
}

// threads are those that a job uses of each core with t of them.
func (u coreUse) threads(t int64) int64 {
	if u.threadsPerCore > 0 {
		return min(t, u.threadsPerCore)
	}
	return t
}

// cores are how many a job needs for some tasks on a node whose cores have t threads.
func (u coreUse) cores(tasks, procsPerTask, t int64) int64 {
	t = u.threads(t)
	if u.tasksPerCore == 1 {
		return tasks * upTo(procsPerTask, t)
	}
	n := upTo(tasks*procsPerTask, t)
	if u.tasksPerCore > 0 {
		n = max(n, upTo(tasks, u.tasksPerCore))
	}
	return n
}

// upTo is n/by rounded up.
func upTo(n, by int64) int64 { return (n + by - 1) / by }

// usableOf is how many processors a job could use of the cores that are free on a node: procs of it are, and memMB.
func (p *planner) usableOf(w *want, i int32, procs, memMB int64) int64 {
	t := p.threads[i]
	if t == 1 {
		return procs
	}
	cores, used := procs/t, w.cores.threads(t)
	if s := p.in.Settings; s.Memory && s.Cores && w.memPerNode == 0 && w.memPerProc > 0 && !w.alone { // it has memory for all threads that it can use
		cores = min(cores, memMB/(w.memPerProc*used))
	}
	usable := cores * used
	switch k := w.cores.tasksPerCore; {
	case k == 1:
		usable = min(usable, cores/upTo(w.procsPerTask, used)*w.procsPerTask)
	case k > 0:
		usable = min(usable, cores*k*w.procsPerTask)
	}
	return usable
}

// rounded is what a job takes of a node of which it needs so many processors.
func (c *chooser) rounded(i int32, procs int64) int64 {
	if c.p.threads == nil || c.w.cores.tasksPerCore == 1 {
		return procs
	}
	used := c.w.cores.threads(c.p.threads[i])
	return min(c.procs[i], upTo(procs, used)*used)
}

// inCores makes of the processors that a job may use of each node the cores that it gets: its tasks are dealt out one a
// node, round by round (dist_tasks), and cores without tasks stay free.
func (c *chooser) inCores() []share {
	p, w := c.p, c.w
	if p.threads == nil {
		return c.chosen
	}
	order := make([]int, len(c.chosen))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(c.chosen[a].node, c.chosen[b].node) })
	each, left := w.procsPerTask, w.tasks
	if left == 0 {
		each, left = 1, w.procs
	}
	for dealt := true; dealt && left > 0; {
		dealt = false
		for _, k := range order {
			if s := &c.chosen[k]; left > 0 && (s.tasks+1)*each <= s.procs {
				s.tasks++
				left--
				dealt = true
			}
		}
	}
	for k := range c.chosen {
		s := &c.chosen[k]
		t := p.threads[s.node]
		s.tasks = max(s.tasks, 1)
		cores := w.cores.cores(s.tasks, each, t)
		if w.alone {
			cores = p.nodes[s.node].Capacity.Procs / t
		}
		s.procs, s.mem = cores*t, p.memOf(w.memPerProc, s.tasks*each, cores*w.cores.threads(t))
		if w.alone {
			s.mem = w.memPerProc * cores * w.cores.threads(t)
		}
	}
	return c.chosen
}

// occupied is what a running job takes of a node of which it is said to have so many processors, or so many tasks.
func (p *planner) occupied(r *backfill.Request, s backfill.Share, procs int64) int64 {
	t := p.threads[s.Node]
	if s.Procs == 0 {
		procs = coreUse{r.ThreadsPerCore, r.TasksPerCore}.cores(s.Tasks, max(1, r.PerTask.Procs), t) * t
	}
	return min(upTo(procs, t)*t, max(procs, p.nodes[s.Node].Capacity.Procs))
}

// counted are the processors that a job is said to have.
func (p *planner) counted(w *want, s *share) int64 {
	if s.tasks > 0 && !p.in.Settings.Cores && !w.alone {
		return s.tasks * w.procsPerTask
	}
	return s.procs
}

// askForCores makes of a request one for cores, for a planner that knows processors alone: of so many cores as hold its tasks, or as
// one task of it needs. Where the nodes that it may have differ, it is for those with the fewest threads. each is how many of its tasks
// one of the request is; 0 if it is one of the job and whatever processors it has.
func (p *planner) askForCores(r *backfill.Request, entries []int32) (each int64) {
	t := p.fewestThreads(entries)
	if t <= 1 {
		return 0
	}
	c, use := max(1, r.PerTask.Procs), coreUse{r.ThreadsPerCore, r.TasksPerCore}
	used := use.threads(t)
	if r.Sharing == backfill.SingleJob { // it has all cores, and may use some of their threads
		r.PerTask.Procs = upTo(c, used) * t
		if used == t {
			r.PerTask.Procs = c
		}
		return 0
	}
	each = max(1, tasksOfCore(use, c, used))
	if r.TasksPerNode > 0 { // as many cores on each node as hold its tasks
		each = r.TasksPerNode
	}
	cores := use.cores(each, c, t)
	if each > 1 {
		r.Tasks, r.TasksPerNode = max(upTo(r.Tasks, each), r.Nodes), upTo(r.TasksPerNode, each)
		r.PerTask.Gres = times(r.PerTask.Gres, each)
	}
	r.PerTask.MemMB, r.PerTask.Procs = p.memOf(upTo(r.PerTask.MemMB, c), each*c, cores*used), cores*t
	return each
}

// memOf is the memory of tasks that ask for so many processors, on cores with so many threads that they can use.
func (p *planner) memOf(memPerProc, asked, used int64) int64 {
	if p.in.Settings.Cores {
		return memPerProc * used
	}
	return memPerProc * asked
}

// fewestThreads are those of the cores of the nodes that entries may have.
func (p *planner) fewestThreads(entries []int32) int64 {
	if p.threads == nil || len(entries) == 0 {
		return 1
	}
	fewest := int64(0)
	for _, entry := range entries {
		fit := p.wantOf(entry).fit
		for i := fit.next(0); i >= 0; i = fit.next(i + 1) {
			if t := p.threads[i]; fewest == 0 || t < fewest {
				fewest = t
			}
		}
	}
	return max(1, fewest)
}

// tasksOfCore is how many tasks of so many processors are on a core of which so many threads are used.
func tasksOfCore(use coreUse, procs, used int64) int64 {
	each := used / procs
	if use.tasksPerCore > 0 {
		each = min(each, use.tasksPerCore)
	}
	if used%procs != 0 {
		return min(each, 1)
	}
	return each
}

func times(list []int64, n int64) []int64 {
	out := make([]int64, len(list))
	for k := range list {
		out[k] = list[k] * n
	}
	return out
}

// tasksOfCores are the shares of a request for cores as those of the job, of whose tasks each is so many.
func (p *planner) tasksOfCores(r *backfill.Request, each int64, shares []backfill.Share) []backfill.Share {
	if each == 0 {
		return shares
	}
	c, use, left := max(1, r.PerTask.Procs), coreUse{r.ThreadsPerCore, r.TasksPerCore}, max(r.Tasks, 1)
	out := slices.Clone(shares)
	for k := range out {
		s := &out[k]
		t := p.threads[s.Node]
		s.Tasks = max(1, min(s.Tasks*each, left-int64(len(out)-k-1)))
		left -= s.Tasks
		cores := use.cores(s.Tasks, c, t)
		if cores*t != s.Tasks*c {
			s.Procs = cores * t
		}
		if r.PerTask.MemMB > 0 {
			s.MemMB = p.memOf(upTo(r.PerTask.MemMB, c), s.Tasks*c, cores*use.threads(t))
		}
	}
	return out
}

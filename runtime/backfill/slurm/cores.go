package slurm

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Where the cores of a node have several threads that are processors each, select/cons_tres gives jobs cores, never
// threads of one core to two jobs: under CR_Core and CR_CPU alike (observed with 22.05). They differ in what a job is
// reported to have: under CR_Core all processors of its cores, under CR_CPU those that it asked for. A node with as
// many processors as cores has one thread a core here, whatever its ThreadsPerCore says (slurm.conf manual, CPUs).
// What is taken of a node is counted in processors of whole cores.

// threadsOf is how many processors a core of each node has; nil if none has more than one, nor a socket that is given
// whole more than one core.
func threadsOf(nodes []backfill.Node, sockets bool) (threads []int64) {
	for i := range nodes {
		if t := max(1, nodes[i].ThreadsPerCore); t > 1 || sockets && nodes[i].CoresPerSocket > 1 {
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

// usableOf is how many processors a job could use of the cores that are free on a node: procs of it are, and memMB.
func (p *planner) usableOf(w *want, i int32, procs, memMB int64) int64 {
	t := p.threads[i]
	if t == 1 {
		return procs
	}
	cores, used := procs/t, w.cores.Threads(t)
	// it has memory for all threads that it can use
	if s := p.in.Settings; s.Memory && s.Cores && w.memPerNode == 0 && w.memPerProc > 0 && !w.alone {
		cores = min(cores, memMB/(w.memPerProc*used))
	}
	usable := cores * used
	switch k := w.cores.TasksPerCore; {
	case k == 1:
		usable = min(usable, cores/backfill.UpTo(w.procsPerTask, used)*w.procsPerTask)
	case k > 0:
		usable = min(usable, cores*k*w.procsPerTask)
	}
	return usable
}

// onSockets is how many processors a node has for a job of few tasks on each socket: so many whole cores of each as
// hold these. Where jobs get sockets whole, all cores of a socket are free or none.
func (p *planner) onSockets(w *want, u *usage, i int32, free int64) int64 {
	sockets, cores, t := p.coresOf(i)
	if w.perSocket == 0 || w.alone || sockets == 0 {
		return free
	}
	most := backfill.UpTo(w.perSocket*w.procsPerTask, w.vpus(t))
	if u.spots == nil {
		if p.in.Settings.Sockets {
			sockets = free / (t * cores)
		}
		return min(free, sockets*min(cores, most)*t)
	}
	n := int64(0)
	for _, has := range p.freeOf(u, i) {
		n += min(has, most)
	}
	return min(free, n*t)
}

// vpus are the processors that a job uses of a core with t of them (common_cpus_per_core).
func (w *want) vpus(t int64) int64 {
	if k := w.cores.TasksPerCore; k > 0 {
		t = min(t, k*w.procsPerTask)
	}
	return w.cores.Threads(t)
}

// rounded is what a job takes of a node when it needs so many processors.
func (c *chooser) rounded(i int32, procs int64) int64 {
	if c.p.threads == nil || c.w.cores.TasksPerCore == 1 {
		return procs
	}
	used := c.w.cores.Threads(c.p.threads[i])
	return min(c.procs[i], backfill.UpTo(procs, used)*used)
}

// inCores makes of the processors that a job may use of each node the cores that it gets: its tasks are dealt out one a
// node, round by round (dist_tasks), and cores without tasks stay free.
func (c *chooser) inCores() []share {
	p, w := c.p, c.w
	if p.threads == nil {
		c.inTasks()
		return c.chosen
	}
	each := c.deal()
	for k := range c.chosen {
		s := &c.chosen[k]
		t := p.threads[s.node]
		s.tasks = max(s.tasks, 1)
		cores := w.cores.Cores(s.tasks, each, t)
		if w.alone {
			cores = p.nodes[s.node].Capacity.Procs / t
		} else if socket := p.nodes[s.node].CoresPerSocket; p.in.Settings.Sockets && socket > 1 {
			free := (p.nodes[s.node].Capacity.Procs - c.u.procs[s.node]) / (socket * t)
			cores = socketsOf(cores, socket, free, each) * socket
		}
		s.procs, s.mem = cores*t, p.memOf(w.memPerProc, s.tasks*each, cores*w.cores.Threads(t))
		if w.alone {
			s.mem = w.memPerProc * cores * w.cores.Threads(t)
		}
	}
	return c.chosen
}

// socketsOf is how many sockets a job gets whole for so many cores: they are dealt out one a socket, round by round,
// but for tasks of several processors, which fill one socket after the other (_cyclic_sync_core_bitmap; recorded:
// loopback-sockets).
func socketsOf(cores, socket, free, procsPerTask int64) int64 {
	if procsPerTask > 1 {
		return backfill.UpTo(cores, socket)
	}
	return max(min(cores, free), backfill.UpTo(cores, socket))
}

// deal deals out the tasks, one a node, round by round, and returns the processors of each.
func (c *chooser) deal() (each int64) {
	order := make([]int, len(c.chosen))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(c.chosen[a].node, c.chosen[b].node) })
	each, left := c.w.procsPerTask, c.w.tasks
	if all, _ := c.w.procsOfGres(int64(len(c.chosen))); left == 0 || all > left*each {
		each, left = 1, max(c.w.procs, all)
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
	return each
}

// inTasks leaves the job the processors of its tasks alone where it has got more, since it may have more nodes than it
// needs (recorded: loopback-tasks-dealt, job 5).
func (c *chooser) inTasks() {
	total := int64(0)
	for k := range c.chosen {
		total += c.chosen[k].procs
	}
	all, _ := c.w.procsOfGres(int64(len(c.chosen)))
	if c.w.alone || total <= max(c.w.procs, all) {
		return
	}
	each := c.deal()
	for k := range c.chosen {
		s := &c.chosen[k]
		s.procs, s.tasks = max(s.tasks, 1)*each, 0
	}
}

// counted are the processors that a job is reported to have.
func (p *planner) counted(w *want, s *share) int64 {
	if s.tasks > 0 && !p.in.Settings.Cores && !w.alone {
		return s.tasks * w.procsPerTask
	}
	return s.procs
}

// memOf is the memory of tasks that ask for so many processors, on cores with so many threads that they can use.
func (p *planner) memOf(memPerProc, asked, used int64) int64 {
	return backfill.MemOfCores(memPerProc, asked, used, p.in.Settings.Cores)
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

// tasksOfCores are the shares of a request for cores as those of the job, of whose tasks each is so many.
func (p *planner) tasksOfCores(r *backfill.Request, each int64, shares []backfill.Share) []backfill.Share {
	return r.OfCores(shares, each, p.in.Settings.Cores, func(node int32) int64 { return p.threads[node] })
}

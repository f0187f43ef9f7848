package slurm

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Generic resources are asked for on each node, for each task or for the whole job (--gres, --gpus-per-task, --gpus).
// Of the last kind nodes are taken until they have enough together (gres_sched_add; recorded: loopback-gres-job).

// gresFree are those of a kind that are free on a node.
func (p *planner) gresFree(u *usage, i int32, g int) int64 {
	return p.gresOf(i, g) - u.gres[int(i)*p.gresCount+g]
}

// wantsOf is how many of a kind the job could use on one node.
func (w *want) wantsOf(g int) (n int64) {
	if g < len(w.gres) {
		n += w.gres[g]
	}
	if g < len(w.gresPerTask) {
		n += max(1, w.tasks) * w.gresPerTask[g]
	}
	if g < len(w.gresOfJob) {
		n += w.gresOfJob[g]
	}
	return n
}

// withGres reads the processors that go with generic resources (--cpus-per-gpu). A job of one task is not kept to one
// node then: it is not known whether it asked for a task at all (recorded: loopback-gres-procs, job 14).
func (w *want) withGres(r *backfill.Request) {
	if w.procsPerGres = positive(r.ProcsPerGres); w.procsPerGres != nil && w.tasks <= 1 {
		w.tasks = 0
	}
}

// procsOfGres are the processors that go with the generic resources of a job on so many nodes, and of one of them
// (gres_select_util_job_min_cpus, gres_select_util_job_min_cpu_node).
func (w *want) procsOfGres(nodes int64) (all, node int64) {
	of := func(list []int64, g int) int64 {
		if g < len(list) {
			return list[g]
		}
		return 0
	}
	for g, each := range w.procsPerGres {
		if each == 0 {
			continue
		}
		perNode, perTask, ofJob := of(w.gres, g), of(w.gresPerTask, g), of(w.gresOfJob, g)
		switch {
		case perNode > 0:
			all, node = max(all, each*perNode*nodes), max(node, each*perNode)
		case perTask > 0:
			all, node = max(all, each*perTask*max(1, w.tasks)), max(node, each*perTask*w.perNode)
		case ofJob > 0:
			all, node = max(all, each*ofJob), max(node, each)
		}
	}
	return all, node
}

// takesOfGres is whether a node with so many processors for the job has any for generic resources, and enough for those
// that it asks for on each node or for each task (gres_select_filter_remove_unusable).
func (w *want) takesOfGres(procs int64) bool {
	for g, each := range w.procsPerGres {
		if each == 0 {
			continue
		}
		if most := procs / each; most == 0 || g < len(w.gres) && w.gres[g] > most ||
			g < len(w.gresPerTask) && w.gresPerTask[g] > most {
			return false
		}
	}
	return true
}

// gresWith are those of the whole job that it could have on a node that gives it so many processors.
func (c *chooser) gresWith(i int32, g int, procs int64) int64 {
	free := c.p.gresFree(c.u, i, g)
	if g < len(c.w.procsPerGres) && c.w.procsPerGres[g] > 0 {
		return min(free, procs/c.w.procsPerGres[g])
	}
	return free
}

// takeGres takes those of the whole job that a node has, and says how many processors go with them (gres_sched_add).
func (c *chooser) takeGres(i int32, procs int64) int64 {
	with := int64(0)
	for g := range c.gres {
		if c.w.gresOfJob[g] == 0 {
			continue
		}
		n := c.gresWith(i, g, procs)
		if c.gres[g] -= n; g < len(c.w.procsPerGres) {
			with = max(with, n*c.w.procsPerGres[g])
		}
	}
	if with > 0 {
		return with
	}
	return procs
}

// hasGres reports that the nodes chosen have all that is asked for the whole job.
func (c *chooser) hasGres() bool {
	for _, n := range c.gres {
		if n > 0 {
			return false
		}
	}
	return true
}

// gresOn reports that the candidates among some nodes have what is still needed of them.
func (c *chooser) gresOn(first, end int32) bool {
	for g, left := range c.gres {
		for i := first; i < end && left > 0; i++ {
			if c.procs[i] > 0 {
				left -= c.gresWith(i, g, c.procs[i])
			}
		}
		if left > 0 {
			return false
		}
	}
	return true
}

// spreadOfJob gives the nodes of a job, in their order, as many of those of the whole job as are free there, but leaves
// one for each node to come.
func (p *planner) spreadOfJob(shares []share, ofJob []int64) {
	if positive(ofJob) == nil {
		return
	}
	order, left := make([]int, len(shares)), slices.Clone(ofJob)
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(shares[a].node, shares[b].node) })
	for k, at := range order {
		s, after := &shares[at], int64(len(order)-k-1)
		if s.gres == nil {
			s.gres = make([]int64, p.gresCount)
		}
		for g := range left {
			n := max(0, min(left[g]-min(left[g], after), p.gresFree(p.use, s.node, g)))
			s.gres[g] += n
			left[g] -= n
		}
	}
}

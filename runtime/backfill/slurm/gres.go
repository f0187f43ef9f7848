package slurm

import (
	"cmp"
	"math"
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

// withGres asks for the processors that go with generic resources (--cpus-per-gpu). A job of one task is not kept to
// one node then: it is not known whether it asked for a task at all (recorded: loopback-gres-procs, job 14).
func (w *want) withGres(r *backfill.Request) {
	if w.procsPerGres = positive(r.ProcsPerGres); w.procsPerGres == nil {
		return
	}
	for g, each := range w.procsPerGres {
		n := int64(0)
		if g < len(w.gres) {
			n += w.gres[g] * w.nodesMin
		}
		if g < len(w.gresPerTask) {
			n += w.gresPerTask[g] * max(1, w.tasks)
		}
		if g < len(w.gresOfJob) {
			n += w.gresOfJob[g]
		}
		w.procs = max(w.procs, n*each)
	}
	if w.tasks <= 1 {
		w.tasks = 0
	}
}

// procsForGres is how many processors of a node the job could use for the generic resources that it could have there.
func (p *planner) procsForGres(w *want, u *usage, i int32) int64 {
	most := int64(math.MaxInt64)
	for g, each := range w.procsPerGres {
		if n := min(w.wantsOf(g), p.gresFree(u, i, g)); each > 0 && n > 0 {
			most = min(most, n*each)
		}
	}
	return most
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
				left -= c.p.gresFree(c.u, i, g)
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

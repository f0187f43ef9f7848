package backfill

import "slices"

// spreadOver is what generic resources of the whole job are counted with, and in how many parts: its nodes where it
// names them, else its tasks.
func (r *Request) spreadOver() (to *[]int64, parts int64) {
	if r.Nodes > 0 {
		return &r.PerNode.Gres, r.Nodes
	}
	return &r.PerTask.Gres, max(1, r.Tasks)
}

// SpreadGres counts the generic resources of the whole job with its nodes or its tasks, evenly.
func (r *Request) SpreadGres() {
	to, parts := r.spreadOver()
	*to = slices.Clone(*to)
	for len(*to) < len(r.JobGres) {
		*to = append(*to, 0)
	}
	for g, n := range r.JobGres {
		(*to)[g] += UpTo(n, parts)
	}
}

// StatedGres are those of each node and of each task without what SpreadGres has added.
func (r *Request) StatedGres() (perNode, perTask []int64) {
	stated := *r
	to, parts := stated.spreadOver()
	if len(r.JobGres) > 0 {
		*to = slices.Clone(*to)
	}
	for g, n := range r.JobGres {
		(*to)[g] -= UpTo(n, parts)
	}
	return stated.PerNode.Gres, stated.PerTask.Gres
}

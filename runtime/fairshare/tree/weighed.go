package tree

import "slices"

// Turn is a job as a pass comes by it, in the order of the controller's list of jobs.
type Turn struct {
	Node    int     // of the job's association; -1 for none
	Added   float64 // billing usage that the pass adds for the job
	Weighed bool    // the pass computes the job's priority, after it has added this
}

// Weighed is the billing usage by which classic factors go, by node, and All that of the root at the moment when a
// node's was read. A pass reads that of accounts when it begins, before decay and before it adds anything; that
// of a user when it comes to the user's first job to weigh, so that usage counts which it has added by then; that
// of users without such a job is read when somebody asks, after the pass (slurm.md §11.1 and §11.26; recorded:
// fs-classic-running, usage-running-classic).
type Weighed struct{ Usage, All []float64 }

// Weighed works out what the last pass read from what it found and what it left. Less than least is what prints
// round. Decay is left aside: it takes the same part of a node's usage and of the root's.
func (l *Ledger) Weighed(turns []Turn, least float64) *Weighed {
	w := &Weighed{Usage: slices.Clone(l.Before), All: make([]float64, l.Tree.Len())}
	after := l.Associations.Billing
	for node := range w.All {
		if w.All[node] = l.Before[0]; l.Tree.IsUser(node) {
			w.Usage[node], w.All[node] = after[node], after[0]
		}
	}
	rest := func(usage, later float64) float64 {
		if usage -= later; later > 0 && usage < least {
			return 0
		}
		return usage
	}
	later, all := map[int]float64{}, 0.0 // added for jobs that come later
	for _, turn := range slices.Backward(turns) {
		if turn.Node < 0 {
			continue
		}
		if turn.Weighed {
			w.Usage[turn.Node], w.All[turn.Node] = rest(after[turn.Node], later[turn.Node]), rest(after[0], all)
		}
		if turn.Added > 0 {
			later[turn.Node] += turn.Added
			all += turn.Added
		}
	}
	return w
}

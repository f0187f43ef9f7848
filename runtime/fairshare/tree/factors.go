package tree

// Factors are the columns of sshare, by node.
type Factors struct {
	Tree  *Tree
	Usage []float64 // what they were computed from
	All   []float64 // the root's usage when a node's was read; nil where all were read at once

	NormShares []float64
	Factor     []float64 // FairShare, what priorities take; accounts have one in the classic formula alone
}

// NormUsage is a node's part of all usage, at most 1 and 0 when there is none.
// Slurm leaves it out for the root.
func (f *Factors) NormUsage(node int) float64 { return normUsage(f.Usage[node], f.all(node)) }

func (f *Factors) all(node int) float64 {
	if f.All != nil {
		return f.All[node]
	}
	return f.Usage[0]
}

func normUsage(usage, all float64) float64 {
	if all == 0 {
		return 0
	}
	return min(usage/all, 1)
}

// reset takes over an input and makes room for it.
func (f *Factors) reset(t *Tree, usage []float64) {
	f.Tree, f.Usage, f.All = t, usage, nil
	f.Factor = resized(f.Factor, t.Len())
}

// resized is a slice of n elements whose values are of no matter.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

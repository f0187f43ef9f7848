package tree

import "slices"

// Path are the nodes through which one competes, from the first level down to the node
// itself: each competes below the one before it, the first below the root.
func (t *Tree) Path(node int) []int32 {
	var path []int32
	for i := int32(node); i > 0; i = t.FairshareParent[i] {
		path = append(path, i)
	}
	slices.Reverse(path)
	return path
}

// Parting is where the ways of two associations part.
type Parting struct {
	Level int   // in both paths
	A, B  int32 // the competitors through which the two go there
	Order int   // -1 when A is walked first and so has the better or an equal rank, 1 when B is
	Tied  bool  // equal levels: then users go before accounts, else tree order decides
}

// Part finds the level at which one association overtakes another. It is not
// ok when one is above the other, or both are the same. With MergeTies the
// ways of tied accounts go on as one, so A and B may belong to different accounts.
func (f *FairTree) Part(a, b int) (p Parting, ok bool) {
	pathA, pathB := f.Tree.Path(a), f.Tree.Path(b)
	for k := range min(len(pathA), len(pathB)) {
		x, y := pathA[k], pathB[k]
		if x == y {
			continue
		}
		ex, ey := f.entry(x), f.entry(y)
		p = Parting{Level: k, A: x, B: y, Order: f.compare(ex, ey), Tied: f.tied(ex, ey)}
		ok = true
		if !f.options.MergeTies || !p.Tied || !ex.account || !ey.account {
			break
		}
	}
	return p, ok
}

// Step is one level of an explanation.
type Step struct {
	Node           int32
	Shares         int64 // ParentShares when it has none of its own
	LevelShares    int64 // of all that compete at the level
	NormShares     float64
	Usage          float64
	NormUsage      float64
	EffectiveUsage float64
	LevelFS        float64 // Fair Tree only
}

// Steps go along a node's path.
func (f *FairTree) Steps(node int) []Step {
	steps := f.steps(node, f.EffectiveUsage)
	for k := range steps {
		steps[k].LevelFS = f.LevelFS[steps[k].Node]
	}
	return steps
}

// Steps go along a node's path.
func (c *Classic) Steps(node int) []Step { return c.steps(node, c.EffectiveUsage) }

func (f *Factors) steps(node int, effective func(int) float64) []Step {
	var steps []Step
	for _, i := range f.Tree.Path(node) {
		steps = append(steps, Step{
			Node: i, Shares: f.Tree.shares[i], LevelShares: f.Tree.LevelShares(int(i)),
			NormShares: f.NormShares[i], Usage: f.Usage[i], NormUsage: f.NormUsage(int(i)),
			EffectiveUsage: effective(int(i)),
		})
	}
	return steps
}

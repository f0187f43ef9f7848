package tree

import "math"

// level finds out who competes with whom, and for what part. It depends on the shares
// alone, so it is done once.
func (t *Tree) level() {
	n := t.Len()
	t.FairshareParent = make([]int32, n)
	t.first = make([]int32, n+1)
	t.below = make([]rival, n-1)
	t.shares, t.isUser = make([]int64, n), make([]bool, n)
	t.levelShares = make([]int64, n)
	t.FairshareParent[0] = -1
	for i := 1; i < n; i++ {
		t.shares[i], t.isUser[i] = t.Associations[i].Shares, t.Associations[i].User != ""
		p := t.Parent[i]
		if t.shares[p] == ParentShares {
			p = t.FairshareParent[p]
		}
		t.FairshareParent[i] = p
		t.first[p+1]++
		if t.shares[i] != ParentShares {
			t.levelShares[p] += t.shares[i]
		}
	}
	for p := range n {
		t.first[p+1] += t.first[p]
	}
	t.normalize()
	place := append([]int32(nil), t.first[:n]...)
	for i := 1; i < n; i++ {
		p := t.FairshareParent[i]
		t.below[place[p]] = t.rival(i)
		place[p]++
	}
}

// rival: a user with FairShare=parent has the best level, such an account is hollow, and
// without shares the level is the worst even without usage.
func (t *Tree) rival(i int) rival {
	r := rival{norm: t.levelNorm[i], node: int32(i), account: !t.isUser[i]}
	switch {
	case t.shares[i] == ParentShares && r.account:
		r.norm, r.fixed = HollowLevel, true
	case t.shares[i] == ParentShares:
		r.norm, r.fixed = math.Inf(1), true
	case r.norm == 0:
		r.fixed = true
	}
	return r
}

// normalize computes both kinds of normalised shares (assoc_mgr:
// assoc_mgr_normalize_assoc_shares). An association with FairShare=parent shows those of the
// level it competes at. The root has the whole machine, except in Fair Tree, where
// it has no competitors and shows 0.
func (t *Tree) normalize() {
	n := t.Len()
	t.levelNorm, t.classicNorm = make([]float64, n), make([]float64, n)
	t.classicNorm[0] = 1
	for i := 1; i < n; i++ {
		p := t.FairshareParent[i]
		if t.shares[i] == ParentShares {
			t.levelNorm[i], t.classicNorm[i] = t.levelNorm[p], t.classicNorm[p]
			continue
		}
		if t.levelShares[p] > 0 {
			t.levelNorm[i] = float64(t.shares[i]) / float64(t.levelShares[p])
		}
		// From the association upwards, as the plugin multiplies: the order decides
		// the last bit.
		t.classicNorm[i] = t.levelNorm[i]
		for up := p; up > 0; up = t.FairshareParent[up] {
			t.classicNorm[i] *= t.levelNorm[up]
		}
	}
}

// NormShares are the normalised shares by node: of the machine for the classic formula, else
// among siblings.
func (t *Tree) NormShares(classic bool) []float64 {
	if classic {
		return t.classicNorm
	}
	return t.levelNorm
}

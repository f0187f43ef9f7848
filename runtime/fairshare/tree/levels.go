package tree

// level finds out who competes, and for what part. It depends on the shares
// alone, so it is done once.
func (t *Tree) level() {
	n := t.Len()
	t.FairshareParent = make([]int32, n)
	t.shares, t.isUser = make([]int64, n), make([]bool, n)
	t.levelShares = make([]int64, n)
	t.FairshareParent[0] = -1
	t.accounts = []int32{0}
	for i := 1; i < n; i++ {
		t.shares[i], t.isUser[i] = t.Associations[i].Shares, t.Associations[i].User != ""
		if !t.isUser[i] {
			t.accounts = append(t.accounts, int32(i))
		}
		p := t.Parent[i]
		if t.shares[p] == ParentShares {
			p = t.FairshareParent[p]
		}
		t.FairshareParent[i] = p
		if t.shares[i] != ParentShares {
			t.levelShares[p] += t.shares[i]
		}
	}
	t.normalize()
	t.below = t.lineUp()
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

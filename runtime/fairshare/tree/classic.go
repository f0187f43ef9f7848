package tree

import "math"

// ClassicOptions are the settings of the classic formula.
type ClassicOptions struct {
	Damp           int64 // FairShareDampeningFactor; 0 is the default, 1
	DepthOblivious bool  // PriorityFlags=DEPTH_OBLIVIOUS
	FirstPass      bool  // the first pass after a start; see depthOblivious
}

// Classic is the formula 2^(−usage/shares), with shares of the machine and usage that
// takes part of what one's account has used (PriorityFlags=NO_FAIR_TREE). The zero
// value is ready; computing again re-uses its memory.
type Classic struct {
	Factors
	options  ClassicOptions
	used     []float64          // effective usage
	siblings []siblings         // by account, in the depth-oblivious variant
	extended map[int32]extended // effective usage of accounts, where it was asked for
}

// Compute takes billing usage, by node and finite, not negative; see Ledger.Before.
func (c *Classic) Compute(t *Tree, usage []float64, options ClassicOptions) {
	c.reset(t, usage)
	c.NormShares = t.classicNorm
	c.used = resized(c.used, t.Len())
	c.options = options
	clear(c.extended)
	if options.DepthOblivious {
		c.sumSiblings()
	}
	damp := float64(max(options.Damp, 1))
	for i := range t.Len() {
		if options.DepthOblivious {
			c.used[i] = c.depthOblivious(i)
		} else {
			c.used[i] = c.effective(i)
		}
		// An association with FairShare=parent takes the factor of the level it
		// competes at; below the root that is ½.
		at := i
		if i > 0 && t.shares[i] == ParentShares {
			at = int(t.FairshareParent[i])
		}
		c.Factor[i] = c.factor(at, damp)
	}
}

// EffectiveUsage is what the formula sets against shares; 1 for the root.
func (c *Classic) EffectiveUsage(node int) float64 { return c.used[node] }

// Shown is what sshare prints before 25.11, which works the formula out again from a
// row's own columns. Only below a root does it differ from Factor, for
// associations with FairShare=parent (observed in 22.05; 25.11 shows the factor that
// priorities take, and none for accounts).
func (c *Classic) Shown(node int) float64 {
	return c.factor(node, float64(max(c.options.Damp, 1)))
}

// effective usage is between one's own and one's part of the account's
// (priority_multifactor.c: _set_usage_efctv).
func (c *Classic) effective(i int) float64 {
	t := c.Tree
	p := t.FairshareParent[i]
	if p < 0 {
		return 1
	}
	used := normUsage(c.Usage[i], c.Usage[0])
	switch {
	case p == 0:
		return used
	case t.shares[i] == ParentShares, t.levelShares[p] == 0:
		return c.used[p]
	}
	return used + (c.used[p]-used)*float64(t.shares[i])/float64(t.levelShares[p])
}

// factor is 1 for nothing used, one half for just one's shares
// (priority_multifactor.c: priority_p_calc_fs_factor).
func (c *Classic) factor(i int, damp float64) float64 {
	shares := c.NormShares[i]
	if shares <= 0 {
		return 0
	}
	exponent := c.used[i] / shares / damp
	if n := math.Round(exponent); n >= 1 && math.Abs(exponent-n) < closeExponent*n && !c.options.DepthOblivious {
		// A factor of ½, ¼ … times a weight is an integer; a hair below, the priority
		// would be one less.
		exponent = c.extendedEffective(int32(i)).div(extend(shares)).div(extend(damp)).float64()
	}
	return math.Exp2(-exponent)
}

// closeExponent bounds the rounding errors of a deep tree.
const closeExponent = 1e-12

// extendedEffective is effective with the bits of a long double.
func (c *Classic) extendedEffective(i int32) extended {
	t := c.Tree
	p := t.FairshareParent[i]
	if p < 0 {
		return extend(1)
	}
	if known, ok := c.extended[i]; ok {
		return known
	}
	var used extended
	switch all := c.Usage[0]; {
	case c.Usage[i] < all:
		used = extend(c.Usage[i]).div(extend(all))
	case all > 0:
		used = extend(1)
	}
	switch {
	case p == 0:
		return used
	case t.shares[i] == ParentShares, t.levelShares[p] == 0:
		return c.extendedEffective(p)
	}
	rest := c.extendedEffective(p).add(used.neg())
	effective := used.add(rest.mul(extend(float64(t.shares[i]))).div(extend(float64(t.levelShares[p]))))
	if !t.isUser[i] {
		if c.extended == nil {
			c.extended = map[int32]extended{}
		}
		c.extended[i] = effective
	}
	return effective
}

package tree

import "math"

// ClassicOptions are the settings of the classic formula.
type ClassicOptions struct {
	Damp           int64 // FairShareDampeningFactor; 0 is the default, 1
	DepthOblivious bool  // PriorityFlags=DEPTH_OBLIVIOUS
	FirstPass      bool  // the first pass after a start; see depthOblivious

	All []float64 // see Weighed; nil where usage was read at once
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

// Compute takes billing usage, by node and finite, not negative; see Ledger.Before and Weighed.
func (c *Classic) Compute(t *Tree, usage []float64, options ClassicOptions) {
	c.reset(t, usage)
	c.All = options.All
	c.NormShares = t.classicNorm
	c.used = resized(c.used, t.Len())
	c.options = options
	clear(c.extended)
	if options.DepthOblivious {
		c.sumSiblings()
	}
	if options.DepthOblivious {
		for i := range t.Len() {
			c.used[i] = c.depthOblivious(i)
		}
	} else {
		c.computeEffective()
	}
	c.computeFactors()
}

// computeFactors: an association with FairShare=parent takes the factor of the level it competes at; below the
// root that is ½.
func (c *Classic) computeFactors() {
	damp := c.damp()
	factors, shares := c.Factor, c.Tree.shares[:len(c.Factor)]
	factors[0] = c.factor(0, damp)
	for i := 1; i < len(factors); i++ {
		if shares[i] == ParentShares {
			factors[i] = factors[c.Tree.FairshareParent[i]]
		} else {
			factors[i] = c.factor(i, damp)
		}
	}
}

func (c *Classic) damp() float64 { return float64(max(c.options.Damp, 1)) }

// EffectiveUsage is what the formula sets against shares; 1 for the root.
func (c *Classic) EffectiveUsage(node int) float64 { return c.used[node] }

// Shown is what sshare prints before 25.11, which works the formula out again from a
// row's own columns. Only below a root does it differ from Factor, for
// associations with FairShare=parent (observed in 22.05; 25.11 shows the factor that
// priorities take, and none for accounts).
func (c *Classic) Shown(node int) float64 {
	return c.factor(node, c.damp())
}

// computeEffective: effective usage is between one's own and one's part of the account's
// (priority_multifactor.c: _set_usage_efctv).
func (c *Classic) computeEffective() {
	t, effective := c.Tree, c.used
	n := t.Len()
	shares, parent := t.shares[:n], t.FairshareParent[:n]
	effective[0] = 1
	for i := 1; i < n; i++ {
		used, p := c.NormUsage(i), parent[i]
		switch {
		case p == 0:
		case shares[i] == ParentShares, t.levelShares[p] == 0:
			used = effective[p]
		default:
			used += float64((effective[p]-used)*float64(shares[i])) / float64(t.levelShares[p])
		}
		effective[i] = used
	}
}

// factor is 1 for nothing used, one half for just one's shares
// (priority_multifactor.c: priority_p_calc_fs_factor).
func (c *Classic) factor(i int, damp float64) float64 {
	shares := c.NormShares[i]
	if shares <= 0 {
		return 0
	}
	exponent := c.used[i] / shares
	if damp != 1 {
		exponent /= damp
	}
	if exponent > maxHalvings {
		return math.Exp2(-exponent)
	}
	n := float64(int(exponent + 0.5))
	if n >= 1 && math.Abs(exponent-n) < closeExponent*n && !c.options.DepthOblivious {
		// A factor of ½, ¼ … times a weight is an integer; a hair below, the priority
		// would be one less.
		exponent = c.extendedEffective(int32(i)).div(extend(shares)).div(extend(damp)).float64()
	}
	return halved(exponent)
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
	switch all := c.all(int(i)); {
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

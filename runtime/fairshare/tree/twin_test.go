package tree

import (
	"math"
	"math/big"
	"sort"
)

// The twin says what the manual pages and the reference say, one association at a
// time: pointers, recursion, and arbitrary-precision numbers cut to the 64 bits of a
// long double. It is slow and obvious; Tree, FairTree and Classic must equal it.
type twin struct {
	row       int
	user      bool
	shares    int64
	usage     *big.Float
	parent    *twin
	children  []*twin // by account
	rivals    []*twin // fairshare children
	norm      float64 // Fair Tree
	level     *big.Float
	effective *big.Float // classic
	classic   float64
	rank      int
}

type twinTree struct {
	root  *twin
	all   []*twin // by row
	users int
}

func long(x float64) *big.Float { return new(big.Float).SetPrec(64).SetFloat64(x) }

func zeroLong() *big.Float { return new(big.Float).SetPrec(64) }

// newTwin builds a tree from rows that New accepts; users' usage is by row.
func newTwin(rows []Association, usage []float64) *twinTree {
	t := &twinTree{}
	accounts := map[string]*twin{}
	for i, a := range rows {
		x := &twin{row: i, user: a.User != "", shares: a.Shares, usage: zeroLong()}
		t.all = append(t.all, x)
		if !x.user {
			accounts[a.Account] = x
		} else {
			t.users++
		}
	}
	for i, a := range rows {
		x := t.all[i]
		switch {
		case x.user:
			x.parent = accounts[a.Account]
		case a.Parent != "":
			x.parent = accounts[a.Parent]
		default:
			t.root = x
			x.shares = 0
			continue
		}
		x.parent.children = append(x.parent.children, x)
	}
	// Usage of a user counts for every account above.
	for i, x := range t.all {
		if x.user {
			for up := x; up != nil; up = up.parent {
				up.usage.Add(up.usage, long(usage[i]))
			}
		}
	}
	t.root.compete()
	t.root.share()
	return t
}

func (x *twin) fairshareParent() *twin {
	up := x.parent
	for up != nil && up.shares == ParentShares {
		up = up.parent
	}
	return up
}

func (x *twin) compete() {
	for _, c := range x.children {
		up := c.fairshareParent()
		up.rivals = append(up.rivals, c)
		c.compete()
	}
}

func (x *twin) levelShares() (sum int64) {
	for _, r := range x.fairshareParent().rivals {
		if r.shares != ParentShares {
			sum += r.shares
		}
	}
	return sum
}

func (x *twin) share() {
	up := x.fairshareParent()
	switch {
	case up == nil:
		x.classic = 1
	case x.shares == ParentShares:
		x.norm, x.classic = up.norm, up.classic
	default:
		if sum := x.levelShares(); sum > 0 {
			x.norm = float64(x.shares) / float64(sum)
		}
		x.classic = 1
		for y := x; y.parent != nil; y = y.parent {
			if y.shares != ParentShares {
				x.classic *= y.norm
			}
		}
	}
	for _, c := range x.children {
		c.share()
	}
}

// fairTree ranks as the page on Fair Tree says, with its steps as implemented.
func (t *twinTree) fairTree(merge bool) {
	for _, x := range t.all {
		if x != t.root {
			x.setLevel()
		}
	}
	w := &twinWalk{merge: merge, rank: t.users, next: t.users}
	w.level(t.root.rivals, false)
}

func (x *twin) setLevel() {
	switch above := x.fairshareParent().usage; {
	case x.shares == ParentShares && x.user:
		x.level = zeroLong().SetInf(false)
	case x.shares == ParentShares:
		x.level = long(HollowLevel)
	case x.norm == 0:
		x.level = zeroLong()
	case x.usage.Sign() == 0:
		x.level = zeroLong().SetInf(false)
	default:
		part := zeroLong().Quo(x.usage, above)
		x.level = zeroLong().Quo(long(x.norm), part)
	}
}

type twinWalk struct {
	merge      bool
	rank, next int
}

func (w *twinWalk) level(siblings []*twin, tied bool) {
	sorted := append([]*twin(nil), siblings...)
	sort.SliceStable(sorted, func(i, j int) bool {
		if c := sorted[i].level.Cmp(sorted[j].level); c != 0 {
			return c > 0
		}
		return sorted[i].user && !sorted[j].user
	})
	for i := 0; i < len(sorted); i++ {
		x := sorted[i]
		if i > 0 {
			tied = sorted[i-1].level.Cmp(x.level) == 0
		}
		if x.user {
			if !tied {
				w.rank = w.next
			}
			x.rank = w.rank
			w.next--
			continue
		}
		children := append([]*twin(nil), x.rivals...)
		for w.merge && i+1 < len(sorted) && sorted[i+1].level.Cmp(x.level) == 0 {
			i++
			children = append(children, sorted[i].rivals...)
		}
		w.level(children, tied)
	}
}

// classicEffective is the classic page's effective usage.
func (t *twinTree) classicEffective() { t.root.setEffective(t.root.usage) }

func (x *twin) setEffective(all *big.Float) {
	up := x.fairshareParent()
	part := zeroLong()
	if all.Sign() > 0 {
		part.Quo(x.usage, all)
	}
	switch {
	case up == nil:
		x.effective = long(1)
	case up.parent == nil:
		x.effective = part
	case x.shares == ParentShares || x.levelShares() == 0:
		x.effective = up.effective
	default:
		share := zeroLong().Sub(up.effective, part)
		share.Mul(share, long(float64(x.shares)))
		share.Quo(share, long(float64(x.levelShares())))
		x.effective = share.Add(part, share)
	}
	for _, c := range x.children {
		c.setEffective(all)
	}
}

func (x *twin) classicFactor(damp int64) float64 {
	if x.shares == ParentShares {
		x = x.fairshareParent()
	}
	if x.classic <= 0 {
		return 0
	}
	e := zeroLong().Quo(x.effective, long(x.classic))
	e.Quo(e, long(float64(damp)))
	exponent, _ := e.Float64()
	return math.Pow(2, -exponent)
}

package tree

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// randomTree draws rows in random order and users' usage by row. Shares and usages
// are few and small, so that there are ties, exact and nearly so; sums of usage are exact.
func randomTree(t *rapid.T) (rows []Association, usage []float64) {
	shares := rapid.SampledFrom([]int64{0, 1, 1, 2, 3, 7, 10, 40, 50, ParentShares})
	used := rapid.SampledFrom([]float64{0, 0, 1, 2, 3, 7, 10, 20, 25, 70, 333333.25, 1e9})
	accounts := []string{"root"}
	rows = []Association{{Account: "root", Shares: shares.Draw(t, "shares of root")}}
	for i := range rapid.IntRange(0, 9).Draw(t, "accounts") {
		name := "a" + strconv.Itoa(i)
		above := rapid.SampledFrom(accounts).Draw(t, "above")
		rows = append(rows, Association{Account: name, Parent: above, Shares: shares.Draw(t, "shares")})
		accounts = append(accounts, name)
	}
	for i := range rapid.IntRange(0, 40).Draw(t, "users") {
		rows = append(rows, Association{
			Account: rapid.SampledFrom(accounts).Draw(t, "account"), User: "u" + strconv.Itoa(i/2),
			Partition: strconv.Itoa(i % 2), Shares: shares.Draw(t, "shares"),
		})
	}
	usage = make([]float64, len(rows))
	rows = rapid.Permutation(rows).Draw(t, "order")
	for i, a := range rows {
		usage[i] = Unstated
		if a.User != "" {
			usage[i] = used.Draw(t, "usage")
		}
	}
	return rows, usage
}

func build(t rapid.TB, rows []Association, usage []float64) (*Tree, []float64) {
	tree, diags := New(rows)
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	column, diags := tree.Load(usage)
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	return tree, column
}

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b))
}

func TestFairTreeEqualsTwin(t *testing.T) {
	var f FairTree // used again and again
	draws.Check(t, func(t *rapid.T) {
		rows, usage := randomTree(t)
		tree, column := build(t, rows, usage)
		slow := newTwin(rows, usage)
		merge := rapid.Bool().Draw(t, "merge")
		slow.fairTree(merge)
		f.Compute(tree, column, FairTreeOptions{MergeTies: merge})
		for row, x := range slow.all {
			node := tree.Node(row)
			if f.Rank(node) != x.rank || f.NormShares[node] != x.norm {
				t.Errorf("%s: rank %d, shares %v; twin %d, %v", label(&rows[row]), f.Rank(node), f.NormShares[node], x.rank, x.norm)
			}
			if x == slow.root {
				continue
			}
			if level, _ := x.level.Float64(); !near(f.LevelFS[node], level) {
				t.Errorf("%s: level %v, twin %v", label(&rows[row]), f.LevelFS[node], level)
			}
			if x.user && f.Factor[node] != float64(x.rank)/float64(slow.users) {
				t.Errorf("%s: factor %v", label(&rows[row]), f.Factor[node])
			}
		}
	})
}

func TestClassicEqualsTwin(t *testing.T) {
	var c Classic
	exact := 0
	draws.Check(t, func(t *rapid.T) {
		rows, usage := randomTree(t)
		tree, column := build(t, rows, usage)
		slow := newTwin(rows, usage)
		slow.classicEffective()
		damp := rapid.SampledFrom([]int64{1, 2, 5}).Draw(t, "damp")
		c.Compute(tree, column, ClassicOptions{Damp: damp})
		for row, x := range slow.all {
			node := tree.Node(row)
			effective, _ := x.effective.Float64()
			if c.NormShares[node] != x.classic || !(math.Abs(c.EffectiveUsage(node)-effective) < 1e-12) {
				t.Errorf("%s: shares %v, effective usage %v; twin %v, %v", label(&rows[row]), c.NormShares[node],
					c.EffectiveUsage(node), x.classic, effective)
			}
			want := x.classicFactor(damp)
			if fraction, _ := math.Frexp(want); want > 0x1p-64 && want < 1 && fraction == 0.5 { // weights have 32 bits
				exact++
				if c.Factor[node] != want {
					t.Errorf("%s: factor %v should be exactly %v", label(&rows[row]), c.Factor[node], want)
				}
			}
			if !(math.Abs(c.Factor[node]-want) < 1e-10) {
				t.Errorf("%s: factor %v, twin %v", label(&rows[row]), c.Factor[node], want)
			}
		}
	})
	if exact == 0 {
		t.Error("no factor was a power of two")
	}
}

// Every way that users can be told apart by their accounts tells their ranks apart.
func TestRanksFollowLevels(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		rows, usage := randomTree(t)
		tree, column := build(t, rows, usage)
		var f FairTree
		f.Compute(tree, column, FairTreeOptions{MergeTies: rapid.Bool().Draw(t, "merge")})
		empty := tree.emptyAccounts()
		seen := map[int]bool{}
		for a := range tree.Len() {
			if !tree.IsUser(a) {
				continue
			}
			seen[f.Rank(a)] = true
			if f.Rank(a) < 1 || f.Rank(a) > tree.Users || f.Factor[a] <= 0 || f.Factor[a] > 1 {
				t.Errorf("rank %d, factor %v of %d users", f.Rank(a), f.Factor[a], tree.Users)
			}
			for b := range tree.Len() {
				if a == b || !tree.IsUser(b) {
					continue
				}
				p, ok := f.Part(a, b)
				if !ok {
					t.Fatalf("%d and %d never part", a, b)
				}
				q, _ := f.Part(b, a)
				if q != (Parting{p.Level, p.B, p.A, -p.Order, p.Tied}) {
					t.Errorf("%v one way, %v the other", p, q)
				}
				// An empty account breaks a chain of ties, or hands on one of its own.
				if p.Order < 0 && (f.Rank(a) < f.Rank(b) || f.Rank(a) == f.Rank(b) && !p.Tied && !empty) {
					t.Errorf("%s parts before %s but has rank %d, not above %d", label(&tree.Associations[a]),
						label(&tree.Associations[b]), f.Rank(a), f.Rank(b))
				}
			}
		}
		if tree.Users > 0 && !seen[tree.Users] {
			t.Errorf("nobody has the best of %d ranks", tree.Users)
		}
	})
}

func (t *Tree) emptyAccounts() bool {
	for i := range t.Len() {
		if !t.IsUser(i) && len(t.FairshareChildren(i)) == 0 {
			return true
		}
	}
	return false
}

// ranks are factors by name.
func ranks(t rapid.TB, rows []Association, usage []float64, options FairTreeOptions) map[string]float64 {
	tree, column := build(t, rows, usage)
	var f FairTree
	f.Compute(tree, column, options)
	out := map[string]float64{}
	for i := range tree.Len() {
		out[label(&tree.Associations[i])] = f.Factor[i]
	}
	return out
}

// With ties merged, the order of rows does not matter; as implemented it decides
// between tied accounts alone.
func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		rows, usage := randomTree(t)
		order := rapid.Permutation(numbers(len(rows))).Draw(t, "permutation")
		var rows2 []Association
		var usage2 []float64
		for _, i := range order {
			rows2, usage2 = append(rows2, rows[i]), append(usage2, usage[i])
		}
		tree, column := build(t, rows, usage)
		var f FairTree
		f.Compute(tree, column, FairTreeOptions{})
		merge := FairTreeOptions{MergeTies: f.tiedAnywhere()}
		want, got := ranks(t, rows, usage, merge), ranks(t, rows2, usage2, merge)
		for name, factor := range want {
			if got[name] != factor {
				t.Errorf("%s: %v, and %v in another order", name, factor, got[name])
			}
		}
	})
}

func (f *FairTree) tiedAnywhere() bool {
	for p := range f.Tree.Len() {
		rivals := f.Tree.FairshareChildren(p)
		for i, a := range rivals {
			for _, b := range rivals[:i] {
				if x, y := f.entry(a), f.entry(b); x.account && y.account && f.tied(x, y) {
					return true
				}
			}
		}
	}
	return false
}

func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// Twice the usage everywhere changes nothing but usage.
func TestScaleOfUsageDoesNotMatter(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		rows, usage := randomTree(t)
		scaled := slices.Clone(usage)
		scale := math.Ldexp(1, rapid.IntRange(-30, 30).Draw(t, "power"))
		for i := range scaled {
			scaled[i] *= scale
		}
		tree, a := build(t, rows, usage)
		_, b := build(t, rows, scaled)
		var one, two FairTree
		one.Compute(tree, a, FairTreeOptions{})
		two.Compute(tree, b, FairTreeOptions{})
		for _, options := range []ClassicOptions{{}, {DepthOblivious: true}, {DepthOblivious: true, FirstPass: true}} {
			var c, d Classic
			c.Compute(tree, a, options)
			d.Compute(tree, b, options)
			for i := range tree.Len() {
				if c.Factor[i] != d.Factor[i] || c.EffectiveUsage(i) != d.EffectiveUsage(i) {
					t.Errorf("%v: factor %v and %v", options, c.Factor[i], d.Factor[i])
				}
				if !(c.Factor[i] >= 0 && c.Factor[i] <= 1) {
					t.Errorf("%v: factor %v", options, c.Factor[i])
				}
			}
		}
		if !slices.Equal(one.Factor, two.Factor) || !slices.Equal(one.LevelFS, two.LevelFS) {
			t.Errorf("factors %v and %v", one.Factor, two.Factor)
		}
	})
}

// Whoever uses more is not better off among siblings, whatever happens elsewhere.
func TestMoreUsageIsNoBetter(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		rows, usage := randomTree(t)
		who := rapid.IntRange(0, len(rows)-1).Draw(t, "who")
		if rows[who].User == "" {
			return
		}
		more := slices.Clone(usage)
		more[who] += 5
		tree, a := build(t, rows, usage)
		_, b := build(t, rows, more)
		var one, two Classic
		one.Compute(tree, a, ClassicOptions{})
		two.Compute(tree, b, ClassicOptions{})
		node := tree.Node(who)
		if two.Factor[node] > one.Factor[node]+1e-12 {
			t.Error(fmt.Sprintf("factor %v, with more usage %v", one.Factor[node], two.Factor[node]))
		}
	})
}

package tree

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"syscall"
	"testing"
)

// machine is a large site: 10,000 accounts up to fifteen levels deep with 100,000
// users, a third of whom have used nothing lately.
func machine() (*Tree, []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	rows := []Association{{Account: "root"}}
	level := []int{0}
	for i := 1; i <= 10_000; i++ {
		above := r.IntN(len(rows))
		for level[above] >= 15 {
			above = r.IntN(len(rows))
		}
		rows = append(rows, Association{Account: "a" + strconv.Itoa(i), Parent: rows[above].Account,
			Shares: 1 + r.Int64N(100)})
		level = append(level, level[above]+1)
	}
	usage := make([]float64, len(rows), 110_001)
	for i := range usage {
		usage[i] = Unstated
	}
	for i := range 100_000 {
		rows = append(rows, Association{Account: rows[1+r.IntN(10_000)].Account, User: strconv.Itoa(i),
			Shares: 1 + r.Int64N(3)})
		used := 0.0
		if r.IntN(3) > 0 {
			used = math.Exp(10 * r.Float64())
		}
		usage = append(usage, used)
	}
	tree, _ := New(rows)
	column, _ := tree.Load(usage)
	return tree, column
}

// pointers is Fair Tree as one would write it: an object for each association, made in
// the order of the rows, and a sorted list of its children at each level.
type pointers struct {
	user     bool
	shares   float64
	usage    float64
	level    float64
	factor   float64
	children []*pointers
}

// newPointers returns the objects by node.
func newPointers(t *Tree, usage []float64) []*pointers {
	all := make([]*pointers, t.Len())
	for row := range t.Len() {
		i := t.Node(row)
		all[i] = &pointers{user: t.IsUser(i), shares: float64(t.shares[i]), usage: usage[i]}
	}
	for i := 1; i < t.Len(); i++ {
		p := all[t.Parent[i]]
		p.children = append(p.children, all[i])
	}
	return all
}

type pointerWalk struct{ users, rank, next int }

func (w *pointerWalk) level(p *pointers, tied bool) {
	sum := 0.0
	for _, c := range p.children {
		sum += c.shares
	}
	for _, c := range p.children {
		if c.usage == 0 {
			c.level = math.Inf(1)
		} else {
			c.level = c.shares / sum / (c.usage / p.usage)
		}
	}
	sorted := slices.Clone(p.children)
	slices.SortStableFunc(sorted, func(a, b *pointers) int {
		switch {
		case a.level > b.level, a.level == b.level && a.user && !b.user:
			return -1
		case a.level < b.level, a.user != b.user:
			return 1
		}
		return 0
	})
	for i, c := range sorted {
		if i > 0 {
			tied = sorted[i-1].level == c.level
		}
		if !c.user {
			w.level(c, tied)
			continue
		}
		if !tied {
			w.rank = w.next
		}
		c.factor = float64(w.rank) / float64(w.users)
		w.next--
	}
}

// perProcessor reports processor time beside the time on the clock, which
// depends on what else the machine does.
func perProcessor(b *testing.B, run func()) {
	var before, after syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	n := 0
	for b.Loop() {
		run()
		n++
	}
	syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	b.ReportMetric(float64(after.Utime.Nano()-before.Utime.Nano())/float64(n), "cpu-ns/op")
}

// BenchmarkFairTree: goal F1.
func BenchmarkFairTree(b *testing.B) {
	tree, usage := machine()
	all := newPointers(tree, usage)
	var f FairTree
	b.Run("columns", func(b *testing.B) {
		perProcessor(b, func() { f.Compute(tree, usage, FairTreeOptions{}) })
	})
	b.Run("pointers", func(b *testing.B) {
		perProcessor(b, func() {
			w := pointerWalk{tree.Users, tree.Users, tree.Users}
			w.level(all[0], false)
		})
	})
	for i, x := range all {
		if len(f.Factor) > 0 && x.user && x.factor > 0 && x.factor != f.Factor[i] {
			b.Fatalf("node %d has %v and %v", i, f.Factor[i], x.factor)
		}
	}
}

// BenchmarkOneLevel: all users below one account.
func BenchmarkOneLevel(b *testing.B) {
	tree, usage := machine()
	rows := []Association{{Account: "root"}}
	used := []float64{Unstated}
	for i := range tree.Len() {
		if tree.IsUser(i) {
			a := tree.Associations[i]
			a.Account = "root"
			rows, used = append(rows, a), append(used, usage[i])
		}
	}
	flat, _ := New(rows)
	column, _ := flat.Load(used)
	var f FairTree
	perProcessor(b, func() { f.Compute(flat, column, FairTreeOptions{}) })
}

func BenchmarkClassic(b *testing.B) {
	tree, usage := machine()
	var c Classic
	perProcessor(b, func() { c.Compute(tree, usage, ClassicOptions{}) })
}

func BenchmarkRollUp(b *testing.B) {
	tree, usage := machine()
	for b.Loop() {
		tree.RollUp(usage)
	}
}

func BenchmarkNew(b *testing.B) {
	tree, _ := machine()
	for b.Loop() {
		New(tree.Associations)
	}
}

package tree

import (
	"encoding/binary"
	"math"
	"testing"
)

// FuzzTree: whatever rows and usage, what has no place is reported, and what is computed
// from the rest stays within its bounds.
func FuzzTree(f *testing.F) {
	f.Add([]byte{0})
	f.Add([]byte("\x00\x00\x01\x05abcdefgh\x01\x02\x03\x04ijklmnop\x02\x01\x02\x00qrstuvwx"))
	f.Add([]byte("a circle of accounts, and users below it who use what there is to use of all that"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, usage := fuzzed(data)
		tree, diags := New(rows)
		if tree == nil {
			if !diags.HasErrors() {
				t.Fatal("no tree, and nothing said")
			}
			return
		}
		placed := 0
		for row := range rows {
			if tree.Node(row) >= 0 {
				placed++
			}
		}
		if placed != tree.Len() || placed < len(rows) && !diags.HasErrors() {
			t.Fatalf("%d of %d rows in a tree of %d, %d findings", placed, len(rows), tree.Len(), len(diags))
		}
		column, diags := tree.Load(usage)
		for _, d := range diags {
			if d.Code != "tree-bad-usage" && d.Code != "tree-usage-too-small" && d.Code != "tree-more-findings" {
				t.Fatal(d)
			}
		}
		checkBounds(t, tree, column)
	})
}

func checkBounds(t *testing.T, tree *Tree, column []float64) {
	for _, merge := range []bool{false, true} {
		var f FairTree
		f.Compute(tree, column, FairTreeOptions{MergeTies: merge})
		ranked := 0
		for i := range tree.Len() {
			if tree.IsUser(i) {
				ranked++
			}
			if tree.IsUser(i) != (f.Rank(i) > 0) || f.Rank(i) > tree.Users || !(f.Factor[i] >= 0 && f.Factor[i] <= 1) {
				t.Fatalf("rank %d, factor %v of %d users", f.Rank(i), f.Factor[i], tree.Users)
			}
			if len(f.Steps(i)) != len(tree.Path(i)) {
				t.Fatal("steps leave the path")
			}
		}
		if ranked != tree.Users {
			t.Fatalf("%d users ranked of %d", ranked, tree.Users)
		}
	}
	for _, options := range []ClassicOptions{{}, {Damp: 3}, {DepthOblivious: true},
		{DepthOblivious: true, FirstPass: true}} {
		var c Classic
		c.Compute(tree, column, options)
		for i := range tree.Len() {
			if !(c.Factor[i] >= 0 && c.Factor[i] <= 1) || !(c.Shown(i) >= 0 && c.Shown(i) <= 1) {
				t.Fatalf("%v: factor %v with usage %v of %v", options, c.Factor[i], column[i], column[0])
			}
		}
	}
}

// fuzzed makes rows of twelve bytes each: who, where, shares, usage.
func fuzzed(data []byte) (rows []Association, usage []float64) {
	rows, usage = append(rows, Association{Account: "a"}), append(usage, Unstated)
	for ; len(data) >= 12; data = data[12:] {
		a := Association{Account: string('a' + rune(data[0]%16))}
		above := string('a' + rune(data[1]%16))
		if data[2]&1 == 1 {
			a.User = string('A' + rune(data[0]/16))
			a.Partition = string('p' + rune(data[1]/64))
		} else if data[2]&2 == 0 {
			a.Parent = above
		}
		switch a.Shares = int64(int8(data[3])); {
		case data[2]&4 != 0:
			a.Shares = ParentShares
		case data[2]&8 != 0:
			a.Shares <<= 26
		}
		used := float64(data[4])
		if data[2]&16 != 0 {
			used = math.Float64frombits(binary.LittleEndian.Uint64(data[4:]))
		}
		rows, usage = append(rows, a), append(usage, used)
	}
	return rows, usage
}

package tree

import (
	"github.com/fairway-sched/fairway/lang/diag"
)

// New puts associations, in any order, into a tree. A row that has no place in it is
// reported and left out with all that is below; without a root there is no tree, and
// the result is nil.
func New(rows []Association) (*Tree, diag.List) {
	b := &builder{rows: rows, accounts: map[string]int32{}}
	b.diags = diag.Bounded{Max: maxFindings, Code: "tree-more-findings"}
	b.index()
	if b.root < 0 {
		b.diags.Errorf("tree-no-root", rowSpan(rows), "the tree has no account at the top").
			Note("one account, called root in Slurm, has no account above it")
		return nil, b.diags.List()
	}
	b.link()
	b.walk()
	b.leftOut()
	b.tree.level()
	return b.tree, b.diags.List()
}

type builder struct {
	rows     []Association
	accounts map[string]int32 // row of each account
	root     int32
	bad      []bool  // row is left out, and that is reported
	next     []int32 // next sibling's row, or -1
	head     []int32 // first child's row, or -1
	tree     *Tree
	diags    diag.Bounded
}

// index finds accounts by name and refuses rows that cannot stand for themselves.
func (b *builder) index() {
	b.root = -1
	b.bad = make([]bool, len(b.rows))
	users := make(map[[3]string]int32, len(b.rows))
	for i := range b.rows {
		a, row := &b.rows[i], int32(i)
		if a.Shares < 0 || a.Shares > maxShares {
			b.refuse(row, "tree-bad-shares", "%s has %d shares", label(a), a.Shares).
				Note("shares are 0 to %d, or parent", maxShares)
			continue
		}
		if a.User != "" {
			key := [3]string{a.Account, a.User, a.Partition}
			if first, ok := users[key]; ok {
				b.repeated(row, first)
			} else {
				users[key] = row
			}
			continue
		}
		first, ok := b.accounts[a.Account]
		switch {
		case ok:
			b.repeated(row, first)
		case a.Parent == "" && b.root >= 0:
			b.refuse(row, "tree-second-root", "%s has no account above it, but neither has %s", label(a),
				label(&b.rows[b.root])).
				Note("say which account it belongs to; only the root of the tree has none")
		default:
			b.accounts[a.Account] = row
			if a.Parent == "" {
				b.root = row
			}
		}
	}
}

// link strings the rows below each account together, in row order.
func (b *builder) link() {
	b.next, b.head = make([]int32, len(b.rows)), make([]int32, len(b.rows))
	for i := range b.head {
		b.head[i] = -1
	}
	for row := int32(len(b.rows)) - 1; row >= 0; row-- {
		if b.bad[row] || row == b.root {
			continue
		}
		a := &b.rows[row]
		above := a.Parent
		if a.User != "" {
			above = a.Account
		}
		parent, ok := b.accounts[above]
		if !ok {
			d := b.refuse(row, "tree-unknown-parent", "%s belongs to account %q, which the tree does not have", label(a), above)
			if d != nil { // else the search is not worth its time
				d.Note("the row is left out with what is below it; give the account's own row too").
					DidYouMean(a.Span, above, b.names(above))
			}
			continue
		}
		b.next[row] = b.head[parent]
		b.head[parent] = row
	}
}

// walk numbers the nodes in tree order.
func (b *builder) walk() {
	t := &Tree{node: make([]int32, len(b.rows))}
	for i := range t.node {
		t.node[i] = -1
	}
	type step struct{ row, parent int32 }
	stack := []step{{b.root, -1}}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s.row < 0 {
			continue
		}
		node, depth := int32(len(t.Row)), int32(0)
		if s.parent >= 0 {
			stack = append(stack, step{b.next[s.row], s.parent})
			if depth = t.Depth[s.parent] + 1; depth > maxDepth {
				b.refuse(s.row, "tree-too-deep", "%s is more than %d levels below the root", label(&b.rows[s.row]), maxDepth).
					Note("the row is left out with what is below it; no account tree is that deep")
				continue
			}
		}
		t.node[s.row] = node
		t.Row = append(t.Row, s.row)
		t.Associations = append(t.Associations, b.rows[s.row])
		t.Parent = append(t.Parent, s.parent)
		t.Depth = append(t.Depth, depth)
		if b.rows[s.row].User != "" {
			t.Users++
		} else {
			stack = append(stack, step{b.head[s.row], node})
		}
	}
	b.tree = t
}

package tree

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/source"
)

// ParentShares as an association's Shares means FairShare=parent
// (SLURMDB_FS_USE_PARENT): the association has no shares of its own, and what is
// below it competes at the nearest level that has.
const ParentShares int64 = 0x7fffffff

// Association is one row of the account tree: an account when User is "", else one
// user's place in an account.
type Association struct {
	Account   string
	User      string
	Partition string // "" is every partition
	Parent    string // the account above an account; "" for the root and for users
	Shares    int64
	Span      source.Span // where it is written, for messages
}

// Tree is an account tree in tree order: every association after the one above it.
// Siblings keep the order of the rows given to New, which decides between tied
// accounts. Node 0 is the root. All slices are indexed by node and never change.
type Tree struct {
	Associations []Association
	Row          []int32 // the row given to New
	Parent       []int32 // the account above; -1 for the root
	Depth        []int32 // 0 for the root

	// FairshareParent is the nearest account above that has shares of its own: the
	// level at which a node competes (assoc_mgr: fs_assoc_ptr). -1 for the root.
	FairshareParent []int32

	// Users is the number of user associations, idle ones and those of single
	// partitions included: the highest rank of Fair Tree.
	Users int

	accounts []int32 // in tree order
	below    levels  // who competes below each of them
	node     []int32 // by row: the node, or -1 when the row was left out

	shares      []int64
	isUser      []bool
	levelShares []int64   // by fairshare parent: the shares of all its fairshare children
	levelNorm   []float64 // normalised shares of Fair Tree: among siblings
	classicNorm []float64 // normalised shares of the classic formula: of the machine
}

// Len is the number of nodes.
func (t *Tree) Len() int { return len(t.Parent) }

// Node is the node made from a row given to New, or -1 when the row was left out.
func (t *Tree) Node(row int) int { return int(t.node[row]) }

// IsUser tells users' associations from accounts.
func (t *Tree) IsUser(node int) bool { return t.isUser[node] }

// UsesParent reports FairShare=parent. The root, whose shares mean nothing, does not.
func (t *Tree) UsesParent(node int) bool { return t.shares[node] == ParentShares }

// FairshareChildren are the nodes that compete below an account, in tree order.
func (t *Tree) FairshareChildren(node int) []int32 {
	var nodes []int32
	for _, c := range t.below.of(int32(node)) {
		nodes = append(nodes, c.node())
	}
	slices.Sort(nodes)
	return nodes
}

// LevelShares are the shares of a node and its competitors together. An
// association with FairShare=parent adds nothing; what is below it is beside it.
func (t *Tree) LevelShares(node int) int64 {
	if p := t.FairshareParent[node]; p >= 0 {
		return t.levelShares[p]
	}
	return 0
}

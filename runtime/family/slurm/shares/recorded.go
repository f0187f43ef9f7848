package shares

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// recordedUsage is what a snapshot says of the account tree.
type recordedUsage struct {
	table   *column.Table
	rows    []program.Association
	index   map[string]int // key → row
	factor  map[string]float64
	stated  bool // somebody's usage
	factors bool // somebody's factor
}

func newRecordedUsage(s *snapshot.Snapshot, version string) *recordedUsage {
	u := &recordedUsage{table: s.Credentials["association"], index: map[string]int{}, factor: map[string]float64{}}
	names := u.table.Column("association.name")
	if names == nil {
		return u
	}
	u.stated = AnyKnown(u.table.Column("association.usage_seconds"))
	factors := u.table.Column("association.fairshare_factor")
	u.factors = AnyKnown(factors)
	for row := range u.table.Rows {
		key := names.Dict[names.Codes[row]]
		u.index[key] = row
		u.rows = append(u.rows, u.association(key, row))
		if column.Known(factors, row) {
			u.factor[key] = factors.Doubles[row]
		}
	}
	u.rows = program.TreeOrder(u.rows, version)
	return u
}

func AnyKnown(c *column.Column) bool {
	if c == nil {
		return false
	}
	for row := range c.Len() {
		if !c.Missing.Get(row) {
			return true
		}
	}
	return false
}

// association makes a row an association. One without shares uses its parent's; the root has
// none, which does not matter.
func (u *recordedUsage) association(key string, row int) program.Association {
	parent := ""
	if c := u.table.Column("association.parent"); c != nil {
		parent = c.Dict[c.Codes[row]]
	}
	a := associationOf(key, parent)
	a.Shares = program.ParentShares
	if c := u.table.Column("association.shares"); column.Known(c, row) {
		a.Shares = c.Ints[row]
	}
	return a
}

// associationOf takes the key of an association apart. An account for which no input says what is
// above it is below the root.
func associationOf(key, parent string) program.Association {
	a := program.Association{Shares: 1}
	a.Account, a.User, _ = strings.Cut(key, "/")
	a.User, a.Partition, _ = strings.Cut(a.User, "/")
	if a.User == "" {
		if a.Parent = parent; parent == "" && a.Account != "root" {
			a.Parent = "root"
		}
	}
	return a
}

// complete reports whether the rows that the tree was made of are all of it, as far as recorded normalised shares
// tell: they depend on everybody's.
func (u *recordedUsage) complete(t *tree.Tree, rows []program.Association, fairTree bool) bool {
	c := u.table.Column("association.norm_shares")
	if c == nil {
		return true
	}
	shares := t.NormShares(!fairTree)
	for i := range rows {
		node, row := t.Node(i), u.index[rows[i].Key()]
		if node > 0 && column.Known(c, row) && math.Abs(c.Doubles[row]-shares[node]) > 1e-6 {
			return false
		}
	}
	return true
}

// column is recorded usage in some unit of seconds. What is beyond all reason is none.
func (u *recordedUsage) column(id schema.ColumnID, unit float64) func(key string) (float64, bool) {
	c := u.table.Column(id)
	return func(key string) (float64, bool) {
		row, known := u.index[key]
		if !known || c == nil || !column.Known(c, row) || !(c.Doubles[row] >= 0 && c.Doubles[row] <= mostUsage) {
			return 0, false
		}
		return c.Doubles[row] * unit, true
	}
}

// mostUsage keeps sums and quotients finite.
const mostUsage = 1e100

// spread makes a column of usage by node out of a table of a tree that may be another one than is
// evaluated: each user's own, and for an account all that is below it, with what
// the table has of it beyond that: of users who were deleted, or are not shown. What is not in the
// evaluated tree stays with the account above it. Each row may be off by slack.
func spread(t *evaluation.TreeShares, rows []program.Association, value func(key string) (float64, bool),
	slack float64) []float64 {
	column := make([]float64, t.Tree.Len())
	rows = withAccounts(t, rows)
	below, children, above := map[string]float64{}, map[string]float64{}, map[string]string{}
	for i := range rows {
		if rows[i].User == "" {
			above[rows[i].Account] = rows[i].Parent
		}
	}
	for i := len(rows) - 1; i >= 0; i-- {
		a := &rows[i]
		parent, used, own := a.Account, 0.0, 0.0
		stated, ok := value(a.Key())
		switch sum, n := below[a.Account], children[a.Account]; {
		case a.User != "":
			used, own = stated, stated
		case ok && (n == 0 || stated-sum > slack*(n+1)+stated*1e-12):
			parent, used, own = a.Parent, stated, max(0, stated-sum)
		default:
			parent, used = a.Parent, sum
		}
		if ok || used > 0 {
			below[parent] += used
			children[parent]++
		}
		if own > 0 {
			column[nearest(t, a, above)] += own
		}
	}
	for node := t.Tree.Len() - 1; node > 0; node-- {
		column[t.Tree.Parent[node]] += column[node]
	}
	return column
}

// withAccounts adds the accounts that a table leaves out, as they stand in the tree, and puts all
// in tree order.
func withAccounts(t *evaluation.TreeShares, rows []program.Association) []program.Association {
	have := map[string]bool{}
	for i := range rows {
		if rows[i].User == "" {
			have[rows[i].Account] = true
		}
	}
	out := slices.Clone(rows)
	for i := 0; i < len(out); i++ { // those added have accounts above them too
		account := out[i].Account
		if out[i].User == "" {
			account = out[i].Parent
		}
		node, ok := t.Nodes[account]
		if !ok || have[account] {
			continue
		}
		have[account] = true
		out = append(out, program.Association{Account: account, Parent: t.Tree.Associations[node].Parent})
	}
	return program.TreeOrder(out, t.Version)
}

// nearest is the node of an association, or of the first account above it that the tree has.
func nearest(t *evaluation.TreeShares, a *program.Association, above map[string]string) int32 {
	if node, ok := t.Nodes[a.Key()]; ok {
		return node
	}
	account := a.Account
	if a.User == "" {
		account = a.Parent
	}
	for range len(above) + 1 { // as often as accounts can be above one another
		if node, ok := t.Nodes[account]; ok {
			return node
		}
		account = above[account]
	}
	return 0
}

// Equal levels of Fair Tree go by the order in which slurmctld has the associations. Before 23.11 it
// takes them from the database by lft when it starts, and sorts them by name whenever an association is
// added or moved while it runs (assoc_mgr.c: _set_assoc_parent_and_user, assoc_mgr_update_assocs; both seen
// in 22.05.8). Which of the two it has done last nothing prints: by lft is taken where it is known.

// inPlace puts rows into the database's order, for a version that goes by it. Of a snapshot of an older one than the
// policy's nothing is taken.
func (u *recordedUsage) inPlace(rows []program.Association, version string) (_ []program.Association, placed bool) {
	places := u.table.Column("association.tree_place")
	if !AnyKnown(places) || version >= "23.11" {
		return rows, false
	}
	return program.PlaceOrder(rows, func(key string) (int64, bool) {
		row, ok := u.index[key]
		if !ok || places.Missing.Get(row) {
			return 0, false
		}
		return places.Ints[row], true
	}), true
}

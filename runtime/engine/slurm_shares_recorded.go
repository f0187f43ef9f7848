package engine

import (
	"math"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
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

func newRecordedUsage(s *snapshot.Snapshot) *recordedUsage {
	u := &recordedUsage{table: s.Credentials["association"], index: map[string]int{}, factor: map[string]float64{}}
	names := u.table.Column("association.name")
	if names == nil {
		return u
	}
	u.stated = anyKnown(u.table.Column("association.usage_seconds"))
	factors := u.table.Column("association.fairshare_factor")
	u.factors = anyKnown(factors)
	for row := range u.table.Rows {
		key := names.Dict[names.Codes[row]]
		u.index[key] = row
		u.rows = append(u.rows, u.association(key, row))
		if isKnown(factors, row) {
			u.factor[key] = factors.Doubles[row]
		}
	}
	u.rows = program.TreeOrder(u.rows)
	return u
}

func anyKnown(c *column.Column) bool {
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
// none, which matters to nobody.
func (u *recordedUsage) association(key string, row int) program.Association {
	parent := ""
	if c := u.table.Column("association.parent"); c != nil {
		parent = c.Dict[c.Codes[row]]
	}
	a := associationOf(key, parent)
	a.Shares = program.ParentShares
	if c := u.table.Column("association.shares"); isKnown(c, row) {
		a.Shares = c.Ints[row]
	}
	return a
}

// associationOf takes the key of an association apart. An account of which nobody says what is
// above it stands below the root.
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

// complete reports whether the rows are the whole tree, as far as recorded normalised shares
// tell: they depend on everybody's.
func (u *recordedUsage) complete(t *tree.Tree, fairTree bool) bool {
	c := u.table.Column("association.norm_shares")
	if c == nil {
		return true
	}
	shares := t.NormShares(!fairTree)
	for i := range u.rows {
		node, row := t.Node(i), u.index[u.rows[i].Key()]
		if node > 0 && isKnown(c, row) && math.Abs(c.Doubles[row]-shares[node]) > 1e-6 {
			return false
		}
	}
	return true
}

// column is recorded usage in some unit of seconds. What is beyond all reason is none.
func (u *recordedUsage) column(id schema.ColumnID, unit float64) func(key string) (float64, bool) {
	c := u.table.Column(id)
	return func(key string) (float64, bool) {
		row := u.index[key]
		if c == nil || !isKnown(c, row) || !(c.Doubles[row] >= 0 && c.Doubles[row] <= mostUsage) {
			return 0, false
		}
		return c.Doubles[row] * unit, true
	}
}

// mostUsage keeps sums and quotients finite.
const mostUsage = 1e100

// spread makes a column of usage by node out of a table of a tree that may be another one: each
// user's own, and for an account all that is below it, with what the table has of it beyond
// that: of users who were deleted, or are not shown. Each row may be off by slack.
func (t *TreeShares) spread(rows []program.Association, value func(key string) (float64, bool), slack float64) []float64 {
	below, children := map[string]float64{}, map[string]float64{}
	for i := range rows {
		a := &rows[i]
		above := a.Parent
		if a.User != "" {
			above = a.Account
		}
		// What is not in the tree that is evaluated stays with the account above it.
		if _, in := t.nodes[a.Key()]; !in || above == "" {
			continue
		}
		if used, ok := value(a.Key()); ok {
			below[above] += used
			children[above]++
		}
	}
	column := make([]float64, t.Tree.Len())
	for i := range rows {
		a := &rows[i]
		node, in := t.nodes[a.Key()]
		used, ok := value(a.Key())
		if !in || !ok {
			continue
		}
		if n := children[a.Account]; a.User == "" && n > 0 {
			rest := used - below[a.Account]
			if rest <= slack*(n+1)+used*1e-12 {
				continue
			}
			used = rest
		}
		column[node] = used
	}
	for node := t.Tree.Len() - 1; node > 0; node-- {
		column[t.Tree.Parent[node]] += column[node]
	}
	return column
}

package program

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// Tree is Slurm's fairshare: a tree of accounts and users with shares, whose usage decays and
// is charged in passes of the controller.
type Tree struct {
	Algorithm        string           // one of the Algorithm words
	Damp             int64            // FairShareDampeningFactor, of the classic formula
	HalfLifeSeconds  int64            // PriorityDecayHalfLife; 0 is no decay
	PassSeconds      int64            // PriorityCalcPeriod
	Reset            string           // PriorityUsageResetPeriod: NONE, NOW, DAILY …
	Bill             string           // one of the Bill words
	CalculateRunning bool             // priorities of running jobs are computed too
	IncrOnly         bool             // a stored priority never falls
	TRES             []string         // those tracked, in the order in which they are summed
	Weights          []BillingWeights // of the partitions that have any
	// each after the one above it, siblings in the order that decides ties; nil: those of the snapshot
	Associations []Association
	Span         source.Span
}

// The values of Tree.Algorithm.
const (
	FairTree       = "fair_tree"
	Classic        = "classic"
	DepthOblivious = "depth_oblivious"
)

// The values of Tree.Bill: how a job's weighted TRES become one number.
const (
	BillSum     = "sum"      // of all
	BillMax     = "max"      // of those of a node, plus the sum of the others (MAX_TRES)
	BillMaxGRES = "max_gres" // the same, GRES being among the others (MAX_TRES_GRES)
)

// BillingWeights are a partition's TRESBillingWeights; of no name, those of all others. Without any the CPUs are
// billed.
type BillingWeights struct {
	Partition string
	Weights   []slurmtext.TRESWeight
	Span      source.Span
}

// ParentShares as Association.Shares means Fairshare=parent (SLURMDB_FS_USE_PARENT).
const ParentShares int64 = 0x7fffffff

// Association is an account, or a user's place in one.
type Association struct {
	Account   string
	User      string // "" for an account
	Partition string // "" is every partition
	Parent    string // the account above an account, "" for the root and for users
	Shares    int64
	Source    string // what set it, as the site knows it
	Span      source.Span
}

// UsesParent reports an association with the shares of the one above it.
func (a *Association) UsesParent() bool { return a.Shares == ParentShares }

// Key names an association as the job table and snapshots do: account, account/user or
// account/user/partition.
func (a *Association) Key() string { return slurmtext.AssociationKey(a.Account, a.User, a.Partition) }

// BillingOf are the weights that the policy gives a partition; nil if it has none for it.
func (t *Tree) BillingOf(partition string) *BillingWeights {
	for i := range t.Weights {
		if name := t.Weights[i].Partition; name == partition || name == "" { // that of all others is last
			return &t.Weights[i]
		}
	}
	return nil
}

func (t *Tree) print(b *strings.Builder) {
	fmt.Fprintf(b, "tree %s: half life %d s, pass %d s, reset %s, bill %s", t.Algorithm, t.HalfLifeSeconds, t.PassSeconds,
		t.Reset, t.Bill)
	if t.Algorithm != FairTree && t.Damp != 1 {
		fmt.Fprintf(b, ", damp %d", t.Damp)
	}
	for _, flag := range []struct {
		name string
		on   bool
	}{{"calculate_running", t.CalculateRunning}, {"incr_only", t.IncrOnly}} {
		if flag.on {
			b.WriteString(", " + flag.name)
		}
	}
	b.WriteByte('\n')
	for _, w := range t.Weights {
		name := w.Partition
		if name == "" {
			name = "all others"
		}
		fmt.Fprintf(b, "  billing of %s:", name)
		if len(w.Weights) == 0 {
			b.WriteString(" cpu=1")
		}
		for _, x := range w.Weights {
			fmt.Fprintf(b, " %s=%v", x.Name, x.Value)
		}
		b.WriteByte('\n')
	}
	for i := range t.Associations {
		a := &t.Associations[i]
		shares := strconv.FormatInt(a.Shares, 10)
		if a.Shares == ParentShares {
			shares = "parent"
		}
		above := ""
		if a.Parent != "" {
			above = " under " + a.Parent
		}
		fmt.Fprintf(b, "  %s%s: %s\n", a.Key(), above, shares)
	}
}

// TreeOrder sorts associations as sshare lists them, each account before what is below it. Equal
// levels of Fair Tree go by the order in which slurmctld has the associations, which is the same unless
// PlaceOrder says otherwise. Those whose account is missing come last.
//
// Since 23.11 associations are sorted by lineage (slurmdb_sort_hierarchical_assoc_list). Before, users
// come before accounts, both by name, and a user's partitions as they were given.
func TreeOrder(list []Association, version string) []Association {
	compare := byName
	if version == "" || version >= "23.11" {
		compare = byLineage
	}
	return depthFirst(list, func(siblings []int) {
		slices.SortStableFunc(siblings, func(i, j int) int { return compare(&list[i], &list[j]) })
	})
}

// PlaceOrder sorts siblings by the places that the database gives them (lft), which is the order in
// which slurmctld before 23.11 has them when it starts; new accounts come before older ones. If a
// sibling has no place, all of them keep their order.
func PlaceOrder(list []Association, place func(key string) (n int64, ok bool)) []Association {
	places := make([]int64, len(list))
	return depthFirst(list, func(siblings []int) {
		for _, i := range siblings {
			n, ok := place(list[i].Key())
			if !ok {
				return
			}
			places[i] = n
		}
		slices.SortStableFunc(siblings, func(i, j int) int { return cmp.Compare(places[i], places[j]) })
	})
}

func byName(a, b *Association) int {
	if (a.User != "") != (b.User != "") {
		return cmp.Compare(b.User, a.User) // a user's name is not empty
	}
	return cmp.Or(cmp.Compare(a.User, b.User), cmp.Compare(a.Account, b.Account))
}

func byLineage(a, b *Association) int { return strings.Compare(a.lineage(), b.lineage()) }

// lineage is what an association adds to that of the account above (as_mysql_assoc.c: _set_lineage).
func (a *Association) lineage() string {
	switch {
	case a.User == "":
		return a.Account + "/"
	case a.Partition == "":
		return "0-" + a.User + "/"
	}
	return "0-" + a.User + "/" + a.Partition + "/"
}

// depthFirst puts each account before what is below it, with siblings as sort leaves them.
func depthFirst(list []Association, sort func(siblings []int)) []Association {
	below := map[string][]int{}
	for i, a := range list {
		switch {
		case a.User != "":
			below[a.Account] = append(below[a.Account], i)
		case a.Parent != "":
			below[a.Parent] = append(below[a.Parent], i)
		}
	}
	for _, siblings := range below {
		sort(siblings)
	}
	out, taken := make([]Association, 0, len(list)), make([]bool, len(list))
	var walk func(i int)
	walk = func(i int) {
		if taken[i] {
			return
		}
		taken[i] = true
		out = append(out, list[i])
		if list[i].User == "" {
			for _, child := range below[list[i].Account] {
				walk(child)
			}
		}
	}
	for i, a := range list {
		if a.User == "" && a.Parent == "" {
			walk(i)
		}
	}
	for i := range list {
		walk(i)
	}
	return out
}

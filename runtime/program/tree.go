package program

import (
	"fmt"
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
func (a *Association) Key() string {
	key := a.Account
	if a.User != "" {
		key += "/" + a.User
	}
	if a.Partition != "" {
		key += "/" + a.Partition
	}
	return key
}

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

package evaluation

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/program"
)

// TreeShares is Slurm's fairshare as of an evaluation: the account tree, what each association
// has used, and the factors that follow.
type TreeShares struct {
	Model *program.Tree
	Tree  *tree.Tree

	// Ledger is the usage after the last pass of the controller: of the associations by node, and of QOS.
	Ledger *tree.Ledger
	QOS    []string // the rows of Ledger.QOS
	TRES   []string // the columns of usage by resource

	FairTree *tree.FairTree // nil for the classic formula
	Classic  *tree.Classic  // nil for Fair Tree

	Placed bool // siblings are as in the database, and not as sshare lists them

	Weighed *tree.Weighed    // what classic factors go by; nil where that is Ledger.Before
	Version string           // of the controller
	Nodes   map[string]int32 // by key of the association
	Clock   tree.Clock
	Charges *Charges
}

// Node finds an association by its key: account, account/user or account/user/partition.
func (t *TreeShares) Node(key string) (node int, ok bool) {
	n, ok := t.Nodes[key]
	return int(n), ok
}

// Key is the key of a node.
func (t *TreeShares) Key(node int) string {
	a := program.Association{Account: t.Tree.Associations[node].Account, User: t.Tree.Associations[node].User,
		Partition: t.Tree.Associations[node].Partition}
	return a.Key()
}

// Factors are what both algorithms have in common.
func (t *TreeShares) Factors() *tree.Factors {
	if t.Classic != nil {
		return &t.Classic.Factors
	}
	return &t.FairTree.Factors
}

// Steps go along a node's path, from the first level down.
func (t *TreeShares) Steps(node int) []tree.Step {
	if t.Classic != nil {
		return t.Classic.Steps(node)
	}
	return t.FairTree.Steps(node)
}

// EffectiveUsage is what is set against shares.
func (t *TreeShares) EffectiveUsage(node int) float64 {
	if t.Classic != nil {
		return t.Classic.EffectiveUsage(node)
	}
	return t.FairTree.EffectiveUsage(node)
}

// Level is Fair Tree's level; there is none for the root and with FairShare=parent.
func (t *TreeShares) Level(node int) (level float64, ok bool) {
	if t.FairTree == nil || node == 0 || t.Tree.UsesParent(node) {
		return 0, false
	}
	return t.FairTree.LevelFS[node], true
}

// ClassicFactors computes the classic formula by the usage that it goes by.
func (t *TreeShares) ClassicFactors(options tree.ClassicOptions) *tree.Classic {
	c, usage := &tree.Classic{}, t.Ledger.Before
	if t.Weighed != nil {
		usage, options.All = t.Weighed.Usage, t.Weighed.All
	}
	c.Compute(t.Tree, usage, options)
	return c
}

// Charges are what the jobs of the snapshot add to usage.
type Charges struct {
	List []Charge
}

// Charge is a job that ran or runs.
type Charge struct {
	tree.Charge
	Job   int32
	End   int64 // epoch seconds; 0 while it runs
	Again bool  // it was requeued at its end
}

// Running are those who run at a moment.
func (c *Charges) Running(at int64) []tree.Charge {
	var list []tree.Charge
	for _, x := range c.List {
		if x.StartSeconds < at && (x.End == 0 || x.End > at) {
			list = append(list, x.Charge)
		}
	}
	return list
}

// EndedSince is, by node, what jobs that ended after a moment were charged from then to their ends, in seconds as
// usage counts them, and the jobs. slurmctld charges a job at its end (slurm.md §4.1), while the factors of Fair Tree
// are of the last pass. now is when usage was printed. A job is requeued once it has given back its nodes, so it may
// have ended late seconds before.
func (t *TreeShares) EndedSince(pass, now, late int64) (charged []float64, jobs []int) {
	charged = make([]float64, t.Tree.Len())
	for i := range t.Charges.List {
		x := &t.Charges.List[i]
		end := x.End
		if x.Again {
			end -= late
		}
		if end <= pass || end > now || x.Node < 0 {
			continue
		}
		amount := t.Clock.Added(pass, end, &x.Charge)
		for node := int32(x.Node); node >= 0; node = t.Tree.Parent[node] {
			charged[node] += amount
		}
		jobs = append(jobs, int(x.Job))
	}
	return charged, jobs
}

// unlimitedMinutes is a limit of UNLIMITED, which Slurm multiplies like any other number.
const unlimitedMinutes = 0xffffffff

// RunSeconds are, by TRES and node, the TRES-seconds that running jobs have yet to use until
// their limits, as limits on running minutes count them: with the UsageFactor of the job's QOS,
// up to every account above (acct_policy.c: _adjust_limit_usage).
func (t *TreeShares) RunSeconds(r *Result) [][]float64 {
	columns := make([][]float64, len(t.TRES))
	for i := range columns {
		columns[i] = make([]float64, t.Tree.Len())
	}
	for i := range t.Charges.List {
		x := &t.Charges.List[i]
		if x.End != 0 || x.Node < 0 {
			continue
		}
		limit := r.Jobs.Value("job.walltime_seconds", int(x.Job))
		if !limit.Known() {
			limit = schema.IntValue(unlimitedMinutes * 60)
		}
		left := float64(max(0, limit.Int-max(0, r.Now-x.StartSeconds))) * x.UsageFactor
		for node := int32(x.Node); node >= 0; node = t.Tree.Parent[node] {
			for k, count := range x.TRES {
				columns[k][node] += left * count
			}
		}
	}
	return columns
}

// Billing is what a running job costs a second, before the UsageFactor of its QOS, and that factor.
func (t *TreeShares) Billing(job int) (rate, usageFactor float64, ok bool) {
	for i := range t.Charges.List {
		if x := &t.Charges.List[i]; int(x.Job) == job && x.End == 0 {
			return x.Billing, x.UsageFactor, true
		}
	}
	return 0, 0, false
}

// AddedByLastPass is what running jobs used between the last two passes that the classic factor of a node does not
// know yet; Fair Tree's do.
func (t *TreeShares) AddedByLastPass(node int) float64 {
	if t.Classic == nil || t.Ledger.Before == nil {
		return 0
	}
	return max(0, t.Ledger.Associations.Billing[node]-t.Classic.Usage[node])
}

// Listed are the nodes in the order in which sshare lists them.
func (t *TreeShares) Listed() []int {
	nodes := make([]int, t.Tree.Len())
	for node := range nodes {
		nodes[node] = node
	}
	if !t.Placed {
		return nodes
	}
	rows := make([]program.Association, len(nodes))
	for node := range rows {
		a := &t.Tree.Associations[node]
		rows[node] = program.Association{Account: a.Account, User: a.User, Partition: a.Partition, Parent: a.Parent}
	}
	for i, a := range program.TreeOrder(rows, t.Version) {
		nodes[i] = int(t.Nodes[a.Key()])
	}
	return nodes
}

package shares

import (
	"cmp"
	"maps"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Of is the billing of a job in a partition.
func (b *biller) Of(partition string, counts []float64) float64 {
	billing := b.partition(partition)
	return billing.Of(counts)
}

// partition finds the weights of a partition: the policy's, else those that the snapshot recorded.
func (b *biller) partition(name string) partitionBilling {
	billing, ok := b.partitions[name]
	if ok {
		return billing
	}
	if w := b.model.BillingOf(name); w != nil {
		billing.weights, billing.span = w.Weights, w.Span
	} else if text, stated := b.recordedWeights(name); stated {
		billing.weights, _ = slurmtext.ParseTRESWeights(text) // readers have refused what cannot be read
	} else {
		billing.unknown = true
	}
	billing.Billing = tree.NewBilling(billingRule(b.model), b.model.TRES, billing.weights)
	b.partitions[name] = billing
	return billing
}

// recordedWeights: a partition that the policy or the snapshot has and that has no weights bills processors.
func (b *biller) recordedWeights(partition string) (text string, stated bool) {
	if set := b.values.Set[billingWeights]; set != nil {
		if row, ok := set.Rows[partition]; ok {
			return row.Value.Str, true
		}
		if set.Others != nil {
			return set.Others.Value.Str, true
		}
	}
	row, ok := b.values.Rows("partition")[partition]
	if c := b.values.Table["partition"].Column(billingWeights); ok && c != nil {
		return c.Value(row).Str, true
	}
	return "", false
}

const billingWeights schema.ColumnID = "partition.billing_weights"

// sayBilling tells of charged jobs whose billing no input states, and of weights that cannot count.
func sayBilling(r *evaluation.Result, b *biller) {
	if !r.Facts.Database {
		return // a policy from scratch bills the processors where it has no weights
	}
	for _, name := range slices.Sorted(maps.Keys(b.partitions)) {
		billing := b.partitions[name]
		if billing.unknown {
			r.Findings.Infof("fairshare-billing-unknown", b.model.Span,
				"no input says what usage costs in partition %q: its jobs are charged for their processors", name).
				Note("slurm.conf, `scontrol show partition` and billing_weights of a partition in a policy file say " +
					"TRESBillingWeights")
		}
		for _, w := range billing.weights {
			if !slices.Contains(b.model.TRES, w.Name) && w.Name != "billing" {
				r.Findings.Warnf("fairshare-billing-untracked", b.model.Span,
					"usage in partition %s costs by %s, which the policy does not track: it is not charged", name, w.Name).
					Note("set AccountingStorageTRES as the cluster has it")
			}
		}
	}
}

// sayMaximum: by the manual MAX_TRES takes the maximum on each node, by the code that of what a job has on
// all of them (assoc_mgr_tres_weighted). The two differ for jobs that have unlike parts of several nodes, and
// snapshots say what a job has in all.
func sayMaximum(r *evaluation.Result, c *evaluation.Charges) {
	t := r.Program.Tree
	if r.Program.Semantics != "documented" || t.Bill == program.BillSum || len(t.Weights) == 0 {
		return
	}
	at, several := slices.Index(t.TRES, "node"), 0
	for _, x := range c.List {
		if at >= 0 && x.TRES[at] > 1 {
			several++
		}
	}
	if several > 0 {
		r.Findings.Infof("fairshare-maximum-of-totals", t.Span,
			"MAX_TRES is taken of what a job has on all its nodes, as slurmctld does; the manual takes it on each node (jobs "+
				"of several nodes: %d)", several).
			Note("the two are the same where a job has like parts of its nodes; what it has on each is not in the snapshot")
	}
}

// leastSum is the usage below which a difference of exact usage is only what sums round, in seconds.
const leastSum = 1e-6

// weigh goes through the controller's list of jobs as its last pass did, for the usage that classic factors go by. The
// pass before ended at since; a difference of usage below least is none.
func weigh(r *evaluation.Result, t *evaluation.TreeShares, c *evaluation.Charges, since int64, least float64) {
	if t.Model.PassSeconds <= 0 || len(c.List) == 0 {
		return
	}
	turns := make([]tree.Turn, r.Jobs.Rows)
	for job := range turns {
		turns[job] = tree.Turn{Node: -1, Weighed: weighedByPass(r, job)}
		if turns[job].Weighed {
			if node, ok := t.Nodes[r.Jobs.Text("job.association", job)]; ok {
				turns[job].Node = int(node)
			}
		}
	}
	for i := range c.List {
		if x := &c.List[i]; x.End == 0 || x.End > r.Now {
			turns[x.Job].Node, turns[x.Job].Added = x.Node, t.Clock.Added(since, r.Now, &x.Charge)
		}
	}
	inOrder := make([]tree.Turn, 0, len(turns))
	for _, job := range jobList(r) {
		inOrder = append(inOrder, turns[job])
	}
	t.Weighed = t.Ledger.Weighed(inOrder, least)
}

// weighedByPass: a pass computes the priorities of jobs that wait, those that have started since among them, but of
// held ones and those whose priority was set by hand; with CALCULATE_RUNNING those of running jobs too.
func weighedByPass(r *evaluation.Result, job int) bool {
	if r.Jobs.Int("job.held", job) != 0 || r.Jobs.Int("job.direct_priority", job) != 0 {
		return false
	}
	state, start := r.Jobs.Text("job.state", job), r.Jobs.Value("job.start_time", job)
	if evaluation.Active[state] && !r.Program.Tree.CalculateRunning {
		return start.Known() && start.Int >= r.Now
	}
	return state != "done"
}

// jobList are the jobs in the order in which slurmctld keeps them: by the number of the record. What is left of an
// array goes to the end of the list whenever a task is split off, and the task takes its place (recorded:
// backfill-array-limit).
func jobList(r *evaluation.Result) []int {
	record, last := make([]int64, r.Jobs.Rows), map[int64]int64{}
	for job := range record {
		id := r.Jobs.Value("job.record_id", job)
		if !id.Known() {
			record[job] = evaluation.ParseJobID(r.JobID(job)).Job
			continue
		}
		record[job] = id.Int
		if array := r.Jobs.Value("job.array_job_id", job); array.Known() {
			last[array.Int] = max(last[array.Int], id.Int)
		}
	}
	list := make([]int, len(record))
	for job := range list {
		list[job] = job
		if array := r.Jobs.Value("job.array_job_id", job); array.Known() && array.Int == record[job] {
			record[job] = max(record[job], last[array.Int])
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(record[a], record[b]) })
	return list
}

// sayPassBehind: who compares the factors with the usage that sshare prints would not find them.
func sayPassBehind(r *evaluation.Result, t *evaluation.TreeShares) {
	if t.Classic == nil || t.AddedByLastPass(0) == 0 {
		return
	}
	r.Findings.Infof("fairshare-pass-behind", t.Model.Span,
		"classic fairshare goes by the usage that the last pass read as it went: of what is recorded, %.0f that running "+
			"jobs used up to that pass is left out of the usage of accounts", t.AddedByLastPass(0)).
		Note("slurmctld reads the usage of accounts at the start of a pass, before it adds what running jobs used, and " +
			"that of a user when it comes to the user's first waiting job; sshare shows the usage after the pass")
}

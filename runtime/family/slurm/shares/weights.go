package shares

import (
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

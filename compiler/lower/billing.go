package lower

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

const billingWeights schema.ColumnID = "partition.billing_weights"

// billing are the weights of all partitions, slurm.conf's and those of policy files. The row of all
// others comes last, without a name, and with it the partitions that have none.
func (l *lowering) billing() (list []ir.Billing) {
	t := l.tables.by[billingWeights]
	if t == nil {
		return nil
	}
	add := func(r ir.TableRow, partition string) {
		weights, ok := l.weightsOf(r)
		if ok && (len(weights) > 0 || t.Others != nil) {
			list = append(list, ir.Billing{Partition: partition, Weights: weights, Span: r.Span})
		}
	}
	for _, r := range t.Rows {
		add(r, r.Name)
	}
	if t.Others != nil {
		add(*t.Others, "")
	}
	return list
}

// weightsOf reads a row; those of slurm.conf have been read.
func (l *lowering) weightsOf(r ir.TableRow) ([]slurmtext.TRESWeight, bool) {
	if own := l.fromConf(r.Name, r.Span); own != nil {
		return own.Weights, true
	}
	weights, err := slurmtext.ParseTRESWeights(r.Value.Str)
	if err != nil {
		l.diags.Errorf("billing-weights", r.Span, "the billing weights %q cannot be read: %v", r.Value.Str, err).
			Note("write for instance \"CPU=1.0,Mem=0.25G,GRES/gpu=2\"")
		return nil, false
	}
	for _, w := range weights {
		if !slurmtext.IsTRESType(w.Name) || w.Name == "billing" {
			l.diags.Errorf("billing-weights", r.Span, "the billing weights name no TRES %s", w.Name).
				Note("TRES are cpu, mem, node, energy, gres/NAME, license/NAME and others that the cluster tracks")
			return nil, false
		}
	}
	return weights, true
}

// billed makes sure that what is weighed is counted. A policy from scratch counts whatever it weighs; slurmctld does
// not start with weights of what it does not track.
func (l *lowering) billed(tree *ir.Fairshare) {
	i := slices.IndexFunc(tree.Settings, func(s ir.Setting) bool { return s.Name == "tres" })
	tracked := slices.Clone(tree.Settings[i].Value.List)
	for _, b := range tree.Billing {
		for _, w := range b.Weights {
			switch {
			case slices.Contains(tracked, w.Name):
			case l.family == "":
				tracked = append(tracked, w.Name)
			case l.fromConf(b.Partition, b.Span) == nil:
				l.diags.Errorf("billing-weights", b.Span,
					"the billing weights name %s, which the cluster does not track", w.Name).
					Note("add it to AccountingStorageTRES; slurmctld does not start otherwise")
			}
		}
	}
	tree.Settings[i].Value = schema.ListValue(tracked)
}

// fromConf are a partition's weights as slurm.conf has them; nil if they were written elsewhere.
func (l *lowering) fromConf(partition string, span source.Span) *ir.Billing {
	for _, f := range l.fronts {
		for i, b := range f.Billing {
			if b.Partition == partition && b.Span == span {
				return &f.Billing[i]
			}
		}
	}
	return nil
}

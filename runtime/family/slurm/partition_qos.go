package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
)

// partitionQOS reports partitions whose QOS is none of those that an input lists in full.
func partitionQOS(b *score.Binder) {
	set := b.Settings["partition.qos"]
	names := listedQOS(b)
	if set == nil || names == nil {
		return
	}
	for name := range evaluation.SortedNames(set.Rows) {
		row := set.Rows[name]
		if qos := row.Value.Str; qos != "" &&
			!slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, qos) }) {
			b.Findings.Warnf("partition-qos-unknown", row.Span, "partition %s has the QOS %s, and there is none", name, qos).
				Note("the limits that it should set do not count; those there are: %s", evaluation.FirstFew(names)).
				DidYouMean(row.Span, qos, names)
		}
	}
}

// listedQOS names all QOS there are; nil where no input lists them in full.
func listedQOS(b *score.Binder) (names []string) {
	switch {
	case b.Program.Slurm != nil && slices.Contains(b.Program.Slurm.Complete, "qos"):
		if set := b.Settings[qosPriority]; set != nil {
			names = slices.Collect(evaluation.SortedNames(set.Rows))
		}
	case b.Snapshot.ListsQOS():
		names = slices.Collect(evaluation.SortedNames(evaluation.NameIndex(b.Snapshot.Credentials["qos"], "qos.name")))
	}
	return names
}

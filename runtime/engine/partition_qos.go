package engine

import (
	"slices"
	"strings"
)

// partitionQOS reports partitions whose QOS is none of those that an input lists in full.
func (b *binder) partitionQOS() {
	set := b.settings["partition.qos"]
	names := b.listedQOS()
	if set == nil || names == nil {
		return
	}
	for name := range sortedNames(set.Rows) {
		row := set.Rows[name]
		if qos := row.Value.Str; qos != "" && !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, qos) }) {
			b.diags.Warnf("partition-qos-unknown", row.Span, "partition %s has the QOS %s, and there is none", name, qos).
				Note("the limits that it should set do not count; those there are: %s", listed(names)).DidYouMean(row.Span, qos, names)
		}
	}
}

// listedQOS names all QOS there are; nil where no input lists them in full.
func (b *binder) listedQOS() (names []string) {
	switch {
	case b.prog.Slurm != nil && slices.Contains(b.prog.Slurm.Complete, "qos"):
		if set := b.settings[qosPriority]; set != nil {
			names = slices.Collect(sortedNames(set.Rows))
		}
	case b.snap.ListsQOS():
		names = slices.Collect(sortedNames(nameIndex(b.snap.Credentials["qos"], "qos.name")))
	}
	return names
}

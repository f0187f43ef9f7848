package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
)

func (g *guard) readPartition(name string) partition {
	value := func(column string) schema.Value { return g.values.Of(schema.ColumnID("partition."+column), name) }
	number := func(column string) int64 {
		if v := value(column); v.Known() {
			return v.Int
		}
		return -1
	}
	p := partition{name: name, state: strings.ToUpper(value("state").Str), qos: value("qos").Str,
		maxSeconds: number("walltime_max_seconds"), defaultSeconds: number("walltime_default_seconds"),
		nodesMin: number("nodes_min"), nodesMax: number("nodes_max"), procsPerNode: number("procs_per_node_max"),
		accounts: slices.Concat(value("accounts_allowed").List, value("accounts_denied").List),
		groups:   value("groups_allowed").List, whole: shares.GivesWholeNodes(g.result.Program, g.values, name)}
	_, p.known = g.values.Names("partition")[name]
	if now := g.recordedState(name); now != "" && (p.state == "" || p.state == "UP") {
		p.state, p.stateFrom = now, "the snapshot states it, whatever the configuration begins with"
	}
	return p
}

// recordedState is the state that commands have set since slurm.conf was read, where a partition
// that the file has as UP begins.
func (g *guard) recordedState(name string) string {
	if row, ok := g.values.Rows("partition")[name]; ok {
		return strings.ToUpper(g.result.Snapshot.Credentials["partition"].Value("partition.state", row).Str)
	}
	return ""
}

// partition is the partition of a row.
func (g *guard) partition(row int) *partition {
	if g.codes == nil {
		return &g.partitions[0]
	}
	return &g.partitions[g.codes[row]]
}

// qosFlag reports a flag of a row's QOS, the job's or its partition's.
func (g *guard) qosFlag(row int, flag string) bool {
	return slices.ContainsFunc([]string{g.partition(row).qos, g.result.Rows.Text("job.qos", row)}, func(q string) bool {
		return q != "" && slices.Contains(evaluation.FlagWords(g.values.Of("qos.flags", q).List), flag)
	})
}

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

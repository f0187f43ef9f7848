package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
	"github.com/fairway-sched/fairway/runtime/evaluation/derive"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// partition is what a partition refuses. Numbers are −1 where there is no limit.
type partition struct {
	name                             string
	known                            bool
	state, qos                       string
	stateFrom                        string // what said so, where the policy did not
	inferred                         int    // jobs whose reasons did
	maxSeconds, defaultSeconds       int64
	nodesMin, nodesMax, procsPerNode int64
	accounts, groups                 []string        // the accounts that it names, and the groups that it takes
	whole                            bool            // jobs have their nodes for themselves
	nodeNames                        map[string]bool // none where the snapshot does not say
}

// readPartitions reads the partitions of the rows.
func (g *guard) readPartitions() {
	names := []string{""}
	if c := g.result.Rows.Column("job.partition"); c != nil {
		names, g.codes = c.Dict, c.Codes
	}
	for _, name := range names {
		g.partitions = append(g.partitions, g.readPartition(name))
	}
	g.inferStates()
	nodes, _ := derive.NodesByPartition(g.result.Snapshot.Nodes)
	for i := range g.partitions {
		p := &g.partitions[i]
		p.nodeNames = make(map[string]bool, len(nodes[p.name]))
		for _, node := range nodes[p.name] {
			p.nodeNames[node] = true
		}
	}
}

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
	for _, q := range []string{g.partition(row).qos, g.result.Rows.Value("job.qos", row).Str} {
		if q != "" && slices.Contains(evaluation.FlagWords(g.values.Of("qos.flags", q).List), flag) {
			return true
		}
	}
	return false
}

// late reports a refusal that is not found when the queue is built but when the scheduler comes to the entry.
func late(b *evaluation.Block) bool {
	return b.Refusal != nil && b.Refusal.Hold != nil && b.Refusal.Hold.Phase == program.AtStart
}

// refused asks a row what the policy's holds of a phase ask, and a threshold of its QOS.
func (g *guard) refused(row int) *evaluation.Block {
	if h := g.refusing(row, admit.Waits); h != nil {
		return g.refusedBy(h, row)
	}
	return g.belowThreshold(row, int(g.result.RowJob[row]))
}

// refusing is the first hold that refuses a row. A partition that no input describes refuses nothing.
func (g *guard) refusing(row int, counts func(*program.EntryHold) bool) *program.EntryHold {
	known := g.partition(row).known
	return admit.Refusing(g.result, row, func(h *program.EntryHold) bool {
		return counts(h) && (known || h.Setting.Object() != "partition")
	})
}

func (g *guard) refusedBy(h *program.EntryHold, row int) *evaluation.Block {
	b := admit.RefusedBy(g.result, h, row)
	b.Text = snapshot.OneWord(b.Text)
	if h.Setting == "partition.state" {
		b.Refusal.From = g.partition(row).stateFrom
	}
	return b
}

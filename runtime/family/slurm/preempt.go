package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/slurm"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/derive"
	"github.com/fairway-sched/fairway/runtime/program"
)

// preemption says which entry of Slurm's queue may preempt which: those come first, before all else
// but expedited jobs (sort_job_queue2, preempt_p_job_preempt_check).
type preemption struct {
	rules    *program.Slurm
	qos      []uint32 // per row: its entry in names
	names    []string
	takes    [][]bool // by QOS and QOS: the first may preempt the second
	within   []bool   // by QOS: its jobs preempt each other
	priority []bool   // by QOS: they preempt only jobs of lower priority
	overlaps func(a, b int) bool
}

// pair is two partitions by their entries.
type pair struct{ a, b uint32 }

// newPreemption is nil where no job may preempt another.
func (g *guard) newPreemption() *preemption {
	p := &preemption{rules: g.rules, overlaps: g.overlapOnce()}
	switch g.rules.Preempt {
	case "partition_prio":
		return p
	case "qos":
	default:
		return nil
	}
	c := g.result.Rows.Column("job.qos")
	if c == nil {
		return nil
	}
	p.qos, p.names = c.Codes, c.Dict
	n, any := len(p.names), false
	p.takes, p.within, p.priority = make([][]bool, n), make([]bool, n), make([]bool, n)
	for i, name := range p.names {
		mode := strings.ToUpper(g.values.Of("qos.preempt_mode", name).Str)
		p.within[i] = g.rules.PreemptWithin || strings.Contains(mode, "WITHIN")
		p.priority[i] = g.rules.PreemptPriority || strings.Contains(mode, "PRIORITY")
		list := g.values.Of("qos.preempt_list", name).List
		p.takes[i] = make([]bool, n)
		for k, other := range p.names {
			p.takes[i][k] = i != k && name != "" && slices.Contains(list, other)
			any = any || p.takes[i][k]
		}
		any = any || p.within[i] && name != ""
	}
	if !any {
		return nil
	}
	return p
}

// unknownPreemption reports a policy by which QOS preempt and no input says which.
func (g *guard) unknownPreemption() {
	const id schema.ColumnID = "qos.preempt_list"
	if g.rules.Preempt != "qos" || g.result.Rows.Column("job.qos") == nil || g.values.Set[id] != nil ||
		slices.Contains(g.rules.Complete, "qos") || g.result.Snapshot.Credentials["qos"].Column(id) != nil {
		return
	}
	g.result.Findings.Warnf("slurm-preempt-unknown", source.Span{},
		"a job whose QOS may preempt another's comes before it (PreemptType=preempt/qos), and no input lists which may").
		Note("the order goes by reservation, tier, priority, submit time and id; give the output of `sacctmgr show qos " +
			"-P` with the snapshot")
}

// OverlapOnce looks at the nodes of two partitions once, and not for each pair of rows that is compared.
func (g *guard) overlapOnce() func(a, b int) bool {
	known := map[pair]bool{}
	return func(a, b int) bool {
		if g.codes == nil {
			return g.overlap(a, b)
		}
		key := pair{g.codes[a], g.codes[b]}
		share, ok := known[key]
		if !ok {
			share = g.overlap(a, b)
			known[key] = share
		}
		return share
	}
}

// Overlap reports partitions that share a node; those without a list of nodes may.
func (g *guard) overlap(a, b int) bool {
	x, y := g.nodesOf(a), g.nodesOf(b)
	if len(x) == 0 || len(y) == 0 {
		return true
	}
	for node := range x {
		if y[node] {
			return true
		}
	}
	return false
}

// nodesOf are the nodes of a row's partition.
func (g *guard) nodesOf(row int) map[string]bool {
	if g.nodes == nil {
		names, _ := derive.NodesByPartition(g.result.Snapshot.Nodes)
		for i := range g.partitions {
			list := names[g.partitions[i].name]
			set := make(map[string]bool, len(list))
			for _, node := range list {
				set[node] = true
			}
			g.nodes = append(g.nodes, set)
		}
	}
	if g.codes == nil {
		return g.nodes[0]
	}
	return g.nodes[g.codes[row]]
}

// may reports whether row a may preempt row b.
func (p *preemption) may(r *evaluation.Result, a, b int) bool {
	if p.rules.Preempt == "partition_prio" {
		return !(p.rules.PreemptPriority && r.Priority[a] < r.Priority[b]) && r.Tier(a) > r.Tier(b) && p.overlaps(a, b)
	}
	x, y := p.qos[a], p.qos[b]
	higher := r.Priority[r.JobRow[r.RowJob[a]]] > r.Priority[r.JobRow[r.RowJob[b]]]
	if x == y {
		return p.within[x] && p.names[x] != "" && higher
	}
	return p.takes[x][y] && (!p.priority[x] || higher)
}

// compare is negative if row a goes first.
func (p *preemption) compare(r *evaluation.Result, a, b int) int {
	if p.may(r, a, b) {
		return -1
	}
	if p.may(r, b, a) {
		return 1
	}
	return 0
}

// preemption is who may be ended for others; nil where none is.
func (b *planner) preemption() *slurm.Preemption {
	r, set, who := b.result, b.in.Settings, b.guard.newPreemption()
	if who == nil || set.PreemptMode == "" {
		return nil
	}
	return &slurm.Preemption{
		ByQOS: r.Program.Slurm.Preempt == "qos",
		Row:   func(q *backfill.Request) int32 { return r.JobRow[q.Row] },
		May:   func(waiting, running int32) bool { return who.may(r, int(waiting), int(running)) },
		Of:    func(running int32) backfill.Victim { return b.victim(int(running)) },
	}
}

// victim is how a running job is preempted. A mode of its partition, or of its QOS, comes before that of the cluster,
// and so does a time of grace; of its QOS the first counts that says how long its jobs are safe (reference: who can be
// preempted, what becomes of victims).
func (b *planner) victim(row int) backfill.Victim {
	g, set := b.guard, b.in.Settings
	object, name := schema.ColumnID("partition"), g.partition(row).name
	v := backfill.Victim{Mode: set.PreemptMode, ExemptSeconds: set.ExemptSeconds}
	if b.guard.rules.Preempt == "qos" {
		object, name = "qos", b.result.Rows.Text("job.qos", row)
		v.Rank = g.values.Of("qos.priority", name).Int
	} else {
		v.Rank = b.result.Tier(row)
	}
	if mode := ownPreemptMode(g.values.Of(object+".preempt_mode", name).Str); mode != "" {
		v.Mode = mode
	}
	v.GraceSeconds = max(0, g.values.Of(object+".grace_seconds", name).Int)
	own, partition := b.result.Rows.Text("job.qos", row), g.partition(row).qos
	if g.jobQOSFlag(row, "overpartqos") {
		own, partition = partition, own
	}
	for _, qos := range []string{own, partition} { // the last that has one, so that of the partition comes first
		if t := g.values.Of("qos.exempt_seconds", qos); qos != "" && t.Known() {
			v.ExemptSeconds = t.Int
		}
	}
	return v
}

// ownPreemptMode is a mode that a partition or QOS states; "" is that of the cluster. WITHIN is none: jobs of a QOS
// that states nothing else are not preempted (job_preempt_mode; recorded: loopback-preempt-within).
func ownPreemptMode(text string) string {
	text = strings.ToLower(text)
	for _, mode := range []string{"off", "cancel", "requeue", "suspend"} {
		if strings.Contains(text, mode) {
			return mode
		}
	}
	if strings.Contains(text, "within") {
		return "off"
	}
	return ""
}

package slurm

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/slurm"
)

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

package slurm

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/program"
)

const qosPriority schema.ColumnID = "qos.priority"

// qosPriorities reports a Slurm policy that weighs the priorities of QOS, and jobs of a QOS whose
// priority no input states. That is not 0, and a QOS without one would take its part from all others
// too, since the factor is the share of the largest (priority_multifactor.c). A dump lists QOS since
// 25.x, and scontrol show assoc_mgr lists them without their priorities. What a whole list does not
// have does not exist, so that there is nothing to count.
func qosPriorities(b *score.Binder) {
	if b.Columns[qosPriority] == nil || listsPriorities(b) {
		return
	}
	key := b.Rows.Column("job.qos")
	if key == nil {
		return // no accounting, so that jobs have no QOS
	}
	rows := make([]int, len(key.Dict))
	for _, code := range key.Codes {
		rows[code]++
	}
	var names []string
	for code, name := range key.Dict {
		if rows[code] > 0 && name != "" && !statesPriority(b, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	comp, span := b.Reader(qosPriority)
	score.LeaveOut(comp, b.Findings.Errorf("column-not-available", span,
		"the policy reads %s, which no input has for QOS %s of the jobs", qosPriority, evaluation.FirstFew(names)).
		Note("add --snapshot FILE with the output of `sacctmgr show qos -P`"))
}

// associationPriorities reports the same of associations; most have none: they need an input
// that lists priorities, and what it does not say is 0.
func associationPriorities(b *score.Binder) {
	const id schema.ColumnID = "association.priority"
	if b.Columns[id] == nil || b.Settings[id] != nil || b.Snapshot.Credentials["association"].Column(id) != nil ||
		b.Program.Slurm != nil && slices.Contains(b.Program.Slurm.Complete, "association") {
		return
	}
	key := b.Rows.Column("job.account")
	if key == nil || !slices.ContainsFunc(key.Codes, func(code uint32) bool { return key.Dict[code] != "" }) {
		return
	}
	comp, span := b.Reader(id)
	score.LeaveOut(comp, b.Findings.Errorf("column-not-available", span, "the policy reads %s, which no input has", id).
		Note("give the output of `sacctmgr dump` with the policy, or of `sacctmgr show assoc -P` with the snapshot"))
}

// listsPriorities reports that an input has every QOS there is, with its priority.
func listsPriorities(b *score.Binder) bool {
	if b.Program.Slurm != nil && slices.Contains(b.Program.Slurm.Complete, "qos") {
		return true
	}
	return b.Snapshot.ListsQOS() && b.Snapshot.Credentials["qos"].Column(qosPriority) != nil
}

// statesPriority reports a QOS whose priority the policy sets or the snapshot has.
func statesPriority(b *score.Binder, name string) bool {
	if set := b.Settings[qosPriority]; set != nil && (set.Others != nil || evaluation.HasRow(set, name)) {
		return true
	}
	table := b.Snapshot.Credentials["qos"]
	c := table.Column(qosPriority)
	at, ok := evaluation.NameIndex(table, "qos.name")[name]
	return ok && c != nil && c.Value(at).Known()
}

// keepPriorities puts the priorities that the last evaluation stored in the place of those that the
// snapshot recorded: with INCR_ONLY a pending job's never falls below its own, not below that of
// the policy in force. One that was set by hand is the snapshot's.
func keepPriorities(t *column.Table, p *program.Program, previous *checkpoint.Checkpoint) {
	if p.Tree == nil || !p.Tree.IncrOnly || previous == nil {
		return
	}
	known := evaluation.KnownJobs(previous)
	given := t.Column("job.recorded_priority")
	out := &column.Column{ID: "job.recorded_priority", Type: schema.Int, Ints: make([]int64, t.Rows)}
	for i := range t.Rows {
		before := known[t.Text("job.id", i)]
		switch {
		case before != nil && before.Priority > 0 && before.SubmitTime == t.Int("job.submit_time", i) &&
			evaluation.RecordedState(t, i) == checkpoint.Pending && t.Int("job.direct_priority", i) == 0:
			out.Ints[i] = before.Priority
		case column.Known(given, i):
			out.Ints[i] = given.Ints[i]
		default:
			out.Missing.Set(i)
		}
	}
	t.Put(out)
}

package engine

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

const qosPriority schema.ColumnID = "qos.priority"

// qosPriorities reports a Slurm policy that weighs the priorities of QOS, and jobs of a QOS whose
// priority no input states. That is not 0, and a QOS without one would take its part from all others
// too, since the factor is the share of the largest (priority_multifactor.c). A dump lists QOS since
// 25.x, and scontrol show assoc_mgr lists them without their priorities. What a whole list does not
// have does not exist, so that there is nothing to count.
func (b *binder) qosPriorities() {
	if b.columns[qosPriority] == nil || b.listsPriorities() {
		return
	}
	key := b.rows.Column("job.qos")
	if key == nil {
		return // no accounting, so that jobs have no QOS
	}
	rows := make([]int, len(key.Dict))
	for _, code := range key.Codes {
		rows[code]++
	}
	var names []string
	for code, name := range key.Dict {
		if rows[code] > 0 && name != "" && !b.statesPriority(name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	comp, span := b.reader(qosPriority)
	leaveOut(comp, b.diags.Errorf("column-not-available", span, "the policy reads %s, which no input has for QOS %s of the jobs", qosPriority, listed(names)).
		Note("add --snapshot FILE with the output of `sacctmgr show qos -P`"))
}

// associationPriorities reports the same of associations, of which most have none: they need an input
// that lists priorities, and what it does not say is 0.
func (b *binder) associationPriorities() {
	const id schema.ColumnID = "association.priority"
	if b.columns[id] == nil || b.settings[id] != nil || b.snap.Credentials["association"].Column(id) != nil ||
		b.prog.Slurm != nil && slices.Contains(b.prog.Slurm.Complete, "association") {
		return
	}
	key := b.rows.Column("job.account")
	if key == nil || !slices.ContainsFunc(key.Codes, func(code uint32) bool { return key.Dict[code] != "" }) {
		return
	}
	comp, span := b.reader(id)
	leaveOut(comp, b.diags.Errorf("column-not-available", span, "the policy reads %s, which no input has", id).
		Note("give the output of `sacctmgr dump` with the policy, or of `sacctmgr show assoc -P` with the snapshot"))
}

// listsPriorities reports that an input has every QOS there is, with its priority.
func (b *binder) listsPriorities() bool {
	if b.prog.Slurm != nil && slices.Contains(b.prog.Slurm.Complete, "qos") {
		return true
	}
	return b.snap.ListsQOS() && b.snap.Credentials["qos"].Column(qosPriority) != nil
}

// statesPriority reports a QOS whose priority the policy sets or the snapshot has.
func (b *binder) statesPriority(name string) bool {
	if set := b.settings[qosPriority]; set != nil && (set.Others != nil || hasRow(set, name)) {
		return true
	}
	table := b.snap.Credentials["qos"]
	c := table.Column(qosPriority)
	at, ok := nameIndex(table, "qos.name")[name]
	return ok && c != nil && c.Value(at).Known()
}

// listed names the first few.
func listed(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

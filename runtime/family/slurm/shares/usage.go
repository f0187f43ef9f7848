package shares

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/program"
)

// useUsage fills the ledger: with what the last evaluation left and what jobs have used since
// then, or with what the snapshot recorded.
func useUsage(r *evaluation.Result, t *evaluation.TreeShares, u *recordedUsage, previous *checkpoint.Checkpoint) {
	values := evaluation.NewValues(r.Program, r.Snapshot)
	listQOS(t, values)
	t.Ledger = &tree.Ledger{Tree: t.Tree, LastRan: r.Now, LastReset: r.Now}
	t.Ledger.NoDecay = noDecay(t.QOS, values)
	charges := newCharges(r, t, values)
	t.Charges = charges
	if state := TreeState(previous); state != nil {
		if u.stated {
			r.Findings.Infof("fairshare-state-wins", t.Model.Span, "the usage in the snapshot is ignored: the state has it").
				Note("slurmctld too reads its usage only when it starts; begin with a new state to take the snapshot's")
		}
		resume(t, previous.TreeUntil(), state)
		passes(r, t, charges, previous)
		weigh(r, t, charges, max(previous.TreeUntil(), r.Now-t.Model.PassSeconds), leastSum)
		return
	}
	missingUsage(r, t, u)
	t.Ledger.Associations = &tree.Usage{
		Billing:     spread(t, u.rows, u.refined(), max(u.unit(), 0.01)),
		WallSeconds: spread(t, u.rows, u.column("association.usage_wall_seconds", 1), 1),
	}
	t.Ledger.QOS = tree.NewUsage(len(t.QOS), 0)
	qos := r.Snapshot.Credentials["qos"]
	index := evaluation.NameIndex(qos, "qos.name")
	perQOS := func(id schema.ColumnID, unit float64) []float64 {
		amounts, c := make([]float64, len(t.QOS)), qos.Column(id)
		for i, name := range t.QOS {
			if row, ok := index[name]; ok && c != nil && column.Known(c, row) {
				amounts[i] = c.Doubles[row] * unit
			}
		}
		return amounts
	}
	t.Ledger.QOS.Billing, t.Ledger.QOS.WallSeconds = perQOS("qos.usage_seconds", 1), perQOS("qos.usage_wall_seconds", 1)
	for _, name := range t.TRES { // recorded in whole minutes
		t.Ledger.Associations.TRES = append(t.Ledger.Associations.TRES,
			spread(t, u.rows, u.column(schema.ColumnID("association.usage_tres_minutes("+name+")"), 60), 60))
		t.Ledger.QOS.TRES = append(t.Ledger.QOS.TRES, perQOS(schema.ColumnID("qos.usage_tres_minutes("+name+")"), 60))
	}
	t.Ledger.Before = beforeLastPass(t, charges.Running(r.Now), r.Now)
	weigh(r, t, charges, r.Now-t.Model.PassSeconds, leastPrinted)
	sayReset(r, t)
}

// sayReset: when usage was last reset nothing prints. That matters only while a reset is due that the
// next pass will do, since resets come by the calendar.
func sayReset(r *evaluation.Result, t *evaluation.TreeShares) {
	due, ok := t.Clock.Reset.Next(r.Now-max(1, t.Model.PassSeconds), t.Clock.Place)
	if !ok || due > r.Now {
		return
	}
	r.Findings.Infof("fairshare-reset-due", t.Model.Span,
		"a %s reset of usage was due %d seconds before the snapshot, and nothing says whether a pass has done it: the "+
			"usage is taken as it was printed", t.Model.Reset, r.Now-due).
		Note("a snapshot that is taken more than PriorityCalcPeriod after it leaves no doubt")
}

// leastPrinted is the usage below which what is printed is rounded, in seconds.
const leastPrinted = 1

// beforeLastPass is the usage that the controller's last pass found, by which classic factors of accounts go.
// The snapshot has what it left: decay changes no share, but what running jobs had used since
// the pass before was added then and is taken away here.
func beforeLastPass(t *evaluation.TreeShares, running []tree.Charge, now int64) []float64 {
	before := slices.Clone(t.Ledger.Associations.Billing)
	if t.Model.PassSeconds <= 0 {
		return before
	}
	charged := &tree.Ledger{Tree: t.Tree, Associations: tree.NewUsage(t.Tree.Len(), 0), LastRan: now - t.Model.PassSeconds}
	for i := range running {
		running[i].TRES, running[i].QOS, running[i].PartitionQOS = nil, -1, -1
	}
	charged.Add(t.Clock, now, running)
	for node, amount := range charged.Associations.Billing {
		if amount > 0 {
			if before[node] -= amount; before[node] < leastPrinted {
				before[node] = 0
			}
		}
	}
	return before
}

// noDecay are the QOS whose usage does not decay.
func noDecay(qos []string, values *evaluation.Values) []bool {
	flags := make([]bool, len(qos))
	for i, name := range qos {
		flags[i] = slices.Contains(evaluation.FlagWords(values.Of("qos.flags", name).List), "nodecay")
	}
	return flags
}

// listQOS names all QOS that policy or snapshot know.
func listQOS(t *evaluation.TreeShares, v *evaluation.Values) {
	for name := range v.Names("qos") {
		t.QOS = append(t.QOS, name)
	}
	slices.Sort(t.QOS)
}

// missingUsage reports users of the tree whose usage no input states: they count as having used
// nothing, which puts them first. `sshare` without -a shows the caller's own rows only.
func missingUsage(r *evaluation.Result, t *evaluation.TreeShares, u *recordedUsage) {
	stated := u.column("association.usage_seconds", 1)
	users, missing, first := 0, 0, ""
	for node := range t.Tree.Len() {
		if !t.Tree.IsUser(node) {
			continue
		}
		a := t.Tree.Associations[node]
		key := (&program.Association{Account: a.Account, User: a.User, Partition: a.Partition}).Key()
		if key == "root/root" {
			continue // the user that every cluster is made with; dumps may leave it out
		}
		users++
		if _, ok := stated(key); !ok {
			if missing++; missing == 1 {
				first = key
			}
		}
	}
	if missing > 0 {
		r.Findings.Warnf("fairshare-usage-missing", t.Model.Span,
			"no input says what %d of %s used, such as %s: they count as unused",
			missing, diag.Count(users, "user"), first).
			Note("who has used nothing comes first; ask for all rows: sshare -a -l -P, or scontrol show assoc_mgr")
	}
}

package engine

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// useUsage fills the ledger: with what the last evaluation left and what jobs have used since
// then, or with what the snapshot recorded.
func (r *Result) useUsage(t *TreeShares, u *recordedUsage, previous *checkpoint.Checkpoint) {
	values := newCredentialValues(r.Program, r.Snapshot)
	t.listQOS(values)
	t.Ledger = &tree.Ledger{Tree: t.Tree, LastRan: r.Now, LastReset: r.Now}
	t.Ledger.NoDecay = noDecay(t.QOS, values)
	charges := r.newCharges(t, values)
	t.charges = charges
	if state := treeState(previous); state != nil {
		if u.stated {
			r.Findings.Infof("fairshare-state-wins", t.Model.Span, "the usage of the snapshot is passed over: the state has it").
				Note("slurmctld too reads its usage only when it starts; begin with a new state to take the snapshot's")
		}
		t.resume(previous.TreeUntil(), state)
		r.passes(t, charges, previous)
		r.weigh(t, charges, max(previous.TreeUntil(), r.Now-t.Model.PassSeconds), leastSum)
		return
	}
	r.missingUsage(t, u)
	t.Ledger.Associations = &tree.Usage{
		Billing:     t.spread(u.rows, u.refined(), max(u.unit(), 0.01)),
		WallSeconds: t.spread(u.rows, u.column("association.usage_wall_seconds", 1), 1),
	}
	t.Ledger.QOS = tree.NewUsage(len(t.QOS), 0)
	qos := r.Snapshot.Credentials["qos"]
	index := nameIndex(qos, "qos.name")
	perQOS := func(id schema.ColumnID, unit float64) []float64 {
		amounts, c := make([]float64, len(t.QOS)), qos.Column(id)
		for i, name := range t.QOS {
			if row, ok := index[name]; ok && c != nil && isKnown(c, row) {
				amounts[i] = c.Doubles[row] * unit
			}
		}
		return amounts
	}
	t.Ledger.QOS.Billing, t.Ledger.QOS.WallSeconds = perQOS("qos.usage_seconds", 1), perQOS("qos.usage_wall_seconds", 1)
	for _, name := range t.TRES { // recorded in whole minutes
		t.Ledger.Associations.TRES = append(t.Ledger.Associations.TRES, t.spread(u.rows, u.column(schema.ColumnID("association.usage_tres_minutes("+name+")"), 60), 60))
		t.Ledger.QOS.TRES = append(t.Ledger.QOS.TRES, perQOS(schema.ColumnID("qos.usage_tres_minutes("+name+")"), 60))
	}
	t.Ledger.Before = t.beforeLastPass(charges.running(r.Now), r.Now)
	r.weigh(t, charges, r.Now-t.Model.PassSeconds, leastPrinted)
	r.sayReset(t)
}

// sayReset: when usage was last reset nothing prints. That matters only while a reset is due that the
// next pass will do, since resets come by the calendar.
func (r *Result) sayReset(t *TreeShares) {
	due, ok := t.clock.Reset.Next(r.Now-max(1, t.Model.PassSeconds), t.clock.Place)
	if !ok || due > r.Now {
		return
	}
	r.Findings.Infof("fairshare-reset-due", t.Model.Span, "a %s reset of usage was due %d seconds before the snapshot, and nothing says whether a pass has done it: the usage is taken as it was printed", t.Model.Reset, r.Now-due).
		Note("a snapshot that is taken more than PriorityCalcPeriod after it leaves no doubt")
}

// leastPrinted is the usage of which less is what prints round, in seconds.
const leastPrinted = 1

// beforeLastPass is the usage that the controller's last pass found, by which classic factors of accounts go.
// The snapshot has what it left: decay changes no share, but what running jobs had used since
// the pass before was added then and is taken away here.
func (t *TreeShares) beforeLastPass(running []tree.Charge, now int64) []float64 {
	before := slices.Clone(t.Ledger.Associations.Billing)
	if t.Model.PassSeconds <= 0 {
		return before
	}
	charged := &tree.Ledger{Tree: t.Tree, Associations: tree.NewUsage(t.Tree.Len(), 0), LastRan: now - t.Model.PassSeconds}
	for i := range running {
		running[i].TRES, running[i].QOS, running[i].PartitionQOS = nil, -1, -1
	}
	charged.Add(t.clock, now, running)
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
func noDecay(qos []string, values *credentialValues) []bool {
	flags := make([]bool, len(qos))
	for i, name := range qos {
		flags[i] = slices.Contains(flagWords(values.of("qos.flags", name).List), "nodecay")
	}
	return flags
}

// listQOS names all QOS that policy or snapshot know.
func (t *TreeShares) listQOS(v *credentialValues) {
	for name := range v.names("qos") {
		t.QOS = append(t.QOS, name)
	}
	slices.Sort(t.QOS)
}

// credentialValues looks up columns of credentials outside of expressions: the policy's value of a
// name, else the snapshot's, else the policy's for other names.
type credentialValues struct {
	set   settings
	table map[string]*column.Table
	index map[string]map[string]int
}

func newCredentialValues(p *program.Program, s *snapshot.Snapshot) *credentialValues {
	return &credentialValues{set: settingsOf(p), table: s.Credentials, index: map[string]map[string]int{}}
}

func (v *credentialValues) rows(object string) map[string]int {
	index, ok := v.index[object]
	if !ok {
		index = nameIndex(v.table[object], schema.ColumnID(object+".name"))
		v.index[object] = index
	}
	return index
}

func (v *credentialValues) of(id schema.ColumnID, name string) schema.Value {
	object := id.Object()
	set := v.set[id]
	if set != nil {
		if row, ok := set.Rows[name]; ok {
			return row.Value
		}
	}
	if row, ok := v.rows(object)[name]; ok {
		if c := v.table[object].Column(id); c != nil && c.Value(row).Known() {
			return c.Value(row)
		}
	}
	if set != nil && set.Others != nil {
		return set.Others.Value
	}
	return schema.Value{}
}

// names are those of an object that policy or snapshot have a row for.
func (v *credentialValues) names(object string) map[string]source.Span {
	names := map[string]source.Span{}
	for name := range v.rows(object) {
		names[name] = source.Span{}
	}
	for id, set := range v.set {
		if id.Object() == object {
			for name, row := range set.Rows {
				names[name] = row.Span
			}
		}
	}
	return names
}

// parents says what is above each association: as the policy's tree has it, else its
// settings, else the snapshot.
func (v *credentialValues) parents(t *program.Tree) map[string]string {
	up := map[string]string{}
	const id schema.ColumnID = "association.parent"
	for name := range v.rows("association") {
		up[name] = v.of(id, name).Str
	}
	if set := v.set[id]; set != nil {
		for name, row := range set.Rows {
			up[name] = row.Value.Str
		}
	}
	if t != nil {
		for i := range t.Associations {
			a := &t.Associations[i]
			parent := a.Parent
			if a.User != "" {
				parent = a.Account
			}
			up[a.Key()] = parent
		}
	}
	for name, parent := range up { // a user hangs on its account whatever is said
		if account, _, user := strings.Cut(name, "/"); user && parent == "" {
			up[name] = account
		}
	}
	return up
}

package slurm

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/lang/sacctmgr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// ReadDump turns an account dump into rows of the association and QOS tables,
// shares and limits. It has no base of its own: it completes a slurm.conf.
func ReadDump(file *sacctmgr.File) *front.Front {
	dump, diags := sacctmgr.Evaluate(file, sacctmgr.Options{})
	f := &reader{&front.Front{Family: "slurm", Diags: diags, Complete: dumpComplete(dump)}}
	f.dumpFacts(dump)
	for i := range dump.QOS {
		f.dumpQOS(&dump.QOS[i])
	}
	priorities := map[string]sacctmgr.Setting{} // of accounts, inherited by what is below
	for i := range dump.Associations {
		a := &dump.Associations[i]
		f.dumpAssociation(a, priorities)
		place := ir.Association{Account: a.Account, User: a.User, Partition: a.Partition, Parent: a.Parent,
			Shares: a.Shares, Source: "association " + associationKey(a) + " Fairshare", Span: shareSpan(a)}
		if a.ParentShares {
			place.Shares = ir.ParentShares
		}
		f.Associations = append(f.Associations, place)
	}
	return f.Front
}

// shareSpan is where an association's shares are written, else the association.
func shareSpan(a *sacctmgr.Association) source.Span {
	if s, ok := a.Get("Fairshare"); ok {
		return s.Span
	}
	return a.Span
}

// associationKey is the key that snapshots use too: account, account/user or
// account/user/partition.
func associationKey(a *sacctmgr.Association) string {
	key := a.Account
	if a.User != "" {
		key += "/" + a.User
	}
	if a.Partition != "" {
		key += "/" + a.Partition
	}
	return key
}

func (f *reader) dumpQOS(q *sacctmgr.QOS) {
	src := "QOS " + q.Name
	priority := schema.IntValue(0)
	span := q.Span
	if s, ok := q.Get("Priority"); ok {
		priority, span = schema.IntValue(s.Number), s.Span
	}
	f.Set("qos.priority", q.Name, priority, span, src+" Priority")
	if s, ok := q.Get("UsageFactor"); ok {
		f.Set("qos.usage_factor", q.Name, schema.DoubleValue(s.Decimal), s.Span, src+" UsageFactor")
	}
	f.dumpQOSRates(q)
	if s, ok := q.Get("Flags"); ok {
		f.Set("qos.flags", q.Name, schema.ListValue(s.Names), s.Span, src+" Flags")
	}
	if s, ok := q.Get("Preempt"); ok {
		f.Set("qos.preempt_list", q.Name, schema.ListValue(s.Names), s.Span, src+" Preempt")
	}
	if s, ok := q.Get("PreemptMode"); ok {
		f.Set("qos.preempt_mode", q.Name, schema.StringValue(s.Text), s.Span, src+" PreemptMode")
	}
	for _, seconds := range []struct{ column, key string }{{"qos.grace_seconds", "GraceTime"},
		{"qos.exempt_seconds", "PreemptExemptTime"}} {
		if s, ok := q.Get(seconds.key); ok {
			f.Set(schema.ColumnID(seconds.column), q.Name, schema.IntValue(s.Number), s.Span, src+" "+seconds.key)
		}
	}
	f.dumpLimits(q.Settings, "qos", q.Name)
}

// dumpAssociation sets what the priority needs. An association without a priority has its
// account's, from the nearest one up the tree that has one.
func (f *reader) dumpAssociation(a *sacctmgr.Association, priorities map[string]sacctmgr.Setting) {
	key := associationKey(a)
	src := "association " + key
	s, ok := a.Get("Priority")
	if !ok {
		above := a.Parent
		if a.User != "" {
			above = a.Account
		}
		s, ok = priorities[above]
	}
	if ok {
		f.Set("association.priority", key, schema.IntValue(s.Number), s.Span, src+" Priority")
		if a.User == "" {
			priorities[a.Account] = s
		}
	}
	f.dumpParent(a)
	if !a.ParentShares {
		f.Set("association.shares", key, schema.IntValue(a.Shares), a.Span, src+" Fairshare")
	}
	if s, ok := a.Get("DefaultQOS"); ok && s.Text != "" && s.Text != "-1" {
		f.Set("association.qos_default", key, schema.StringValue(s.Text), s.Span, src+" DefaultQOS")
	}
	if s, ok := a.Get("QOS"); ok {
		f.Set("association.qos_list", key, schema.ListValue(changed(s)), s.Span, src+" QOS")
	}
	f.dumpLimits(a.Settings, "association", key)
}

// changed are the names of a setting, with the sign of QOS+= and QOS-= as QOS='+high' has it.
func changed(s sacctmgr.Setting) []string {
	sign := ""
	switch {
	case s.Add:
		sign = "+"
	case s.Remove:
		sign = "-"
	default:
		return s.Names
	}
	list := make([]string, len(s.Names))
	for i, name := range s.Names {
		list[i] = sign + strings.TrimLeft(name, "+-")
	}
	return list
}

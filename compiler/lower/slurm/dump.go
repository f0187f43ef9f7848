package slurm

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/lang/sacctmgr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
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

// associationKey is the key that snapshots use too.
func associationKey(a *sacctmgr.Association) string {
	return slurmtext.AssociationKey(a.Account, a.User, a.Partition)
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

// dumpComplete lists the objects that a dump has completely: its associations, and since
// 25.x the QOS too. Nothing that a snapshot recorded adds to these.
func dumpComplete(dump *sacctmgr.Dump) []string {
	var objects []string
	if len(dump.Associations) > 0 {
		objects = append(objects, "association")
	}
	if len(dump.QOS) > 0 {
		objects = append(objects, "qos")
	}
	return objects
}

// dumpQOSRates carries the numbers of a QOS that change what limits mean.
func (f *reader) dumpQOSRates(q *sacctmgr.QOS) {
	for _, rate := range []struct {
		option string
		column schema.ColumnID
	}{{"LimitFactor", "qos.limit_factor"}, {"UsageThreshold", "qos.usage_threshold"}} {
		if s, ok := q.Get(rate.option); ok && s.Decimal >= 0 {
			f.Set(rate.column, q.Name, schema.DoubleValue(s.Decimal), s.Span, "QOS "+q.Name+" "+rate.option)
		}
	}
}

// dumpParent says where in the tree an association hangs: a user's on its account.
func (f *reader) dumpParent(a *sacctmgr.Association) {
	parent := a.Parent
	if a.User != "" {
		parent = a.Account
	}
	f.Set("association.parent", associationKey(a), schema.StringValue(parent), a.Span, "association "+associationKey(a))
}

// dumpLimits carries limits, a TRES limit as one for each resource.
func (f *reader) dumpLimits(settings sacctmgr.Settings, object, name string) {
	for _, s := range settings.Limits() {
		if s.Name == "MinPrioThresh" { // it keeps no job from starting
			if s.Number >= 0 && s.Number != slurmtext.Infinite {
				f.Set(
					schema.ColumnID(object+".priority_threshold"),
					name,
					schema.IntValue(s.Number),
					s.Span,
					object+" "+name+" "+s.Name,
				)
			}
			continue
		}
		if LimitPhase(s.Name) == "" {
			continue
		}
		add := func(label, counts string, n int64) {
			if n < 0 || n == slurmtext.Infinite {
				return
			}
			hard := float64(n)
			f.Limits = append(
				f.Limits,
				ir.Limit{
					Name:   label,
					Kind:   s.Name,
					Object: object,
					Row:    name,
					Source: object + " " + name + " " + label,
					Counts: counts,
					Per:    []string{object},
					Phase:  LimitPhase(s.Name),
					Hard:   &hard,
					Span:   s.Span,
				},
			)
		}
		if len(s.TRES) == 0 {
			add(s.Name, LimitCounts(s.Name), s.Number)
		}
		for _, t := range s.TRES {
			add(s.Name+"="+t.Name, t.Name, t.Count)
		}
	}
}

// limitKinds are the limits that slurmctld applies, by their names in dumps, with their other
// names. TRES limits are one for each resource.
var limitKinds = []struct {
	name    string
	aliases []string
	tres    bool
	objects string // association, qos, or both
}{
	{"GrpJobs", nil, false, "association qos"},
	{"GrpJobsAccrue", nil, false, "association qos"},
	{"GrpSubmitJobs", []string{"GrpSubmit"}, false, "association qos"},
	{"GrpWall", nil, false, "association qos"},
	{"GrpTRES", nil, true, "association qos"},
	{"GrpTRESMins", nil, true, "association qos"},
	{"GrpTRESRunMins", nil, true, "association qos"},
	{"MaxJobs", nil, false, "association"},
	{"MaxJobsAccrue", nil, false, "association"},
	{"MaxSubmitJobs", []string{"MaxSubmit"}, false, "association"},
	{"MaxTRESRunMins", nil, true, "association"},
	{"MaxJobsPU", []string{"MaxJobsPerUser"}, false, "qos"},
	{"MaxJobsPA", []string{"MaxJobsPerAccount"}, false, "qos"},
	{"MaxJobsAccruePU", []string{"MaxJobsAccruePerUser"}, false, "qos"},
	{"MaxJobsAccruePA", []string{"MaxJobsAccruePerAccount"}, false, "qos"},
	{"MaxSubmitJobsPU", []string{"MaxSubmitPU", "MaxSubmitJobsPerUser"}, false, "qos"},
	{"MaxSubmitJobsPA", []string{"MaxSubmitPA", "MaxSubmitJobsPerAccount"}, false, "qos"},
	{"MaxWallDurationPerJob", []string{"MaxWall", "MaxWallPJ"}, false, "association qos"},
	{"MaxTRESPerJob", []string{"MaxTRES", "MaxTRESPJ"}, true, "association qos"},
	{"MaxTRESPerNode", []string{"MaxTRESPN"}, true, "association qos"},
	{"MaxTRESMinsPerJob", []string{"MaxTRESMins", "MaxTRESMinsPJ"}, true, "association qos"},
	{"MinTRESPerJob", []string{"MinTRES", "MinTRESPJ"}, true, "qos"},
	{"MaxTRESPerUser", []string{"MaxTRESPU"}, true, "qos"},
	{"MaxTRESPerAccount", []string{"MaxTRESPA"}, true, "qos"},
	{"MaxTRESRunMinsPerUser", []string{"MaxTRESRunMinsPU"}, true, "qos"},
	{"MaxTRESRunMinsPerAccount", []string{"MaxTRESRunMinsPA"}, true, "qos"},
}

// LimitKind finds a limit by any of its names, without regard to case.
func LimitKind(name string) (kind string, tres bool, objects string) {
	for _, k := range limitKinds {
		if strings.EqualFold(k.name, name) {
			return k.name, k.tres, k.objects
		}
		for _, alias := range k.aliases {
			if strings.EqualFold(alias, name) {
				return k.name, k.tres, k.objects
			}
		}
	}
	return "", false, ""
}

// LimitPhase is when in a job's life a limit of Slurm is asked; "" for what is none.
func LimitPhase(kind string) string {
	switch known, _, _ := LimitKind(kind); {
	case known == "":
		return ""
	case strings.Contains(kind, "Submit"):
		return "submit"
	case strings.Contains(kind, "Accrue"):
		return "idle"
	case strings.HasSuffix(kind, "PerJob"), strings.HasSuffix(kind, "PerNode"):
		return "job"
	}
	return "active"
}

// LimitCounts is what a limit that is one number counts.
func LimitCounts(kind string) string {
	if strings.Contains(kind, "Wall") {
		return "walltime"
	}
	return "jobs"
}

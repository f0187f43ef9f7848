package maui

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
)

// allLimits writes Slurm's limits and what partitions say of their jobs, the strictest first.
func (w *writer) allLimits() {
	for _, l := range draft.Stricter(slices.Concat(w.Policy.Limits, w.partitionLimits())) {
		if why := w.limitToMaui(l); why != "" {
			w.Lacks(l.Source, l.Span, why)
		}
	}
	w.idleQOS()
	for _, r := range w.Rows("partition.walltime_default_seconds") {
		if r.Value.Known() && r.Name != "DEFAULT" && r.Value.Int > 0 && r.Value.Int <= math.MaxInt32 {
			w.setIn("CLASSCFG", r.Name, draft.Set("DEFAULT.WCLIMIT", fmt.Sprint(r.Value.Int), r.Span))
		}
	}
	if enforce, ok := w.IsSet("AccountingStorageEnforce"); ok {
		why := "Maui knows no associations and refuses no user; limits count there wherever they are set"
		if w.enforces("qos") {
			why += "; a job that asks for a QOS which it may not have is refused in Slurm, and has the default QOS " +
				"in Maui"
		}
		w.Because(enforce.Set, why)
	}
}

// idleQOS: of its own QOS a partition has the limits alone, so that one without a limit says nothing.
func (w *writer) idleQOS() {
	known, limited := draft.Named(w.Policy, "qos"), map[string]bool{}
	for i := range w.Policy.Limits {
		if l := &w.Policy.Limits[i]; l.Object == "qos" {
			limited[strings.ToLower(l.Row)] = true
		}
	}
	for _, r := range w.Rows("partition.qos") {
		is := func(name string) bool { return strings.EqualFold(name, r.Value.Str) }
		if slices.ContainsFunc(known, is) && !limited[strings.ToLower(r.Value.Str)] {
			w.Exact(r.Span)
		}
	}
}

// partitionLimits are MaxTime and MaxNodes, as those of a QOS would say it.
func (w *writer) partitionLimits() (list []ir.Limit) {
	for i := range w.Policy.Tables {
		if t := &w.Policy.Tables[i]; t.Column.Object() == "partition" {
			for _, r := range t.Rows {
				if !r.Value.Known() {
					w.Exact(r.Span) // UNLIMITED, which is expressed by silence
				}
			}
		}
	}
	for _, r := range w.Rows("partition.walltime_max_seconds") {
		minutes := float64(r.Value.Int) / 60
		list = append(
			list,
			ir.Limit{
				Name:   "MaxWallDurationPerJob",
				Object: "partition",
				Row:    r.Name,
				Hard:   &minutes,
				Source: "MaxTime of partition " + r.Name,
				Span:   r.Span,
			},
		)
	}
	for _, r := range w.Rows("partition.nodes_max") {
		nodes := float64(r.Value.Int)
		list = append(
			list,
			ir.Limit{
				Name:   "MaxTRESPerJob=node",
				Object: "partition",
				Row:    r.Name,
				Hard:   &nodes,
				Source: "MaxNodes of partition " + r.Name,
				Span:   r.Span,
			},
		)
	}
	return slices.DeleteFunc(list,
		func(l ir.Limit) bool { return l.Row == "DEFAULT" || *l.Hard <= 0 || *l.Hard > math.MaxInt32/60 })
}

// limitToMaui writes a limit for the credential that Maui has in the place of Slurm's association: its user, or
// its account. That of a QOS which a partition has is one of the class. Where nothing is written it says why.
func (w *writer) limitToMaui(l *ir.Limit) (why string) {
	if l.Hard == nil || *l.Hard < 0 {
		return ""
	}
	switch l.Object {
	case "association":
		account, user, _ := strings.Cut(l.Row, "/")
		switch {
		case strings.Contains(user, "/") || user != "" && w.accounts(user) > 1:
			return cmp.Or(match.NoLimit(l.Name), severalAccounts)
		case user != "":
			return w.limitOf(l, "user", user, "Maui counts for the user, whatever the account")
		case l.Row == "root" && systemLimits[l.Name].param != "":
			return w.systemLimit(l)
		case l.Row == "root" && l.Name == "MaxJobs":
			return w.limitOf(l, "user", "DEFAULT",
				"Maui counts for each user whatever the account, and ignores it for users with a limit of "+
					"their own alone")
		case l.Row == "root":
			why = "Maui has no limit of all jobs together"
			if strings.HasPrefix(l.Name, "Max") {
				why = "each association has it that has none of its own, and Maui has no such limit of everybody"
			}
			return cmp.Or(match.NoLimit(l.Name), why)
		case strings.HasPrefix(l.Name, "Max"):
			why = "each user below the account has it who has none of his own, and Maui counts an account as a whole"
			return cmp.Or(match.NoLimit(l.Name), why)
		default:
			return w.limitOf(l, "account", account,
				"Maui counts jobs of this very account, Slurm also those of accounts below it")
		}
	case "qos":
		return w.limitOfQOS(l)
	case "partition":
		return w.limitOf(l, "partition", l.Row, "")
	}
	return ""
}

// limitOfQOS writes a limit for jobs that ask for a QOS, and for the classes whose own it is.
func (w *writer) limitOfQOS(l *ir.Limit) (why string) {
	of := w.uses().of(l.Row)
	how := ""
	perJob := strings.Contains(l.Name, "PerJob")
	if len(of.partitions) > 1 && !perJob {
		how = "Maui counts in each class by itself, Slurm in all partitions of the QOS together"
	}
	also := func(text string) { how = strings.TrimPrefix(how+"; "+text, "; ") }
	here := false
	if of.asked() {
		why = w.limitOf(l, "qos", l.Row, "")
		here = why == ""
	}
	switch {
	case here && len(of.partitions) > 0 && !perJob:
		also("Maui counts jobs that ask for the QOS by themselves, Slurm together with all of the partition")
	case of.asked() && !here:
		also("jobs that ask for the QOS in other partitions have it in Slurm alone")
	case !of.asked() && w.partitions() > len(of.partitions):
		also("a job that has the QOS in another partition, where no association allows it, is limited in Slurm alone")
	}
	for _, r := range of.partitions {
		w.Exact(r.Span)
		switch missed := w.limitOf(l, "partition", r.Name, how); {
		case missed == "":
			here = true
		case here:
			w.Lacks(l.Source+" of partition "+r.Name, l.Span, missed)
		default:
			why = missed
		}
	}
	if here {
		return ""
	}
	return why
}

// noLimitHere says why something of Maui's has no such limit, though Maui has it elsewhere.
func noLimitHere(l *ir.Limit, object string) string {
	switch why := match.NoLimit(l.Name); {
	case why != "":
		return why
	case *l.Hard == 0:
		return "to Maui a limit of 0 is none: hold such jobs at the resource manager"
	case *l.Hard > math.MaxInt32/60:
		return "Maui's numbers are at most 2147483647, which for times are seconds"
	}
	return match.NoLimitHere(l.Name, object)
}

// systemLimits are Maui's of any job, by the name that Slurm's on the account root have, and the unit.
var systemLimits = map[string]struct {
	param string
	unit  float64
}{"MaxTRESPerJob=cpu": {"SYSTEMMAXPROCPERJOB", 1}, "MaxWallDurationPerJob": {"SYSTEMMAXJOBWALLTIME", 60}}

// systemLimit writes a limit of each job that Slurm has on the account root.
func (w *writer) systemLimit(l *ir.Limit) (why string) {
	system := systemLimits[l.Name]
	value := *l.Hard * system.unit
	if value <= 0 || value > math.MaxInt32 {
		return noLimitHere(l, "")
	}
	w.Say(system.param, int64(value), l.Span)
	if slices.ContainsFunc(w.Policy.Limits,
		func(other ir.Limit) bool { return other.Name == l.Name && other.Span != l.Span }) {
		w.Near(l.Span, "in Slurm the same limit of an account, a user or a QOS counts instead, in Maui both",
			"%s becomes %s %d", l.Source, system.param, int64(value))
	}
	return ""
}

// partitions are how many slurm.conf has.
func (w *writer) partitions() (n int) {
	for i := range w.Policy.Facts.Records {
		if r := &w.Policy.Facts.Records[i]; r.Kind == "PartitionName" && !strings.EqualFold(r.Name, "DEFAULT") {
			n++
		}
	}
	return n
}

// limitOf writes a limit for a credential of Maui's, or says why that cannot have it.
func (w *writer) limitOf(l *ir.Limit, object, row, how string) (why string) {
	phase, counts, per := match.MauiLimit(object, l.Name)
	of := match.CountOf(counts)
	bound := *l.Hard * float64(of.Unit)
	name, value, can := lower.MauiLimit(
		&ir.Limit{Object: object, Row: row, Counts: counts, Phase: phase, Per: per, Soft: &bound, Hard: &bound})
	if !can || bound == 0 {
		return noLimitHere(l, object)
	}
	if first := w.first(object, row, name, l); first != nil {
		w.Near(l.Span, "both hold in Slurm, and in Maui there is room for one",
			"%s says nothing about %s: %s holds first", l.Source, row, first.Source)
		return ""
	}
	w.setIn(lower.MauiFamily(object), row, draft.Set(name, value, l.Span))
	if w.Collided[l.Span] { // which says nothing of the other limits of the same list
		why = w.Reasons[l.Span]
		delete(w.Collided, l.Span)
		delete(w.Reasons, l.Span)
		return why
	}
	also := func(text string) { how = strings.TrimPrefix(how+"; "+text, "; ") }
	if of.ToMaui != "" {
		also(of.ToMaui)
	}
	if hiding := w.uses().hiding(l); object != "partition" && len(hiding) > 0 {
		also("Slurm ignores it where QOS " + strings.Join(hiding, ", ") +
			" counts, of the job or its partition, as that has the same limit; Maui asks both")
	}
	if how == "" {
		w.Exact(l.Span)
		return ""
	}
	w.Near(l.Span, how, "%s becomes %s=%s of %s", l.Source, name, value, row)
	return ""
}

// first is the limit at the place this one would have, if it is always reached before: the strictest is written
// first. Where a QOS hides it in Slurm, the looser one is what holds there, and no remark is made.
func (w *writer) first(object, row, name string, l *ir.Limit) *ir.Limit {
	if object != "partition" {
		row = strings.ToLower(row)
	}
	key := strings.Join([]string{object, row, name}, "\x00")
	old := w.limits[key]
	if old == nil {
		w.limits[key] = l
		return nil
	}
	if old.Span == l.Span || *old.Hard == *l.Hard || object != "partition" && len(w.uses().hiding(old)) > 0 {
		return nil
	}
	return old
}

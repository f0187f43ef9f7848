package convert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// limitsToSlurm writes the limits, and that slurmctld is to look at them.
func (w *writer) limitsToSlurm() {
	var first *ir.Limit
	limits := slices.Clone(w.policy.Limits)
	if w.policy.Family != "maui" {
		limits = append(limits, w.holdLimits()...)
	}
	for _, l := range stricter(limits) {
		switch {
		case !w.limitToSlurm(l):
			w.miss(l.Source, l.Span)
		case first == nil:
			first = l
		}
	}
	w.sayHung()
	if first != nil {
		w.say("AccountingStorageEnforce", "limits")
		if !w.hasRecord("Account", "") {
			w.association(w.usersAccount, "", "", "root", setting{span: first.Span})
		}
		w.enforcing(first)
	}
}

// enforcing says what comes with limits.
func (w *writer) enforcing(first *ir.Limit) {
	w.diags.Infof("convert-approximated", first.Span, "limits count with AccountingStorageEnforce=limits alone").
		Note("slurmctld then also refuses the jobs of users without an association: load one for each, with sacctmgr")
}

// limitName is what Slurm calls a limit, "" if it has none.
func (w *writer) limitName(l *ir.Limit) string {
	if w.policy.Family == "maui" {
		return slurmName(sameLimits, l.Per, l.Phase, l.Counts)
	}
	return slurmName(ownLimits, l.Per, l.Phase, l.Counts)
}

// called is whose policy it is.
func (w *writer) called() string {
	if w.policy.Family == "maui" {
		return "Maui"
	}
	return "the policy"
}

// hidingInSlurm are the classes and QOS for whose jobs Slurm passes over a limit of the same kind: of each kind it asks the
// partition's QOS, else the job's, and associations only where neither has it.
func (w *writer) hidingInSlurm(object, name string) string {
	if w.hiders == nil {
		w.hiders = map[string]map[string][]string{"partition": {}, "qos": {}}
		for i := range w.policy.Limits {
			l := &w.policy.Limits[i]
			kind := w.limitName(l)
			if l.Kind != "" { // one that is Slurm's already
				kind = l.Name
			}
			if kind == "MaxJobsPU" {
				kind = "MaxJobs"
			}
			if rows := w.hiders[l.Object]; rows != nil && kind != "" && !strings.EqualFold(l.Row, "DEFAULT") && slurmCanName(l.Row) && l.Hard != nil && !slices.Contains(rows[kind], l.Row) {
				rows[kind] = append(rows[kind], l.Row)
			}
		}
	}
	if name == "MaxJobsPU" {
		name = "MaxJobs"
	}
	var list []string
	hide := func(what string, names []string) {
		if len(names) > 0 {
			list = append(list, what+" "+few(names))
		}
	}
	if object != "partition" {
		hide("partition", w.hiders["partition"][name])
	}
	if object == "user" || object == "account" || object == "" {
		hide("QOS", w.hiders["qos"][name])
	}
	return strings.Join(list, " and of ")
}

// few are names as a sentence holds them.
func few(names []string) string {
	text := strings.Join(names[:min(3, len(names))], ", ")
	if more := len(names) - 3; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// partitionQOS is the name of the QOS that holds a partition's limits. Slurm takes names of QOS in any case, so that
// partitions Fast and fast need two.
func (w *writer) partitionQOS(partition string) string {
	if name := w.slurmRecord("PartitionName", partition, setting{}).text("QOS"); name != "" {
		return name
	}
	taken := named(w.policy, "qos")
	for i := range w.records {
		taken = append(taken, w.records[i].text("QOS"))
	}
	return free("part_"+strings.ToLower(partition), taken)
}

// limitToSlurm hangs a limit on what Slurm has: users and accounts are associations, classes partitions with a QOS.
func (w *writer) limitToSlurm(l *ir.Limit) bool {
	name := w.limitName(l)
	within := "" // the account in which a user's jobs are counted
	if len(l.Cross) == 1 && l.Object == "user" && l.Per[1] == "account" {
		within = l.Cross[0]
	} else if len(l.Cross) > 0 {
		return false
	}
	if slices.Contains(l.Per, "group") {
		w.because(l.Span, "Slurm has no limits of groups")
		return false
	}
	if name == "" && l.Object == "" && len(l.Per) > 0 {
		return w.noneEach(l)
	}
	if name == "" || l.Override || l.AtLeast || l.When.IsSet() || l.Hard == nil || *l.Hard < 0 || *l.Hard != float64(int64(*l.Hard)) {
		return false // left
	}
	if l.Row != "" && l.Object != "partition" && !slurmCanName(l.Row) {
		w.because(l.Span, noSlurmName())
		return false
	}
	n := int64(*l.Hard)
	how := ""
	also := func(text string) { how = strings.TrimPrefix(how+"; "+text, "; ") }
	if l.Soft != nil && *l.Soft < *l.Hard {
		also(fmt.Sprintf("the soft limit of %v is lost: Slurm has none", *l.Soft))
	}
	switch l.Counts {
	case "proc_seconds":
		n = (n + 59) / 60
		also(fmt.Sprintf("Slurm counts what running jobs may still use, in minutes, %s what they were given", w.called()))
	case "nodes":
		also(fmt.Sprintf("Slurm counts the nodes of every job, %s only those of jobs that ask for nodes", w.called()))
	case "memory":
		also(fmt.Sprintf("Slurm counts the memory that every job gets, %s only that of jobs that ask for memory", w.called()))
	case "walltime":
		if n%60 != 0 {
			also("Slurm counts minutes, rounded up")
		}
		n = (n + 59) / 60
	case "gpus":
		w.countGPUs()
	}
	kind, rows := "QOS", []string{l.Row}
	switch l.Object {
	case "":
		kind, rows = "association", []string{"root"}
		if strings.HasPrefix(l.Source, "hold ") {
			also("the job waits with the reason of Slurm's limit")
		}
		switch {
		case len(l.Per) > 0 && name != "MaxJobs":
			return w.noneEach(l)
		case len(l.Per) == 1:
			also("Slurm counts in each account of a user by itself")
		}
	case "account":
		kind = "association"
		if l.Row == "DEFAULT" {
			return w.noneEach(l)
		}
		if w.isRoot(l.Row, l.Span) {
			return false
		}
		if w.hasBelow(l.Row) {
			also("Slurm counts jobs of accounts below it too")
		}
	case "user":
		kind = "association"
		drawn := true
		switch {
		case within != "" && l.Row != "DEFAULT":
			rows = []string{within + "/" + l.Row}
		case l.Row != "DEFAULT":
			rows, drawn = w.homes(l.Row)
			if len(rows) > 1 && l.Phase != "job" {
				also("Slurm counts in each account of a user by itself")
			}
		case name != "MaxJobs" || within != "":
			return w.noneEach(l)
		default:
			rows = []string{"root"}
			also("Slurm counts in each account of a user by itself")
			drawn = w.policy.Family != "maui"
		}
		if !drawn {
			also("which accounts users are in is no part of the policy: move them from the account " + w.usersAccount)
		}
	case "qos":
		if l.Row == "DEFAULT" {
			return w.noneEach(l)
		}
		if all := w.forAll(l.Row); all != "" {
			also(all)
		}
	case "partition":
		if l.Row == "DEFAULT" {
			return w.noneEach(l)
		}
		if !w.partition(l.Row, l.Span) {
			return false
		}
		rows = []string{w.partitionQOS(l.Row)}
		w.setSlurm("PartitionName", l.Row, setting{"QOS", rows[0], l.Span})
		also("the limit stands in a QOS of the partition; a job that asks for that QOS in another partition has it too, unless AccountingStorageEnforce=qos keeps the QOS from it")
	default:
		return false
	}
	option, tres, ofTRES := strings.Cut(name, "=")
	label := option
	if ofTRES {
		label = option + "=" + tres
	}
	hard := float64(n)
	object := map[string]string{"QOS": "qos", "association": "association"}[kind]
	for _, row := range rows {
		if first := w.reached(l, object, row, label); first != nil {
			w.near(l.Span, "both hold in "+w.called()+", and in Slurm there is room for one", "%s says nothing: %s holds first", l.Source, first.Source)
			return true
		}
		if w.same != nil { // of a policy for Slurm: it is no difference that the limit is there
			w.same[object+" "+row+" "+label] = true
		}
		if !w.slurmLimit(&ir.Limit{Name: label, Kind: option, Object: object, Row: row, Hard: &hard, Span: l.Span}) {
			return false
		}
	}
	if hiding := w.hidingInSlurm(l.Object, name); hiding != "" {
		also("Slurm passes over it for jobs of " + hiding + ", where the same limit is asked first; " + w.called() + " asks all")
	}
	w.hang(hungLimit{limit: l, object: object, label: label, rows: rows, most: n, how: how})
	return true
}

// noneEach says why a limit of everybody is left: for each of them by itself, or for all that are not named.
func (w *writer) noneEach(l *ir.Limit) bool {
	who := strings.NewReplacer("partition", "class", "qos", "QOS").Replace(strings.Join(l.Per, " in each "))
	if l.Object != "" {
		w.because(l.Span, "Slurm has no such limit for each "+who+" that has none of its own; write it for those that are to have it, by name")
	} else {
		w.because(l.Span, "one on Slurm's account root counts all jobs together, and there is none for each "+who+" by itself; write it for those that are to have it, by name")
	}
	return false
}

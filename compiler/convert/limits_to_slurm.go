package convert

import (
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// limitsToSlurm writes the limits, and that slurmctld is to look at them.
func (w *writer) limitsToSlurm() {
	var first *ir.Limit
	for _, l := range stricter(w.policy.Limits) {
		switch {
		case !w.limitToSlurm(l):
			w.miss(l.Source, l.Span)
		case first == nil:
			first = l
		}
	}
	if first != nil {
		w.say("AccountingStorageEnforce", "limits")
		w.exampleUsers(first.Span)
	}
}

// limitToSlurm hangs a limit on what Slurm has: users and accounts are associations, classes partitions with a QOS.
func (w *writer) limitToSlurm(l *ir.Limit) bool {
	name := slurmName(l.Per, l.Phase, l.Counts)
	if name == "" || l.Override || l.AtLeast || l.When.IsSet() || len(l.Cross) > 0 || l.Hard == nil || *l.Hard < 0 || *l.Hard != float64(int64(*l.Hard)) {
		return false // left
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
		also("Slurm counts what running jobs may still use, in minutes, Maui what they were given")
	case "walltime":
		if n%60 != 0 {
			also("Slurm counts minutes, rounded up")
		}
		n = (n + 59) / 60
	}
	kind, row := "QOS", l.Row
	switch l.Object {
	case "account":
		kind = "association"
		if l.Row == "DEFAULT" || w.isRoot(l.Row, l.Span) {
			return false
		}
	case "user":
		kind, row = "association", w.usersAccount+"/"+l.Row
		if l.Row == "DEFAULT" {
			if name != "MaxJobs" {
				return false
			}
			row = "root"
			also("Slurm counts in each account of a user by itself")
		}
		also("which accounts users are in is no part of the policy: move them from the account " + w.usersAccount)
	case "qos":
		if l.Row == "DEFAULT" {
			return false
		}
		if all := w.forAll(l.Row); all != "" {
			also(all)
		}
	case "partition":
		if l.Row == "DEFAULT" || !w.partition(l.Row, l.Span) {
			return false
		}
		row = free("part_"+strings.ToLower(l.Row), named(w.policy, "qos"))
		w.setSlurm("PartitionName", l.Row, setting{"QOS", row, l.Span})
		also("the limit stands in a QOS of the partition")
	default:
		return false
	}
	option, tres, ofTRES := strings.Cut(name, "=")
	label := option
	if ofTRES {
		label = option + "=" + tres
	}
	hard := float64(n)
	if !w.slurmLimit(&ir.Limit{Name: label, Kind: option, Object: map[string]string{"QOS": "qos", "association": "association"}[kind], Row: row, Hard: &hard, Span: l.Span}) {
		return false
	}
	if how == "" {
		w.exact(l.Span)
		return true
	}
	w.near(l.Span, how, "%s becomes %s=%d of %s %s", l.Source, label, n, map[string]string{"QOS": "QOS", "association": "the association"}[kind], row)
	return true
}

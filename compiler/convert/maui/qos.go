package maui

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// qosUses is what a policy says of its QOS, gathered once: there may be thousands of limits, and each asks.
type qosUses struct {
	byName map[string]qosUse   // in lower case, as Slurm tells names apart
	limits map[string][]string // the QOS that have a limit, by the name of what it hides
}

type qosUse struct {
	partitions []ir.TableRow // whose own QOS it is
	listed     bool          // associations may use it
}

// asked reports a QOS that jobs may have: one of a partition, which no association names, they do not.
func (q qosUse) asked() bool { return q.listed || len(q.partitions) == 0 }

func (u *qosUses) of(name string) qosUse { return u.byName[strings.ToLower(name)] }

// uses gathers them where they are first asked for.
func (w *writer) uses() *qosUses {
	if w.qos != nil {
		return w.qos
	}
	w.qos = &qosUses{byName: map[string]qosUse{}, limits: map[string][]string{}}
	add := func(name string, change func(*qosUse)) {
		q := w.qos.of(name)
		change(&q)
		w.qos.byName[strings.ToLower(name)] = q
	}
	for _, r := range w.Rows("partition.qos") {
		if r.Name != "DEFAULT" {
			add(r.Value.Str, func(q *qosUse) { q.partitions = append(q.partitions, r) })
		}
	}
	for _, r := range w.Rows("association.qos_list") {
		for _, name := range r.Value.List {
			add(strings.TrimLeft(name, "+"), func(q *qosUse) { q.listed = true })
		}
	}
	for i := range w.Policy.Limits {
		l := &w.Policy.Limits[i]
		if l.Object != "qos" {
			continue
		}
		also := map[string]string{"MaxJobsPU": "MaxJobs", "MaxJobsPA": "MaxJobs"}[l.Name]
		for _, hidden := range []string{l.Name, also} {
			if list := w.qos.limits[hidden]; hidden != "" && !slices.Contains(list, l.Row) {
				w.qos.limits[hidden] = append(list, l.Row)
			}
		}
	}
	return w.qos
}

// hiding are the QOS for whose jobs Slurm ignores a limit, as they have one of the kind: that of an
// association after any other, that of a QOS after a partition's (documented with the resource limits of sacctmgr).
func (u *qosUses) hiding(l *ir.Limit) (names []string) {
	for _, name := range u.limits[l.Name] {
		if l.Object == "association" || l.Object == "qos" && name != l.Row && len(u.of(name).partitions) > 0 {
			names = append(names, name)
		}
	}
	return names
}

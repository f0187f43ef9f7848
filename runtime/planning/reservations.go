package planning

import (
	"cmp"
	"slices"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Reservations makes the cluster's reservations: those of the snapshot, then those of the policy.
func (q *Queue) Reservations(o Options) {
	t, place := q.Result.Snapshot.Reservations, o.Place
	if place == nil {
		place = time.UTC
	}
	if t != nil {
		for row := range t.Rows {
			q.snapshotReservation(row, place, cmp.Or(o.Pass, q.Result.Now))
		}
	}
	if p := q.Result.Program.Plan; p != nil {
		for i := range p.Reservations {
			q.policyReservation(&p.Reservations[i], place)
		}
	}
}

// snapshotReservation adds one row and, if it is repeated, its later times.
func (q *Queue) snapshotReservation(row int, place *time.Location, now int64) {
	t := q.Result.Snapshot.Reservations
	list := func(id schema.ColumnID) []string { return t.Value(id, row).List }
	flags := list("reservation.flags")
	r := backfill.Reservation{
		Name: t.Text("reservation.name", row), Start: t.Int("reservation.start_time", row), End: backfill.Forever,
		Nodes:       q.indices(list("reservation.hosts")),
		Maintenance: slices.Contains(flags, "maint"), IgnoresJobs: slices.Contains(flags, "ignore_jobs"),
		Flexible: slices.Contains(flags, "flex"),
	}
	r.Licenses = q.reservedLicenses(r.Name, t.Text("reservation.licenses", row))
	if v := t.Value("reservation.end_time", row); v.Known() {
		r.End = min(v.Int, backfill.Forever)
	}
	q.maintained(&r, now)
	if procs := t.Value("reservation.procs", row); procs.Known() && len(r.Nodes) > 0 {
		r.Amounts.Procs = q.partOfNodes(procs.Int, r.Nodes)
		if each := r.Amounts.Procs; each > 0 && len(r.Nodes) > 1 {
			q.Result.Findings.Infof("plan-reservation-split", source.Span{},
				"no input says which of the %d processors of reservation %s are on which of its %d nodes", procs.Int, r.Name,
				len(r.Nodes)).
				Note("it is planned with %d on each; another split leaves room elsewhere", each)
		}
	}
	who := admission{name: r.Name, job: t.Text("reservation.job", row),
		byName: q.Result.Snapshot.Manner().NamesReservation,
		users:  list("reservation.users"), groups: list("reservation.groups"), accounts: list("reservation.accounts"),
		qos: list("reservation.qoses"), classes: list("reservation.classes")}
	r.Admits = who.admits
	q.repeat(r, period(flags), place)
}

// partOfNodes is what a reservation of so many processors has of each node; 0 is all.
func (q *Queue) partOfNodes(procs int64, nodes []int32) int64 {
	all := int64(0)
	for _, node := range nodes {
		all += q.Cluster.Nodes[node].Capacity.Procs
	}
	if procs >= all {
		return 0
	}
	return max(1, procs/int64(len(nodes)))
}

// period is how often a reservation with these flags comes again: hourly, daily, weekly, weekday, weekend, or "".
func period(flags []string) string {
	for _, word := range flags {
		switch word {
		case "hourly", "daily", "weekly", "weekday", "weekend":
			return word
		}
	}
	return ""
}

package engine

import (
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill"
)

// reservationDays is how far ahead a reservation that is repeated is written out.
const reservationDays = 92

// reservations makes the cluster's reservations: those of the snapshot, then those of the policy.
func (q *planQueue) reservations(o PlanOptions) {
	t := q.result.Snapshot.Reservations
	if t != nil {
		for row := range t.Rows {
			q.snapshotReservation(row)
		}
	}
	place := o.Place
	if place == nil {
		place = time.UTC
	}
	if p := q.result.Program.Plan; p != nil {
		for i := range p.Reservations {
			q.policyReservation(&p.Reservations[i], place)
		}
	}
}

// snapshotReservation adds one row and, if it is repeated, its later times.
func (q *planQueue) snapshotReservation(row int) {
	t, now := q.result.Snapshot.Reservations, q.result.Now
	list := func(id schema.ColumnID) []string { return t.Value(id, row).List }
	flags := list("reservation.flags")
	r := backfill.Reservation{
		Name: t.Value("reservation.name", row).Str, Start: t.Value("reservation.start_time", row).Int, End: backfill.Forever,
		Nodes: q.indices(list("reservation.hosts")), Licenses: licensesOf(t.Value("reservation.licenses", row).Str),
		Maintenance: slices.Contains(flags, "maint"), IgnoresJobs: slices.Contains(flags, "ignore_jobs"), Flexible: slices.Contains(flags, "flex"),
	}
	if v := t.Value("reservation.end_time", row); v.Known() {
		r.End = v.Int
	}
	if procs := t.Value("reservation.procs", row); procs.Known() && len(r.Nodes) > 0 {
		r.Amounts.Procs = q.partOfNodes(procs.Int, r.Nodes)
	}
	who := admission{name: r.Name, job: t.Value("reservation.job", row).Str, byName: q.result.Snapshot.Family == "slurm",
		users: list("reservation.users"), groups: list("reservation.groups"), accounts: list("reservation.accounts"),
		qos: list("reservation.qoses"), classes: list("reservation.classes")}
	r.Admits = who.admits
	q.cluster.Reservations = append(q.cluster.Reservations, repeated(r, period(flags), now)...)
}

// repeated are the times of a reservation that lie ahead: of one that comes again those of the next weeks.
func repeated(r backfill.Reservation, every string, now int64) []backfill.Reservation {
	seconds := map[string]int64{"hourly": 3600, "daily": 24 * 3600, "weekday": 24 * 3600, "weekend": 24 * 3600, "weekly": 7 * 24 * 3600}[every]
	if seconds == 0 {
		if r.End > now {
			return []backfill.Reservation{r}
		}
		return nil
	}
	r.End = min(r.End, r.Start+seconds) // it would overlap itself
	var list []backfill.Reservation
	for k := max(0, (now-r.End)/seconds); ; k++ {
		again := r
		again.Start, again.End = r.Start+k*seconds, r.End+k*seconds
		if again.Start > now+reservationDays*24*3600 && k > 0 {
			return list
		}
		if again.End > now && (k == 0 || onDay(again.Start, every)) {
			list = append(list, again)
		}
	}
}

// partOfNodes is what a reservation of so many processors has of each node; 0 is all.
func (q *planQueue) partOfNodes(procs int64, nodes []int32) int64 {
	all := int64(0)
	for _, node := range nodes {
		all += q.cluster.Nodes[node].Capacity.Procs
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

// onDay reports a day on which such a reservation is there.
func onDay(start int64, every string) bool {
	day := time.Unix(start, 0).UTC().Weekday()
	weekend := day == time.Saturday || day == time.Sunday
	switch every {
	case "weekday":
		return !weekend
	case "weekend":
		return weekend
	}
	return true
}

// admission says which jobs may use a reservation. Slurm asks that a job names it (byName) and that nothing keeps it
// out; in Maui and in policy files whoever is on one of the lists may use it.
type admission struct {
	name, job                             string
	byName                                bool
	users, groups, accounts, qos, classes []string
}

func (a *admission) admits(r *backfill.Request) bool {
	if a.job != "" {
		return r.ID == a.job
	}
	if a.byName {
		return slices.Contains(strings.Split(r.Reservation, ","), a.name) && a.notDenied(a.users, r.User) && a.notDenied(a.accounts, r.Account)
	}
	if r.Reservation == a.name && a.name != "" {
		return true
	}
	for _, list := range []struct {
		names []string
		name  string
	}{{a.users, r.User}, {a.groups, r.Group}, {a.accounts, r.Account}, {a.qos, r.QOS}, {a.classes, r.Class}} {
		if list.name != "" && slices.Contains(list.names, list.name) {
			return true
		}
	}
	return false
}

// notDenied: a minus keeps a name out. That the job is on the list was asked when it was submitted.
func (a *admission) notDenied(list []string, name string) bool {
	return !slices.Contains(list, "-"+name)
}

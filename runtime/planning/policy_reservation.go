package planning

import (
	"slices"
	"time"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/program"
)

// policyReservation adds a reservation of a policy file, at each of its times.
func (q *Queue) policyReservation(p *program.Reservation, place *time.Location) {
	r := backfill.Reservation{Name: p.Name, Start: p.Start, End: p.End, Nodes: q.nodesWith(p),
		Licenses:    q.reservedLicenses(p.Name, p.Licenses),
		Maintenance: p.Maintenance, IgnoresJobs: p.Maintenance}
	r.Amounts.Procs = p.ProcsPerNode
	who := admission{name: p.Name, users: p.Users, groups: p.Groups, accounts: p.Accounts, qos: p.QOS, classes: p.Classes}
	r.Admits = who.admits
	if p.Maintenance {
		r.Admits = nil
	}
	if len(p.Days) == 0 {
		if r.End == 0 {
			r.End = backfill.Forever
		}
		q.repeat(r, "", place)
		return
	}
	if p.End == 0 {
		r.PeriodSeconds = daySeconds
	}
	// Through the calendar, so that eight o'clock stays eight o'clock when clocks are changed.
	year, month, day := time.Unix(q.Result.Now, 0).In(place).Date()
	clock := func(days int, seconds int64) time.Time {
		return time.Date(year, month, day+days, 0, 0, int(seconds), 0, place)
	}
	q.again(r, -1, func(k int) (start, end int64, there bool) {
		from, to := clock(k, p.From), clock(k, p.To)
		if p.To <= p.From {
			to = clock(k+1, p.To)
		}
		start, end = max(from.Unix(), p.Start), to.Unix()
		if p.End > 0 {
			end = min(end, p.End)
		}
		return start, end, start < end && slices.Contains(p.Days, int64(clock(k, 0).Weekday()))
	})
}

// nodesWith finds the nodes of a policy's reservation.
func (q *Queue) nodesWith(p *program.Reservation) []int32 {
	for _, name := range p.Nodes {
		q.unknownNode(p.Span, name, "reservation %s names", p.Name)
	}
	var list []int32
	for i := range q.Cluster.Nodes {
		node := &q.Cluster.Nodes[i]
		if len(p.Nodes) > 0 && !slices.Contains(p.Nodes, node.Name) {
			continue
		}
		if !slices.ContainsFunc(p.Features, func(f string) bool { return !slices.Contains(node.Features, f) }) {
			list = append(list, int32(i))
		}
	}
	return list
}

// reservationDays is how far ahead a reservation that comes again is written out.
const reservationDays = 92

const daySeconds = 24 * 3600

// repeat adds a reservation, if it comes again at each of its times. Hours are as long as they are; days and weeks are
// those of the calendar, in which eight o'clock stays eight o'clock when clocks are changed (slurmctld, reservation.c,
// advances local time).
func (q *Queue) repeat(r backfill.Reservation, every string, place *time.Location) {
	days := map[string]int{"daily": 1, "weekday": 1, "weekend": 1, "weekly": 7}[every]
	r.PeriodSeconds = int64(days) * daySeconds
	if every == "hourly" {
		r.PeriodSeconds = 3600
	}
	if r.PeriodSeconds == 0 {
		if r.End > q.Result.Now {
			q.Cluster.Reservations = append(q.Cluster.Reservations, r)
		}
		return
	}
	r.End = min(r.End, r.Start+r.PeriodSeconds) // it would overlap itself
	first := max(0, (q.Result.Now-r.End)/r.PeriodSeconds-1)
	q.again(r, int(first), func(k int) (start, end int64, there bool) {
		if days == 0 {
			return r.Start + int64(k)*r.PeriodSeconds, r.End + int64(k)*r.PeriodSeconds, true
		}
		from := time.Unix(r.Start, 0).In(place).AddDate(0, 0, k*days)
		to := time.Unix(r.End, 0).In(place).AddDate(0, 0, k*days)
		weekend := from.Weekday() == time.Saturday || from.Weekday() == time.Sunday
		return from.Unix(), to.Unix(), k == 0 || every != "weekday" && every != "weekend" || weekend == (every == "weekend")
	})
}

// again adds a reservation at each of its times that are not over, as one series. time says of each, counted from the
// first on, when it is, and whether the day is one of its days.
func (q *Queue) again(r backfill.Reservation, first int, time func(k int) (start, end int64, there bool)) {
	now := q.Result.Now
	q.series++
	r.Series = q.series
	listed := 0
	for k := first; ; k++ {
		start, end, there := time(k)
		if start > now+reservationDays*daySeconds && (listed > 0 || k > first+reservationDays) {
			return
		}
		if there && end > now {
			again := r
			again.Start, again.End = start, end
			q.Cluster.Reservations = append(q.Cluster.Reservations, again)
			listed++
		}
	}
}

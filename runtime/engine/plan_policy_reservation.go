package engine

import (
	"slices"
	"time"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/program"
)

// policyReservation adds a reservation of a policy file, at each of its times.
func (q *planQueue) policyReservation(p *program.Reservation, place *time.Location) {
	r := backfill.Reservation{Name: p.Name, Start: p.Start, End: p.End, Nodes: q.nodesWith(p), Licenses: licensesOf(p.Licenses),
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
		if r.End > q.result.Now {
			q.cluster.Reservations = append(q.cluster.Reservations, r)
		}
		return
	}
	year, month, day := time.Unix(q.result.Now, 0).In(place).Date()
	for k := -1; k < reservationDays; k++ {
		// Through the calendar, so that eight o'clock stays eight o'clock when clocks are changed.
		midnight := func(days int) time.Time { return time.Date(year, month, day+days, 0, 0, 0, 0, place) }
		if !slices.Contains(p.Days, int64(midnight(k).Weekday())) {
			continue
		}
		clock := func(seconds int64) int64 {
			return time.Date(year, month, day+k, 0, 0, int(seconds), 0, place).Unix()
		}
		again := r
		if again.Start, again.End = clock(p.From), clock(p.To); p.To <= p.From {
			again.End = time.Date(year, month, day+k+1, 0, 0, int(p.To), 0, place).Unix()
		}
		if p.Start > 0 {
			again.Start = max(again.Start, p.Start)
		}
		if p.End > 0 {
			again.End = min(again.End, p.End)
		}
		if again.End > max(q.result.Now, again.Start) {
			q.cluster.Reservations = append(q.cluster.Reservations, again)
		}
	}
}

// nodesWith finds the nodes of a policy's reservation.
func (q *planQueue) nodesWith(p *program.Reservation) []int32 {
	var list []int32
	for i := range q.cluster.Nodes {
		node := &q.cluster.Nodes[i]
		if len(p.Nodes) > 0 && !slices.Contains(p.Nodes, node.Name) {
			continue
		}
		if !slices.ContainsFunc(p.Features, func(f string) bool { return !slices.Contains(node.Features, f) }) {
			list = append(list, int32(i))
		}
	}
	return list
}

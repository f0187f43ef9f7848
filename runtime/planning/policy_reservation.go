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

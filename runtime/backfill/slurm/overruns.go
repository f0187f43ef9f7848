package slurm

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// slurmctld plans starts that cannot be. It asks about reservations at the time at which it tries a job, and keeps
// nodes from the time that the will-run test finds, which may be later; and of a reservation that comes again it knows
// one time (both observed with 22.05). When the time has come the job does not start. Such a plan stays, for others
// are made around it, and the job is reported to be delayed; but a job to which reservations never leave its nodes for
// long enough has none.

// overruns looks for plans that run into reservations of others.
func (p *planner) overruns(s *backfill.Schedule, record map[int32]int32) error {
	var at []int
	var list []backfill.Request
	for i := range s.Placements {
		if err := p.reached("reservations in the way", i, len(s.Placements)); err != nil {
			return err
		}
		place, r := &s.Placements[i], &s.Requests[i]
		if place.By != backfill.ByReservation {
			continue
		}
		overrun, again := p.overrun(place, r)
		place.WaitsFor = append(place.WaitsFor, overrun...)
		if k, waits := record[r.Row]; waits && again {
			if entries := p.entriesOf(k); entries != nil {
				ask := *r
				p.laterRequest(&ask, entries)
				at, list = append(at, i), append(list, ask)
			}
		}
	}
	if list == nil {
		return nil
	}
	never, err := backfill.Never(p.laterCluster(), list, p.now, p.watch("reservations in the way"))
	if err != nil {
		return err
	}
	for n, i := range at {
		if place := &s.Placements[i]; never[n] != "" {
			*place = backfill.Placement{Job: place.Job, Reason: place.Reason, Never: never[n]}
		}
	}
	return nil
}

// overrun are the reservations of others into which a job would run on its nodes, of those that come again the first
// time; again is that one of them does, or never ends.
func (p *planner) overrun(place *backfill.Placement, r *backfill.Request) (list []backfill.Wait, again bool) {
	c := p.in.Cluster
	own := c.Named(r.Reservation)
	for k := range c.Reservations {
		v := &c.Reservations[k]
		if v.Start >= place.End || v.End <= place.Start || v.Amounts.Procs > 0 || slices.Contains(own, int32(k)) {
			continue
		}
		w := backfill.Wait{Kind: backfill.WaitOverrun, Job: -1, Name: v.Name, From: v.Start, Until: v.End}
		for _, n := range place.Nodes {
			if p.reservedNodes(k).has(n.Node) {
				w.Nodes = append(w.Nodes, n.Node)
			}
		}
		if w.Nodes == nil {
			continue
		}
		again = again || v.PeriodSeconds > 0 || v.End >= backfill.Forever
		if !slices.ContainsFunc(list, func(o backfill.Wait) bool { return o.Name == v.Name }) {
			list = append(list, w)
		}
	}
	return list, again
}

package slurm

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// attempt is the search for the start of one job in the backfill cycle.
type attempt struct {
	*cycle
	entry          int32
	e              *Entry
	w              *want
	j              *job
	r              *backfill.Request
	limit, planned int64                   // seconds: of the job, and those that it is planned for
	nowOnly        bool                    // nothing may be kept for it
	before         int64                   // the start found in another of its partitions; 0 is none
	suffice        func(free []int64) bool // asks for licences, where they are planned
	retried        bool
	counted        bool // as a job whose placement was tried
	asked          bool // limits; their answer is for this job alone
	keeps          bool
	beyond         bool // its start is after the window
	estimated      int64
	gone, stay     []*holding // the running jobs that it may preempt, and those that it waits for in vain

	memory    *memory // nil: nothing is remembered
	quick     quick
	last      int64 // time tried
	placed    int64 // the time at which its placement was tried
	countOnly bool  // it is sought only whether that is so
}

// longTime is a number of tries no job comes to: each moves on in time.
const longTime = 1 << 20

// search moves through the map until there is a start that holds.
func (a *attempt) search() fate {
	p := a.p
	at := max(p.now, a.notBefore(a.e.Request))
	if p.in.Settings.LimitStop {
		at = max(at, a.blocked[a.r.QOS], a.blocked["partition "+p.in.Cluster.Partitions[a.e.Partition].Name])
	}
	if a.memory == nil || a.nowOnly {
		return a.walk(at)
	}
	if a.stairs == nil {
		a.stairs = p.staircases()
	}
	// Where overlaps come first, select/linear's answer counts even if it is after the next time to try: what runs
	// decides to which time the job goes on.
	foresees := !(p.rules.overlapFirst && p.in.Settings.Linear)
	a.quick = quick{on: true, foresees: foresees, partition: a.e.Partition, nodes: int32(min(a.w.nodesMin, 1<<30)),
		seconds: a.planned, looksOn: p.rules.looksOn, none: a.memory.none}
	none := a.stairs.none(a.w, a.planned)
	if foresees {
		if a.quick.ready = p.soonest(a.w); a.w.alone { // all that it needs are nodes
			none = max(none, a.quick.ready)
		}
	}
	if none > p.now {
		a.quick.none.add(p.now, none)
	}
	result := a.walk(at)
	if !a.counted && foresees && (a.quick.ready > 0 || len(a.quick.none.from) > 0) {
		a.countPassed(at)
	}
	if a.counted {
		a.memory.placed = a.placed
	}
	if most := a.memory.none.until(p.now); most > none {
		a.stairs.note(a.w, a.planned, most)
	}
	return result
}

// countPassed counts the job as one whose placement was tried if its time is one of those skipped.
func (a *attempt) countPassed(from int64) {
	p := a.p
	if t := a.memory.placed; t >= from && t <= a.last {
		avail := p.scratch(&p.avail)
		copy(avail, a.w.fit)
		avail.and(p.up)
		p.slots.during(t, t+a.planned, avail, p.usable, false, a.suffice)
		if int64(avail.count()) >= a.w.nodesMin {
			a.counted, a.placed = true, t
			p.tried++
			return
		}
	}
	start, retried := a.j.start, a.retried
	a.quick.ready, a.quick.none, a.countOnly = 0, &spans{}, true
	a.walk(from)
	a.j.start, a.retried, a.countOnly = start, retried, false
}

func (a *attempt) walk(at int64) fate {
	for range longTime {
		if a.quick.on {
			then, ok := a.p.slots.skip(&a.quick, at)
			if a.last = then; !ok {
				return a.giveUp()
			}
			a.retried = a.retried || then > at
			at = then
		}
		a.last = at
		later, result := a.at(at)
		if later == 0 {
			return result
		}
		at, a.retried = later, true
	}
	return a.giveUp()
}

// giveUp leaves the job with what another partition has for it.
func (a *attempt) giveUp() fate {
	a.j.start = a.before
	return refused
}

// drop leaves the job without a start, also one that another partition has for it if it was tried at several times
// (slurmctld forgets that one when it tries again).
func (a *attempt) drop() fate {
	if a.retried {
		a.j.start = 0
	}
	a.keeps = !a.retried
	return refused
}

// again is when to try once more, if there is such a time and the job may wait.
func (a *attempt) again(later int64) (int64, fate) {
	if later == 0 || a.nowOnly {
		return 0, a.giveUp()
	}
	return later, refused
}

// at tries one time: later is when to try next, 0 if the result is final.
func (a *attempt) at(at int64) (later int64, result fate) {
	p := a.p
	if a.quick.foresees && a.counted {
		if later, too := a.tooSoon(at); too {
			return later, refused
		}
	}
	at, resEnd, usable, ok := a.usable(at)
	if !ok {
		return 0, a.drop()
	}
	avail := p.scratch(&p.avail)
	copy(avail, usable)
	later, short := p.slots.during(at, max(at, p.now)+a.planned, avail, usable, p.rules.looksOn, a.suffice)
	if resEnd > 0 && resEnd+1 < p.slots.windowEnd && (later == 0 || resEnd+1 < later) {
		later = resEnd + 1
	}
	a.withoutExcluded(avail)
	if short { // the cycle says nothing of it (recorded: backfill-licenses-bf)
		return a.again(later)
	}
	if int64(avail.count()) < a.w.nodesMin || a.w.required != nil && !a.w.required.within(avail) || !p.mayDo(a.w, avail) {
		if a.quick.on && later > 0 && int64(p.slots.half.common(a.w.fit)) < a.w.nodesMin {
			a.quick.none.add(at, later)
		}
		return a.again(later)
	}
	if !a.counted {
		a.counted, a.placed = true, at
		if p.tried++; a.countOnly {
			return 0, refused
		}
	}
	if a.quick.foresees && later > 0 && p.freeBy(a.w.alone).by(later, p.slots.half, a.w.fit, p.look) < a.w.nodesMin {
		a.quick.none.add(at, later)
		return later, refused
	}
	p.removable, p.staying = a.gone, a.stay
	found := p.earliest(a.w, avail, a.nowOnly, at, later)
	p.removable, p.staying = nil, nil
	if found.nodes == nil {
		return a.again(later)
	}
	return a.found(start{max(at, found.at), slices.Clone(found.nodes)}, at, later, avail)
}

// usable are the nodes that the job may have from a time on, which reservations may put off; ok is false if that is
// never. resEnd is when the first reservation that takes some of them away ends, 0 if none does.
func (a *attempt) usable(from int64) (at, resEnd int64, nodes set, ok bool) {
	p := a.p
	nodes = p.scratch(&p.usable)
	nodes.fill(len(p.nodes))
	at, overlaps, left := p.unreserved(a.e, a.w, from, a.planned, true, nodes)
	if left != open || p.rules.looksOn && at > p.slots.windowEnd {
		return at, 0, nil, false
	}
	if overlaps {
		resEnd = p.reservationEnd(at)
	}
	nodes.and(p.partitions[a.e.Partition])
	nodes.and(p.up)
	p.withoutStrangers(a.e, nodes)
	if p.rules.endsUp {
		a.withoutExcluded(nodes)
	}
	return at, resEnd, nodes, true
}

// tooSoon reports that too few nodes are free of what runs by the next time to try, and all along of what is kept.
func (a *attempt) tooSoon(at int64) (later int64, too bool) {
	p, m := a.p, &a.p.slots
	first := m.at(at)
	later, after := m.hop(&a.quick, first, at+a.planned)
	if after == 0 {
		return 0, false
	}
	few := p.look
	too = p.freeBy(a.w.alone).by(later, m.free[first], a.w.fit, few) < a.w.nodesMin
	for k := first + 1; !too && k < len(m.begin) && m.begin[k] < floor(at+a.planned, m.resolution); k++ {
		if !few.within(m.free[k]) {
			few.and(m.free[k])
			too = int64(few.count()) < a.w.nodesMin
		}
	}
	if too {
		a.quick.none.add(at, later)
	}
	return later, too
}

func (a *attempt) withoutExcluded(nodes set) {
	for _, i := range a.r.Excluded {
		nodes.remove(i)
	}
}

// mayDo reports that enough nodes are large enough and have the features.
func (p *planner) mayDo(w *want, avail set) bool {
	avail.and(w.fit)
	if int64(avail.count()) < w.nodesMin || w.required != nil && !w.required.within(avail) {
		return false
	}
	for _, s := range w.steps {
		some := s.nodes.clone()
		some.and(avail)
		if int64(some.count()) < s.count {
			return false
		}
	}
	return true
}

// found has a start: it is now, it is to be kept, or there is something against it.
func (a *attempt) found(s start, at, later int64, avail set) (int64, fate) {
	p := a.p
	nodes := newSet(len(p.nodes))
	for _, n := range s.nodes {
		nodes.add(n.node)
	}
	if s.at <= p.now && nodes.meets(p.completing) { // it waits for these, and is not tried before
		s.at, later = p.now+1, 0
	}
	if p.rules.overlapFirst && s.at > p.now {
		if begin, end := a.slot(s.at); p.slots.taken(nodes, begin, end, a.suffice) {
			if next := s.at; next > at || p.in.Settings.Version < 2505 {
				return next, refused
			}
			return s.at + p.slots.resolution, refused
		}
	}
	if s.at <= p.now {
		if result, done := a.foundNow(&s, &later, nodes, avail); done {
			return 0, result
		}
	}
	if a.foundHet(s.at, nodes); s.at > p.now && a.nowOnly {
		return 0, a.expect(s.at)
	}
	if later > 0 && s.at > later {
		return later, refused
	}
	if s.at > a.begin+p.in.Settings.WindowSeconds {
		a.beyond = true
		p.bind(a.e, "bf_window")
		return 0, a.expect(s.at)
	}
	begin, end := a.slot(s.at)
	if s.at > p.now && p.slots.taken(nodes, begin, end, a.suffice) {
		return s.at, refused
	}
	return 0, a.keep(s, nodes, begin, end)
}

// foundNow has a start that would be now. done: that is decided; else what was found is kept, at another time where a
// limit wants one.
func (a *attempt) foundNow(s *start, later *int64, nodes, avail set) (result fate, done bool) {
	if a.r.Het != 0 {
		a.foundHet(s.at, nodes)
		return a.keepHet(*s, nodes), true
	}
	if a.e.Denied != "" { // it is not started, and what it found is kept for it
		*later = 0
		return refused, false
	}
	switch word, ok := a.startNow(avail); {
	case ok:
		return began, true
	case word == "": // nothing that the map knows of; what it found is kept for the job
		*later = 0
	case !a.p.in.Settings.LimitStop || word == Reservation:
		return a.giveUp(), true
	default:
		s.at = a.whenLimitPasses(*later)
	}
	return refused, false
}

// expect says when the job would start, for which nothing is kept, unless it is known to start sooner.
func (a *attempt) expect(at int64) fate {
	if a.before != 0 && a.before < at {
		a.j.start = a.before
	} else {
		a.estimate(at)
	}
	return refused
}

// keepHet keeps the nodes of a component that can start now, until it is known whether the others can.
func (a *attempt) keepHet(s start, nodes set) fate {
	begin, end := a.slot(s.at)
	result := a.keep(s, nodes, begin, end)
	if a.p.in.Settings.HetImmediate {
		a.startHet(a.r.Het)
	}
	return result
}

// slot is what is kept for a job that starts at a time.
func (a *attempt) slot(at int64) (begin, end int64) {
	end = at + a.planned
	if a.p.rules.endsUp {
		end += a.p.slots.resolution - 1
	}
	return floor(at, a.p.slots.resolution), floor(end, a.p.slots.resolution)
}

// startNow starts the job. If limits stop it, word is what they say; if it is neither, there are no nodes after all.
func (a *attempt) startNow(avail set) (word string, ok bool) {
	p := a.p
	a.asked = true
	was := a.j.reason
	limit := p.mainLimit(a.e)
	if a.r.WalltimeMinSeconds > 0 { // its limit is set to the shortest time until it has started
		limit = min(limit, a.planned)
	}
	p.wakeUp()
	nodes, result := p.selectNow(a.entry, limit, avail.clone())
	switch {
	case result == overLimits:
		return a.j.reason, false
	case result == notNow:
		return Reservation, false
	case result != starts:
		a.j.reason = was // it is left as it was (recorded: preempt-exempt, job 9; loopback-preempt-qos-suspend, 12)
		return "", false
	}
	a.j.reason = was
	seconds := a.planned
	if p.rules.stretches || a.r.Deadline > 0 {
		seconds = a.limit
	}
	by := startOf(backfill.ByBackfill, p.now+seconds)
	if a.r.WalltimeMinSeconds > 0 || a.r.Deadline > 0 {
		by.holding.end = a.stretch(nodes, seconds)
	}
	p.begin(a.entry, nodes, by)
	if p.in.Settings.RunningReserve || by.holding.end > 0 {
		a.keepRunning(p.running[len(p.running)-1])
	}
	return "", true
}

// wakeUp weighs nodes anew, which slurmctld does when it starts a job and at no other time in a cycle: those that the
// main pass has given to jobs are waking up by now (_build_node_list; recorded: power-cloud, job 10).
func (p *planner) wakeUp() {
	for _, s := range p.started {
		if s.by == backfill.ByMain {
			p.woken.or(s.holding.nodes)
		}
	}
}

// stretch gives a job that would do with less time as much as there is until its nodes are kept for
// others or reserved (_reset_job_time_limit).
func (a *attempt) stretch(nodes []share, seconds int64) int64 {
	p := a.p
	mine := newSet(len(p.nodes))
	for _, s := range nodes {
		mine.add(s.node)
	}
	end := p.now + seconds
	least := p.now + a.r.WalltimeMinSeconds
	if kept := p.slots.nextKept(mine, p.now, end); kept < end {
		end = max(p.now+(kept-p.now)/60*60, least)
	}
	for k := range p.in.Cluster.Reservations { // job_time_adj_resv
		v := &p.in.Cluster.Reservations[k]
		if v.Start < end && v.End > p.now && (a.r.Reservation == "" || v.Name != a.r.Reservation) &&
			mine.meets(p.reservedNodes(k)) {
			end = max(p.now+(v.Start-p.now)/60*60, least)
		}
	}
	return end
}

// whenLimitPasses: it is unknown when a limit will let the job start; slurmctld takes the next change of the map, or
// 500 s.
func (a *attempt) whenLimitPasses(later int64) int64 {
	if later == 0 {
		later = a.p.now + 500
	}
	if qos := a.p.gate.GroupQOS(a.e.Row); qos != "" {
		a.blocked[qos] = max(a.blocked[qos], later)
	}
	return later
}

// keep makes a reservation.
func (a *attempt) keep(s start, nodes set, begin, end int64) fate {
	p := a.p
	if a.deadlocks(s.at) {
		a.j.start, a.j.end = s.at, s.at+a.planned
		return refused
	}
	a.asked = true
	if !p.in.Settings.LimitStop && p.gate != nil {
		if word := p.gate.WithNodes(a.e.Row, p.planned(a.w, s.nodes)); word != "" {
			a.j.reason = word
			a.estimate(s.at)
			return refused
		}
	}
	if a.e.NoReserve {
		p.bind(a.e, "NoReserve")
		a.estimate(s.at)
		return refused
	}
	if most := p.in.Settings.PartitionReserve; most > 0 {
		if a.reservedIn[a.e.Partition] >= most {
			p.bind(a.e, "bf_job_part_count_reserve")
			a.estimate(s.at)
			return refused
		}
		a.reservedIn[a.e.Partition]++
	}
	if a.before == 0 || !p.in.Settings.OneReservation {
		if p.in.Settings.TableSize > 0 && p.slots.records >= p.in.Settings.TableSize {
			if a.estimate(s.at); p.rules.fullShows && (a.before == 0 || s.at < a.before) {
				a.show(&s) // recorded: loopback-table-full, job 9
			}
			p.stopped = "bf_node_space_size"
			return ended
		}
		if p.slots.keep(begin, end, nodes, p.licenses.taker(a.r)) && a.e.Denied == "" {
			a.j.kept = append(a.j.kept, keptTask{s.at, s.at + a.planned, s.nodes, a.e.Partition})
		}
	}
	if a.show(&s); a.j.start == s.at && begin >= p.slots.windowEnd {
		p.bind(a.e, "bf_window")
	}
	return planned
}

// show notes a start with its nodes, unless another partition has an earlier one.
func (a *attempt) show(s *start) {
	if a.before == 0 || s.at < a.before {
		a.j.start, a.j.end, a.j.nodes, a.j.partition, a.j.reserved = s.at, s.at+a.planned, s.nodes, a.e.Partition, true
	} else {
		a.j.start = a.before
	}
}

// estimate notes a start for which nothing is kept. Nodes that another partition has for the job stay.
func (a *attempt) estimate(at int64) {
	a.estimated = at
	a.j.start, a.j.end = at, at+a.planned
	if !a.j.reserved {
		a.j.partition = a.e.Partition
	}
}

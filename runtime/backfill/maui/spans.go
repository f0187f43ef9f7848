package maui

import "slices"

// span is a time during which a node has the same room for tasks of a job, without end at last (maui.md §9 P1 calls
// it a stretch).
type span struct {
	start, end int64
	tasks      int64
	begin      int64 // for a job that begins in it: as tasks, but for the slots of its class where nothing ends any more
	reach      int64 // for a job that began before it, in the same way
	joins      bool  // the room of the one before it goes on
}

// spans lists the room of a node from now on for a job that is to begin at a time, which matters to reservations
// with a time limit.
//
// Maui does not see that room grows where another reservation begins at the same moment, if the room before
// suffices for the whole job (maui.md §9 P4). Where the slots of a class keep room from growing, the room before
// goes on; but on a node where this iteration gave away a part, only where they cut it already before, and no
// job ends that ran before (rules.md P58).
func (p *Planner) spans(n *node, j *Job, d *demand, begin int64, out []span) []span {
	occupied, endless := p.occupied(n, j.Job)
	before, few := int64(0), n.classSlots(j.Class)
	planned := slices.ContainsFunc(n.holds, func(h hold) bool { return h.start >= p.now })
	add := func(start int64, free *amounts) {
		room := free.tasks(d) // whatever the class
		bound := min(room, n.classTasks(free, d.class, perNode(j)))
		next := span{start: start, end: forever, tasks: bound, begin: bound, reach: bound}
		if start >= occupied && few < many {
			next.reach = min(bound, few+perNode(j))
			if next.begin = next.reach; !endless {
				next.begin = min(room, few)
			}
		}
		if k := len(out); k > 0 {
			last := &out[k-1]
			alike := before == room || !planned || before > last.tasks && !p.ranUntil(n, start)
			next.joins = alike && last.tasks == next.tasks
			if next.joins && last.begin == next.begin ||
				before < room && last.tasks >= j.Tasks && p.begins(n, start, j.Job) {
				return
			}
			last.end = start
		}
		before, out = room, append(out, next)
	}
	if until := p.unavailable(n, j, d); until > p.now {
		add(p.now, &amounts{procs: -1})
		add(until, &n.profile[0].free)
		return out
	}
	if p.amountsDecide(n, j) {
		for k := range n.profile {
			add(n.profile[k].at, &n.profile[k].free)
		}
		return out
	}
	for _, t := range p.moments(n, p.now) {
		free := p.freeAt(n, j, d, begin, t)
		add(t, &free)
	}
	return out
}

// ranUntil reports a job that ran before this iteration and ends on a node at a time.
func (p *Planner) ranUntil(n *node, at int64) bool {
	return slices.ContainsFunc(n.holds, func(h hold) bool { return h.start < p.now && h.end == at })
}

// unavailable is until when a node without any reservation has too little for a job only because of what is in use of
// it without a job that says so: that may be gone at the next iteration (maui.md §9 P29).
func (p *Planner) unavailable(n *node, j *Job, d *demand) int64 {
	if len(n.holds)+len(n.standing) > 0 || n.unknown.procs <= 0 && n.unknown.mem <= 0 && n.unknown.swap <= 0 &&
		n.unknown.disk <= 0 {
		return p.now
	}
	least, now := p.least(n, j), n.freeNow()
	if now.tasks(d) >= least || n.profile[0].free.tasks(d) < least {
		return p.now
	}
	return p.now + max(1, p.settings.PollSeconds)
}

// amountsDecide reports a node on which amounts alone decide about room for a job. To the windows of backfill that is
// every node but one of a single user, or that a job has alone (rules.md P40, P72).
func (p *Planner) amountsDecide(n *node, j *Job) bool {
	return n.access == shared && (j.everyone ||
		len(n.standing) == 0 && !j.Dedicated && !p.dedicated(n) && n.holdOf(j.Job) == nil)
}

// begins reports a reservation of another job on a node that begins at a time, or a piece of a standing one that
// begins or ends then. These are in pieces, from the begin or end of one job that they admit to the next (rules.md
// P48).
func (p *Planner) begins(n *node, at int64, job int32) bool {
	return slices.ContainsFunc(n.holds, func(h hold) bool { return h.start == at && h.job != job }) ||
		slices.ContainsFunc(n.standing, func(s *piece) bool {
			return s.start == at || s.end == at || s.start < at && at < s.end && slices.ContainsFunc(n.holds, func(h hold) bool {
				_, admitted := s.serves(&p.jobs[h.job], h.start)
				return admitted && (h.start == at || h.end == at)
			})
		})
}

// gap is a time during which a job may begin, with room for so many tasks. ends: its last moment is too late already.
type gap struct {
	from, to, tasks int64
	ends            bool
}

// gaps are the times at which a node has at least so many tasks' room for so many seconds (maui.md §9 P1). A start
// within a span is judged by that span and those that follow it, until together they are longer than the span and the
// job: by the least room of them. It may be as late as they leave the job its time, but a later span has its own.
// Where a partition is chosen alone, a later start within the last span has the room of one that reaches it (rules.md
// P80).
func gaps(spans []span, seconds, least int64, choosing bool, out []gap) []gap {
	for k, first := range spans {
		if first.begin < least {
			continue
		}
		tasks, end := first.begin, first.end
		if choosing && k > 0 {
			tasks = first.reach
		}
		for _, next := range spans[k+1:] {
			if next.tasks < least || end-first.end > seconds {
				break
			}
			tasks, end = min(tasks, next.reach), next.end
		}
		g := gap{from: first.start, to: forever, tasks: tasks}
		if end < forever {
			g.to = end - seconds
		}
		if g.to >= first.end && first.end < forever {
			g.to, g.ends = first.end, true
		}
		if g.to >= g.from {
			out = append(out, g)
		}
	}
	return out
}

// lasting is the room of a node from now on, and until when: the first span and, where it has no less room, the next;
// further ones as far as the job needs them (maui.md §9 P2, P17). Room is the least of them.
func lasting(spans []span, seconds, least int64) (tasks, until int64) {
	from := spans[0].start
	tasks, until = spans[0].begin, spans[0].end
	second := true
	for _, next := range spans[1:] {
		if !next.joins {
			if tasks < least || next.tasks < least || until-from >= seconds && (!second || next.tasks < tasks) {
				break
			}
			second = false
		}
		tasks, until = min(tasks, next.tasks), next.end
	}
	if tasks < least || until < forever && until-from < seconds {
		tasks = 0
	}
	return tasks, until
}

// roomNow is how many tasks of a job a node has room for from now on, and until when.
func (p *Planner) roomNow(n *node, j *Job, d *demand) (tasks, until int64) {
	p.buffer = p.spans(n, j, d, p.now, p.buffer[:0])
	return lasting(p.buffer, j.WalltimeSeconds, p.least(n, j))
}

// roomLater is how many tasks of a job that is to begin at a time get a node then: as many as there is room for at
// first, while some is left until the job ends (recorded: b09), and as the slots of its class allow at last (rules.md
// P80). Maui may so reserve more of a node than it has, which each iteration tries to mend.
func (p *Planner) roomLater(n *node, j *Job, at int64) int64 {
	p.buffer = p.spans(n, j, p.demand(j.Job), at, p.buffer[:0])
	k := 0
	for p.buffer[k].end <= at {
		k++
	}
	first, tasks, least := p.buffer[k], p.buffer[k].begin, p.least(n, j)
	for ; k+1 < len(p.buffer) && p.buffer[k].end-first.end <= j.WalltimeSeconds; k++ {
		next := p.buffer[k+1]
		if next.tasks < least {
			if p.buffer[k].end-at < j.WalltimeSeconds {
				return 0
			}
			break
		}
		if next.end >= forever {
			tasks = min(tasks, next.reach)
		}
	}
	if tasks < least {
		return 0
	}
	return tasks
}

// least is the smallest room of a node that is any use to a job.
func (p *Planner) least(n *node, j *Job) int64 { return perNode(j) }

// moments are the times from one on at which something changes on a node.
func (p *Planner) moments(n *node, from int64) []int64 {
	times := p.times[:0]
	times = append(times, from)
	note := func(t int64) {
		if t > from && t < forever {
			times = append(times, t)
		}
	}
	for k := range n.profile {
		note(n.profile[k].at)
	}
	for _, h := range n.holds {
		note(h.start)
		note(h.end)
	}
	for _, s := range n.standing {
		note(s.start)
		note(s.end)
	}
	slices.Sort(times)
	p.times = slices.Compact(times)
	return p.times
}

// freeForAnybody is what windows of backfill see of a node of a single user: what is free now, and then the whole
// node more for each job that ends, and less for each that begins. DEDICATED alone bounds it by what the node has
// (rules.md P72).
func (p *Planner) freeForAnybody(n *node, t int64) amounts {
	left := n.profile[0].free.clone()
	for _, h := range n.holds {
		if h.start > p.now && h.start <= t {
			left.procs -= n.Capacity.Procs
		}
		if h.end <= t {
			left.procs += n.Capacity.Procs
		}
	}
	if p.settings.Available.Procs == "DEDICATED" {
		left.procs = min(left.procs, n.Capacity.Procs)
	}
	return left
}

// freeAt is what a job may have of a node at a time, by who else is there and by which standing reservations keep
// the job out that begins at another.
func (p *Planner) freeAt(n *node, j *Job, d *demand, begin, t int64) (left amounts) {
	if j.everyone && n.access == singleUser {
		return p.freeForAnybody(n, t)
	}
	left = n.profile[n.profile.at(t)].free.clone()
	alone := n.access >= singleJob || j.Dedicated
	for _, h := range n.holds {
		if t < h.start || t >= h.end {
			continue
		}
		if h.job == j.Job {
			left.add(d, h.tasks, 1) // what the job has itself is room for it (maui.md §9 P7)
			continue
		}
		other := &p.jobs[h.job]
		if alone || other.Dedicated || n.access == singleUser && other.User != j.User {
			return amounts{procs: -1}
		}
	}
	for _, s := range n.standing {
		if t >= s.start && t < s.end && !j.everyone {
			p.keepOut(n, s, j, begin, t, &left)
		}
	}
	return left
}

// dedicated reports a node on which a job is that has it alone.
func (p *Planner) dedicated(n *node) bool {
	return p.anyDedicated && slices.ContainsFunc(n.holds, func(h hold) bool { return p.jobs[h.job].Dedicated })
}

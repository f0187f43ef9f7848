package maui

import "slices"

// span is a time during which a node has room for so many tasks of a job.
type span struct {
	start, end int64
	tasks      int64
}

// spans lists how many tasks of a job that begins at a time a node has room for from then on, without end. Neighbours differ. Where one
// reservation ends and another begins at once, Maui does not see that room grows: as long as there was any, it counts as
// what was there before (recorded: t10b, b04-respolicy-highest).
func (p *Planner) spans(n *node, j *Job, d *demand, from int64, out []span) []span {
	add := func(start int64, tasks int64) {
		if k := len(out); k > 0 {
			if out[k-1].tasks == tasks || out[k-1].tasks < tasks && out[k-1].tasks > 0 && p.meets(n, j, d, start, tasks) {
				return
			}
			out[k-1].end = start
		}
		out = append(out, span{start, forever, tasks})
	}
	own := n.holdOf(j.Job)
	if j.everyone || own == nil && len(n.standing) == 0 && n.access == shared && !j.Dedicated && !p.dedicated(n) {
		first := n.profile.at(from)
		for k := first; k < len(n.profile); k++ {
			add(max(from, n.profile[k].at), n.profile[k].free.tasks(d))
		}
		return out
	}
	for _, t := range p.moments(n, from) {
		if own != nil && t >= own.start && t < own.end {
			add(t, own.tasks) // what a job has itself is all that it sees of the node meanwhile (recorded: b04-respolicy-highest)
		} else {
			add(t, p.roomAt(n, j, d, from, t))
		}
	}
	return out
}

// meets reports a reservation that begins at a time, without which there would be more room.
func (p *Planner) meets(n *node, j *Job, d *demand, at, tasks int64) bool {
	for _, h := range n.holds {
		if h.start != at || h.job == j.Job {
			continue
		}
		free := n.profile[n.profile.at(at)].free.clone()
		free.add(p.demand(h.job), h.tasks, 1)
		if free.tasks(d) > tasks {
			return true
		}
	}
	return false
}

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

// roomAt is how many tasks a node has room for at a time, by who else is there and by which standing reservations keep
// the job out that begins at another.
func (p *Planner) roomAt(n *node, j *Job, d *demand, begin, t int64) int64 {
	free := &n.profile[n.profile.at(t)].free
	alone := n.access >= singleJob || j.Dedicated
	for _, h := range n.holds {
		if h.job == j.Job || t < h.start || t >= h.end {
			continue
		}
		other := &p.jobs[h.job]
		if alone || other.Dedicated || n.access == singleUser && other.User != j.User {
			return 0
		}
	}
	if len(n.standing) == 0 {
		return free.tasks(d)
	}
	left := free.clone()
	for _, s := range n.standing {
		if t >= s.start && t < s.end {
			p.keepOut(n, s, j, begin, t, &left)
		}
	}
	return left.tasks(d)
}

// dedicated reports a node on which a job stands that has it alone.
func (p *Planner) dedicated(n *node) bool {
	return p.anyDedicated && slices.ContainsFunc(n.holds, func(h hold) bool { return p.jobs[h.job].Dedicated })
}

// room is how many tasks of a job a node has room for from a time on for the whole of the job's time, and until when as
// Maui sees it: to the end of the time with that room or, where more room follows within it, to the end of
// the next; further only as far as the job needs (recorded: b04, n01, n08, n11).
func (p *Planner) room(n *node, j *Job, from int64) (tasks, until int64) {
	p.buffer = p.spans(n, j, p.demand(j.Job), from, p.buffer[:0])
	return lasting(p.buffer, from, j.WalltimeSeconds)
}

func lasting(spans []span, from, seconds int64) (tasks, until int64) {
	tasks, until = spans[0].tasks, spans[0].end
	k := 0
	for ; until-from < seconds && k+1 < len(spans) && tasks > 0; k++ {
		if until = spans[k+1].end; spans[k+1].tasks == 0 {
			tasks = 0
		}
	}
	if k == 0 && len(spans) > 1 && spans[1].tasks >= tasks {
		until = spans[1].end
	}
	return tasks, until
}

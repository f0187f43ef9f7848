package mauiplan

import (
	"slices"
	"sort"
)

// A hold keeps resources of nodes for a time: a running job, a job started in this iteration, a reservation of a
// waiting job, a standing reservation.
type hold struct {
	start, end int64
	job        *Job
	on         []Share
	standing   *Standing
}

// A twin is the iteration as it goes on.
type twin struct {
	*Machine
	holds    []hold
	started  map[*Job]string // the pass
	ran      []*Job          // before the iteration
	plan     Plan
	deferred map[*Job]bool
	putOff   map[*Job]bool // there was room now, and the allocation policy chose no nodes
}

// whole tells whether a node is for one job alone (P8).
func (t *twin) whole() bool { return t.Rules.Access == "SINGLEJOB" || t.Rules.Access == "SINGLETASK" }

// on is what is on the node, of everybody but the job.
func (t *twin) on(node int, but *Job) []hold {
	var out []hold
	for _, h := range t.holds {
		if h.standing != nil && slices.Contains(h.standing.Nodes, node) {
			out = append(out, h)
		}
		if h.job == nil || h.job == but {
			continue
		}
		tasks := int64(0)
		for _, s := range h.on {
			if s.Node == node {
				tasks += s.Tasks
			}
		}
		if tasks > 0 {
			h.on = []Share{{node, tasks}}
			h.end = t.seenUntil(h, node, but)
			out = append(out, h)
		}
	}
	return out
}

// seenUntil is when a job's hold ends: to windows of backfill, which are for anybody, jobs inside a standing
// reservation that admits them are part of it (P48).
func (t *twin) seenUntil(h hold, node int, by *Job) int64 {
	end := h.end
	if by == nil || by.User != anybody {
		return end
	}
	for k := range t.Standing {
		s := &t.Standing[k]
		if ok, _ := s.admits(h.job); ok && s.Start <= 0 && slices.Contains(s.Nodes, node) {
			end = max(end, s.End)
		}
	}
	return end
}

// admits tells whether the standing reservation lets the job in, and its affinity. Windows of backfill are for
// anybody (P40).
func (s *Standing) admits(j *Job) (bool, string) {
	for _, a := range s.Admits {
		if a.Name == map[string]string{"user": j.User, "group": j.Group, "class": j.Class}[a.Kind] {
			return true, a.Affinity
		}
	}
	return false, ""
}

// perNode is the least number of tasks that the job takes of a node; it is no more than the job has.
func (j *Job) perNode() int64 { return max(1, min(j.TasksPerNode, j.Tasks)) }

// fit is how many tasks of the job the resources serve.
func (j *Job) fit(procs, mem int64) int64 {
	n := Forever
	if j.ProcsPerTask > 0 {
		n = min(n, procs/j.ProcsPerTask)
	}
	if j.MemMBPerTask > 0 {
		n = min(n, mem/j.MemMBPerTask)
	}
	return max(0, n)
}

// roomAt is how many tasks of the job find room on the node at a time, of what it is configured with (§5.4), given
// what is on it.
func (t *twin) roomAt(j *Job, node int, held []hold, at int64) int64 {
	n := &t.Nodes[node]
	if j.User == anybody && t.Rules.Access == "SINGLEUSER" {
		return t.roomForAnybody(node, held, at)
	}
	procs, mem := n.Procs, n.MemMB
	for _, h := range held {
		if at < h.start || at >= h.end {
			continue
		}
		if h.standing != nil {
			if ok, _ := h.standing.admits(j); !ok && j.User != anybody {
				return 0
			}
			continue
		}
		if t.whole() || t.Rules.Access == "SINGLEUSER" && h.job.User != j.User && j.User != anybody {
			return 0
		}
		procs -= h.on[0].Tasks * h.job.ProcsPerTask
		mem -= h.on[0].Tasks * h.job.MemMBPerTask
	}
	room := j.fit(procs, mem)
	return room
}

// roomForAnybody is the room of windows of backfill under SINGLEUSER: what is free now, and from then on the whole node
// more for each job that ends and less for each that begins. DEDICATED alone bounds it by what the node has (P72).
func (t *twin) roomForAnybody(node int, held []hold, at int64) int64 {
	procs := t.Nodes[node].Procs
	for _, h := range held {
		if h.job == nil || h.start > at {
			continue
		}
		if h.start > 0 {
			procs -= t.Nodes[node].Procs
		} else {
			procs -= h.on[0].Tasks * h.job.ProcsPerTask
		}
		if h.end <= at {
			procs += t.Nodes[node].Procs
		}
	}
	if t.Rules.Available == "DEDICATED" {
		procs = min(procs, t.Nodes[node].Procs)
	}
	return max(0, procs)
}

// slots is how many tasks of the job its class lets on the node at a time: half of the processors and of the slots
// that running jobs leave, rounded up by the tasks per node (P31). Once nothing ends any more, the configured number
// binds a start (P32); one share more binds what reaches into that time, and a start where a standing reservation has
// no end (P80).
func (t *twin) slots(j *Job, node int, held []hold, at int64) (room, starts, reaches int64) {
	n := &t.Nodes[node]
	if j.Class == "" {
		return Forever, Forever, Forever
	}
	slots, last, endless := n.Slots[j.Class], true, false
	if h, ok := t.reservation(j); ok && h.end > at && slices.ContainsFunc(h.on, func(s Share) bool {
		return s.Node == node
	}) {
		last = false
	}
	for _, h := range held {
		endless = endless || h.end >= Forever
		last = last && (h.end <= at || h.end >= Forever)
		if h.job != nil && h.job.RunsOn != nil && h.job.Class == j.Class && h.start <= at && at < h.end {
			slots -= h.on[0].Tasks
		}
	}
	starts, reaches = Forever, Forever
	if last {
		starts, reaches = n.Slots[j.Class], n.Slots[j.Class]+j.perNode()
	}
	if last && endless {
		starts = reaches
	}
	return (n.Procs + slots + j.perNode()) / 2, starts, reaches
}

// A stretch is a time of constant room on a node.
type stretch struct {
	start, end int64
	room       int64
	starts     int64 // bound of a start within it
	reaches    int64 // bound of a start before it
	joins      bool  // the one before goes on, but for what bounds it
}

// stretches is the node's future for the job: connected pieces of constant room, without those in which less than its
// tasks per node have room (P1).
func (t *twin) stretches(j *Job, node int) []stretch {
	held := t.on(node, j)
	times := []int64{0, Forever}
	for _, h := range held {
		times = append(times, h.start, h.end)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	planned := slices.ContainsFunc(held, func(h hold) bool { return h.job != nil && h.job.RunsOn == nil })
	var out []stretch
	before := int64(0) // room whatever the class, when the last stretch began
	for k, at := range times {
		if at < 0 || at >= Forever {
			continue
		}
		room, starts, reaches := t.slots(j, node, held, at)
		free := t.roomAt(j, node, held, at)
		room = min(room, free)
		if room < j.perNode() {
			continue
		}
		last := len(out) - 1
		active := last >= 0 && out[last].end == at
		// The slots keep room from growing (P58).
		joins := active && out[last].room == room && (free == before || !planned ||
			before > room && !slices.ContainsFunc(held, func(h hold) bool {
				return h.end == at && h.job != nil && h.job.RunsOn != nil
			}))
		grows := active && before < free && out[last].room >= j.Tasks && // P4
			slices.ContainsFunc(held, func(h hold) bool { return h.start == at })
		if joins && starts >= room || grows {
			out[last].end = times[k+1]
			continue
		}
		before = free
		out = append(out, stretch{at, times[k+1], room, starts, reaches, joins})
	}
	return out
}

// A span is when a job may begin on a node, first and last second, and with how much room.
type span struct {
	first, last int64
	room        int64
	begin       int64 // room when it begins
}

// spans are the starts that a node's stretches allow (P1): a start within a stretch is judged by the least room of
// it and of the connected ones that follow, until they are longer than the stretch and the job together. Tasks are
// placed by the room of the stretch that it begins in (P45), within what the class lets into the last one (P80).
func spans(list []stretch, seconds int64) []span {
	var out []span
	for k, s := range list {
		total, room := int64(0), min(s.room, s.starts)
		begin := room
		for n := k; n < len(list); n++ {
			if n > k && list[n-1].end != list[n].start {
				break
			}
			total += list[n].end - list[n].start
			if n > k {
				begin = min(begin, list[n].reaches)
			}
			room = min(room, list[n].room, begin)
			if total > s.end-s.start+seconds {
				break
			}
		}
		if total >= seconds {
			out = append(out, span{s.start, min(s.start+total-seconds, s.end-1), room, begin})
		}
	}
	return out
}

// now is the room for a start now and how long it lasts (P2, P17).
func fromNow(list []stretch, seconds int64) (room, lasts int64) {
	if len(list) == 0 || list[0].start > 0 {
		return 0, 0
	}
	room, lasts = min(list[0].room, list[0].starts), list[0].end
	second := true
	for k := 1; k < len(list) && list[k-1].end == list[k].start; k++ {
		if !list[k].joins {
			if lasts >= seconds && (!second || list[k].room < room) {
				break
			}
			second = false
		}
		lasts += list[k].end - list[k].start
		room = min(room, list[k].room)
	}
	return room, lasts
}

// byPriority sorts jobs by priority, highest first; ties keep the order of the resource manager (§2.7).
func byPriority(jobs []*Job) []*Job {
	out := slices.Clone(jobs)
	sort.SliceStable(out, func(a, b int) bool { return out[a].Priority > out[b].Priority })
	return out
}

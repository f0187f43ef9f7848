package slurm

import "github.com/fairway-sched/fairway/runtime/limit/timeline"

// Timeline begins a timeline of the counters in which nothing runs.
func (s *Limits) Timeline(now int64) *timeline.Timeline {
	t := &overTime{Limits: s}
	t.bounded = t.boundedCounters()
	return timeline.New(t, now)
}

// overTime are the counters of associations and QOS over time.
type overTime struct {
	*Limits
	bounded []bool             // by counter: a limit is on it
	until   map[nodeOf]nodeEnd // of nodes that groups of running jobs have
}

// nodeOf is a node of a group of jobs, which counts once however many of them are there.
type nodeOf struct {
	counter int
	host    string
}

// nodeEnd is when the last of them ends.
type nodeEnd struct {
	id int32
	at int64
}

// counterOf is what a limit on running jobs counts; ok is false of limits on one job, and on what was used up.
func (s *Limits) counterOf(r *rule, h int32) (counter int, runsDown, ok bool) {
	first := int(h) * s.width()
	switch r.kind {
	case grpJobs, maxJobsPA, maxJobsPU, maxJobs:
		return first + atJobs, false, true
	case grpTRES, maxTRESPA, maxTRESPU:
		return first + perHolder + int(r.tres), false, true
	case grpTRESRunMins, maxRunMinsPA, maxRunMinsPU:
		return first + perHolder + len(s.tres) + int(r.tres), true, true
	}
	return 0, false, false
}

// boundedCounters are the counters that some limit is on.
func (s *overTime) boundedCounters() []bool {
	list := make([]bool, len(s.counts))
	mark := func(r *rule, h int32) {
		if counter, _, ok := s.counterOf(r, h); ok && h >= 0 {
			list[counter] = true
		}
	}
	for _, chain := range s.chains {
		for _, level := range chain {
			for i := range level.rules {
				mark(&level.rules[i], level.holder)
			}
		}
	}
	for row := range s.entries {
		for k := range s.entries[row].qos {
			q := &s.entries[row].qos[k]
			if q.qos < 0 {
				continue
			}
			for i := range s.holders[q.qos].rules {
				r := &s.holders[q.qos].rules[i]
				mark(r, s.qosHolder(q, r.kind))
			}
		}
	}
	return list
}

// Claims asks the rules as Check does. What a limit asks of the job alone, or of what was used up, changes with no
// end of another job.
func (s *overTime) Claims(row int, got timeline.Got, list []timeline.Claim) (claims []timeline.Claim, stopped bool) {
	s.as(row, got, func() {
		first := len(list)
		s.eachHolderOf(row, func(h int32) {
			list = s.adds(row, h, list)
		})
		clear(s.hidden)
		s.eachRule(row, func(k limitKind) bool { return k.beforeNodes() || k.withNodes() }, func(r *rule, h int32) bool {
			counter, runsDown, ok := s.counterOf(r, h)
			if !ok {
				stopped = stopped || s.test(row, r, h) != nil
				return true
			}
			c := timeline.Claim{Counter: counter, Amount: 1, Bound: s.value(row, r, h), RunsDown: runsDown, Rule: r, Holder: h}
			switch {
			case runsDown: // whole minutes are compared, of what is kept in seconds
				need := s.need(row, s.asks(row, r.tres))
				stopped = stopped || need > c.Bound
				c.Checks = !s.noUsage(row) && c.Bound < timeline.Largest // else others' use does not count against it
				c.Amount, c.Bound = 60*need, 60*c.Bound+59
			case r.tres >= 0:
				c.Checks, c.Amount = c.Bound < timeline.Largest, s.asks(row, r.tres)
			default:
				c.Checks = c.Bound < timeline.Largest
			}
			for k := first; c.Checks && k < len(list); k++ { // where it also counts
				if list[k].Counter == counter && !list[k].Checks {
					c.Adds = list[k].Adds
					list[k] = c
					return true
				}
			}
			if c.Checks {
				list = append(list, c)
			}
			return true
		})
	})
	return list, stopped
}

// adds are what a row's job has of the counters of a holder once it runs.
func (s *overTime) adds(row int, h int32, list []timeline.Claim) []timeline.Claim {
	first := int(h) * s.width()
	add := func(at int, amount int64, runsDown bool) {
		if s.bounded[first+at] {
			list = append(list, timeline.Claim{Counter: first + at, Adds: amount, RunsDown: runsDown})
		}
	}
	add(atJobs, 1, false)
	for t := range s.tres {
		asks := s.asks(row, int32(t))
		add(perHolder+t, asks, false)
		add(perHolder+len(s.tres)+t, s.reserve(int(s.o.RowJob[row]), asks), true)
	}
	return list
}

// InUse is what a counter has now.
func (s *overTime) InUse(counter int) int64 { return s.counts[counter] }

// Claim gives what a running job has. Nodes that several jobs of a group have are counted once they are all known.
func (s *overTime) Claim(row int, id int32, end int64, claim func(timeline.Claim)) {
	job := int(s.o.RowJob[row])
	if s.until == nil {
		s.until = map[nodeOf]nodeEnd{}
	}
	claims, _ := s.Claims(row, timeline.Got{}, nil)
	for _, c := range claims {
		if at := c.Counter % s.width(); s.nodeAt < 0 || at != perHolder+s.nodeAt || len(s.jobs[job].hosts) == 0 {
			claim(c)
			continue
		}
		for _, host := range s.jobs[job].hosts {
			node := nodeOf{c.Counter, host}
			if last, known := s.until[node]; !known || last.at < end || last.at == end && last.id > id {
				s.until[node] = nodeEnd{id, end}
			}
		}
	}
}

// Shared gives the nodes of running jobs, each until the last of a group's jobs there ends.
func (s *overTime) Shared(claim func(c timeline.Claim, id int32, end int64)) {
	for node, end := range s.until {
		claim(timeline.Claim{Counter: node.counter, Adds: 1}, end.id, end.at)
	}
	s.until = nil
}

// Describe names the limit as a stop of the job would.
func (s *overTime) Describe(row int, c *timeline.Claim, h *timeline.Holding) {
	stop := s.stop(row, c.Rule.(*rule), c.Holder, Full, Stop{})
	h.Limit, h.Reason, h.Whose = stop.Limit, stop.Reason, stop.Whose()
	if c.RunsDown {
		h.InUse, h.Value = h.InUse/60, c.Bound/60
	}
}

// Above is a limit on single jobs that a row's job does not keep.
func (s *overTime) Above(row int, got timeline.Got) (h timeline.Holding, is bool) {
	s.as(row, got, func() {
		clear(s.hidden)
		s.eachRule(row, func(k limitKind) bool { return k.beforeNodes() || k.withNodes() }, func(r *rule, holder int32) bool {
			if _, _, counted := s.counterOf(r, holder); counted {
				return true
			}
			if stop := s.test(row, r, holder); stop != nil && stop.Test == Above {
				h, is = timeline.Holding{InUse: stop.Asks, Value: stop.Value, By: -1, Limit: stop.Limit, Reason: stop.Reason,
					Whose: stop.Whose()}, true
			}
			return !is
		})
	})
	return h, is
}

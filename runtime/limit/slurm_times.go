package limit

// slurmTimes are the counters of associations and QOS over time.
type slurmTimes struct {
	*Slurm
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
func (s *Slurm) counterOf(r *rule, h int32) (counter int, runsDown, ok bool) {
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
func (s *slurmTimes) boundedCounters() []bool {
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

// claimsOf asks the rules as Check does. What a limit asks of the job alone, or of what was used up, changes with no
// end of another job.
func (s *slurmTimes) claimsOf(row int, got SlurmGot, list []claim) (claims []claim, stopped bool) {
	s.as(row, got, func() {
		first := len(list)
		s.eachHolderOf(row, func(h int32) {
			list = s.adds(row, h, list)
		})
		clear(s.hidden)
		s.eachRule(row, func(k slurmKind) bool { return k.beforeNodes() || k.withNodes() }, func(r *rule, h int32) bool {
			counter, runsDown, ok := s.counterOf(r, h)
			if !ok {
				stopped = stopped || s.test(row, r, h) != nil
				return true
			}
			c := claim{counter: counter, amount: 1, bound: s.value(row, r, h), runsDown: runsDown, rule: r, holder: h}
			switch {
			case runsDown: // whole minutes are compared, of what is kept in seconds
				need := s.need(row, s.asks(row, r.tres))
				stopped = stopped || need > c.bound
				c.checks = !s.noUsage(row) && c.bound < largest // else others' use does not count against it
				c.amount, c.bound = 60*need, 60*c.bound+59
			case r.tres >= 0:
				c.checks, c.amount = c.bound < largest, s.asks(row, r.tres)
			default:
				c.checks = c.bound < largest
			}
			for k := first; c.checks && k < len(list); k++ { // where it also counts
				if list[k].counter == counter && !list[k].checks {
					c.adds = list[k].adds
					list[k] = c
					return true
				}
			}
			if c.checks {
				list = append(list, c)
			}
			return true
		})
	})
	return list, stopped
}

// adds are what a row's job has of the counters of a holder once it runs.
func (s *slurmTimes) adds(row int, h int32, list []claim) []claim {
	first := int(h) * s.width()
	add := func(at int, amount int64, runsDown bool) {
		if s.bounded[first+at] {
			list = append(list, claim{counter: first + at, adds: amount, runsDown: runsDown})
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

func (s *slurmTimes) inUse(counter int) int64 { return s.counts[counter] }

// addRunning counts a running job. Nodes that several jobs of a group have are counted once they are all known.
func (s *slurmTimes) addRunning(t *Timeline, row int, id int32, end int64) {
	job := int(s.o.RowJob[row])
	if s.until == nil {
		s.until = map[nodeOf]nodeEnd{}
	}
	t.claims, _ = s.claimsOf(row, SlurmGot{}, t.claims[:0])
	for k := range t.claims {
		c := &t.claims[k]
		if at := c.counter % s.width(); s.nodeAt >= 0 && at == perHolder+s.nodeAt && len(s.jobs[job].hosts) > 0 {
			for _, host := range s.jobs[job].hosts {
				node := nodeOf{c.counter, host}
				if last, known := s.until[node]; !known || last.at < end || last.at == end && last.id > id {
					s.until[node] = nodeEnd{id, end}
				}
			}
			continue
		}
		if c.adds > 0 {
			t.course(c).add(id, t.origin, end, min(c.adds, largest))
		}
	}
}

// addHosts counts the nodes of running jobs, each until the last of a group's jobs there ends.
func (s *slurmTimes) addHosts(t *Timeline) {
	for node, end := range s.until {
		t.course(&claim{counter: node.counter}).add(end.id, t.origin, end.at, 1)
	}
}

// describe names the limit as a stop of the job would.
func (s *slurmTimes) describe(row int, c *claim, h *Holding) {
	h.Slurm = s.stop(row, c.rule, c.holder, Full, SlurmStop{})
	h.Limit = h.Slurm.Limit
	if c.runsDown {
		h.InUse, h.Value = h.InUse/60, c.bound/60
	}
}

func (s *slurmTimes) above(row int, got SlurmGot) (h Holding, is bool) {
	s.as(row, got, func() {
		clear(s.hidden)
		s.eachRule(row, func(k slurmKind) bool { return k.beforeNodes() || k.withNodes() }, func(r *rule, holder int32) bool {
			if _, _, counted := s.counterOf(r, holder); counted {
				return true
			}
			if stop := s.test(row, r, holder); stop != nil && stop.Test == Above {
				h, is = Holding{InUse: stop.Asks, Value: stop.Value, By: -1, Limit: stop.Limit, Slurm: stop}, true
			}
			return !is
		})
	})
	return h, is
}

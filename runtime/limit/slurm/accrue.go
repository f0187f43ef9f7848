package slurm

// CheckAccrue asks whether the age of a row may begin to grow: nil, or the limit that has no room for
// all its tasks.
func (s *Limits) CheckAccrue(row int) *Stop {
	r, h, room := s.tightestAccrue(row)
	tasks := s.jobs[s.o.RowJob[row]].tasks
	if r == nil || room >= tasks {
		return nil
	}
	test := Full
	if room > 0 {
		test = Over
	}
	return s.stop(row, r, h, test, Stop{Value: r.value, InUse: r.value - room, Asks: tasks})
}

// AccrueRoom is how many of a job's tasks may begin to grow in age in the partition of this row. Of an
// array slurmctld splits off those; the record of the others has no age.
func (s *Limits) AccrueRoom(row int) int64 {
	tasks := s.jobs[s.o.RowJob[row]].tasks
	if r, _, room := s.tightestAccrue(row); r != nil {
		return min(max(0, room), tasks)
	}
	return tasks
}

// tightestAccrue is the limit on ages that decides for a row, whose counter it is, and the room it
// has; nil where none is set. The tightest of its QOS decides; only where they have none, the first
// association on the way up that has one (acct_policy_calc_accrue; recorded: limit-accrue).
func (s *Limits) tightestAccrue(row int) (tightest *rule, of int32, least int64) {
	s.eachAccrueRule(row, func(r *rule, h int32, asked bool) {
		if room := r.value - *s.counter(h, atAccruing); asked && (tightest == nil || room < least) {
			tightest, of, least = r, h, room
		}
	})
	return tightest, of, least
}

// eachAccrueRule visits the limits on ages that a row is under, and whether each is asked.
func (s *Limits) eachAccrueRule(row int, visit func(r *rule, h int32, asked bool)) {
	e := &s.entries[row]
	any := false
	for k := range e.qos {
		q := &e.qos[k]
		if q.qos < 0 {
			continue
		}
		rules := s.holders[q.qos].rules
		for i := range rules {
			if rules[i].kind.accrues() {
				visit(&rules[i], s.qosHolder(q, rules[i].kind), true)
				any = true
			}
		}
	}
	for _, level := range s.chains[e.association] {
		here := false
		for i := range level.rules {
			if level.rules[i].kind.accrues() {
				visit(&level.rules[i], level.holder, !any)
				here = true
			}
		}
		any = any || here
	}
}

// AccrueStandings lists the limits on ages that a row is under with their counters. One whose age
// grows asks for nothing more.
func (s *Limits) AccrueStandings(row int, grows bool) []Standing {
	var list []Standing
	s.eachAccrueRule(row, func(r *rule, h int32, asked bool) {
		stop := Stop{Value: r.value, InUse: *s.counter(h, atAccruing)}
		if !grows {
			stop.Asks = s.jobs[s.o.RowJob[row]].tasks
		}
		list = append(list, Standing{*s.stop(row, r, h, Full, stop), !asked})
	})
	return list
}

// LimitsAccrual reports whether any limit on ages is set.
func (s *Limits) LimitsAccrual() bool {
	for i := range s.limits {
		if k, ok := kindOf(s.limits[i].Kind); ok && k.accrues() {
			return true
		}
	}
	return false
}

func (k limitKind) accrues() bool { return k >= grpAccrue }

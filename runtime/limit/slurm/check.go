package slurm

import (
	"github.com/fairway-sched/fairway/runtime/limit"
)

// Check asks whether a row of the queue may start: nil, or the first limit in slurmctld's order that
// it does not pass. QOS come first, the partition's before the job's; what a QOS limits is not asked
// of what comes after it (acct_policy.c; recorded: limit-hierarchy). First all limits that need no
// nodes are asked, then all others.
func (s *Limits) Check(row int) *Stop {
	clear(s.hidden)
	if stop := s.walk(row, limitKind.beforeNodes); stop != nil {
		return stop
	}
	return s.walk(row, limitKind.withNodes)
}

func (s *Limits) walk(row int, asked func(limitKind) bool) (stop *Stop) {
	s.eachRule(row, asked, func(r *rule, h int32) bool {
		stop = s.test(row, r, h)
		return stop == nil
	})
	return stop
}

// eachRule visits the rules that are asked of a row, with what they count for, until visit returns false.
func (s *Limits) eachRule(row int, asked func(limitKind) bool, visit func(r *rule, h int32) bool) {
	e := &s.entries[row]
	for k := range e.qos {
		q := &e.qos[k]
		if q.qos < 0 {
			continue
		}
		rules := s.holders[q.qos].rules
		for i := range rules {
			r := &rules[i]
			if asked(r.kind) && !s.isHidden(r) && !visit(r, s.qosHolder(q, r.kind)) {
				return
			}
		}
		for i := range rules {
			if asked(rules[i].kind) {
				s.hide(&rules[i])
			}
		}
	}
	for _, level := range s.chains[e.association] {
		for i := range level.rules {
			r := &level.rules[i]
			if asked(r.kind) && !s.isHidden(r) && !visit(r, level.holder) {
				return
			}
		}
	}
}

// qosHolder is who a limit of a QOS counts for.
func (s *Limits) qosHolder(q *qosUse, k limitKind) int32 {
	switch kindDocs[k].who {
	case byUser:
		return q.user
	case byAccount:
		return q.account
	}
	return q.qos
}

func (s *Limits) hiddenAt(k limitKind, tres int32) *bool {
	return &s.hidden[int(k)*(1+len(s.tres))+int(tres)+1]
}

func (s *Limits) hide(r *rule) { *s.hiddenAt(r.kind, r.tres) = true }

// isHidden: an association's limit on its own jobs gives way to one of a QOS on either a
// user's or an account's.
func (s *Limits) isHidden(r *rule) bool {
	switch r.kind {
	case maxJobs:
		return *s.hiddenAt(maxJobsPU, -1) || *s.hiddenAt(maxJobsPA, -1)
	case maxSubmit:
		return *s.hiddenAt(maxSubmitPU, -1) || *s.hiddenAt(maxSubmitPA, -1)
	}
	return *s.hiddenAt(r.kind, r.tres)
}

// value is a rule's number for a row: LimitFactor of the first QOS, else of the second,
// multiplies what associations allow of TRES.
func (s *Limits) value(row int, r *rule, h int32) int64 {
	if s.holders[h].object != "association" || r.kind != grpTRES && r.kind != maxTRESPerJob && r.kind != maxTRESPerNode {
		return r.value
	}
	for _, q := range s.entries[row].qos {
		if q.qos >= 0 && s.holders[q.qos].q != nil && s.holders[q.qos].q.LimitFactor > 0 {
			return limit.Truncate(float64(r.value) * s.holders[q.qos].q.LimitFactor)
		}
	}
	return r.value
}

// test makes the comparison of one rule.
func (s *Limits) test(row int, r *rule, h int32) *Stop {
	e := &s.entries[row]
	limit := s.value(row, r, h)
	switch r.kind {
	case grpJobs, maxJobsPA, maxJobsPU, maxJobs:
		if n := *s.counter(h, atJobs); n >= limit {
			return s.stop(row, r, h, Full, Stop{Value: limit, InUse: n, Asks: 1})
		}
	case maxWall:
		if e.stated && e.minutes > limit {
			return s.stop(row, r, h, Above, Stop{Value: limit, Asks: e.minutes})
		}
	case grpWall:
		used := s.holders[h].wallMinutes
		switch {
		case used >= limit:
			return s.stop(row, r, h, UsedUp, Stop{Value: limit, InUse: used, Asks: e.minutes})
		case s.o.Safe && used+e.minutes > limit:
			return s.stop(row, r, h, Unsafe, Stop{Value: limit, InUse: used, Asks: e.minutes})
		}
	case maxTRESPerJob:
		if asks := s.asks(row, r.tres); asks > limit {
			return s.stop(row, r, h, Above, Stop{Value: limit, Asks: asks})
		}
	case maxTRESPerNode:
		if asks := s.perNode(row, r.tres, s.asks(row, r.tres)); asks > limit {
			return s.stop(row, r, h, Above, Stop{Value: limit, Asks: asks})
		}
	case minTRESPerJob:
		if asks := s.asks(row, r.tres); asks < limit {
			return s.stop(row, r, h, Below, Stop{Value: limit, Asks: asks})
		}
	case maxTRESMinsPerJob:
		if need := s.need(row, s.asks(row, r.tres)); need > limit {
			return s.stop(row, r, h, Above, Stop{Value: limit, Asks: need})
		}
	case grpTRES, maxTRESPA, maxTRESPU:
		return s.testUse(row, r, h, limit)
	case grpTRESMins:
		return s.testMinutes(row, r, h, limit)
	case grpTRESRunMins, maxRunMinsPA, maxRunMinsPU:
		return s.testRunMinutes(row, r, h, limit)
	}
	return nil
}

// testUse asks whether a job fits beside what jobs have of a resource.
func (s *Limits) testUse(row int, r *rule, h int32, limit int64) *Stop {
	asks, used := s.asks(row, r.tres), *s.inUse(h, r.tres)
	if asks > limit {
		return s.stop(row, r, h, Above, Stop{Value: limit, Asks: asks})
	}
	if int(r.tres) == s.nodeAt {
		asks = s.newNodes(row, h, asks)
	}
	if asks+used > limit {
		return s.stop(row, r, h, Over, Stop{Value: limit, InUse: used, Asks: asks})
	}
	return nil
}

// testRunMinutes asks the same of the minutes that jobs have before them.
func (s *Limits) testRunMinutes(row int, r *rule, h int32, limit int64) *Stop {
	need, runs := s.need(row, s.asks(row, r.tres)), s.runs(row, h, r.tres)
	switch {
	case need > limit:
		return s.stop(row, r, h, Above, Stop{Value: limit, Asks: need})
	case need+runs > limit:
		return s.stop(row, r, h, Over, Stop{Value: limit, InUse: runs, Asks: need})
	}
	return nil
}

// testMinutes: without safe a job may start as long as the limit is not used up, and run over it.
// A job that has none of the resource is not stopped.
func (s *Limits) testMinutes(row int, r *rule, h int32, limit int64) *Stop {
	if s.asks(row, r.tres) == 0 {
		return nil
	}
	used := *s.used(h, r.tres)
	if s.noUsage(row) {
		used = 0
	}
	need, runs := s.need(row, s.asks(row, r.tres)), s.runs(row, h, r.tres)
	switch {
	case used >= limit:
		return s.stop(row, r, h, UsedUp, Stop{Value: limit, InUse: used, Asks: need})
	case !s.o.Safe:
		return nil
	case need > limit:
		return s.stop(row, r, h, Above, Stop{Value: limit, InUse: used, Runs: runs, Asks: need})
	case need+runs > limit-used:
		return s.stop(row, r, h, Unsafe, Stop{Value: limit, InUse: used, Runs: runs, Asks: need})
	}
	return nil
}

// need is the minutes times so much of a TRES that a job would use to the end of its time.
func (s *Limits) need(row int, asks int64) int64 {
	e := &s.entries[row]
	minutes := e.minutes
	if s.factorSafe(e) {
		minutes = limit.Truncate(float64(minutes) * e.factor)
	}
	return clamp(limit.Product(minutes, asks))
}

func (s *Limits) factorSafe(e *entry) bool {
	for _, q := range e.qos {
		if q.qos >= 0 && s.holders[q.qos].q != nil && s.holders[q.qos].q.FactorSafe {
			return true
		}
	}
	return false
}

func (s *Limits) noUsage(row int) bool { return s.entries[row].factor == 0 }

// runs is what running jobs may still use, in whole minutes. A job whose usage is not charged is
// not held to it (recorded: limit-factor-usagefactor).
func (s *Limits) runs(row int, h, tres int32) int64 {
	if s.noUsage(row) {
		return 0
	}
	return *s.reserved(h, tres) / 60
}

// perNode is the share of each node, cut to a whole number.
func (s *Limits) perNode(row int, tres int32, asks int64) int64 {
	nodes := s.o.Jobs.Int("job.nodes", int(s.o.RowJob[row]))
	if nodes > 1 && int(tres) != s.nodeAt {
		asks /= nodes
	}
	return asks
}

// newNodes is the least number of nodes that a job adds to those of a group: a job that shares
// nodes may be put on ones that the group has already. Which nodes it gets is not known yet, so
// that the limit may in the end stop a job that passes here.
func (s *Limits) newNodes(row int, h int32, asks int64) int64 {
	if s.exact {
		more := int64(0)
		for _, host := range s.jobs[s.o.RowJob[row]].hosts {
			if s.hosts[h][host] == 0 {
				more++
			}
		}
		return more
	}
	if s.apart || s.alone(int32(row)) {
		return asks
	}
	return max(0, asks-s.openHosts(h))
}

func (s *Limits) alone(row int32) bool { return s.o.Alone != nil && s.o.Alone[row] }

func (s *Limits) stop(row int, r *rule, h int32, test Test, stop Stop) *Stop {
	holder := &s.holders[h]
	stop.Limit, stop.Object, stop.Name, stop.Who = &s.limits[r.limit], holder.object, holder.name, holder.who
	stop.Kind, stop.Test, stop.holder = r.kind.String(), test, h
	if r.tres >= 0 {
		stop.TRES = s.tres[r.tres]
	}
	stop.Reason = reason(r.kind, stop.Object, stop.TRES, s.o.Version)
	stop.Level = s.levelOf(row, h)
	return &stop
}

// levelOf names the step of the way on which a limit is.
func (s *Limits) levelOf(row int, h int32) string {
	switch holder := &s.holders[h]; {
	case holder.object == "qos" && holder.name == s.o.Partition[row] && holder.name != s.qosOf(row):
		return "partition QOS"
	case holder.object == "qos":
		return "QOS"
	case h == s.entries[row].association:
		return "association"
	}
	return "account above"
}

// qosOf is the job's own QOS in a row.
func (s *Limits) qosOf(row int) string {
	if s.o.RowQOS != nil {
		return s.o.RowQOS[row]
	}
	return s.o.Jobs.Text("job.qos", int(s.o.RowJob[row]))
}

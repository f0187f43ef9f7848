package slurm

import (
	"github.com/fairway-sched/fairway/runtime/limit"
	"slices"
)

// Standing is a limit of Slurm with the counter that it bounds: for explanations and lists.
type Standing struct {
	Stop
	Hidden bool // a QOS that is asked before has one of the kind
}

// Standings lists the limits that a row is under, in the order in which they are asked when it is
// to start.
func (s *Limits) Standings(row int) []Standing {
	var list []Standing
	clear(s.hidden)
	e := &s.entries[row]
	add := func(rules []rule, holder func(limitKind) int32) {
		for i := range rules {
			r := &rules[i]
			if r.kind.beforeNodes() || r.kind.withNodes() {
				list = append(list, Standing{*s.standing(row, r, holder(r.kind)), s.isHidden(r)})
			}
		}
	}
	for k := range e.qos {
		if q := &e.qos[k]; q.qos >= 0 {
			add(s.holders[q.qos].rules, func(kind limitKind) int32 { return s.qosHolder(q, kind) })
			for i := range s.holders[q.qos].rules {
				s.hide(&s.holders[q.qos].rules[i])
			}
		}
	}
	for _, level := range s.chains[e.association] {
		add(level.rules, func(limitKind) int32 { return level.holder })
	}
	slices.SortStableFunc(list, func(a, b Standing) int { return boolOrder(!a.WithNodes(), !b.WithNodes()) })
	return list
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// standing is a rule's numbers, whether the job passes or not.
func (s *Limits) standing(row int, r *rule, h int32) *Stop {
	stop, asks := Stop{Value: s.value(row, r, h)}, int64(0)
	if r.tres >= 0 {
		asks = s.asks(row, r.tres)
	}
	switch r.kind {
	case grpJobs, maxJobsPA, maxJobsPU, maxJobs:
		stop.InUse, stop.Asks = *s.counter(h, atJobs), 1
	case maxWall:
		stop.Asks = s.entries[row].minutes
	case grpWall:
		stop.InUse, stop.Asks = s.holders[h].wallMinutes, s.entries[row].minutes
	case grpTRESMins:
		stop.InUse, stop.Runs, stop.Asks = *s.used(h, r.tres), s.runs(row, h, r.tres), s.need(row, asks)
	case grpTRESRunMins, maxRunMinsPA, maxRunMinsPU:
		stop.InUse, stop.Asks = s.runs(row, h, r.tres), s.need(row, asks)
	case grpTRES, maxTRESPA, maxTRESPU:
		stop.InUse, stop.Asks = *s.inUse(h, r.tres), asks
	case maxTRESMinsPerJob:
		stop.Asks = s.need(row, asks)
	case maxTRESPerNode:
		stop.Asks = s.perNode(row, r.tres, asks)
	default:
		stop.Asks = asks
	}
	return s.stop(row, r, h, Full, stop)
}

// Counter is a limit of an association or a QOS with what is in use of it.
type Counter struct {
	Stop
	Submitted bool // it counts jobs present
}

// Counters lists the limits on groups of jobs with what is in use, or, without all, those of
// which something is.
func (s *Limits) Counters(all bool) []Counter {
	var list []Counter
	add := func(h int32, rules []rule, fits func(who) bool) {
		for i := range rules {
			r := &rules[i]
			if !fits(kindDocs[r.kind].who) {
				continue
			}
			c := Counter{Stop: Stop{Value: r.value}}
			switch {
			case r.kind.accrues():
				c.InUse = *s.counter(h, atAccruing)
			case r.kind >= grpSubmit:
				c.InUse, c.Submitted = *s.counter(h, atSubmitted), true
			case r.kind == grpWall:
				c.InUse = s.holders[h].wallMinutes
			case r.kind == grpTRESMins:
				c.InUse, c.Runs = *s.used(h, r.tres), *s.reserved(h, r.tres)/60
			case r.kind == grpTRESRunMins || r.kind == maxRunMinsPA || r.kind == maxRunMinsPU:
				c.InUse = *s.reserved(h, r.tres) / 60
			case r.tres >= 0:
				c.InUse = *s.inUse(h, r.tres)
			default:
				c.InUse = *s.counter(h, atJobs)
			}
			if !all && c.InUse == 0 && c.Runs == 0 {
				continue
			}
			holder := &s.holders[h]
			c.Limit, c.Object, c.Name, c.Who, c.Kind, c.holder = &s.limits[r.limit], holder.object, holder.name, holder.who,
				r.kind.String(), h
			if r.tres >= 0 {
				c.TRES = s.tres[r.tres]
			}
			list = append(list, c)
		}
	}
	for h := range int32(len(s.holders)) {
		holder := &s.holders[h]
		switch {
		case holder.object == "association":
			if chain := s.chains[h]; len(chain) > 0 {
				add(h, chain[0].rules, func(w who) bool { return w != alone })
			} else {
				add(h, holder.rules, func(w who) bool { return w != alone })
			}
		case holder.who == "":
			add(h, holder.rules, func(w who) bool { return w == whole })
		default:
			add(h, s.holders[s.qos[holder.name]].rules, func(w who) bool {
				return w == byUser && holder.who[0] == 'u' || w == byAccount && holder.who[0] == 'a'
			})
		}
	}
	return list
}

// Uses lists those of the given jobs that have a part in what a stop says is in use: jobs, TRES, or
// minutes that they may still run. What was used up in the past has no jobs.
func (s *Limits) Uses(stop *Stop, jobs []int32) []limit.Use {
	var list []limit.Use
	k, ok := kindOf(stop.Kind)
	if !ok || kindDocs[k].who == alone || k == grpWall {
		return nil
	}
	t := int32(slices.Index(s.tres, stop.TRES))
	for _, job := range jobs {
		counted := false
		s.eachHolder(int(job), func(h int32) { counted = counted || h == stop.holder })
		if !counted {
			continue
		}
		use := limit.Use{Job: int(job), Amount: 1}
		switch {
		case k >= grpSubmit:
			use.Amount = s.jobs[job].tasks
		case k == grpTRESMins || k == grpTRESRunMins || k == maxRunMinsPA || k == maxRunMinsPU:
			use.Seconds = s.reserve(int(job), s.request(int(job), t))
			use.Amount = use.Seconds / 60
		case t >= 0:
			use.Amount = s.request(int(job), t)
		}
		if use.Amount != 0 {
			list = append(list, use)
		}
	}
	return list
}

package limit

import "github.com/fairway-sched/fairway/runtime/program"

// claimsOf lists what a job has of the limits on what runs. Of a limit's two numbers the tighter one counts, in Maui
// the hard one: by that backfill starts jobs.
func (g *Gate) claimsOf(job int, _ SlurmGot, list []claim) ([]claim, bool) {
	keys, amounts := g.row(job)
	stopped, first := g.tooLarge(job), 0
	for i := range g.active {
		s := &g.active[i]
		counter := first
		first += len(s.counters)
		key := keys[s.keyAt]
		if key == noKey {
			continue
		}
		counter += int(key)
		own := s.counters[key].own
		c := claim{counter: counter, amount: amounts[s.amountAt], bound: program.NoLimit, runsDown: timed(s.counts),
			limit: noLimit, holder: int32(i)}
		if s.plain || g.concerns(own, job) {
			c.adds = max(c.amount, 0)
		}
		if limit := s.limitOf(keys); limit != noLimit && g.concerns(limit, job) {
			c.bound, c.limit = g.boundOf(limit), limit
			switch {
			case s.atLeast:
				stopped = stopped || c.bound != program.NoLimit && c.amount < c.bound
			case c.bound < largest:
				c.checks = true
			}
		}
		if c.checks || c.adds > 0 && (len(s.overrides) > 0 || own != noLimit) {
			list = append(list, c)
		}
	}
	return list, stopped
}

func (g *Gate) boundOf(limit int32) int64 {
	if g.how.SoftFirst {
		return g.limits[limit].Hard
	}
	return min(g.limits[limit].Soft, g.limits[limit].Hard)
}

// tooLarge reports a job that is larger than limits on single jobs let it be.
func (g *Gate) tooLarge(job int) bool {
	_, over := g.CheckJob(job, Hard)
	if !over && !g.how.SoftFirst {
		_, over = g.CheckJob(job, Soft)
	}
	return over
}

func (g *Gate) inUse(counter int) int64 {
	for i := range g.active {
		if n := len(g.active[i].counters); counter >= n {
			counter -= n
			continue
		}
		return g.active[i].counters[counter].use
	}
	return 0
}

func (g *Gate) describe(job int, c *claim, h *Holding) {
	s, keys := &g.active[c.holder], g.keys[job*g.nKeys:]
	h.Limit, h.Per, h.Names = &g.limits[c.limit], s.per, s.names(keys[s.keyAt])
}

func (g *Gate) above(job int, _ SlurmGot) (Holding, bool) {
	v, over := g.CheckJob(job, Hard)
	if !over && !g.how.SoftFirst {
		v, over = g.CheckJob(job, Soft)
	}
	if !over || g.limits[v.Limit].AtLeast {
		return Holding{}, false
	}
	return Holding{InUse: v.Request, Value: v.Value, By: -1, Limit: &g.limits[v.Limit], Per: v.Per, Names: v.Names}, true
}

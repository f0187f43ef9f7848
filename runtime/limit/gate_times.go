package limit

import (
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Timeline begins a timeline of the gate's counters in which nothing runs.
func (g *Gate) Timeline(now int64) *timeline.Timeline { return timeline.New((*overTime)(g), now) }

// overTime is a gate as timelines ask it.
type overTime Gate

// Claims lists what a job has of the limits on what runs. Of a limit's two numbers the tighter one counts, in Maui
// the hard one: by that backfill starts jobs.
func (o *overTime) Claims(job int, _ timeline.Got, list []timeline.Claim) ([]timeline.Claim, bool) {
	g := (*Gate)(o)
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
		c := timeline.Claim{Counter: counter, Amount: amounts[s.amountAt], Bound: program.NoLimit, RunsDown: timed(s.counts),
			Limit: noLimit, Holder: int32(i)}
		if s.plain || g.concerns(own, job) {
			c.Adds = max(c.Amount, 0)
		}
		if limit := s.limitOf(keys); limit != noLimit && g.concerns(limit, job) {
			c.Bound, c.Limit = g.boundOf(limit), limit
			switch {
			case s.atLeast:
				stopped = stopped || c.Bound != program.NoLimit && c.Amount < c.Bound
			case c.Bound < timeline.Largest:
				c.Checks = true
			}
		}
		if c.Checks || c.Adds > 0 && (len(s.overrides) > 0 || own != noLimit) {
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

// InUse is what a counter has now.
func (o *overTime) InUse(counter int) int64 {
	g := (*Gate)(o)
	for i := range g.active {
		if n := len(g.active[i].counters); counter >= n {
			counter -= n
			continue
		}
		return g.active[i].counters[counter].use
	}
	return 0
}

// Describe names the limit of a claim.
func (o *overTime) Describe(job int, c *timeline.Claim, h *timeline.Holding) {
	g := (*Gate)(o)
	s, keys := &g.active[c.Holder], g.keys[job*g.nKeys:]
	h.Limit, h.Per, h.Names = &g.limits[c.Limit], s.per, s.names(keys[s.keyAt])
}

// Above is a limit on single jobs that a job is larger than.
func (o *overTime) Above(job int, _ timeline.Got) (timeline.Holding, bool) {
	g := (*Gate)(o)
	v, over := g.CheckJob(job, Hard)
	if !over && !g.how.SoftFirst {
		v, over = g.CheckJob(job, Soft)
	}
	if !over || g.limits[v.Limit].AtLeast {
		return timeline.Holding{}, false
	}
	return timeline.Holding{InUse: v.Request, Value: v.Value, By: -1, Limit: &g.limits[v.Limit], Per: v.Per,
		Names: v.Names}, true
}

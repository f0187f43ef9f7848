// Package limit counts what jobs use against a policy's throttles and says which
// limit a job would violate.
//
// In: the limits of a program and a table of jobs. Out: a Gate that a scheduler's own queue
// walk asks job by job: it decides neither who is asked nor in which order. Called by the engine.
package limit

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
	"github.com/fairway-sched/fairway/runtime/program"
)

// The phases of a limit: when in a job's life it is asked. A job limit looks at the job alone;
// a submit limit counts every job that is not done.
const (
	Submit = "submit"
	Idle   = "idle"
	Active = "active"
	Job    = "job"
)

// Options of a gate.
type Options struct {
	Now int64 // epoch seconds: what a running job has left depends on it

	// When holds, per limit of the program, the rows its condition is true for; a limit without
	// a condition needs none.
	When []column.Bitmap

	// Procs are the processors of each job where they are not those of its column.
	Procs func(job int) (procs int64, known bool)
}

// Gate holds the counters. A job is a row of the table it was made from. No method but
// the explaining ones allocates.
type Gate struct {
	limits []program.Limit
	when   []column.Bitmap
	how    program.Counting

	// A job's row: the numbers of its counters, one for each way of counting, and the amounts it
	// adds. They are together because jobs are asked in the order of their priority.
	keys            []uint32
	amounts         []int64
	nKeys, nAmounts int // in a row

	// The slots of each phase, in the order in which they are asked. Loaded are the job limits
	// that Maui looks at when it loads a job, which then gets a hold.
	submit, idle, active, job, loaded []slot

	reads map[schema.ColumnID]*column.Column // the columns of jobs that it was made from
}

// Reads reports a gate that was made from columns of these jobs.
func (g *Gate) Reads(jobs *column.Table) bool {
	for id, c := range g.reads {
		if jobs.Column(id) != c {
			return false
		}
	}
	return true
}

// New makes a gate with all counters at zero. The findings say which amounts the jobs do not state.
func New(p *program.Program, rows *column.Table, o Options) (*Gate, diag.List) {
	g := &Gate{limits: p.Limits, when: o.When, how: p.Counting}
	if len(p.Limits) == 0 {
		return g, nil
	}
	b := newBuilder(p, rows, o)
	slots := b.slots()
	b.pack(g)
	g.reads = b.amounts.reads
	for _, s := range slots {
		switch {
		case s.phase == Submit:
			g.submit = append(g.submit, s)
		case s.phase == Idle:
			g.idle = append(g.idle, s)
		case s.phase == Active:
			g.active = append(g.active, s)
		case g.how.AtLoad && (s.object != "" || s.counts == "walltime"):
			g.loaded = append(g.loaded, s)
		default:
			g.job = append(g.job, s)
		}
	}
	return g, b.amounts.unknown(b.bounding(slots))
}

// Limits is the number of kinds of limits that the gate asks for.
func (g *Gate) Limits() int {
	return len(g.submit) + len(g.idle) + len(g.active) + len(g.job) + len(g.loaded)
}

// AddActive counts a job as running.
func (g *Gate) AddActive(job int) { g.add(g.active, job) }

// AddIdle counts a job as eligible and waiting.
func (g *Gate) AddIdle(job int) { g.add(g.idle, job) }

// AddSubmitted counts a job as present, whatever its state.
func (g *Gate) AddSubmitted(job int) { g.add(g.submit, job) }

// ResetActive forgets all running jobs.
func (g *Gate) ResetActive() { reset(g.active) }

// ResetIdle forgets all waiting jobs.
func (g *Gate) ResetIdle() { reset(g.idle) }

// CheckActive asks whether a job may be added to the running ones. True: it violates a limit,
// which is the first in the scheduler's order.
func (g *Gate) CheckActive(job int, b Bound) (Violation, bool) { return g.check(g.active, job, b) }

// CheckIdle asks whether a job may be added to the eligible ones.
func (g *Gate) CheckIdle(job int, b Bound) (Violation, bool) { return g.check(g.idle, job, b) }

// CheckSubmitted asks whether a job may be added to those present.
func (g *Gate) CheckSubmitted(job int, b Bound) (Violation, bool) {
	return g.check(g.submit, job, b)
}

// CheckJob asks whether the job alone is too large.
func (g *Gate) CheckJob(job int, b Bound) (Violation, bool) { return g.check(g.job, job, b) }

// CheckLoaded asks whether Maui holds the job as soon as it sees it: it is longer than the system
// allows, or larger than its class does. Such a hold has no soft side.
func (g *Gate) CheckLoaded(job int) (Violation, bool) { return g.check(g.loaded, job, Hard) }

func (g *Gate) row(job int) (keys []uint32, amounts []int64) {
	return g.keys[job*g.nKeys : (job+1)*g.nKeys], g.amounts[job*g.nAmounts : (job+1)*g.nAmounts]
}

func (g *Gate) add(slots []slot, job int) {
	keys, amounts := g.row(job)
	for i := range slots {
		s := &slots[i]
		key := keys[s.keyAt]
		if key == noKey {
			continue
		}
		if c := &s.counters[key]; s.plain || g.concerns(c.own, job) {
			c.use = g.narrow(c.use + amounts[s.amountAt])
		}
	}
}

func reset(slots []slot) {
	for i := range slots {
		for k := range slots[i].counters {
			slots[i].counters[k].use = 0
		}
	}
}

func (g *Gate) check(slots []slot, job int, b Bound) (Violation, bool) {
	keys, amounts := g.row(job)
	for i := range slots {
		s := &slots[i]
		key := keys[s.keyAt]
		if key == noKey {
			continue
		}
		c, amount := &s.counters[key], amounts[s.amountAt]
		if s.plain {
			if g.narrow(c.use+amount) > c.bound[b] {
				return g.violation(s, job, c.own, b), true
			}
			continue
		}
		limit := s.limitOf(keys)
		if limit == noLimit || !g.concerns(limit, job) {
			continue
		}
		bound := g.bound(limit, b)
		if bound != program.NoLimit && (s.atLeast && amount < bound || !s.atLeast && g.narrow(c.use+amount) > bound) {
			return g.violation(s, job, limit, b), true
		}
	}
	return Violation{}, false
}

func (g *Gate) bound(limit int32, b Bound) int64 {
	if b == Hard {
		return g.limits[limit].Hard
	}
	return g.limits[limit].Soft
}

// narrow is what a C int, where there is wrap, holds of a sum: a usage beyond 2^31 wraps to a negative one and
// passes every limit.
func narrow(x int64, wrap bool) int64 {
	if wrap {
		return int64(int32(x))
	}
	return x
}

func (g *Gate) narrow(x int64) int64 { return narrow(x, g.how.Wraps) }

// concerns: the jobs that a limit's condition does not hold for are neither counted nor checked.
func (g *Gate) concerns(limit int32, job int) bool {
	return limit == noLimit || g.limits[limit].When == program.NoReg || g.when[limit].Get(job)
}

func (g *Gate) violation(s *slot, job int, limit int32, b Bound) Violation {
	keys, amounts := g.row(job)
	key := keys[s.keyAt]
	v := Violation{Limit: int(limit), Per: s.per, Names: s.names(key), Counts: s.counts, Phase: s.phase, Bound: b,
		Value: g.bound(limit, b), InUse: s.counters[key].use, Request: amounts[s.amountAt], slot: s}
	if len(s.per) > 0 {
		v.Object, v.Name = s.per[0], v.Names[0]
	}
	return v
}

// Fresh is a gate for the same jobs with all counters at zero.
func (g *Gate) Fresh() *Gate {
	c := g.Clone()
	for _, slots := range [][]slot{c.submit, c.idle, c.active, c.job, c.loaded} {
		reset(slots)
	}
	return c
}

// Clone is a gate with the same counters, to go on from without changing them.
func (g *Gate) Clone() *Gate {
	c := *g
	for _, phase := range []*[]slot{&c.submit, &c.idle, &c.active, &c.job, &c.loaded} {
		*phase = slices.Clone(*phase)
		for i := range *phase {
			(*phase)[i].counters = slices.Clone((*phase)[i].counters)
		}
	}
	return &c
}

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

// Package timeline says when limits on what runs let a job start: what running and planned jobs have of each counter,
// over time.
//
// In: the counters of a policy (package limit's gate, Slurm's of limit/slurm) and the jobs that a planner starts. Out:
// the first time at which all limits have room for a job, and which limits it waits for. Called by planners.
package timeline

import (
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Timeline is what running and planned jobs have of each counter of limits over time, and the question when limits let
// a job run: at every moment of its run all that it has together with the others is within its limits. What planned
// ends free others may have. A job is a row of the counters that the timeline was made from.
//
// A job that was planned before keeps its time: later ones are planned around it, also where that job starts
// later still.
type Timeline struct {
	origin int64 // epoch seconds: nothing is asked before
	counts Counting
	uses   map[int]*course // by counter
	known  bool            // what runs has been added
	claims []Claim         // overwritten by every use
}

// Counting is what a timeline is made from: the counters of a policy.
type Counting interface {
	// Claims appends what a row has of each counter, with the bounds that it must keep. stopped: a limit stops the row
	// that no end of another job changes.
	Claims(row int, got Got, list []Claim) (claims []Claim, stopped bool)
	// InUse is what a counter has now.
	InUse(counter int) int64
	// Describe says which limit a claim is about.
	Describe(row int, c *Claim, h *Holding)
	// Above is a limit on single jobs that a row's job does not keep.
	Above(row int, got Got) (h Holding, is bool)
}

// Grouping are counters that count some of what running jobs have once for all of them, as a node that several jobs of
// a group share.
type Grouping interface {
	// Claim gives what a running job alone has, and remembers what it shares.
	Claim(row int, id int32, end int64, claim func(c Claim))
	// Shared gives what several have, each with the last of those jobs to end, and forgets it.
	Shared(claim func(c Claim, id int32, end int64))
}

// Got is what a job gets of nodes, where that is known.
type Got struct {
	Nodes int64
	Hosts []string // nil: which ones is not known, and none of them is one that its groups have
	Procs int64
	MemMB int64 // 0: what it asks for
}

// Claim is what one job has of one counter.
type Claim struct {
	Counter  int
	Checks   bool  // a limit bounds the counter for this job; else it is only counted
	Amount   int64 // what the limit counts of the job when it starts
	Bound    int64 // the most that may be in use with it
	Adds     int64 // what it has from its start on
	RunsDown bool  // it has less and less, until nothing is left at its end

	// For Describe, as the counters know their limits.
	Limit, Holder int32
	Rule          any
}

// Holding is a limit that keeps a job from starting until a time.
type Holding struct {
	Until int64 // epoch seconds: the first time at which this limit lets the job run
	By    int32 // the job, as its caller calls it, whose end frees it then; -1 if none does, as what jobs have runs down
	InUse int64 // what others have just before, of what runs down, now
	Value int64 // the limit

	Limit      *program.Limit
	Per, Names []string // who it counts for; nil for the whole policy
	Reason     string   // the scheduler's word; "" where it has none of its own
	Whose      string   // what the limit is set on and who it counts for, where Per does not say
}

// New begins a timeline in which nothing runs.
func New(s Counting, now int64) *Timeline {
	return &Timeline{origin: now, counts: s, uses: map[int]*course{}}
}

// Add counts a row's job during [from, to). id is what the caller calls the job.
func (t *Timeline) Add(row int, id int32, from, to int64, got Got) {
	t.claims, _ = t.counts.Claims(row, got, t.claims[:0])
	for k := range t.claims {
		t.add(&t.claims[k], id, max(from, t.origin), to)
	}
}

// AddRunning counts jobs that run, until their ends. Anything else in use has no known end.
func (t *Timeline) AddRunning(rows []int, ids []int32, ends []int64) {
	groups, grouped := t.counts.(Grouping)
	for k, row := range rows {
		if !grouped {
			t.Add(row, ids[k], t.origin, ends[k], Got{})
			continue
		}
		groups.Claim(row, ids[k], ends[k], func(c Claim) { t.add(&c, ids[k], t.origin, ends[k]) })
	}
	if grouped {
		groups.Shared(func(c Claim, id int32, end int64) { t.add(&c, id, t.origin, end) })
	}
	for counter, u := range t.uses {
		u.addForever(t.counts.InUse(counter) - u.at(t.origin))
	}
	t.known = true
}

func (t *Timeline) add(c *Claim, id int32, from, to int64) {
	if c.Adds > 0 {
		t.course(c).add(id, from, to, min(c.Adds, Largest))
	}
}

// Expect says that a row will be asked about, for so many seconds: what was found for one job then helps with others.
func (t *Timeline) Expect(row int, seconds int64, got Got) {
	t.claims, _ = t.counts.Claims(row, got, t.claims[:0])
	for k := range t.claims {
		if c := &t.claims[k]; c.Checks {
			t.course(c).learntFor(c).expect(c.need(), max(seconds, 1))
		}
	}
}

// First is the first time from after on and before another at which limits let a row run for so many seconds.
func (t *Timeline) First(row int, got Got, after, before, seconds int64) (start int64, ok bool) {
	claims, stopped := t.counts.Claims(row, got, t.claims[:0])
	if t.claims = claims; stopped || after >= before {
		return 0, false
	}
	return t.first(claims, max(after, t.origin), before, max(seconds, 1))
}

func (t *Timeline) first(claims []Claim, after, before, seconds int64) (int64, bool) {
	start := after
	for k := range claims { // each from the beginning, so that it learns
		at, ok := t.alone(&claims[k], after, before, seconds)
		if !ok {
			return 0, false
		}
		start = max(start, at)
	}
	for again := len(claims) > 1; again; {
		again = false
		for k := range claims {
			at, ok := t.alone(&claims[k], start, before, seconds)
			if !ok {
				return 0, false
			}
			again, start = again || at > start, at
		}
	}
	return start, true
}

// alone is the same for one limit.
func (t *Timeline) alone(c *Claim, after, before, seconds int64) (int64, bool) {
	switch {
	case !c.Checks:
		return after, true
	case c.Amount > c.Bound:
		return 0, false
	}
	return t.course(c).first(c, after, before, seconds)
}

// Holdings are the limits that keep a row from running for so long from a time after which it starts at another: those
// by which it starts no sooner, and those that let it run sooner than the rest does.
func (t *Timeline) Holdings(row int, got Got, after, start, seconds int64) (list []Holding) {
	claims, _ := t.counts.Claims(row, got, nil)
	after, seconds = max(after, t.origin), max(seconds, 1)
	for k := range claims {
		c := &claims[k]
		if !c.Checks {
			continue
		}
		u := t.course(c)
		until, ok := u.first(c, after, profile.Forever, seconds)
		if ok && until <= after && start > after {
			if at, free := u.first(c, start-1, start+1, seconds); free && at == start {
				until = start
			}
		}
		if !ok || until <= after || until > start {
			continue
		}
		h := Holding{Until: until, By: u.endsAt(until), InUse: u.at(until - 1), Value: c.Bound}
		if c.RunsDown {
			h.InUse = u.at(after)
		}
		t.counts.Describe(row, c, &h)
		list = append(list, h)
	}
	return list
}

// Above is a limit that a row's job asks more for than it allows at any time, by itself; InUse is what it asks for.
func (t *Timeline) Above(row int, got Got) (h Holding, is bool) {
	if h, is = t.counts.Above(row, got); is {
		return h, is
	}
	t.claims, _ = t.counts.Claims(row, got, t.claims[:0])
	for k := range t.claims {
		if c := &t.claims[k]; c.Checks && c.Amount > c.Bound {
			h = Holding{InUse: c.Amount, Value: c.Bound, By: -1}
			t.counts.Describe(row, c, &h)
			return h, true
		}
	}
	return Holding{}, false
}

func (t *Timeline) course(c *Claim) *course {
	u := t.uses[c.Counter]
	if u == nil {
		u = newCourse(t.origin, c.RunsDown)
		if t.uses[c.Counter] = u; t.known {
			u.addForever(t.counts.InUse(c.Counter))
		}
	}
	return u
}

// Largest is more of anything than any job has, and little enough for sums of what a million jobs have.
const Largest = int64(1) << 42

// need is what must be free of a counter, where what is free is counted from 0 down.
func (c *Claim) need() int64 { return c.Amount - c.Bound }

package limit

import (
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Timeline is what running and planned jobs have of each counter of limits over time, and the question when limits let
// a job run: at every moment of its run all that it has together with the others is within its limits. What planned
// ends free others may have. A job is a row of the counters that the timeline was made from.
//
// A job that was planned before keeps its time: whoever comes later is planned around it, also where that job starts
// later still.
type Timeline struct {
	origin int64 // epoch seconds: nothing is asked before
	counts counting
	uses   map[int]*course // by counter
	known  bool            // what runs has been added
	claims []claim         // overwritten by every use
}

// counting is what a timeline is made from: the counters of a policy.
type counting interface {
	// claimsOf appends what a row has of each counter, with the bounds that it must keep. stopped: a limit stops the row
	// that no end of another job changes.
	claimsOf(row int, got SlurmGot, list []claim) (claims []claim, stopped bool)
	// inUse is what a counter has now.
	inUse(counter int) int64
	// describe says which limit a claim is about.
	describe(row int, c *claim, h *Holding)
	// above is a limit on single jobs that a row's job does not keep.
	above(row int, got SlurmGot) (h Holding, is bool)
}

// claim is what one job has of one counter.
type claim struct {
	counter  int
	checks   bool  // a limit bounds the counter for this job; else it is only counted
	amount   int64 // what the limit counts of the job when it starts
	bound    int64 // the most that may be in use with it
	adds     int64 // what it has from its start on
	runsDown bool  // it has less and less, until nothing is left at its end
	limit    int32 // which limit it is, for describe: of a policy, with its slot for holder
	rule     *rule // of Slurm
	holder   int32
}

// Holding is a limit that keeps a job from starting until a time.
type Holding struct {
	Until int64 // epoch seconds: the first time at which this limit lets the job run
	By    int32 // the job, as its caller calls it, whose end frees it then; -1 if none does, as what jobs have runs down
	InUse int64 // what others have just before, of what runs down, now
	Value int64 // the limit

	Limit      *program.Limit
	Per, Names []string   // who it counts for; nil for the whole policy and for Slurm's
	Slurm      *SlurmStop // of Slurm's associations and QOS
}

// Timeline begins a timeline in which nothing runs.
func (g *Gate) Timeline(now int64) *Timeline { return newTimeline(g, now) }

// Timeline begins a timeline in which nothing runs.
func (s *Slurm) Timeline(now int64) *Timeline {
	t := &slurmTimes{Slurm: s}
	t.bounded = t.boundedCounters()
	return newTimeline(t, now)
}

func newTimeline(s counting, now int64) *Timeline {
	return &Timeline{origin: now, counts: s, uses: map[int]*course{}}
}

// Add counts a row's job during [from, to). id is what the caller calls the job.
func (t *Timeline) Add(row int, id int32, from, to int64, got SlurmGot) {
	t.claims, _ = t.counts.claimsOf(row, got, t.claims[:0])
	for k := range t.claims {
		if c := &t.claims[k]; c.adds > 0 {
			t.course(c).add(id, max(from, t.origin), to, min(c.adds, largest))
		}
	}
}

// AddRunning counts jobs that run, until their ends. Anything else in use has no known end.
func (t *Timeline) AddRunning(rows []int, ids []int32, ends []int64) {
	hosts, _ := t.counts.(*slurmTimes)
	for k, row := range rows {
		if hosts != nil {
			hosts.addRunning(t, row, ids[k], ends[k])
		} else {
			t.Add(row, ids[k], t.origin, ends[k], SlurmGot{})
		}
	}
	if hosts != nil {
		hosts.addHosts(t)
	}
	for counter, u := range t.uses {
		u.addForever(t.counts.inUse(counter) - u.at(t.origin))
	}
	t.known = true
}

// Expect says that a row will be asked about, for so many seconds: what was found for one job then helps with others.
func (t *Timeline) Expect(row int, seconds int64, got SlurmGot) {
	t.claims, _ = t.counts.claimsOf(row, got, t.claims[:0])
	for k := range t.claims {
		if c := &t.claims[k]; c.checks {
			t.course(c).learntFor(c).expect(c.need(), max(seconds, 1))
		}
	}
}

// First is the first time from after on and before another at which limits let a row run for so many seconds.
func (t *Timeline) First(row int, got SlurmGot, after, before, seconds int64) (start int64, ok bool) {
	claims, stopped := t.counts.claimsOf(row, got, t.claims[:0])
	if t.claims = claims; stopped || after >= before {
		return 0, false
	}
	return t.first(claims, max(after, t.origin), before, max(seconds, 1))
}

func (t *Timeline) first(claims []claim, after, before, seconds int64) (int64, bool) {
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
func (t *Timeline) alone(c *claim, after, before, seconds int64) (int64, bool) {
	switch {
	case !c.checks:
		return after, true
	case c.amount > c.bound:
		return 0, false
	}
	return t.course(c).first(c, after, before, seconds)
}

// Holdings are the limits that keep a row from running for so long from a time after which it starts at another: those
// by which it starts no sooner, and those that let it run sooner than the rest does.
func (t *Timeline) Holdings(row int, got SlurmGot, after, start, seconds int64) (list []Holding) {
	claims, _ := t.counts.claimsOf(row, got, nil)
	after, seconds = max(after, t.origin), max(seconds, 1)
	for k := range claims {
		c := &claims[k]
		if !c.checks {
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
		h := Holding{Until: until, By: u.endsAt(until), InUse: u.at(until - 1), Value: c.bound}
		if c.runsDown {
			h.InUse = u.at(after)
		}
		t.counts.describe(row, c, &h)
		list = append(list, h)
	}
	return list
}

// Above is a limit that a row's job asks more for than it allows at any time, by itself; InUse is what it asks for.
func (t *Timeline) Above(row int, got SlurmGot) (h Holding, is bool) {
	if h, is = t.counts.above(row, got); is {
		return h, is
	}
	t.claims, _ = t.counts.claimsOf(row, got, t.claims[:0])
	for k := range t.claims {
		if c := &t.claims[k]; c.checks && c.amount > c.bound {
			h = Holding{InUse: c.amount, Value: c.bound, By: -1}
			t.counts.describe(row, c, &h)
			return h, true
		}
	}
	return Holding{}, false
}

func (t *Timeline) course(c *claim) *course {
	u := t.uses[c.counter]
	if u == nil {
		u = newCourse(t.origin, c.runsDown)
		if t.uses[c.counter] = u; t.known {
			u.addForever(t.counts.inUse(c.counter))
		}
	}
	return u
}

// largest is more of anything than any job has, and little enough for sums of what a million jobs have.
const largest = int64(1) << 42

// need is what must be free of a counter, where what is free is counted from 0 down.
func (c *claim) need() int64 { return c.amount - c.bound }

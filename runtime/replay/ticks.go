package replay

import (
	"container/heap"
	"math"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/program"
)

// The clock of slurmctld, as runs of 22.05 show it. Nothing that happens starts a job at once: it asks for a pass, and
// a loop that ticks about once a second makes one if it was asked for and the last one is batch_sched_delay ago, and
// one over all jobs every sched_interval. Backfill has a clock of its own, and so have priorities.

// instant is a time in microseconds since 1970.
type instant int64

const (
	second = instant(1_000_000)

	// tickLength is how long a tick takes: the loop sleeps for a second and then looks.
	tickLength = second + 2800

	// No trace says when the controller was started, by which all its clocks go: so long before the first submission, as
	// in runs that were recorded. Ticks are at firstTick after it, priorities are computed priorityLag after a period.
	lead        = 29_770_000
	firstTick   = 547_000
	priorityLag = 260_000

	// launch is what a job takes beside its own run time to start, to end and to free its nodes. Now and then a pass
	// falls between its end and that, finds nothing, and the next one is batch_sched_delay later: no record of whole
	// seconds tells when.
	launch = 60_000
	// settled is from the end of jobs that others have preempted until the pass that starts these.
	settled = 60_000
)

func (t instant) seconds() int64 { return int64(t / second) }

// never is after all that happens.
const never = instant(math.MaxInt64)

// controller is slurmctld as time moves.
type controller struct {
	*run
	rules *program.SlurmPlan
	now   instant

	tick               instant // the next one
	asked              bool    // something has asked for a pass since the last one
	lastPass, lastFull int64   // in whole seconds of the clock, as slurmctld compares them
	unseen             bool    // something has changed since the last pass that tested all jobs
	atOnce             instant // the pass that the ends of preempted jobs set off; never: none

	cycle   instant // the next backfill cycle, if anything has changed by then
	changed bool    // since the last one began

	priorities instant // the next pass that computes them
	quiet      int     // so many of them since a job came or ended
	charged    instant // when the last one was: what jobs have used until then is in the usage that was left

	ends   ends            // of jobs
	endsAt map[int]instant // of each that runs; one that was ended before has none

	submissions map[int][]int // the jobs of each record, by the one that is submitted first
	records     map[string]*record
	recordOf    map[int]*record     // by job
	jobs        map[string]int      // by id
	arrays      map[string][]int    // the tasks of arrays, by their ids
	sharers     map[[2]string][]int // by user and name
	dependent   []*record           // those that wait for others
	moved       bool                // a job has started or ended since dependencies were looked at
	delayed     bool                // a dependency waits for nothing but time
	timed       ends                // begin times to come
	done        []done              // jobs that have ended and are still listed
	runs        int                 // of jobs that were requeued
	known       planning.Known      // the machine
	room        room
	owed        *planning.Options // of the last pass, if it was not planned
	follows     bool              // a recorded run says what starts, and every pass is planned
	partition   string            // of jobs that name none
}

// ticks plays slurmctld.
func (r *run) ticks() error {
	c, err := r.controller()
	if err != nil {
		return err
	}
	for c.next() {
		if err := r.options.Context.Err(); err != nil {
			return err
		}
		if err := c.happen(); err != nil {
			return err
		}
		if r.options.Progress != nil {
			r.options.Progress(c.now.seconds(), len(r.out.Started))
		}
	}
	if c.owed != nil && len(c.waiting) > 0 {
		c.schedule, err = engine.Plan(c.result, *c.owed)
	}
	return err
}

// controller is slurmctld before the first submission.
func (r *run) controller() (*controller, error) {
	if r.program.Plan == nil || r.program.Plan.Slurm == nil {
		return nil, &planning.Error{Problem: "the policy says nothing of how slurmctld places jobs",
			Advice: "give the slurm.conf that it is from"}
	}
	if r.options.Evaluation.Procs > 0 {
		return nil, &planning.Error{Problem: "slurmctld starts jobs on the nodes of partitions, and one pool has none",
			Advice: "leave out --procs: the machine is that of slurm.conf's NodeName lines, or of --nodes"}
	}
	begin := instant(r.out.Begin) * second
	up := begin - lead
	c := &controller{run: r, rules: r.program.Plan.Slurm, now: begin, tick: begin + firstTick, atOnce: never,
		cycle: never, priorities: never, lastPass: up.seconds(), lastFull: up.seconds(),
		partition: r.program.Plan.Partition}
	if c.rules.Backfill { // the first cycle is one interval after the start, and finds an empty queue if it is that early
		if c.cycle = up + instant(c.rules.CycleSeconds)*second; c.cycle < begin {
			c.cycle += instant(c.rules.CycleSeconds) * second
		}
	}
	if c.rules.PrioritySeconds > 0 {
		c.priorities = after(up+priorityLag, instant(c.rules.PrioritySeconds)*second, begin)
	}
	c.prepare()
	c.fail = c.failed
	if r.workload.queue != nil { // its priorities are as of its own time
		up = begin
	}
	r.state.Pass(up.seconds())
	return c, nil
}

// after is the first time of a period that is later than a time.
func after(from, period, than instant) instant {
	return from + ((than-from)/period+1)*period
}

// next goes on to the next time at which something happens; false is that nothing does any more.
func (c *controller) next() bool {
	at := min(c.arrival(), c.atOnce)
	if len(c.ends) > 0 {
		at = min(at, instant(c.ends[0].at))
	}
	if at < never || len(c.waiting) > 0 {
		at = min(at, c.outageAt())
	}
	idle := at == never
	if len(c.waiting) > 0 {
		at = min(at, c.passTick())
		if c.changed {
			at = min(at, c.nextCycle())
		}
	}
	seen := !c.asked && !c.unseen && (!c.changed || !c.rules.Backfill)
	if idle && !c.delayed && len(c.timed) == 0 && (seen || c.quiet > mostQuiet) {
		return false // what still waits can never start
	}
	if !idle || len(c.waiting) > 0 {
		at = min(at, c.priorities)
	}
	c.now = at
	return at != never
}

// arrival is when the next job is submitted.
func (c *controller) arrival() instant {
	if c.run.next == len(c.workload.Jobs) {
		return never
	}
	return max(c.now, instant(c.workload.Jobs[c.run.next].Submit)*second)
}

// passTick is the tick at which the loop makes its next pass.
func (c *controller) passTick() instant {
	due := c.lastFull + c.rules.FullPassSeconds
	if c.asked {
		due = min(due, c.lastPass+c.rules.DelaySeconds)
	}
	if behind := instant(due)*second - c.tick; behind > 0 {
		return c.tick + (behind+tickLength-1)/tickLength*tickLength
	}
	return c.tick
}

// mostQuiet is how many passes of priorities in a row may pass in which nothing starts and nothing runs: usage that
// decays may still let a job start.
const mostQuiet = 100

// nextCycle is the next cycle that finds something to do: where nothing has changed by the end of the interval,
// backfill looks again every second.
func (c *controller) nextCycle() instant {
	if late := c.now - c.cycle; c.rules.Backfill && late > 0 {
		return c.cycle + (late+second-1)/second*second
	}
	return c.cycle
}

// happen does all that happens now, in the order in which each sees what was before it.
func (c *controller) happen() error {
	c.state.Advance(c.now.seconds())
	for _, do := range []func() error{c.end, c.outagesNow, c.submitted, c.prioritise, c.loop, c.settle, c.backfill} {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// end ends jobs, which asks for a pass.
func (c *controller) end() error {
	for len(c.ends) > 0 && instant(c.ends[0].at) <= c.now {
		e := heap.Pop(&c.ends).(ending)
		if c.endsAt[e.job] != instant(e.at) {
			continue // it was ended before
		}
		o := &c.out.Outcomes[e.job]
		o.End = c.now.seconds()
		c.out.End = max(c.out.End, o.End)
		delete(c.endsAt, e.job)
		if err := c.leave(e.job, o.End); err != nil {
			return err
		}
		c.ask()
	}
	return nil
}

// ask asks for a pass.
func (c *controller) ask() { c.asked, c.unseen, c.changed, c.quiet = true, true, true, 0 }

// submitted takes the jobs that are submitted now into the queue.
func (c *controller) submitted() error {
	for c.run.next < len(c.workload.Jobs) && c.arrival() <= c.now {
		if jobs := c.submissions[c.run.next]; jobs != nil {
			if err := c.enter(jobs); err != nil {
				return err
			}
			c.ask()
		}
		c.run.next++
	}
	return nil
}

// prioritise computes the priorities of all jobs.
func (c *controller) prioritise() error {
	if c.now < c.priorities {
		return nil
	}
	c.priorities = after(c.priorities, instant(c.rules.PrioritySeconds)*second, c.now)
	c.state.Pass(c.now.seconds())
	c.unseen, c.changed = true, true
	c.quiet++
	if err := c.purge(c.charged); err != nil {
		return err
	}
	c.charged = c.now
	return c.count()
}

// loop is a tick: it makes a pass if one is due.
func (c *controller) loop() error {
	if c.now < c.tick {
		return nil
	}
	at := c.tick + (c.now-c.tick)/tickLength*tickLength
	c.tick = at + tickLength
	if at < c.now {
		return nil
	}
	seconds, depth := c.now.seconds(), int64(0)
	switch {
	case seconds-c.lastFull >= c.rules.FullPassSeconds:
		c.lastFull = seconds
	case c.asked && seconds-c.lastPass >= c.rules.DelaySeconds:
		depth = c.rules.QueueDepth
	default:
		return nil
	}
	c.lastPass, c.asked = seconds, false
	if err := c.notice(); err != nil {
		return err
	}
	if !c.unseen {
		return nil
	}
	if depth == 0 || int64(len(c.waiting)) <= depth {
		c.unseen = false
	}
	return c.plan(planning.MainPass, depth)
}

// settle makes the pass that starts jobs for which others were ended.
func (c *controller) settle() error {
	if c.now < c.atOnce {
		return nil
	}
	c.atOnce = never
	if err := c.notice(); err != nil {
		return err
	}
	return c.plan(planning.MainPass, c.rules.QueueDepth)
}

// backfill makes a cycle, if anything has changed since the last one began.
func (c *controller) backfill() error {
	if !c.rules.Backfill || !c.changed || c.now != c.nextCycle() {
		return nil
	}
	c.cycle, c.changed = c.now+instant(c.rules.CycleSeconds)*second, false
	if err := c.notice(); err != nil {
		return err
	}
	return c.plan(planning.BackfillCycle, 0)
}

// plan makes a pass or a cycle, and starts what it starts.
func (c *controller) plan(only planning.Only, depth int64) error {
	did, _, err := c.decide(only, depth)
	if did == nil || err != nil {
		return err
	}
	for i := range did.Starts {
		s := &did.Starts[i]
		job, known := c.jobs[s.Job]
		if _, waits := c.waiting[s.Job]; !known || !waits {
			return &MisfitError{"job " + s.Job + " starts in it, and does not wait here"}
		}
		c.out.Outcomes[job].take(s.Names)
		if err := c.begin(job, s.By, s.Nodes); err != nil {
			return err
		}
	}
	stopped, err := c.victims(did.Stops)
	if stopped && only == planning.BackfillCycle {
		c.atOnce = c.now + settled
	}
	return err
}

// decide makes a pass or a cycle; nil where no job waits.
func (c *controller) decide(only planning.Only, depth int64) (*Did, *backfill.Schedule, error) {
	if len(c.waiting) == 0 || only == planning.MainPass && !c.rules.Main {
		return nil, nil, nil
	}
	if past, err := c.past(); past != nil || err != nil {
		return past.did(), nil, err
	}
	result, err := c.look()
	if err != nil {
		return nil, nil, err
	}
	seconds := c.now.seconds()
	o := planning.Options{Context: c.options.Context, Procs: c.options.Evaluation.Procs,
		Place: c.options.Evaluation.Place, Known: &c.known, Pass: seconds, Cycle: seconds, Only: only, MainDepth: depth}
	if c.fruitless(only) {
		c.result, c.schedule, c.owed = result, nil, &o
		return &Did{}, nil, c.decided(&Did{})
	}
	s, err := engine.Plan(result, o)
	if err != nil {
		return nil, nil, c.undone(err)
	}
	c.machine(s)
	c.measure(s)
	c.result, c.schedule, c.owed = result, s, nil
	did := &Did{Starts: c.starts(result, s, func(q *backfill.Request) int { return c.jobs[q.ID] }), Stops: stops(s)}
	return did, s, c.decided(did)
}

// prepare finds the records of the workload, and takes over the queue of a snapshot.
func (c *controller) prepare() {
	c.submissions, c.records, c.recordOf = c.workload.submissions(c.run.next), map[string]*record{}, map[int]*record{}
	c.jobs, c.arrays, c.endsAt = map[string]int{}, map[string][]int{}, map[int]instant{}
	c.sharers = map[[2]string][]int{}
	for i := range c.out.Outcomes {
		o := &c.out.Outcomes[i]
		c.jobs[o.ID] = i
		if id, _, task := strings.Cut(o.ID, "_"); task {
			c.arrays[id] = append(c.arrays[id], i)
		}
	}
	for i := c.run.next; i < len(c.out.Outcomes); i++ {
		key := [2]string{c.out.Outcomes[i].User, c.workload.table.Value("job.name", c.out.Outcomes[i].Row).Str}
		c.sharers[key] = append(c.sharers[key], i)
	}
	q := c.workload.queue
	if q == nil {
		return
	}
	for i := range q.jobs {
		r := &record{id: q.jobs[i].ID, jobs: []int{i}, cells: c.state.Cells(q.jobs[i].ID)}
		c.recordOf[i] = r
		if q.jobs[i].started == 0 {
			c.records[r.id] = r
			if r.waits = c.dependency(r); r.waits != nil {
				c.dependent = append(c.dependent, r)
			}
			if begin := r.cells["job.begin_time"]; begin.Known() && instant(begin.Int)*second > c.now {
				heap.Push(&c.timed, ending{begin.Int * int64(second), 0})
			}
		}
	}
	for _, e := range c.running {
		c.endsAt[e.job] = instant(e.at) * second
		heap.Push(&c.ends, ending{int64(c.endsAt[e.job]), e.job})
	}
	waits := len(c.waiting) > 0
	c.asked, c.unseen, c.changed, c.moved = waits, waits, waits, true
}

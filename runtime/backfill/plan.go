package backfill

import (
	"errors"
	"fmt"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Plan says when each request starts. Requests are the running jobs, then the waiting ones in the
// order considered. What they wait for and, of those that start later, on which nodes, is given by
// Schedule.Detail, for it can be much more than the plan itself.
//
// One pass serves all settings. In the order considered a job starts now if it fits around the
// reservations made so far; else, as long as the reservation depth allows, it gets a reservation at its
// earliest time; else it is left to backfill. When all that start now have started, the others get
// estimates in the same order, around everything else. A job that a limit, a dependency
// or its begin time keeps from starting holds up no other job, and has an estimate from when it may.
func Plan(c *Cluster, requests []Request, settings *program.NativePlan, gate Gate, now int64) (*Schedule, error) {
	return PlanWatched(c, requests, settings, gate, nil, now, nil)
}

// PlanWatched is Plan with limits over time, for a queue so long that somebody waits for it: watch is called from time
// to time how many of the waiting jobs have been considered, and ends the plan with the error that it returns.
func PlanWatched(c *Cluster, requests []Request, settings *program.NativePlan, gate Gate, limits Limits, now int64,
	watch func(done, total int) error) (*Schedule, error) {
	return watched(c, requests, settings, gate, limits, now, watch, (*planner).estimate)
}

// StartsWatched is the same without estimates: who starts now, and the reservations.
func StartsWatched(c *Cluster, requests []Request, settings *program.NativePlan, gate Gate, limits Limits, now int64,
	watch func(done, total int) error) (*Schedule, error) {
	return watched(c, requests, settings, gate, limits, now, watch, func(*planner) {})
}

func watched(c *Cluster, requests []Request, settings *program.NativePlan, gate Gate, limits Limits, now int64,
	watch func(done, total int) error, estimate func(*planner)) (*Schedule, error) {
	p, err := newPlanner(c, requests, settings, gate, now)
	if err != nil {
		return nil, err
	}
	p.limits, p.watch = limits, watch
	p.expect()
	if s := p.all(estimate); p.stopped == nil {
		return s, nil
	}
	return nil, p.stopped
}

// all places all requests.
func (p *planner) all(estimate func(*planner)) *Schedule {
	p.running()
	p.walk()
	estimate(p)
	p.schedule.nowNodes(p)
	return p.schedule
}

// planner is one plan in the making.
type planner struct {
	*machine
	requests  []Request // in whole cores, where jobs get those; as they are asked they are the schedule's
	tasksEach []int64   // how many tasks one of each request in cores is; nil if these are the same
	settings  program.NativePlan
	gate      Gate
	limits    Limits
	now       int64
	before    int64 // starts later than that are not planned

	dims       *dimensions
	kinds      []*kind
	ask        []ask    // by request
	admits     [][]bool // by running request and reservation
	ends       []int64  // by running request: until when it counts
	pools      []*pool
	tokens     []*tokens
	local      []int32 // by node of a shared pool: its number there
	held       []int64 // by node
	userIDs    map[string]int32
	resolution int64

	schedule *Schedule
	spots    []spot // by request
	together profile.Together
	steps    []*profile.Steps
	arena    []take
	fence    []int64 // by class: without backfill nothing starts there before
	blocked  []bool  // by class: a job that may use it waits
	linear   bool    // no bounds: the slow way, to compare with
	passed   bool    // a pass before it has asked limits already
	byNode   bool    // jobs that start later have certain nodes, so that none are merely counted
	ordered  bool    // nothing starts before what may use the same nodes and was considered before
	watch    func(done, total int) error
	stopped  error
	done     int
	waiting  []int         // requests to be estimated
	byLimit  map[int]bool  // requests that limits alone let start no sooner
	byJob    map[int32]int // requests by Job
	trial    bool          // what is placed will be taken back
	undo     []func()
}

// spot is where a request has been placed: so many nodes of some classes, or shares of nodes.
type spot struct {
	option *option
	until  int64 // when its resources are free again, rounded
	takes  []take
}

type take struct {
	class int32
	count int64
}

// newPlanner is for requests by which nodes are told apart.
func newPlanner(c *Cluster, requests []Request, settings *program.NativePlan, gate Gate, now int64) (*planner, error) {
	if c == nil || settings == nil {
		return nil, errors.New("a plan needs a cluster and settings")
	}
	p, err := newPlannerOn(newMachine(c, requests), requests, settings, gate, now)
	if err == nil {
		p.makePools()
	}
	return p, err
}

// newPlannerOn is for a machine whose nodes are told apart, and has no pools yet.
func newPlannerOn(m *machine, requests []Request, settings *program.NativePlan, gate Gate, now int64) (*planner,
	error) {
	if now < 0 || now >= Forever {
		return nil, fmt.Errorf("the time %d is not one to plan from", now)
	}
	p := &planner{settings: *settings, gate: gate, now: now, before: Forever,
		resolution: min(max(settings.ResolutionSeconds, 1), Forever), userIDs: map[string]int32{}}
	switch p.settings.Algorithm {
	case "firstfit", "bestfit", "greedy", "preempt", "none":
	case "":
		p.settings.Algorithm = "firstfit"
	default:
		return nil, fmt.Errorf("there is no backfill algorithm %q", p.settings.Algorithm)
	}
	switch p.settings.Metric {
	case "", "procs", "nodes", "proc_seconds", "seconds":
	default:
		return nil, fmt.Errorf("there is no backfill metric %q", p.settings.Metric)
	}
	if settings.WindowSeconds > 0 {
		p.before = profile.End(profile.End(now, settings.WindowSeconds), 1)
	}
	p.requests = expandArrays(InRange(requests))
	p.schedule = &Schedule{Now: now, Cluster: m.Cluster, Requests: p.requests, Placements: make([]Placement, len(p.requests)),
		plan: p, settings: settings}
	p.spots = make([]spot, len(p.requests))
	p.machine = m
	p.requests, p.tasksEach = p.inCores(p.requests)
	p.dims = newDimensions(m.Cluster, p.requests)
	p.fence = make([]int64, len(p.classes))
	p.blocked = make([]bool, len(p.classes))
	p.runningEnds()
	for i := len(p.ends); i < len(p.requests); i++ {
		if p.requests[i].runs() {
			return nil, fmt.Errorf("job %s runs, but comes after one that waits", p.requests[i].ID)
		}
	}
	p.asks()
	for _, k := range p.kinds {
		k.tokens = p.wantsOf(k.like, k.admits)
		k.bound = profile.NewBound(k.sizes, k.seconds)
	}
	return p, nil
}

// runningEnds says until when running jobs count. One that is over its time may end any moment, but
// has not: it counts for one second more.
func (p *planner) runningEnds() {
	for i := range p.requests {
		r := &p.requests[i]
		if !r.runs() {
			return
		}
		end := r.End
		if end <= 0 {
			end = Forever
			if r.WalltimeSeconds > 0 {
				end = profile.End(r.Start, r.WalltimeSeconds)
			}
		}
		p.ends = append(p.ends, p.ceil(max(min(end, Forever), p.now+1)))
		admits := make([]bool, len(p.Reservations))
		p.admitted(r, admits)
		p.admits = append(p.admits, admits)
	}
}

// ceil and floor round to the resolution of the plan.
func (p *planner) ceil(time int64) int64 {
	if over := time % p.resolution; over != 0 && time < Forever {
		return min(time+p.resolution-over, Forever)
	}
	return min(time, Forever)
}

func (p *planner) floor(time int64) int64 { return time - max(time, 0)%p.resolution }

func (p *planner) user(name string) int32 {
	id, ok := p.userIDs[name]
	if !ok {
		id = int32(len(p.userIDs)) + 1
		p.userIDs[name] = id
	}
	return id
}

func (p *planner) userOf(r *Request) int32 {
	if !p.users {
		return 0
	}
	return p.user(r.User)
}

// running places the jobs that run. One for which no input says where it runs is put where it fits.
func (p *planner) running() {
	for i := range p.ends {
		r := &p.requests[i]
		pl := &p.schedule.Placements[i]
		*pl = Placement{Job: r.Job, Start: r.Start, End: p.ends[i], By: ByRunning, Nodes: r.Allocated}
		if r.End > p.now {
			pl.End = r.End
		}
		p.spots[i].until = p.ends[i]
		p.useTokens(p.wantsOf(r, p.admits[i]), p.admits[i], p.now, p.ends[i])
		if len(r.Allocated) == 0 {
			if f, ok := p.earliest(i, p.now, p.now+1, p.ends[i]-p.now); ok {
				p.put(i, f, p.ends[i])
			}
		}
	}
}

// expandArrays makes a request of each task of an array that stands for several.
func expandArrays(requests []Request) []Request {
	several := func(r *Request) bool { return len(r.TaskIDs) > 1 && !r.runs() }
	more, next := 0, int32(0)
	for i := range requests {
		next = max(next, requests[i].Job+1)
		if several(&requests[i]) {
			more += len(requests[i].TaskIDs) - 1
		}
	}
	if more == 0 {
		return requests
	}
	all := make([]Request, 0, len(requests)+more)
	for _, r := range requests {
		all = append(all, r)
		if !several(&r) {
			continue
		}
		last := len(all) - 1
		for t, id := range r.TaskIDs {
			task := r
			task.TaskIDs = []int64{id}
			task.ID = fmt.Sprintf("%d_%d", r.Array, id)
			if t == 0 {
				all[last] = task
				continue
			}
			task.Job = next
			next++
			all = append(all, task)
		}
	}
	return all
}

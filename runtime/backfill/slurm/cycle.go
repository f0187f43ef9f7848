package slurm

import (
	"github.com/fairway-sched/fairway/runtime/backfill"
)

// The backfill cycle walks the queue and finds for each entry the earliest start that delays no job before
// it: it starts what can start now and keeps whole nodes, slot by slot of the map, for all others
// (_attempt_backfill in sched/backfill).

// cycle is the state of one.
type cycle struct {
	p      *planner
	begin  int64 // when it began
	bounds bounds

	reservedIn []int64 // jobs with reservations, by partition
	starts     int64
	array      int64 // the array whose tasks are being planned, and how many are
	tasks      int64
	attempt    attempt
	memories   map[question]*memory
	shapes     map[shape]*spans
	stairs     *staircases
	het        map[int64]*hetJob
	hets       []int64              // its keys, in the order of the queue
	orders     map[int32][]hetStart // by partition: when heterogeneous jobs start there, the latest first
	hetless    map[int64]int32      // of heterogeneous jobs the component without a start, counted from 1
	lost       int                  // planner.lost as the memories know it
	blocked    map[string]int64     // assoc_limit_stop: until when a limit is taken to stop the jobs of a QOS
}

func (p *planner) cycle() error {
	s := p.in.Settings
	p.now = max(p.in.Cycle, p.in.Now)
	p.newPass()
	p.build()
	c := &cycle{p: p, begin: p.now, bounds: newBounds(p.in), reservedIn: make([]int64, len(p.partitions)),
		blocked: map[string]int64{}, memories: map[question]*memory{}, shapes: map[shape]*spans{}}
	var free []int64
	if s.Licenses {
		free = p.licenses.total
		if !s.RunningReserve {
			free = p.freeLicenses(&backfill.Request{}, p.now, 1)
		}
		free = append([]int64(nil), free...)
	}
	var usable []set
	for _, nodes := range p.partitions {
		nodes = nodes.clone()
		nodes.and(p.up)
		usable = append(usable, nodes)
	}
	p.slots.open(p.now, p.now+s.WindowSeconds, s.ResolutionSeconds, p.up.clone(), free, usable)
	p.slots.plain = p.plain
	if s.RunningReserve {
		for _, h := range p.running {
			c.keepRunning(h)
		}
	}
	for k, entry := range p.queue {
		if err := p.reached("backfill cycle", k, len(p.queue)); err != nil {
			return err
		}
		if s.Tests > 0 && int64(p.tried) >= s.Tests {
			p.stopped = "bf_max_job_test"
			p.bindRest(p.queue[k:])
			break
		}
		if !c.entry(entry) {
			p.bindRest(p.queue[k:])
			break
		}
	}
	c.startHets()
	return nil
}

// keepRunning puts a running job into the map (_bf_reserve_running): its nodes if it has them whole, and its licences.
func (c *cycle) keepRunning(h *holding) {
	p := c.p
	r := p.requestOf(h)
	whole := h.alone && !p.in.Settings.Linear // select/linear does not say of its jobs that they have nodes whole
	if !whole && len(r.Licenses) == 0 || p.slots.records >= p.in.Settings.TableSize {
		return
	}
	nodes := newSet(len(p.nodes))
	if whole {
		nodes = h.nodes
	}
	end := h.end
	if p.rules.endsUp {
		end += p.slots.resolution - 1
	}
	p.slots.keep(0, floor(end, p.slots.resolution), nodes, p.licenses.taker(r))
}

func (p *planner) requestOf(h *holding) *backfill.Request {
	if k := int(h.request) - len(p.in.Running); k >= 0 {
		return &p.in.Waiting[k]
	}
	return &p.in.Running[h.request]
}

// entry plans one entry; false ends the cycle.
func (c *cycle) entry(entry int32) bool {
	p := c.p
	s := p.in.Settings
	e := &p.in.Entries[entry]
	j, r := &p.jobs[e.Request], &p.in.Waiting[e.Request]
	if c.skips(e, j, r) {
		return true
	}
	bound := c.startsOnly(e, r)
	p.bind(e, bound)
	nowOnly := bound != "" || s.OneReservation && j.start != 0
	before, earliest := j.start, int64(0)
	for next := true; next; {
		if p.rejects(e, j, r) {
			break
		}
		switch c.task(entry, nowOnly, before) {
		case ended:
			return false
		case refused:
			next = false
		case began:
			p.rejected = rejection{}
			if c.starts++; s.Starts > 0 && c.starts >= s.Starts {
				p.stopped = "bf_max_job_start"
				return false
			}
			next = j.tasks > 0
		case planned:
			p.rejected = rejection{}
			if earliest == 0 || j.start < earliest {
				earliest = j.start
			}
			if next = r.Array != 0 && c.another(j, r); !next && c.tasks >= s.ArrayReservations {
				p.bind(e, "bf_max_job_array_resv")
			}
		}
	}
	c.noteHetless(e, r)
	if p.rules.arrayEarliest && earliest > 0 {
		j.start = min(j.start, earliest)
	}
	return true
}

// skips reports an entry that a cycle does not plan.
func (c *cycle) skips(e *Entry, j *job, r *backfill.Request) bool {
	p := c.p
	if j.tasks == 0 || j.preempts || c.afterHetless(e, r) {
		return true
	}
	if e.Denied != "" && !e.DeniedPlans {
		j.reason = e.Denied
		return true
	}
	if r.TaskIDs != nil && p.in.Settings.ArrayReservations <= 0 {
		p.bind(e, "bf_max_job_array_resv")
		return true
	}
	if p.in.Settings.LimitStop || p.gate == nil {
		return false
	}
	word := p.gate.BeforeNodes(e.Row)
	if word != "" {
		j.reason = word
	}
	return word != ""
}

// startsOnly is the setting by which nothing may be kept for an entry; "" if something may.
func (c *cycle) startsOnly(e *Entry, r *backfill.Request) string {
	s := c.p.in.Settings
	switch {
	case c.p.tooLow(e) && e.Threshold > 0:
		return "MinPrioThresh"
	case c.p.tooLow(e):
		return "bf_min_prio_reserve"
	case c.p.tooYoung(r):
		return "bf_min_age_reserve"
	case s.PartitionReserve > 0 && c.reservedIn[e.Partition] >= s.PartitionReserve:
		return "bf_job_part_count_reserve"
	}
	return ""
}

// another reports whether the next task of an array is to be planned as well.
func (c *cycle) another(j *job, r *backfill.Request) bool {
	if c.array != r.Array {
		c.array, c.tasks = r.Array, 0
	}
	c.tasks++
	if c.p.rules.throttles && r.ArrayMax > 0 && c.tasks+j.runs >= r.ArrayMax {
		return false
	}
	return c.tasks < c.p.in.Settings.ArrayReservations && c.tasks < j.tasks
}

// fate is what becomes of one task of an entry.
type fate uint8

const (
	refused fate = iota // nothing is planned for it
	began
	planned
	ended // and the cycle with it
)

// task plans a job, or one task of an array.
func (c *cycle) task(entry int32, nowOnly bool, before int64) fate {
	p := c.p
	s := p.in.Settings
	e, w := &p.in.Entries[entry], p.wantOf(entry)
	j, r := &p.jobs[e.Request], &p.in.Waiting[e.Request]
	if bound := c.bounds.exceeded(e, r); bound != "" {
		p.bind(e, bound)
		return refused
	}
	if w.nodesMax < w.nodesMin || p.expired(e, j) {
		return refused
	}
	if most, word := p.limited(e); most > 0 && most < w.nodesMin {
		j.reason = word
		return refused
	}
	limit, planned := p.limit(e)
	if !s.Licenses && len(r.Licenses) > 0 && !p.licenses.suffice(r, p.freeLicenses(r, p.now, limit)) {
		return refused
	}
	try := &c.attempt
	*try = attempt{cycle: c, entry: entry, e: e, w: w, j: j, r: r, limit: limit, planned: planned, nowOnly: nowOnly,
		before: before}
	try.gone, try.stay = p.foreseen(e)
	if p.slots.licenses != nil {
		try.suffice = func(free []int64) bool { return p.licenses.suffice(r, free) }
	}
	return try.run()
}

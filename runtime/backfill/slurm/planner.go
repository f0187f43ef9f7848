package slurm

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// planner is the state of both passes.
type planner struct {
	in    *Input
	gate  Gate // Input.Gate, or a copy while a heterogeneous job is tried
	rules rules
	now   int64 // of the pass that is made

	nodes      []backfill.Node
	gresCount  int
	rows       *rows   // nil: no two jobs have a processor at a time
	blocked    set     // processors that were not for the job that was placed last
	tree       *tree   // nil: nodes are not chosen by switches
	threads    []int64 // by node: processors of each core; nil if none has several and no sockets are given whole
	up         set
	woken      set // nodes that were asleep when the main pass gave them to jobs
	partitions []set
	exclusive  []bool  // by partition
	gpuWeight  []int64 // by node: what a test for generic resources left of its weight
	outside    set     // nodes that are outside the flexible reservation of the last job that they were looked at for

	use     *usage
	empty   *usage     // nothing runs
	running []*holding // in the order of submission, then those that were started
	given   []*holding // Input.Running, whatever became of them
	ends    []*holding // the same by their ends; nil when it has to be made anew

	licenses licenses
	jobs     []job // by Input.Waiting
	queue    []int32
	order    []int32   // queue and, in their places, the entries that are not in it yet
	of       [][]int32 // by Input.Waiting: its entries
	wants    []*want   // by Input.Entries; made when first needed
	sizes    map[size]*want
	rooms    map[room]set
	plain    bool // nothing is remembered and nothing skipped: the plain twin
	started  []started
	victims  []backfill.Victim

	says       bool       // the pass only says why jobs wait
	epoch      int        // changes when jobs start or end
	lost       int        // times that nodes came free before they had to
	stops      int        // jobs that were ended for others
	completing set        // nodes of jobs that were just ended
	removable  []*holding // who counts as gone in the will-run test
	staying    []*holding // who counts as running for ever in it

	slots    slotMap
	tried    int
	stopped  string
	rejected rejection

	chooser   chooser
	future    *usage // the same as use, but while the future is asked about
	foresight foresight

	owns        bool // nodes may be one user's
	strangers   map[strangers]set
	strangersOf int // so many running jobs

	free   [2]*freeTimes // for jobs that share nodes, and that do not
	wholes wholeTimes

	candidateSet, reserved, usable, avail, look, among set // overwritten by every use
	reservations                                       []set
	// processors of each node that reservations keep from the job looked at; nil is none
	held []int64
}

// job is what becomes of a request that waits.
type job struct {
	tasks  int64 // still waiting; 1 for a job that is no array
	runs   int64 // tasks of the array that run
	reason string
	never  string

	preempts bool // it has others ended in this pass

	// What squeue --start shows: the earliest start found, with nodes where some are kept.
	start, end int64
	nodes      []share
	partition  int32
	reserved   bool

	kept  []keptTask // what is kept for it, or for its tasks, in the partitions that were tried
	bound string     // the setting by which the cycle does not come to it, or keeps nothing for it
}

// keptTask is what is kept for a job, or one task of an array.
type keptTask struct {
	start, end int64
	nodes      []share
	partition  int32
}

// started is a job, or a task of an array, that starts.
type started struct {
	request, entry int32
	task           int // which of the array's tasks; -1 for a job
	by             backfill.By
	holding        *holding
}

// rejection is an array with a task that could not start in a partition: others of its tasks are not tried there.
type rejection struct {
	array     int64
	partition int32
}

// rejects reports that a task of an array need not be tried, and takes it for rejected until it is known
// better. The throttle of an array bounds the tasks that run (job_array_start_test).
func (p *planner) rejects(e *Entry, j *job, r *backfill.Request) bool {
	this := rejection{r.Array, e.Partition}
	if r.Array == 0 {
		return false
	}
	if p.rejected == this {
		return true
	}
	p.rejected = this
	if r.ArrayMax > 0 && j.runs >= r.ArrayMax {
		j.reason = ArrayLimit
		return true
	}
	return false
}

func newPlanner(in *Input) (*planner, error) {
	if in.Context == nil {
		in.Context = context.Background()
	}
	if in.Settings.ResolutionSeconds < 1 {
		return nil, fmt.Errorf("bf_resolution is %d", in.Settings.ResolutionSeconds)
	}
	p := &planner{in: in, gate: in.Gate, rules: rulesOf(in.Settings.Version), now: in.Now, nodes: in.Cluster.Nodes,
		gresCount: len(in.Cluster.Gres)}
	p.machine()
	p.rows = p.newRows()
	if p.seats() {
		p.use.spots, p.future.spots = make([]spots, len(p.nodes)), make([]spots, len(p.nodes))
	}
	p.licenses = newLicenses(in)
	p.owns = p.ownsNodes()
	for k := range in.Running {
		p.hold(p.holdingOf(int32(k)))
	}
	p.given = slices.Clone(p.running)
	p.jobs = make([]job, len(in.Waiting))
	for k := range in.Waiting {
		p.jobs[k] = job{tasks: max(1, int64(len(in.Waiting[k].TaskIDs))), partition: -1}
		// What was found when the job was submitted counts until nodes are looked for again, which they are not while
		// another job holds the partition up.
		if in.Reasons != nil && strings.HasPrefix(in.Reasons[k], NodeNotAvail) {
			p.jobs[k].reason = in.Reasons[k]
		}
	}
	p.countArrays()
	p.wants, p.sizes, p.rooms = make([]*want, len(in.Entries)), map[size]*want{}, map[room]set{}
	p.entries()
	p.build()
	p.sortQueue()
	return p, nil
}

func (p *planner) machine() {
	n := len(p.nodes)
	p.use, p.future = newUsage(n, p.gresCount), newUsage(n, p.gresCount)
	for _, at := range []*set{&p.up, &p.woken, &p.completing, &p.candidateSet, &p.reserved, &p.usable, &p.avail, &p.look,
		&p.among, &p.outside} {
		*at = newSet(n)
	}
	if !p.in.Settings.Linear {
		p.threads = threadsOf(p.nodes, p.in.Settings.Sockets)
	}
	if p.in.Settings.Tree {
		p.tree = newTree(p.nodes)
	}
	p.chooser.procs, p.gpuWeight = make([]int64, n), make([]int64, n)
	for i := range p.nodes {
		if p.nodes[i].Up {
			p.up.add(int32(i))
		}
	}
	for k := range p.in.Cluster.Partitions {
		part := &p.in.Cluster.Partitions[k]
		s := newSet(n)
		for _, i := range part.Nodes {
			s.add(i)
		}
		p.partitions = append(p.partitions, s)
		p.exclusive = append(p.exclusive, part.Sharing == backfill.SingleJob)
	}
}

// scratch is a set that callers may overwrite until they ask for it again.
func (p *planner) scratch(s *set) set { return *s }

// asleepWeight and outsideWeight are more than any weight that is set (Weight is of 32 bits).
const (
	asleepWeight  = int64(1) << 48
	outsideWeight = int64(1) << 40
)

// weight orders nodes: lighter ones are used first. Of nodes for generic resources those with more of them free
// are lighter, as long as the weights that were set are equal; more than the job asks for do not count (recorded:
// loopback-gres-job).
func (p *planner) weight(i int32, w *want, u *usage) int64 {
	if p.in.Settings.Linear {
		return 0
	}
	weight := p.nodes[i].Weight * 256
	if p.nodes[i].Asleep && !p.woken.has(i) { // used last, whatever their weight (recorded: power-suspend)
		weight += asleepWeight
	}
	if p.outside.has(i) {
		weight += outsideWeight
	}
	if !w.wantsGres() {
		return weight - p.gpuWeight[i]
	}
	for g, name := range p.in.Cluster.Gres {
		if name == "gpu" {
			p.gpuWeight[i] = min(255, w.wantsOf(g), p.gresFree(u, i, g))
			if g < len(w.procsPerGres) && w.procsPerGres[g] > 0 {
				p.gpuWeight[i] = min(p.gpuWeight[i], (p.nodes[i].Capacity.Procs-u.procs[i])/w.procsPerGres[g])
			}
		}
	}
	weight -= p.gpuWeight[i]
	if !p.rules.gresWeight {
		p.gpuWeight[i] = 0
	}
	return weight
}

// holdingOf is what a running job has. Its shares are in tasks of the processors and memory that
// each has; a job that shares its nodes with no other job has its nodes whole.
func (p *planner) holdingOf(k int32) *holding {
	r := &p.in.Running[k]
	end := r.End
	if end >= backfill.Forever { // without a limit it counts for a year, as one that waits does
		end = r.Start + oneYear
	}
	perNode, perTask := r.StatedGres()
	h := &holding{request: k, entry: -1, told: r.PreemptTime, start: r.Start, end: end, nodes: newSet(len(p.nodes)),
		alone:   r.Sharing == backfill.SingleJob || p.in.Settings.Linear || p.inExclusive(r),
		private: p.owns && p.privateNow(r)}
	for _, s := range r.Allocated {
		c := &p.nodes[s.Node].Capacity
		mine := share{node: s.Node, procs: s.Tasks * max(1, r.PerTask.Procs), mem: r.PerNode.MemMB + s.Tasks*r.PerTask.MemMB,
			gres: p.gresFor(positive(perNode), positive(perTask), s.Tasks)}
		if s.Procs > 0 {
			mine.procs = s.Procs
		}
		if p.threads != nil {
			mine.procs = r.ProcsOfCores(s, mine.procs, p.threads[s.Node], c.Procs)
		}
		if s.MemMB > 0 {
			mine.mem = s.MemMB
		}
		if h.alone {
			mine.procs, mine.mem = c.Procs, max(mine.mem, min(c.MemMB, r.PerTask.MemMB*c.Procs/max(1, r.PerTask.Procs)))
		}
		h.shares = append(h.shares, mine)
		h.nodes.add(s.Node)
	}
	p.spreadOfJob(h.shares, r.JobGres)
	return h
}

func (p *planner) inExclusive(r *backfill.Request) bool {
	for k := range p.exclusive {
		if p.exclusive[k] && p.in.Cluster.Partitions[k].Name == r.Class {
			return true
		}
	}
	return false
}

// hold counts a job as running.
func (p *planner) hold(h *holding) {
	p.occupy(h)
	p.seat(h)
	p.use.add(h)
	p.future.add(h)
	p.running = append(p.running, h)
	p.epoch++
	p.insertEnd(h)
}

// byEnd are the running jobs by their ends; those that end at once in the order of submission (recorded:
// loopback-ends-tie, job 11).
func (p *planner) byEnd() []*holding {
	if p.ends == nil {
		p.ends = slices.Clone(p.running)
		slices.SortStableFunc(p.ends, p.endsFirst)
	}
	return p.ends
}

func (p *planner) endsFirst(a, b *holding) int {
	return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(p.requestOf(a).SubmitTime, p.requestOf(b).SubmitTime),
		cmp.Compare(a.request, b.request))
}

// countArrays counts the tasks of arrays that run: of each no more than its throttle may.
func (p *planner) countArrays() {
	runs := map[int64]int64{}
	for k := range p.in.Running {
		if a := p.in.Running[k].Array; a != 0 {
			runs[a]++
		}
	}
	for k := range p.in.Waiting {
		if a := p.in.Waiting[k].Array; a != 0 {
			p.jobs[k].runs = runs[a]
		}
	}
}

// entries lists the entries of each job.
func (p *planner) entries() {
	p.of = make([][]int32, len(p.in.Waiting))
	all := make([]int32, len(p.in.Entries))
	counts := make([]int32, len(p.in.Waiting)+1)
	for k := range p.in.Entries {
		counts[p.in.Entries[k].Request+1]++
	}
	for k := range p.of {
		counts[k+1] += counts[k]
		p.of[k] = all[counts[k]:counts[k]:counts[k+1]]
	}
	for k := range p.in.Entries {
		r := p.in.Entries[k].Request
		p.of[r] = append(p.of[r], int32(k))
	}
}

// sortQueue orders the entries (sort_job_queue2): jobs with a reservation, then by tier, priority, submission. Entries
// of one job are in the order given.
func (p *planner) sortQueue() {
	type key struct {
		out, tier, priority int64
		request, entry      int32
	}
	keys := make([]key, 0, len(p.in.Entries))
	for k := range p.in.Entries {
		e := &p.in.Entries[k]
		if e.Refused != "" {
			continue
		}
		one := key{1, p.in.Cluster.Partitions[e.Partition].PriorityTier, e.Priority, e.Request, int32(k)}
		if p.in.Waiting[e.Request].Reservation != "" {
			one.out = 0
		}
		if het := p.in.Waiting[e.Request].Het; het != 0 && p.in.Settings.HetPriority != "" {
			one.tier, one.priority = p.hetPriority(het)
		}
		keys = append(keys, one)
	}
	slices.SortFunc(keys, func(a, b key) int {
		switch {
		case a.priority != b.priority && a.tier == b.tier && a.out == b.out:
			return cmp.Compare(b.priority, a.priority)
		case a.out != b.out:
			return cmp.Compare(a.out, b.out)
		case a.tier != b.tier:
			return cmp.Compare(b.tier, a.tier)
		}
		return cmp.Or(cmp.Compare(a.request, b.request), cmp.Compare(a.entry, b.entry))
	})
	p.order, p.queue = make([]int32, len(keys)), make([]int32, 0, len(keys))
	for k := range keys {
		if p.order[k] = keys[k].entry; !p.in.Entries[keys[k].entry].Later {
			p.queue = append(p.queue, keys[k].entry)
		}
	}
}

package maui

import (
	"context"
	"time"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Planner is the state of one iteration.
type Planner struct {
	settings   *program.MauiPlan
	cluster    *backfill.Cluster
	now        int64
	days       Days
	jobs       []Job
	demands    []demand
	runs       []bool
	deferred   []bool
	unserved   bool   // the job placed last had room, but the allocation policy chose no nodes
	putOff     []bool // with room now for all tasks no nodes could be chosen: the start is put off by a second
	nodes      []node
	classes    map[string]int
	partitions []string
	queue      Queue
	plan       *Plan
	context    context.Context // nil never ends

	inPartition  [][]int32
	size         []int64   // of each partition: processors of its nodes that are up
	oneNode      []bool    // of each partition: a job has one node
	open         [][]int32 // of each partition the nodes that may have room now; nil: not known
	free         int64     // processors that are free now, at most
	anyDedicated bool
	anyStanding  bool
	anyPrivate   bool // somewhere nodes are shared by jobs of one user only
	version      int  // of what the nodes have
	skylines     map[string]*skyline
	fewSlots     bool                   // somewhere a class has fewer slots than there are processors
	mostOf       map[string]int64       // tasks that empty nodes hold, per kind of job
	reserved     map[int32]*Reservation // of jobs that wait, by job
	// per node: the job, plus 1, that has a reservation there and is to start; 0 is none
	own        []int32
	ownUntil   int64          // when that reservation ends
	bucketOf   map[string]int // per QOS
	anyone     Job            // who windows are measured for
	first      []int32        // by which overtaken jobs are counted
	position   []int32        // per job: its place there
	licenses   []*licenses    // views of the cluster's
	licensesOf []*licenses    // per job its view; nil: it asks for none
	chunk      int64          // resources are kept from small jobs until then; 0: they are not

	// Reused from call to call.
	found  []candidate
	buffer []span
	gaps   []gap
	times  []int64
	events []change
	tied   []change
}

// New makes the state at the beginning of an iteration: what runs, and what is kept of the iteration before.
func New(in Input) *Planner {
	p := &Planner{settings: in.Settings, cluster: in.Cluster, now: in.Now, days: in.Days, jobs: in.Jobs,
		context: in.Context, plan: &Plan{}, reserved: map[int32]*Reservation{}, bucketOf: map[string]int{},
		mostOf: map[string]int64{}}
	if p.days == nil {
		p.days = time.UTC
	}
	p.newNodes(in.Cluster)
	p.own = make([]int32, len(p.nodes))
	p.inPartition, p.oneNode, p.size = make([][]int32, len(p.partitions)), make([]bool, len(p.partitions)),
		make([]int64, len(p.partitions))
	for k, name := range p.partitions {
		p.oneNode[k] = !p.multiNode(name)
	}
	for i := range p.nodes {
		k := p.nodes[i].partition
		if p.inPartition[k] = append(p.inPartition[k], int32(i)); p.nodes[i].readiness != never {
			p.size[k] += p.nodes[i].Capacity.Procs
		}
	}
	p.newLicenses(in.Cluster)
	p.runs, p.deferred, p.demands = make([]bool, len(p.jobs)), make([]bool, len(p.jobs)), make([]demand, len(p.jobs))
	p.putOff = make([]bool, len(p.jobs))
	for job := range p.jobs {
		j := &p.jobs[job]
		class, known := p.classes[j.Class]
		if !known {
			class = -1
		}
		p.demands[job] = demand{per: j.PerTask, base: j.PerNode, class: class, nodes: max(j.Nodes, j.Features.AtLeast())}
		p.anyDedicated = p.anyDedicated || j.Dedicated
		if in.Runs(int32(job)) {
			p.runs[job] = true
			p.running(int32(job))
		}
	}
	p.anyone = anyJob(int32(len(p.jobs)))
	p.demands = append(p.demands, demand{per: p.anyone.PerTask, class: -1})
	p.used()
	p.placeStanding(in)
	p.keep(in)
	return p
}

func (p *Planner) demand(job int32) *demand { return &p.demands[job] }

// running gives a job the nodes it runs on until its limit. One that has overrun it is taken to end at once, but not
// before now. One on nodes of two partitions has no reservation in Maui and never seems to end (recorded: n04).
func (p *Planner) running(job int32) {
	j := &p.jobs[job]
	if j.Suspended {
		return
	}
	end := max(j.End, p.now+1)
	for _, share := range j.Allocated {
		if p.nodes[share.Node].partition != p.nodes[j.Allocated[0].Node].partition {
			end = forever
		}
	}
	for _, share := range j.Allocated {
		n := &p.nodes[share.Node]
		p.take(n, job, min(j.Start, p.now), end, share.Tasks)
		n.profile.occupy(end, p.demand(job).class, share.Tasks)
	}
	p.license(job, j.Start, end, 1)
}

// start makes a job run from now on.
func (p *Planner) start(job int32, by backfill.By, nodes []backfill.Share) {
	p.release(job)
	p.runs[job] = true
	end := profile.End(p.now, max(1, p.jobs[job].WalltimeSeconds))
	p.license(job, p.now, end, 1)
	for _, share := range nodes {
		p.take(&p.nodes[share.Node], job, p.now, end, share.Tasks)
	}
	p.plan.Starts = append(p.plan.Starts, Start{Job: job, By: by, Nodes: nodes})
	p.queue.Start(job)
}

// waits reports a job that may still be started.
func (p *Planner) waits(job int32) bool { return !p.runs[job] && !p.deferred[job] }

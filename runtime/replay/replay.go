// Package replay moves a workload through a policy and a machine, from its first job to its last: who starts when and
// where, as the policy's scheduler would have had it.
//
// In: a program, the machine as a snapshot shows it, and a Workload. Out: a Result, with the start and end of every
// job. It is a loop of steps of an engine.State, by the scheduler's own clock (evaluation.Pace), and knows neither
// file nor wall clock. Called by the command line and by the conformance suite.
package replay

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/replay/outage"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Options of a replay.
type Options struct {
	Evaluation evaluation.Options // where the controller runs; Procs, of a machine that is one pool
	Context    context.Context    // ends a long replay; nil never does
	Progress   func(now int64, done int)
	Outages    []outage.Outage // times in which nodes start no job

	Log    *Log // is filled with what is decided, so that an interrupted replay can go on; nil is not
	Resume *Log // what an earlier run has decided of this replay; nil is nothing

	general bool // no way that is for some policies alone, to compare with
}

// Outcome is what became of a job.
type Outcome struct {
	*Job
	Start, End int64            // epoch seconds; 0 if it never started
	By         backfill.By      // "" if it never started
	Nodes      []backfill.Share // of Result.Nodes
	Never      string           // why it never started, where that is known
	Cancelled  bool             // it ran beyond its limit, or was preempted or lost its node and was not requeued
	Earlier    []Attempt        // its runs before, after which it was requeued
}

// Runs are the times for which a job ran, the last one included.
func (o *Outcome) Runs() []Attempt {
	if o.By == "" {
		return o.Earlier
	}
	return append(slices.Clip(o.Earlier), Attempt{o.Start, o.End, o.By, o.Nodes})
}

// Result is a workload that has been played.
type Result struct {
	Begin, End int64 // epoch seconds of the first submission and of the last end
	Outcomes   []Outcome
	Started    []int    // of Outcomes, in the order of their starts
	Nodes      []string // by backfill.Share.Node
	Procs      int64    // of the machine; 0 if unknown
	Workload   *Workload
	Findings   diag.List // of the policy, each once
	Failures   Failures

	last *evaluation.Result // the last look at the queue; nil if there was none
}

// Run plays a workload.
func Run(p *program.Program, machine *snapshot.Snapshot, w *Workload, o Options) (*Result, error) {
	pace := family.Of(p).Pace
	if pace == nil {
		return nil, &planning.Error{Problem: "the replay of a " + family.Of(p).Facts.Title + " policy is not built",
			Advice: "`fairway plan` says when the jobs of a queue will start; a maui.cfg or a policy from scratch can be " +
				"replayed"}
	}
	if machine.Jobs != nil && machine.Jobs.Rows > 0 {
		w = w.joined(machine)
	}
	if len(w.Jobs) == 0 {
		return nil, fmt.Errorf("the workload has no job to play")
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	r := &run{program: p, workload: w, options: o, pace: pace(p), findings: map[string]bool{},
		out: &Result{Begin: w.begins(machine), Workload: w, Outcomes: make([]Outcome, len(w.Jobs))}}
	r.log = o.Log
	jobs := slices.Clone(w.Jobs) // an outcome takes the names that its policy gives; other replays have the workload too
	for i := range jobs {
		r.out.Outcomes[i].Job = &jobs[i]
	}
	if err := r.begin(machine); err != nil {
		return nil, err
	}
	r.resume()
	clock := r.events
	switch {
	case r.pace.Ticks:
		clock = r.ticks
	case r.pace.StepSeconds > 0:
		clock = r.iterations
	case r.pooled():
		clock, r.log = r.playPool, nil // it is played again as fast as a log is read
	}
	if err := clock(); err != nil {
		return nil, err
	}
	r.out.last = r.result
	r.sayWhy()
	r.placeRunning()
	return r.out, nil
}

// run is a replay that goes on.
type run struct {
	program  *program.Program
	workload *Workload
	options  Options
	pace     evaluation.Pace
	out      *Result

	state    *engine.State
	next     int            // the next job to submit
	waiting  map[string]int // jobs in the queue, of Outcomes
	running  ends
	findings map[string]bool       // what has been reported
	outages  *outages              // nil: all nodes stay up
	fail     func(id string) error // ends a job whose node has gone

	result   *evaluation.Result // of the last look at the queue, and what was planned then
	schedule *backfill.Schedule

	log   *Log                   // nil: what is decided is not kept
	looks int                    // so many were made
	left  *checkpoint.Checkpoint // what the last one began with
}

// begin shows the machine: empty, or with the queue of a snapshot.
func (r *run) begin(machine *snapshot.Snapshot) error {
	r.waiting = map[string]int{}
	s := *machine
	s.Jobs = r.workload.queue.columns(r.workload.table)
	o := r.options.Evaluation
	s.Nodes = inPartitions(s.Nodes, r.program)
	o.Workers, o.Plan, o.StartsOnly, o.Context = 1, true, true, r.options.Context
	if r.pace.Ticks { // what was used goes on from one pass of priorities to the next
		s.Family, o.KeepState = "slurm", true
	}
	r.state = engine.New(r.program, snapshot.At(&s, r.out.Begin), o)
	last := r.workload.Jobs[len(r.workload.Jobs)-1].Submit
	edges := edgesOf(s.Reservations, r.out.Begin, max(last, r.out.Begin)+afterwards)
	if len(r.options.Outages)+len(edges) > 0 {
		r.outages, r.fail = newOutages(r.options.Outages, edges, r.out.Begin, s.Nodes, &r.out.Failures), r.failed
	}
	return r.take()
}

// submit adds the next job to the queue, as submitted at the time given.
func (r *run) submit(at int64) error {
	j := &r.workload.Jobs[r.next]
	cells := r.workload.cells(j, r.options.Evaluation.Procs > 0)
	cells["job.id"], cells["job.submit_time"] = schema.StringValue(j.ID), schema.TimestampValue(at)
	r.waiting[j.ID] = r.next
	r.next++
	return r.state.Submit(cells)
}

// start notes a start, and lets the job run. It ends at the time given.
func (r *run) start(job int, now, end int64, by backfill.By, nodes []backfill.Share, hosts []string) error {
	o := &r.out.Outcomes[job]
	o.Start, o.By, o.Nodes = now, by, nodes
	delete(r.waiting, o.ID)
	heap.Push(&r.running, ending{end, job})
	r.out.Started = append(r.out.Started, job)
	return r.state.Start(o.ID, hosts...)
}

// endUntil ends the jobs whose time has come.
func (r *run) endUntil(now int64) error {
	for len(r.running) > 0 && r.running[0].at <= now {
		e := heap.Pop(&r.running).(ending)
		o := &r.out.Outcomes[e.job]
		o.End = now
		r.out.End = max(r.out.End, now)
		if err := r.state.End(o.ID); err != nil {
			return err
		}
	}
	return nil
}

// remove takes a job out of the queue that can never run.
func (r *run) remove(job int, why string) error {
	o := &r.out.Outcomes[job]
	o.Never = why
	delete(r.waiting, o.ID)
	return r.state.End(o.ID)
}

// sayWhy says of the jobs that still wait what the last look at the queue knew of them.
func (r *run) sayWhy() {
	if len(r.waiting) == 0 || r.result == nil {
		return
	}
	never := map[int32]string{}
	for i := range r.schedule.Requests {
		never[r.schedule.Requests[i].Row] = r.schedule.Placements[i].Never
	}
	for row := range int32(r.result.Jobs.Rows) {
		at, waits := r.waiting[r.result.JobID(int(row))]
		if !waits {
			continue
		}
		o := &r.out.Outcomes[at]
		o.takeNames(r.result.Jobs, int(row))
		o.Never = cmp.Or(never[row], r.result.Reason[row], "nothing lets it start")
	}
}

// Report says which jobs never started.
func (r *Result) Report() diag.List {
	var list diag.List
	r.Workload.queue.report(&list)
	r.Failures.report(&list)
	var whys []string
	ids := map[string][]string{}
	for i := range r.Outcomes {
		if o := &r.Outcomes[i]; o.By == "" {
			if ids[o.Never] == nil {
				whys = append(whys, o.Never)
			}
			ids[o.Never] = append(ids[o.Never], o.ID)
		}
	}
	for _, why := range whys[:min(len(whys), mostNamed)] {
		list.Warnf("replay-never-starts", source.Span{}, "%s never %s: %s", diag.Count(len(ids[why]), "job"),
			diag.Agree(len(ids[why]), "starts", "start"), why).
			Note("%s", named(ids[why]))
	}
	if more := len(whys) - mostNamed; more > 0 {
		list.Warnf("replay-never-starts", source.Span{}, "jobs never start for %s", diag.Count(more, "other reason")).
			Note("-o csv has the reason of each job")
	}
	return list
}

// report keeps what an evaluation says, once.
func (r *run) report(list diag.List) {
	for _, d := range list {
		key := d.Code + "\x00" + d.Span.String()
		if !r.findings[key] {
			r.findings[key] = true
			r.out.Findings = append(r.out.Findings, d)
		}
	}
}

// RefusedError is a policy that cannot be evaluated over the workload.
type RefusedError struct{ Findings diag.List }

func (e *RefusedError) Error() string { return "the policy cannot be evaluated over this workload" }

// evaluate looks at the queue.
func (r *run) evaluate() (*evaluation.Result, error) {
	result, err := r.state.Evaluate()
	if err == nil && result.Findings.HasErrors() {
		err = &RefusedError{result.Findings}
	}
	if err != nil {
		return nil, err
	}
	r.report(result.Findings)
	return result, nil
}

// ending is a running job and when it ends; ends are those that run, the first to end first.
type ending struct {
	at  int64
	job int
}

type ends []ending

func (e ends) Len() int { return len(e) }
func (e ends) Less(i, k int) bool {
	return e[i].at < e[k].at || e[i].at == e[k].at && e[i].job < e[k].job
}
func (e ends) Swap(i, k int) { e[i], e[k] = e[k], e[i] }
func (e *ends) Push(x any)   { *e = append(*e, x.(ending)) }
func (e *ends) Pop() any {
	old := *e
	last := old[len(old)-1]
	*e = old[:len(old)-1]
	return last
}

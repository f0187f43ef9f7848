package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/program"
)

// PlanOptions are what a plan is made with beside the policy.
type PlanOptions struct {
	// Native plans with the native planner whatever the policy's family, with the family's settings as
	// far as they have a counterpart.
	Native bool

	// Depth replaces the number of jobs that get a reservation, of the native planner; program.Unlimited is
	// all of them. nil leaves it to the policy.
	Depth *int64

	// Procs is the size of a machine that is one pool of processors, for queues without nodes, such as
	// traces. 0: the nodes of the snapshot.
	Procs int64

	Place *time.Location // where days begin, for reservations that are repeated; nil is UTC

	// Pass and Cycle are when Slurm's main pass and its backfill cycle begin, in epoch seconds, where that is not
	// the time of the evaluation, which priorities are computed for; 0 for Cycle is at once after the pass.
	Pass, Cycle int64

	// Context ends a long plan; nil never does. Progress is told how many of the waiting jobs are
	// done, from time to time; it may be nil.
	Context  context.Context
	Progress func(done, total int)
}

// PlanError is an input of which no plan can be made.
type PlanError struct{ Problem, Advice string }

func (e *PlanError) Error() string { return e.Problem }

// Plan says of every job of an evaluated queue when and where it starts. Maui's and Slurm's policies
// are planned by what these schedulers do, all others by the native planner.
func Plan(r *Result, o PlanOptions) (*backfill.Schedule, error) {
	if o.Context == nil {
		o.Context = context.Background()
	}
	if r.State == nil {
		return nil, &PlanError{Problem: "the queue could not be evaluated"}
	}
	s, err := r.plan(o)
	if err == nil && !o.Native && r.Program.Family != "" { // of the native planner's own plan its offers hold
		s.Smaller = r.smaller(s, o)
	}
	return s, err
}

func (r *Result) plan(o PlanOptions) (*backfill.Schedule, error) {
	q, err := r.planQueue(o)
	if err != nil {
		return nil, err
	}
	var s *backfill.Schedule
	switch {
	case o.Native || r.Program.Family == "":
		s, err = r.planNative(q, o)
	case r.Program.Family == "maui":
		s, err = r.planMaui(o)
	case r.Program.Family == "slurm":
		s, err = r.planSlurm(q, o)
	default:
		return nil, &PlanError{Problem: fmt.Sprintf("policies of the family %s cannot be planned as their scheduler does", r.Program.Family),
			Advice: "plan with --planner native"}
	}
	if err != nil {
		return nil, err
	}
	q.unplanned(s)
	if !o.Native && r.Program.Family != "" { // the native planner says it itself, see backfill.Schedule.Detail
		fillWaits(s)
		gapFillers(s)
	}
	return s, nil
}

// planMaui plans as Maui does. What it does decides who starts, so it is part of the evaluation; a result of one without
// it is evaluated anew, and what that leaves to the next iteration is the result's.
func (r *Result) planMaui(o PlanOptions) (*backfill.Schedule, error) {
	if r.schedule != nil {
		return r.schedule, nil
	}
	again := r.options
	again.Plan, again.Place, again.Procs, again.Context = true, o.Place, o.Procs, o.Context
	planned, err := Run(r.Program, r.Snapshot, again)
	if err != nil {
		return nil, err
	}
	for _, d := range planned.Findings {
		if slices.Contains([]string{"plan-given-twice", "plan-setting-left-out", "plan-suspended", "plan-request-left-out"}, d.Code) {
			r.Findings = append(r.Findings, d)
		}
	}
	r.Next = planned.Next
	return planned.schedule, nil
}

// planQueue is what a planner starts from.
type planQueue struct {
	result   *Result
	cluster  *backfill.Cluster
	requests []backfill.Request   // running jobs, then those that wait in the order considered
	stopped  []backfill.Request   // jobs that no planner is asked about
	reasons  []backfill.Placement // of stopped: why
	nodes    map[string]int32     // index into cluster.Nodes

	pooled     bool              // the machine is one pool of processors
	queues     bool              // nodes are in the partitions that jobs are submitted to
	ids        map[string]int32  // jobs by their ids
	unlicensed int               // waiting jobs whose licences nobody counts
	timeless   []string          // jobs of which nobody says how long they may take
	timed      []string          // and those of them of which a trace says how long they took
	unsplit    int               // running jobs of which nobody says how much of them is on which node
	arrays     map[int64][]int32 // records by their array
	values     *credentialValues
	series     int32 // reservations that come again

	nodeCores map[string]*program.NodeCores // what slurm.conf says of nodes; nil until it is asked
	coreless  []string                      // nodes of which nobody says what cores they have

	befores       map[int32][]predecessor // jobs that say themselves that they go before another, by that other
	corresponding map[int32][]int32       // records of arrays that the tasks of a job come after one by one, by that job
}

// planQueue makes cluster and requests.
func (r *Result) planQueue(o PlanOptions) (*planQueue, error) {
	q := &planQueue{result: r, pooled: o.Procs > 0}
	if err := q.machine(o); err != nil {
		return nil, err
	}
	q.reservations(o)
	q.read()
	return q, nil
}

// unplanned adds the jobs that no planner was asked about. Where the schedule has one of them all the same, what
// it does not say is filled in.
func (q *planQueue) unplanned(s *backfill.Schedule) {
	at := make(map[int32]int, len(s.Requests))
	for i := range s.Requests {
		at[s.Requests[i].Job] = i
	}
	for k := range q.stopped {
		reason := &q.reasons[k]
		i, there := at[reason.Job]
		if !there {
			s.Requests, s.Placements = append(s.Requests, q.stopped[k]), append(s.Placements, *reason)
			if s.Told != nil {
				s.Told = append(s.Told, *reason)
			}
			continue
		}
		p := &s.Placements[i]
		if p.By != backfill.ByNone {
			continue
		}
		if p.Reason == "" {
			p.Reason = reason.Reason
		}
		if p.Never == "" {
			p.Never = reason.Never
		}
		if p.WaitsFor == nil {
			p.WaitsFor = reason.WaitsFor
		}
	}
	for i := range s.Placements {
		p, row := &s.Placements[i], s.Requests[i].Row
		if p.By != backfill.ByNone || int(row) >= len(q.result.Reason) {
			continue
		}
		if p.Reason == "" {
			p.Reason = q.result.Reason[row]
		}
		b := q.result.Why[row]
		if b != nil && p.Never == "" && b.Kind != BlockHold && b.Kind != BlockFailed &&
			(len(p.WaitsFor) == 0 || stoppedByWord(p, b)) {
			p.WaitsFor = q.stopOfBlock(b, &s.Requests[i])
			if r := &s.Requests[i]; b.Kind == BlockDependency && len(r.After)+len(r.AfterStart) == 0 {
				q.after(r) // for whoever asks when they are met
			}
		}
		if p.Never == "" {
			p.Never = q.result.tooLarge(row)
		}
		if p.Reason == "" && p.Never == "" && len(p.WaitsFor) == 0 {
			p.Never = q.nowhere(int(row))
		}
	}
}

// nowhere says of a job that it is submitted to no partition of the cluster, or "".
func (q *planQueue) nowhere(job int) string {
	if !q.queues || len(q.cluster.Partitions) == 0 {
		return ""
	}
	names := q.partitionsOf(job)
	if len(names) == 0 {
		return "it names no partition, and nodes are in partitions"
	}
	for _, name := range names {
		if q.isPartition(name) {
			return ""
		}
	}
	return "no node is in partition " + strings.Join(names, " or ")
}

// stoppedByWord reports a job that a planner's gate stopped for what the evaluation says with more words: its
// partition, or a limit of the policy. A gate says a word alone, and planners take that for a limit's.
func stoppedByWord(p *backfill.Placement, b *Block) bool {
	if len(p.WaitsFor) != 1 || p.WaitsFor[0].Kind != backfill.WaitLimit || p.WaitsFor[0].Limit != "" {
		return false
	}
	more := b.Kind == BlockPartition || b.Kind == BlockAccess || b.Kind == BlockSubmission || b.Limit != nil
	return more && p.WaitsFor[0].Name == b.Text
}

// nativeSettings are the policy's, or what the family's come to.
func (r *Result) nativeSettings(o PlanOptions) *program.NativePlan {
	settings := program.NativePlan{Algorithm: "firstfit", Metric: "procs", ReservationDepth: 1}
	if p := r.Program.Plan; p != nil && p.Native != nil {
		settings = *p.Native
	}
	if o.Depth != nil {
		settings.ReservationDepth = *o.Depth
	}
	return &settings
}

package planning

import (
	"context"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Options are what a plan is made with beside the policy.
type Options struct {
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

// Error is an input of which no plan can be made.
type Error struct{ Problem, Advice string }

func (e *Error) Error() string { return e.Problem }

// Queue is what a planner starts from.
type Queue struct {
	Result   *evaluation.Result
	Cluster  *backfill.Cluster
	Requests []backfill.Request   // running jobs, then those that wait in the order considered
	stopped  []backfill.Request   // jobs that no planner is asked about
	reasons  []backfill.Placement // of stopped: why
	Nodes    map[string]int32     // index into cluster.Nodes

	pooled     bool              // the machine is one pool of processors
	Queues     bool              // nodes are in the partitions that jobs are submitted to
	Ids        map[string]int32  // jobs by their ids
	unlicensed int               // waiting jobs whose licences nobody counts
	timeless   []string          // jobs of which nobody says how long they may take
	timed      []string          // and those of them of which a trace says how long they took
	unsplit    int               // running jobs of which nobody says how much of them is on which node
	arrays     map[int64][]int32 // records by their array
	values     *evaluation.Values
	series     int32 // reservations that come again

	nodeCores map[string]*program.NodeCores // what slurm.conf says of nodes; nil until it is asked
	coreless  []string                      // nodes of which nobody says what cores they have

	befores       map[int32][]predecessor // jobs that say themselves that they go before another, by that other
	corresponding map[int32][]int32       // records of arrays that the tasks of a job come after one by one, by that job
}

// NewQueue makes cluster and requests.
func NewQueue(r *evaluation.Result, o Options) (*Queue, error) {
	q := &Queue{Result: r, pooled: o.Procs > 0}
	if err := q.Machine(o); err != nil {
		return nil, err
	}
	q.Reservations(o)
	q.read()
	return q, nil
}

// Unplanned adds the jobs that no planner was asked about. Where the schedule has one of them all the same, what
// it does not say is filled in.
func (q *Queue) Unplanned(s *backfill.Schedule) {
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
		if p.By != backfill.ByNone || int(row) >= len(q.Result.Reason) {
			continue
		}
		if p.Reason == "" {
			p.Reason = q.Result.Reason[row]
		}
		b := q.Result.Why[row]
		if b != nil && p.Never == "" && b.Kind != evaluation.BlockHold && b.Kind != evaluation.BlockFailed &&
			(len(p.WaitsFor) == 0 || stoppedByWord(p, b)) {
			p.WaitsFor = q.stopOfBlock(b, &s.Requests[i])
			if r := &s.Requests[i]; b.Kind == evaluation.BlockDependency && len(r.After)+len(r.AfterStart) == 0 {
				q.After(r) // for whoever asks when they are met
			}
		}
		if p.Never == "" {
			p.Never = tooLarge(q.Result, row)
		}
		if p.Reason == "" && p.Never == "" && len(p.WaitsFor) == 0 {
			p.Never = q.nowhere(int(row))
		}
	}
}

// nowhere says of a job that it is submitted to no partition of the cluster, or "".
func (q *Queue) nowhere(job int) string {
	if !q.Queues || len(q.Cluster.Partitions) == 0 {
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
func stoppedByWord(p *backfill.Placement, b *evaluation.Block) bool {
	if len(p.WaitsFor) != 1 || p.WaitsFor[0].Kind != backfill.WaitLimit || p.WaitsFor[0].Limit != "" {
		return false
	}
	more := b.Kind == evaluation.BlockPartition || b.Kind == evaluation.BlockAccess || b.Kind == evaluation.BlockSubmission || b.Limit != nil
	return more && p.WaitsFor[0].Name == b.Text
}

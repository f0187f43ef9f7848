package planning

import (
	"context"
	"strconv"
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

	// StartsOnly plans who starts now, for callers that look again as soon as something changes: estimates are left out,
	// and jobs that can neither start nor have a reservation need not be in the schedule.
	StartsOnly bool

	// Known is the machine of a plan before, if it has not changed; nil is none.
	Known *Known

	Place *time.Location // where days begin, for reservations that are repeated; nil is UTC

	// Pass and Cycle are when Slurm's main pass and its backfill cycle begin, in epoch seconds, where that is not
	// the time of the evaluation, which priorities are computed for; 0 for Cycle is at once after the pass.
	Pass, Cycle int64

	// Only is the one pass that Slurm's planner makes, and it looks no further; "" is both, and what comes after them.
	// MainDepth of a main pass is how many jobs it tests; 0 is all.
	Only      Only
	MainDepth int64

	// Context ends a long plan; nil never does. Progress is called from time to time with the step that the planner is
	// at, and how far it is with it; it may be nil.
	Context  context.Context
	Progress func(step string, done, total int)
}

// Only is one pass of Slurm's planner.
type Only string

// The values of Only.
const (
	MainPass      Only = "main"
	BackfillCycle Only = "backfill"
)

// Error is an input that cannot be planned.
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
	soon       *soon             // nil: all jobs are asked about
	Queues     bool              // nodes are in the partitions that jobs are submitted to
	ids        map[string]int32  // jobs by their ids; nil until they are asked for
	unlicensed int               // waiting jobs whose licences no input counts
	timeless   []string          // jobs for which no input says how long they may take
	timed      []string          // and those of them with their time in a trace
	unsplit    int               // running jobs for which no input says how much of them is on which node
	arrays     map[int64][]int32 // records by their array
	values     *evaluation.Values
	listed     []int32 // by node: its place in the list that is being made, from 1
	series     int32   // reservations that come again

	nodeCores map[string]*program.NodeRecord // what slurm.conf says of nodes; nil until it is asked
	coreless  []string                       // nodes for which no input says what cores they have

	befores       map[int32][]predecessor // jobs that say themselves that they go before another, by that other
	corresponding map[int32][]int32       // records of arrays that the tasks of a job come after one by one, by that job
}

// predecessor is a job that says itself that it goes before another.
type predecessor struct {
	job   int32
	start bool // the other waits for its start, not its end
}

// MoreNodes are those beyond the ones that were named.
func MoreNodes(n int) string {
	if n == 1 {
		return "1 more node"
	}
	return strconv.Itoa(n) + " more nodes"
}

// SomeOf names the first jobs of a list.
func SomeOf(ids []string) string {
	const most = 4
	switch {
	case len(ids) == 1:
		return "job " + ids[0]
	case len(ids) <= most:
		return "jobs " + strings.Join(ids, ", ")
	}
	return "jobs " + strings.Join(ids[:most], ", ") + " and " + strconv.Itoa(len(ids)-most) + " more"
}

// credentials reads settings of partitions, once.
func (q *Queue) credentials() *evaluation.Values {
	if q.values == nil {
		q.values = evaluation.NewValues(q.Result.Program, q.Result.Snapshot)
	}
	return q.values
}

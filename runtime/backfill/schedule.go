package backfill

import "github.com/fairway-sched/fairway/runtime/program"

// By says which part of the scheduler placed a job.
type By string

// The values of By.
const (
	ByRunning     By = "running"     // it runs already
	ByMain        By = "main"        // the pass in priority order starts it now
	ByBackfill    By = "backfill"    // backfill starts it now
	ByReservation By = "reservation" // resources are kept for it from a later time on
	ByEstimate    By = "estimate"    // it would start then, after those before it, but nothing is kept for it
	ByNone        By = ""            // no time is known
)

// Placement is where and when one job runs.
type Placement struct {
	Job        int32 // Request.Job
	Start, End int64 // epoch seconds; 0 if no time is known
	Nodes      []Share
	Partition  string // in which it was placed
	By         By
	Reason     string // why it does not start now, in the scheduler's own word; "" if it does
	Never      string // what of the job no time can give, in words; "" if it can run some day
	WaitsFor   []Wait // what must pass before Start, the binding things first
}

// Victim is a running job that is ended so that another can start.
type Victim struct {
	Job, For int32  // Request.Job of both
	At       int64  // when it ends, or is suspended
	Mode     string // requeue, cancel, suspend
	Back     int64  // from when on it may start again; 0 if it does not come back
	// When it starts again by the plan, and where; 0 if that is not known
	Restart      int64
	RestartNodes []Share
	RanSeconds   int64 // for how long it has run by then
	Procs        int64 // that it had

	// What decides who is preempted, and how.
	Rank          int64 // tier of its partition or priority of its QOS: low ones first
	GraceSeconds  int64 // for how long it may run on
	ExemptSeconds int64 // for how long after its start it is safe
}

// Wait is one thing that a job waits for.
type Wait struct {
	Kind  WaitKind
	Job   int32   // of a running or reserved job, else -1
	Name  string  // of a reservation, licence, limit, dependency
	Nodes []int32 // held by it and wanted
	Until int64   // epoch seconds; 0 if not known
	From  int64   // of WaitOverrun: when the reservation begins
	Limit string  // of WaitLimit: MaxJobs of user ana (2 of 2); Job is the one whose planned end frees it, else -1
}

// WaitKind is what kind of thing a job waits for.
type WaitKind string

// The values of WaitKind.
const (
	WaitRunning     WaitKind = "running_job"
	WaitReserved    WaitKind = "reserved_job" // a higher job has the nodes from then on
	WaitReservation WaitKind = "reservation"
	WaitLicense     WaitKind = "license"
	WaitElsewhere   WaitKind = "license_elsewhere" // in use by jobs that the snapshot does not show
	WaitLimit       WaitKind = "limit"
	WaitPartition   WaitKind = "partition" // it takes no such job, or none at all
	WaitAccess      WaitKind = "access"    // its account, QOS, class or request is refused
	WaitDependency  WaitKind = "dependency"
	WaitBegin       WaitKind = "begin_time"
	WaitNodeState   WaitKind = "node_state"
	// the scheduler plans the job although it would run into it; then it is delayed
	WaitOverrun WaitKind = "overrun_reservation"
	// of the scheduler, by which it comes to the job in a later pass alone
	WaitSetting WaitKind = "setting"
)

// Schedule is a planned queue.
type Schedule struct {
	Now        int64
	Cluster    *Cluster
	Requests   []Request   // running ones, then waiting ones in the order considered
	Placements []Placement // one per request
	Started    []int32     // jobs that start now, in the order in which they do
	Tried      int         // requests looked at before the scheduler stopped looking
	Preempted  []Victim    // who is ended for others, in the order in which they are chosen
	Stopped    string      // why it stopped before the end of the queue; "" if it did not

	// Alone is when a request would start whatever the others do that wait, of a scheduler that is asked that
	// about one job at a time; nil of others. Its estimates then fit together, and wait for each other.
	Alone func(at int) (start int64, partition string, ok bool)

	// Told is, by request, what the scheduler itself says of each, of one that plans no more than the next passes do: what
	// its client shows. Placements go on from there, and its estimates fit together. nil of others.
	Told []Placement

	// Free lists what is free now and for how long, from the widest window to the longest, of a scheduler that is asked
	// that; nil of others.
	Free func() []Window

	// Smaller is when a request would start were it as small as an offer, by planning all anew, of a scheduler that does
	// not plan as Plan does; nil of others.
	Smaller func(at int, o Offer) (start int64, ok bool, err error)

	plan     *planner // of Plan: from which Detail works
	settings *program.NativePlan
	settled  [4]*settled // by who it is for: what has been made ready for questions
}

// Window is so many processors that are free from now on, for so long; Forever is without end.
type Window struct{ Procs, Seconds int64 }

// Gate asks the policy's limits while jobs are started; a nil Gate lets all pass. Job is Request.Job.
type Gate interface {
	// Check says what stops the job now, in the scheduler's word; "" is nothing.
	Check(job int32) string
	// Start counts the job as running from now on.
	Start(job int32)
}

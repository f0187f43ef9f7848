// Package backfill plans: who starts when, and where.
//
// In come a Cluster (nodes, partitions, reservations, licences), the running jobs and the waiting
// jobs in the order in which the scheduler considers them, as Requests; out comes a Schedule with one
// Placement for each. The package knows no policy text and no snapshot: runtime/planning makes its
// input from an evaluated queue, runtime/report prints its output. Plan is the planner for any
// policy; the packages maui and slurm below repeat the passes of the two schedulers on the same values.
package backfill

// Forever is the end of what has no end, in epoch seconds.
const Forever = int64(1) << 60

// Amounts are consumable resources: of a node, or of what a job takes of one.
type Amounts struct {
	Procs, MemMB, SwapMB, DiskMB int64
	Gres                         []int64 // by Cluster.Gres; nil is none of any
}

// Sharing says who may use a node beside a job.
type Sharing uint8

const (
	Shared     Sharing = iota // any job that fits
	SingleUser                // jobs of the same user
	SingleJob                 // no other job
)

// Node is one compute node.
type Node struct {
	Name       string
	Capacity   Amounts
	Features   []string
	Partitions []string         // Slurm's partitions or Maui's node partitions
	Classes    map[string]int64 // tasks of each class the node takes at a time; nil if only processors bound them
	Sharing    Sharing
	Up         bool    // the node may start jobs
	Asleep     bool    // it is powered down until a job needs it
	State      string  // as the resource manager wrote it
	Used       Amounts // in use now as the resource manager says, whoever uses it
	Told       bool    // the resource manager says how many processors are available; else load tells
	Load       float64
	Speed      float64  // relative; 1 if not known
	Weight     int64    // Slurm: lower is used first
	Switches   []string // over it, its leaf first

	// ThreadsPerCore is how many processors each core has, where jobs get cores whole; 0 or 1 is that they get processors
	// one by one.
	ThreadsPerCore int64
	CoresPerSocket int64 // 0 if not known
	UpTime         int64 // epoch seconds from which a node that is not up is expected; 0 if not known
}

// Partition is a queue's share of the nodes.
type Partition struct {
	Name           string
	Nodes          []int32 // into Cluster.Nodes, in the partition's order
	Up             bool
	PriorityTier   int64
	MaxTimeSeconds int64 // longest job; 0 is no limit
	Sharing        Sharing
	Rows           int64 // so many jobs may have a processor at a time (OverSubscribe=FORCE:n, YES:n); 0 is 1
	Forced         bool  // whether they ask for it or not (FORCE)
	Kept           bool  // its jobs are not suspended for others (PreemptMode=OFF)
	LeastLoaded    bool  // its jobs go to the least loaded nodes
}

// Reservation keeps resources for some jobs, or for none, during a time.
type Reservation struct {
	Name        string
	Start, End  int64 // epoch seconds
	Nodes       []int32
	Amounts     Amounts // on each node; a zero Procs is the whole node
	Licenses    map[string]int64
	Admits      func(r *Request) bool // who may use it; nil: no one
	Maintenance bool
	IgnoresJobs bool // jobs that run when it begins are not against it
	Flexible    bool // admitted jobs may reach beyond it

	// Of one that comes again each time is a reservation of its own; they follow each other in the list. Series is
	// the same number above 0 in all of them. PeriodSeconds is set if it comes again for ever, so often at most: then what
	// is listed are the times of the next months.
	Series        int32
	PeriodSeconds int64
}

// Cluster is what there is to plan on.
type Cluster struct {
	Nodes        []Node
	Partitions   []Partition
	Gres         []string // names of the generic resources in Amounts.Gres
	Licenses     map[string]int64
	Reservations []Reservation

	ThreadMemory bool // where jobs get cores whole, memory asked for by processor is for all threads that they can use

	// Elsewhere counts licences that are in use, but by no job of the queue. When they come free is unknown.
	Elsewhere map[string]int64
}

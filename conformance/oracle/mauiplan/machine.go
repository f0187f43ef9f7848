// Package mauiplan is the obvious, slow twin of Maui's planner: one iteration of Maui (starts, reservations,
// backfill, nodes) written down rule after rule from the sentences of maui.md §4, §5 and §9; their entries
// P1.. win. It shares no code with the product and has no fast data structures: a node's future is computed anew,
// from all that is on the node, whenever it is asked for.
//
// P1 to P30 are of maui.md §9; P31 and on are in rules.md beside.
//
// Times are whole seconds from now. Priorities are given: the twin is about placement.
package mauiplan

// Forever is the end of what never ends.
const Forever = int64(1) << 40

// A Node as the resource manager tells it, in its order.
type Node struct {
	Name           string
	Partition      string
	State          string // Idle, Running, Busy; any other cannot be used
	Procs, MemMB   int64  // configured
	AvailableProcs int64
	AvailableMemMB int64
	Load           float64
	Speed          float64
	Priority       float64 // NODECFG PRIORITY
	Features       []string
	Slots          map[string]int64 // of each class, configured
	AvailableSlots map[string]int64
}

// A Share is what a job has of a node.
type Share struct {
	Node  int // index
	Tasks int64
}

// A Job that waits or, with RunsOn, runs.
type Job struct {
	ID                               string
	User, Group, Account, Class, QOS string
	Tasks                            int64
	ProcsPerTask, MemMBPerTask       int64
	Seconds                          int64 // wallclock limit
	TasksPerNode, NodeCount          int64 // 0 = not asked for
	MinMemMB                         int64 // that a node has to be configured with
	Features                         []string
	Hosts                            []string // a list of tasks (P24)
	Partitions                       []string // may use; empty = DEFAULT
	DefaultPartition                 string   // PDEF; empty = none
	Priority                         int64
	Submitted                        int64 // below 0
	Bypassed                         int64
	Flags                            []string // of its QOS: NOBF, RESERVEALWAYS, IGNJOBPERUSER
	Started                          int64    // below 0, of a running job
	RunsOn                           []Share
}

// Standing is one occurrence of a standing reservation, of whole nodes.
type Standing struct {
	Name       string
	Start, End int64
	Nodes      []int
	Admits     []Admission
}

// An Admission lets a user, group or class in; Affinity is "+" (default), "=" or "-".
type Admission struct{ Kind, Name, Affinity string }

// Rules are the policies of maui.cfg.
type Rules struct {
	Backfill, Metric string
	BackfillDepth    int
	Reservations     string // CURRENTHIGHEST, HIGHEST, NEVER
	Buckets          []Bucket
	Threshold        string // BYPASS, QUEUETIME, XFACTOR
	ThresholdValue   int64
	Allocation       map[string]string // by partition; "" without an index
	Access           string
	Available        string // COMBINED, DEDICATED, UTILIZED
	ExactNode        bool
	Factors          []Factor // PRIORITYF
	Limits           []Limit
	PollSeconds      int64
	Partitions       []string // in order
}

// A Bucket of reservations: QOS nil = all.
type Bucket struct {
	Depth int64
	QOS   []string
}

// A Factor of PRIORITYF.
type Factor struct {
	Weight float64
	Of     string
}

// A Limit of §4.1; Per is user, group, account, class, qos or class+user; Name "DEFAULT" where an own line is
// missing.
type Limit struct {
	Per, Name  string
	Of         string // JOB, PROC, PS, IJOB, ...
	Soft, Hard int64
}

// A Machine is all that one iteration decides on.
type Machine struct {
	Nodes    []Node
	Jobs     []Job // in the order of the resource manager
	Standing []Standing
	Admits   map[string][]Admission // who standing reservations of maui.cfg let in, by name
	Rules    Rules
	Deferred []string // set aside earlier
}

// A Start is a job that begins now.
type Start struct {
	Job  string
	Pass string // reservation, main, backfill
	On   []Share
}

// A Reservation of a waiting job.
type Reservation struct {
	Job        string
	Start, End int64
	On         []Share
}

// A Plan is what an iteration decides.
type Plan struct {
	Starts       []Start
	Reservations []Reservation
	Deferred     []string
	PutOff       []string // of those deferred, the ones with a start date (P70)
}

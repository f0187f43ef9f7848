package program

import "github.com/fairway-sched/fairway/lang/source"

// MauiPlan are the parameters of maui.cfg about backfill, reservations and nodes. Words are Maui's
// own, in upper case; those that Maui does not know have become what it uses instead. Settings that a partition
// of nodes may have of its own are by its name; "" is the whole machine.
type MauiPlan struct {
	Backfill map[string]string // BACKFILLPOLICY: FIRSTFIT, BESTFIT, GREEDY, PREEMPT or NONE
	// BACKFILLMETRIC: PROCS, NODES, PROCSECONDS or SECONDS; also PE or PESECONDS where the manual is followed
	Metric       string
	Depth        int64  // BACKFILLDEPTH: candidates of a window; 0 is all
	PreemptOrder string // BFPRIORITYPOLICY: RANDOM, DURATION or HWDURATION; "" is by priority

	// After a job has ended its resources are kept for ChunkSeconds from jobs of less than ChunkProcs processors
	// (BFCHUNKSIZE, BFCHUNKDURATION); 0 of either is off.
	ChunkProcs, ChunkSeconds int64

	Reservations   string              // RESERVATIONPOLICY: CURRENTHIGHEST, HIGHEST or NEVER
	Buckets        []ReservationBucket // by index
	Threshold      string              // RESERVATIONTHRESHOLDTYPE: NONE, BYPASS, QUEUETIME or XFACTOR
	ThresholdValue int64

	Allocation   map[string]string // NODEALLOCATIONPOLICY
	Access       string            // NODEACCESSPOLICY: SHARED, SINGLEUSER, SINGLEJOB or SINGLETASK
	Available    NodeAvailability
	LoadFactor   float64 // NODEUNTRACKEDLOADFACTOR
	MaxLoad      float64 // NODEMAXLOAD; 0 is off
	LoadAsProcs  bool    // NODELOADPOLICY ADJUSTPROCS: load takes processors and never makes a node busy
	Sets         NodeSets
	MultiNode    map[string]bool // ENABLEMULTINODEJOBS
	ExactProcs   bool            // JOBNODEMATCHPOLICY EXACTPROC; EXACTNODE is what Maui does anyhow (recorded: n10)
	DeferSeconds int64           // DEFERTIME
	PollSeconds  int64           // RMPOLLINTERVAL

	// What only a replay asks: how long jobs may run over their limit before they are cancelled (JOBMAXOVERRUN; below 0
	// is for ever), and how many jobs of a trace are in the queue at its begin (SIMINITIALQUEUEDEPTH; 0 outside of
	// SERVERMODE SIMULATION, where each comes when it was submitted).
	OverrunSeconds int64
	InitialJobs    int64

	// that credentials name, in the order in which Maui numbers them; those of nodes alone follow
	Partitions        []string
	DefaultPartitions map[string]string // PDEF, by family and name as in USERCFG[amy]; SYSCFG[] is the machine's

	Nodes     []MauiNode // NODECFG; DEFAULT first, if there is one
	Standing  []StandingReservation
	SoftFirst bool // backfill begins with a pass by soft limits (Δ20, the manual's)
	Combined  bool // GREEDY starts the best combination of jobs (Δ23, the manual's)

	Combinations int64 // BACKFILLMAXSCHEDULES: combinations that GREEDY looks at

	LeftOut []LeftOut
}

// LeftOut is a setting that plans do without.
type LeftOut struct {
	Setting string
	Instead string // what they do
	Span    source.Span
}

// ReservationBucket is how many blocked jobs of some QOS get a reservation (RESERVATIONDEPTH, RESERVATIONQOSLIST).
type ReservationBucket struct {
	Depth int64
	QOS   []string // [ALL] is every one
}

// NodeAvailability is how much of each resource a node has left (NODEAVAILABILITYPOLICY): COMBINED, DEDICATED or
// UTILIZED.
type NodeAvailability struct{ Procs, Mem, Swap, Disk string }

// NodeSets keep a job on nodes that have something in common. Policy "" is off.
type NodeSets struct {
	Policy       string // NODESETPOLICY: ONEOF, FIRSTOF or ANYOF
	Attribute    string // NODESETATTRIBUTE: FEATURE, MEMORY or PROCSPEED
	List         []string
	DelaySeconds int64  // above 0: a job must have a set; else other nodes will do where no set fits
	Priority     string // NODESETPRIORITYTYPE: MINLOSS, BESTFIT, WORSTFIT or BESTRESOURCE
	Tolerance    float64
}

// MauiNode are the attributes of a NODECFG line; Name DEFAULT is for all that do not say otherwise.
type MauiNode struct {
	Name      string
	Access    string   // "" is NODEACCESSPOLICY's
	Partition string   // "" is the resource manager's
	Features  []string // beside those of the resource manager
	Speed     float64  // 0 is the resource manager's
	ProcSpeed int64    // in MHz; 0 if not given
	Priority  int64
	PriorityF []PriorityTerm // nil: the default formula
	MaxLoad   float64

	MaxJobs, MaxJobsPerUser, MaxProcs, MaxProcsPerUser int64 // 0 is no limit

	Span source.Span
}

// PriorityTerm is one part of PRIORITYF: Factor times a quantity of the node.
type PriorityTerm struct {
	Factor   float64
	Quantity string // ADISK, AMEM, APROCS, ASWAP, CDISK, …
}

// StandingReservation is an SRCFG line.
type StandingReservation struct {
	Name   string
	Period string // DAY, WEEK or INFINITY
	Depth  int64  // periods, the present one included
	Days   [7]bool

	// Seconds from the beginning of the day, or of the week (Sunday), in the scheduler's time zone.
	From, To int64

	Tasks        int64 // 0: as many as there are on the nodes that match
	TasksPerNode int64
	Procs        int64 // of a task; -1 is the whole node
	MemMB        int64
	SwapMB       int64
	DiskMB       int64

	Hosts     []string // regular expressions
	Features  []string
	Partition string // "" is any
	Shared    bool   // ACCESS SHARED: it lies over what runs there

	Admits []Admission
	Flags  []string

	// TIMELIMIT: a job that would be in the reservation for longer is not admitted; 0 is no limit. MAXTIME: whoever is
	// no longer than this is.
	TimeLimitSeconds, MaxTimeSeconds int64

	Span source.Span
}

// Admission is an entry of a reservation's list of who may use it.
type Admission struct {
	Object   string // user, group, account, qos or class
	Name     string
	Affinity string // "+" wants the reservation, "=" does not care, "-" keeps out of it while it can
	Deny     bool   // !
	Only     bool   // *: who is not this is not admitted, whatever else admits him
	Xor      bool   // ^
}

package backfill

// Request is what one job asks for, or has if it runs.
type Request struct {
	// its index in the snapshot's table of jobs; beyond it for a task of an array without a row of its own
	Job                              int32
	Row                              int32 // the row of that table which it is read from: Job, or that of its array
	ID                               string
	User, Group, Account, QOS, Class string
	Priority                         int64

	// Size. Nodes 0: any number of nodes that has room for the tasks. NodesMax 0: as many as Nodes.
	Nodes, NodesMax int64
	Tasks           int64
	TasksPerNode    int64   // at most so many on each node, exactly for Maui; 0 is free
	TasksPerCore    int64   // at most so many on each core; 0 is free
	TasksPerSocket  int64   // at most so many on each socket; 0 is free
	ThreadsPerCore  int64   // so many of each core are used at most; 0 is all
	PerTask         Amounts // what each task takes
	// of the whole job, however they are spread; PerNode and PerTask have them too, evenly (SpreadGres)
	JobGres        []int64
	ProcsPerGres   []int64 // processors that go with each generic resource
	PerNode        Amounts // what the job takes of each of its nodes beside its tasks (Slurm's --mem, gres per node)
	Minimum        Amounts // what a node must be configured with, used or not
	Oversubscribes bool    // it may have processors that other jobs have too
	Sharing        Sharing // SingleJob: whole nodes

	WalltimeSeconds    int64 // its limit
	WalltimeMinSeconds int64 // the shortest it accepts; 0 if only its limit

	// Where. Nil is anywhere.
	Features      Features
	Partitions    []string
	Hosts         []int32 // all of these must be among its nodes
	Excluded      []int32
	Switches      int64  // that its nodes are to be on at most; 0 is any number
	SwitchSeconds int64  // for how long it waits for so few; 0 is as long as the scheduler lets it
	Tested        int64  // when a scheduler first looked for nodes for it, in epoch seconds; 0 if that is not known
	Reservation   string // the advance reservation it asked for
	Licenses      map[string]int64

	// When, in epoch seconds; 0 is any time.
	Begin, Deadline int64
	After           []int32 // requests that must have ended before, by Job
	AfterStart      []int32 // requests that must have started before, by Job
	AfterAny        bool    // one of After and AfterStart is enough

	AfterStartSeconds []int64 // of each of AfterStart: so long after its start; nil is at once
	SubmitTime        int64

	// Of an array. Tasks are the numbers of those that the record stands for; nil for a single job or task.
	Array    int64 // the array's id; 0 outside arrays
	TaskIDs  []int64
	ArrayMax int64 // tasks that may run at a time; 0 is no limit

	Het int64 // the heterogeneous job that it is a component of; 0 is none

	// Of a running job, or one with a start or a place: since when, until when at most, where.
	Running    bool
	Start, End int64
	Allocated  []Share
	CPUs       [][]int32 // which processors it has there; nil if that is not known
	Suspended  bool

	PreemptTime int64 // when it was asked to make room for another; 0 is never
}

// Share is a job's part of one node.
type Share struct {
	Node  int32 // into Cluster.Nodes
	Tasks int64

	// What the job has there, where that is known to be something else than its tasks ask for; 0 is what they ask for.
	Procs, MemMB int64
}

// ProcsOf is how many processors the job has there, whose tasks ask for so many each.
func (s Share) ProcsOf(perTask int64) int64 {
	if s.Procs > 0 {
		return s.Procs
	}
	return s.Tasks * perTask
}

// Features says which nodes will do. Each alternative is a set of features that a node must have all of. With
// a Count above 0 so many nodes must have them, and the alternatives are to be met together
// (Slurm's [rack1*2&rack2*4]); without, one alternative is enough for a node. SameForAll: all nodes
// of the job must meet the same one (Slurm's [rack1|rack2]).
type Features struct {
	Alternatives []FeatureSet
	SameForAll   bool
}

// FeatureSet is one alternative of Features.
type FeatureSet struct {
	All   []string
	Count int64
}

// startDelay is how long after the start of a request another one may start.
func (r *Request) startDelay(k int) int64 {
	if k >= len(r.AfterStartSeconds) {
		return 0
	}
	return min(max(r.AfterStartSeconds[k], 0), Forever)
}

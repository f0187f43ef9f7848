package format

// Manner is what the records of a resource manager mean where managers differ.
type Manner struct {
	PartitionsAreQueues bool   // jobs are submitted to a partition
	PartitionsAreNodes  bool   // a partition is a set of nodes, and jobs are submitted to classes
	StateIsJudged       bool   // node.up is right; elsewhere Maui reads the word of node.state
	NamesReservation    bool   // a job runs in a reservation only if it names it
	MemoryByNode        bool   // memory that a job states in total is spread over its nodes; elsewhere over its tasks
	SplitsNoTask        bool   // processors and tasks alone say how many processors a task has
	SharesAreOne        bool   // a running job whose processors are not listed by node has one at least on each
	HostListRepeats     bool   // a host is listed once for each task there
	FeatureCounts       bool   // features are a select statement with counts, not a constraint
	EligibleTimeQueues  bool   // job.eligible_time begins the wait
	FreeIsOwn           bool   // node.procs_available is the manager's own sum over the jobs listed
	HeldReason          string // the reason of a job that its user holds
}

// manners are what the managers do, by Snapshot.Family. Sources: squeue.1 and slurm.conf.5; qstat.1B and pbsnodes.8B;
// the resource manager interface of Maui's manual.
var manners = map[string]Manner{
	"slurm": {PartitionsAreQueues: true, StateIsJudged: true, NamesReservation: true, MemoryByNode: true,
		SplitsNoTask: true, SharesAreOne: true, HeldReason: "JobHeldUser"},
	"maui": {PartitionsAreNodes: true, HostListRepeats: true},
	"pbs":  {PartitionsAreNodes: true, FeatureCounts: true, EligibleTimeQueues: true, FreeIsOwn: true},
}

// Manner is what the records of the snapshot mean; nothing special if no input says who wrote them.
func (s *Snapshot) Manner() Manner { return manners[s.Family] }

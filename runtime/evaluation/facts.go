package evaluation

// Facts are what stages, planners and views need to know of a scheduler. Those of each are in the table of
// runtime/family.
type Facts struct {
	Title      string     // its name as people write it; "" for policies from scratch
	Partitions Partitions // what a partition is that a job names

	// Selects: it selects jobs in walks through the queue, on which priorities depend and in which its planner starts
	// jobs. A suspended job is walked by like one that waits.
	Selects bool

	Passes   bool // it computes priorities in passes, and stores them until the next
	Accrues  bool // the age of a job grows from a time of its own, which limits can put off
	Database bool // accounts, QOS and what usage costs are in its database and configuration
	Windows  bool // it has windows of usage, even if a policy does not use them
	Named    bool // callers can name the jobs that start
	Keeps    bool // what the next evaluation needs is made each time, as its views show it
}

// Partitions is what a partition is that a job names.
type Partitions uint8

// The kinds of partitions. Classes are offered by nodes, which have partitions of their own besides; Places are sets of
// nodes. Recorded is what the snapshot has.
const (
	Recorded Partitions = iota
	Classes
	Places
)

// Word is what such a partition is called.
func (p Partitions) Word() string {
	if p == Classes {
		return "class"
	}
	return "partition"
}

// Pace is when a scheduler acts by itself while time moves.
type Pace struct {
	// StepSeconds: it looks at the queue at fixed intervals, whether anything has happened or not. 0: whenever a
	// job has come or ended.
	StepSeconds int64
	InitialJobs int64 // jobs of a trace that are in the queue when it begins, whenever they were submitted

	// Ticks: it looks whether there is anything to do about once a second (slurmctld), and plans only then.
	Ticks bool

	// OverrunSeconds is for how long a job may run beyond its limit before it is cancelled; below 0 is for ever.
	OverrunSeconds int64
}

package evaluation

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

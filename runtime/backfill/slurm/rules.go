package slurm

// rules are the points in which versions of slurmctld plan differently.
type rules struct {
	// fromStart: the will-run test takes as gone all jobs that end by the time it is asked about, and looks no
	// further than the next change of the map (24.11, will_run_data).
	fromStart bool

	// lastRelevant: a job starts when the last job ends that held nodes it gets, not when the last of the
	// group does (25.05, _get_last_relevant_job).
	lastRelevant bool

	// endsUp: what is kept for a job ends rounded up to the resolution; before, rounded down (24.11,
	// _set_slot_time).
	endsUp bool

	// looksOn: where no later slot has nodes that this one has not, the one after the next is tried; before, the
	// job was given up (24.11).
	looksOn bool

	// overlapFirst: whether a start collides with what is kept for others is asked before anything else,
	// and moves on by a slot where it would be tried again at the same time (25.05; 24.11 does not move).
	overlapFirst bool

	// stretches: a job with a shortest time that backfill starts runs up to its limit if no other job needs its nodes
	// before; earlier versions leave it with the shortest (25.05).
	stretches bool

	// arrayEarliest: an array shows the earliest start of its planned tasks; before, that of the last one planned (23.02).
	arrayEarliest bool

	// throttles: an array's throttle bounds the tasks that are planned (23.02).
	throttles bool

	// gresWeight: testing a job that asks for generic resources leaves the nodes that have them
	// preferred for others too, until nodes are next looked for to start a job (to 23.02; later each test
	// begins anew).
	gresWeight bool

	// fullShows: the job at which the table is full has nodes in squeue (to 24.11).
	fullShows bool
}

func rulesOf(version int) rules {
	return rules{
		fromStart: version >= 2411, lastRelevant: version >= 2505, endsUp: version >= 2411, looksOn: version >= 2411,
		overlapFirst: version >= 2411, stretches: version >= 2505, throttles: version >= 2302, arrayEarliest: version >= 2302,
		gresWeight: version < 2311, fullShows: version < 2505,
	}
}

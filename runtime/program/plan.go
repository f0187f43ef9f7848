package program

// Plan is how jobs are placed on nodes and around each other.
type Plan struct {
	Native *NativePlan // for the native planner: the policy's own, or what a scheduler's settings come to
	Maui   *MauiPlan   // nil for other families
	Slurm  *SlurmPlan  // nil for other families

	Licenses     map[string]int64 // those that the policy configures; nil if it does not say
	Reservations []Reservation    // of the policy's own files
	NodeRecords  []NodeRecord     // of slurm.conf's nodes
	Partition    string           // of jobs that name none
	Switches     []Switch         // of the topology.conf beside it
}

// Unlimited is a reservation depth without a bound: conservative backfill.
const Unlimited = -1

// NativePlan are the choices of a policy's own backfill block.
type NativePlan struct {
	Algorithm         string // firstfit, bestfit, greedy, preempt or none
	Metric            string // procs, nodes, proc_seconds or seconds
	ReservationDepth  int64  // jobs that get a reservation: 0 none, 1 EASY, Unlimited conservative
	WindowSeconds     int64  // how far ahead jobs are planned; 0 is any time
	ResolutionSeconds int64  // starts and ends of reservations are rounded to this; 0 is exact
	Combinations      int64  // of jobs that greedy tries; 0 is a number that is not set
	NodeAccess        string // who shares a node: shared, single_user or single_job
}

package program

import "github.com/fairway-sched/fairway/lang/source"

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

// Why a job has no priority although every expression gave it a number. Every evaluator uses these words.
const (
	ValueInfinite = "the value is infinite"
	ValueNaN      = "the value is not a number (NaN)"
	ScoreInfinite = "the score is infinite"
	ScoreNaN      = "the score is not a number (NaN)"
	PriorityLarge = "the priority does not fit into 64 bits"
	PriorityNaN   = "the priority is not a number (NaN)"
)

// Reservation is a policy file's own: a maintenance window, or a standing reservation that comes again.
type Reservation struct {
	Name     string
	Nodes    []string // all if there are neither nodes nor features
	Features []string // nodes with all of these
	Licenses string

	ProcsPerNode int64 // 0 is whole nodes

	// Once, in epoch seconds; End 0 is never. Or again and again: on days of the week (Sunday is 0), between
	// two times of the day in seconds; To may be on the day after.
	Start, End int64
	Days       []int64 // nil for one that comes once
	From, To   int64

	Users, Groups, Accounts, QOS, Classes []string // whoever is on one of the lists may use it

	Maintenance bool // no job may, and jobs that run then are not in its way
	Span        source.Span
}

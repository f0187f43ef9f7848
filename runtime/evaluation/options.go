package evaluation

import (
	"context"
	"time"

	"github.com/fairway-sched/fairway/runtime/checkpoint"
)

// Options of a run.
type Options struct {
	Workers int // goroutines that score; the result does not depend on it

	// Started are the ids of jobs that start in this evaluation, in the order in which they do: they
	// wait while it selects and run when it ends. Backfilled ones are started by backfill, so that jobs
	// above them count as overtaken; of those named in Started alone it is inferred where
	// a soft limit tells.
	Started, Backfilled []string

	// Plan lets Maui's planner decide which jobs start, on which nodes, and which reservations are
	// made; Started and Backfilled are not asked then. Procs is the size of a machine that is one pool of
	// processors, for queues without nodes; 0: the nodes of the snapshot.
	Plan  bool
	Procs int64

	// StartsOnly: of a plan only what starts now and what is reserved is wanted, not when the other jobs would start.
	StartsOnly bool

	Context context.Context // ends a long plan; nil never does

	// Previous is what the evaluation before left; nil for the first. KeepState: the result is to be
	// gone on from, so that Result.Next is made, and an account tree without usage begins with none.
	Previous  *checkpoint.Checkpoint
	KeepState bool

	// PrintedUsage takes the usage of an account tree, or else its factors, from the snapshot where that has
	// them, as slurmctld has them now; what Previous has of the tree is for snapshots without.
	PrintedUsage bool

	// RecordedFairshare takes an association's fairshare factor as sshare recorded it, even where it
	// can be computed.
	RecordedFairshare bool

	// Pass is when slurmctld last computed all priorities, in epoch seconds, where that was before the snapshot: ages,
	// fairshare and what limits count of time are as of then (slurm.md §11.8), and all else as of the snapshot. 0: they
	// are as of the snapshot.
	Pass int64

	// ScoresOnly stops once there are priorities: no job is asked whether it may start, and
	// nothing is ranked. Maui's priorities depend on its selection, which is made all the same.
	ScoresOnly bool

	// Place is where the controller runs, by which days begin when usage is reset; nil is UTC.
	Place *time.Location
}

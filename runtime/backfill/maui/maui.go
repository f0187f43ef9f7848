// Package maui places jobs as one iteration of Maui does: reserved jobs that are due, two rounds in the
// order of priority, then backfill into windows.
//
// In come a backfill.Cluster, the jobs as backfill.Requests with what their QOS says, the settings
// (program.MauiPlan), and a Queue: the engine's walk through the queue, which says who may start by limits and is
// notified who does. Out comes a Plan: who starts, in which order, on which nodes and by which pass, which
// reservations are made, and who is deferred. Called by runtime/family/maui.
//
// What it does is recorded of a real scheduler (conformance, families b, n, r and big); the comments name the
// recording that shows a rule.
package maui

import (
	"context"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Job is a request with what planning asks beside its size.
type Job struct {
	backfill.Request

	// HostTasks is how many tasks may be on each host of a job that names its hosts: one for each time that it names it
	// (maui.md §9 P24). nil: it names none.
	HostTasks map[int32]int64

	ReserveAlways bool    // its QOS has RESERVEALWAYS
	NoBackfill    bool    // NOBF
	NoReservation bool    // NORESERVATION, which only the manual has
	Dedicated     bool    // DEDICATED: it has its nodes alone
	QueueSeconds  int64   // since it waits, by Maui's clock
	Bypassed      int64   // how often backfill overtook it
	Equivalents   float64 // processor equivalents

	everyone bool // every reservation admits it
}

// Queue is the queue as the selection keeps it. Jobs are indices into the jobs of the planner.
type Queue interface {
	// Select lists those of the hard or of the soft walk that may start by what runs now, best first, and those that
	// may not.
	Select(hard bool) (may, not []int32)
	// Over reports a job that limits stop now.
	Over(job int32, hard bool) bool
	// Start counts a job as running.
	Start(job int32)
	// Overtake counts that backfill starts a job before these, as far as they wait.
	Overtake(above []int32)
	// Defer takes a job out of all lists. Its start may have been put off by a second before.
	Defer(job int32, putOff bool)
}

// Start is a job that starts now.
type Start struct {
	Job   int32
	By    backfill.By
	Nodes []backfill.Share // in the order in which they were chosen
}

// Reservation is what is kept for one job, or by a standing reservation.
type Reservation struct {
	Job        int32  // -1 of a standing one
	Name       string // of a standing one
	Start, End int64
	Partition  string
	Nodes      []backfill.Share
	Kind       Kind
	Failed     bool // it began as it was made, and the job did not

	ProcsPerNode int64 // of a standing one: the most that it keeps of a node; 0 is all
}

// Kind is why a reservation was made.
type Kind uint8

// The kinds of reservations: for a blocked job of high priority, for one whose QOS always reserves, for one with a
// deadline, and the policy's standing ones.
const (
	ByPriority Kind = iota
	ByQOS
	ByDeadline
	ByPolicy
	byCluster // the snapshot's own
)

// Kept is what one iteration leaves to the next.
type Kept struct {
	Reservations []Reservation // of jobs
	ChunkUntil   int64         // resources of jobs that ended are kept from small ones until then

	Standing map[string]int64 // when standing reservations began, by name
}

// Plan is what one iteration did.
type Plan struct {
	Starts       []Start
	Reservations []Reservation
	Deferred     []int32
	ChunkUntil   int64
}

// Input is what a plan is made from.
type Input struct {
	Cluster  *backfill.Cluster
	Settings *program.MauiPlan
	Jobs     []Job // all jobs; those that run have Allocated
	Runs     func(job int32) bool
	Now      int64
	Days     Days // where days begin
	Kept     *Kept
	Context  context.Context // ends a long search, and what is planned then is of no use; nil never does
	Ended    bool            // a job has ended since the iteration before
}

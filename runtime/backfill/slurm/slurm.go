// Package slurm plans as slurmctld does: one main pass in the order of the queue, then one cycle of
// sched/backfill.
//
// In come the cluster, what runs, the entries of the queue and the settings of slurm.conf; out comes a
// backfill.Schedule: who starts now, by which pass, who has nodes kept from when on, and the word that
// squeue shows for those that wait. runtime/family/slurm calls it. Nothing here takes time into account
// that slurmctld itself would spend: no pass is cut short by a clock.
//
// The rules are those of slurmctld 22.05; rules.go says what later versions do otherwise. Each file names the
// function of slurmctld whose behaviour it repeats, and recorded runs decide where the two disagree.
package slurm

import (
	"context"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Input is a queue to plan.
type Input struct {
	Cluster  *backfill.Cluster
	Settings *program.SlurmPlan

	Now   int64 // when the main pass is made, in epoch seconds
	Cycle int64 // when the backfill cycle begins; 0 is Now

	MainDepth  int64 // how many jobs the main pass tests, and one more (default_queue_depth); 0 is all
	StartsOnly bool  // what comes after the passes is not wanted

	Running []backfill.Request // in the order of submission
	Waiting []backfill.Request // in the order of submission, then of ids: what ties are broken by
	Reasons []string           // the reason found for each that waits; nil is none
	Entries []Entry            // the queue, in any order
	Preempt *Preemption        // nil: no job is ended for others
	Gate    Gate               // the policy's limits; nil lets all pass
	Limits  LaterLimits        // the same over time, for jobs that get no start in the passes; nil lets all pass

	Context  context.Context                    // ends a long plan; nil never does
	Progress func(step string, done, total int) // of each step of the plan, from time to time; may be nil
}

// Entry is a job in one of its partitions.
type Entry struct {
	Request     int32 // into Waiting
	Partition   int32 // into Cluster.Partitions
	Row         int32 // the caller's name for it, which the gate is asked by
	Priority    int64
	Threshold   int64 // MinPrioThresh of QOS or association; 0: the policy's bf_min_prio_reserve
	NodesMin    int64 // the partition's bounds on nodes, as the job's QOS lets them hold; 0 is none
	NodesMax    int64
	LimitMax    int64  // seconds: the partition's MaxTime, as the job's QOS lets it hold; 0 is none
	Default     int64  // seconds: the partition's DefaultTime, for a job without a limit; 0 is LimitMax
	Association string // bf_max_job_assoc counts by it
	NoReserve   bool   // the job's QOS has NoReserve: nothing is kept for it
	Refused     string // why the entry is not in the queue, in slurmctld's word; "" if it is
	// what the main pass says when it comes to it: the partition does not permit the job's account or QOS
	Denied      string
	DeniedPlans bool // the cycle makes a reservation all the same, for a start that never is
	Later       bool // nor is it as long as its begin time or other jobs are waited for
}

// Gate asks limits of associations and QOS, and counts what starts.
type Gate interface {
	// NodesMax is how many nodes limits give a job at most, and what they say to one that wants more;
	// 0 is no limit.
	NodesMax(row int32) (most int64, word string)
	// BeforeNodes asks the limits that need no nodes; "" is that none stops the entry.
	BeforeNodes(row int32) string
	// WithNodes asks the others, once it is known what the job would get.
	WithNodes(row int32, got Got) string
	// GroupQOS is the QOS whose limit on its whole group stopped the entry last; "" if it was another.
	GroupQOS(row int32) string
	// Start counts a job as running from now on, in addition to the tasks of its array that do.
	Start(row int32, got Got)
	// End counts a job as running no more, since it is ended for another: one that ran before the plan, or one that
	// Start has counted with what it got.
	End(row int32, got *Got)
	// Copy asks the same, and what it counts is not counted by the other.
	Copy() Gate
}

// LaterLimits makes limits over time of what runs, which the plan may have ended. ask says of a request in a partition
// the row and what it would get.
type LaterLimits func(running []backfill.Request,
	ask func(r *backfill.Request, partition string) (row int32, got Got)) backfill.Limits

// Got is what a job would get.
type Got struct {
	Count int64   // of nodes
	Nodes []int32 // nil: which ones is not known yet
	Procs int64
}

// Words of slurmctld for what a job waits for.
const (
	Resources    = "Resources"
	Withdrawn    = "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions"
	Priority     = "Priority"
	Licenses     = "Licenses"
	Reservation  = "Reservation"
	NodeNotAvail = "ReqNodeNotAvail"
	NodeLimit    = "PartitionNodeLimit"
	ArrayLimit   = "JobArrayTaskLimit"
	BeginTime    = "BeginTime"
	Dependency   = "Dependency"
	BadRequest   = "BadConstraints"
)

// Plan makes the main pass and the backfill cycle, and goes on from there for those without a time (project). What
// slurmctld itself would show is Schedule.Told.
func Plan(in *Input) (*backfill.Schedule, error) { return plan(in, false) }

func plan(in *Input, plain bool) (*backfill.Schedule, error) {
	p, err := newPlanner(in)
	if err != nil {
		return nil, err
	}
	p.plain = plain || p.rows != nil
	if in.Settings.Main {
		if err := p.mainPass(); err != nil {
			return nil, err
		}
	}
	switch {
	case in.Settings.Builtin:
		if err := p.builtin(); err != nil {
			return nil, err
		}
	case in.Settings.Backfill:
		if err := p.cycle(); err != nil {
			return nil, err
		}
		if p.passFollows() {
			if err := p.passAfter(); err != nil {
				return nil, err
			}
		}
	}
	if in.StartsOnly {
		return p.schedule(), nil
	}
	return p.project(p.schedule())
}

// reached is called as a step goes on: it reports from time to time how far it is, and ends a plan that is no longer
// wanted.
func (p *planner) reached(step string, done, total int) error {
	if done&255 != 0 {
		return nil
	}
	if p.in.Progress != nil {
		p.in.Progress(step, done, total)
	}
	return p.in.Context.Err()
}

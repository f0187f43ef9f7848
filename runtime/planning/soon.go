package planning

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// soon leaves out the jobs about which a plan of those that start now need not be asked: on one pool of processors a
// job that wants more than are free now can only get a reservation, and a first-fit plan makes no more of them than
// its depth.
type soon struct {
	procs *column.Column
	free  int64 // at most so many processors are free now
	depth int64 // reservations
	large int64 // jobs that want more than are free, so far
	first int   // requests before the first job that was left out; -1 if none was
}

// several are columns of jobs that may stand for several, which have requests of their own.
var several = []schema.ColumnID{"job.array_job_id", "job.het_job_id"}

// startsSoon is nil where all jobs are asked about.
func (q *Queue) startsSoon(o Options) *soon {
	settings := nativeSettings(q.Result, o)
	procs := q.Result.Jobs.Column("job.procs")
	if !o.StartsOnly || !q.pooled || procs == nil || settings.Algorithm != "firstfit" || settings.ReservationDepth < 1 {
		return nil
	}
	for _, id := range several {
		if q.Result.Jobs.Column(id) != nil {
			return nil
		}
	}
	s := &soon{procs: procs, free: o.Procs, depth: settings.ReservationDepth, first: -1}
	for job, state := range q.Result.State {
		if state == evaluation.Running {
			s.free -= max(0, column.IntAt(procs, job))
		}
	}
	return s
}

// takes reports a job that is asked about; so many requests are before it.
func (s *soon) takes(job, requests int) bool {
	if column.IntAt(s.procs, job) <= s.free {
		return true
	}
	if s.large++; s.large <= s.depth {
		return true
	}
	if s.first < 0 {
		s.first = requests
	}
	return false
}

// missed reports a plan in which a job that was left out might have had a reservation: the jobs before it have fewer
// than there may be.
func (s *soon) missed(plan *backfill.Schedule) bool {
	if s == nil || s.first < 0 {
		return false
	}
	made := int64(0)
	for i := range plan.Placements[:s.first] {
		if plan.Placements[i].By == backfill.ByReservation {
			made++
		}
	}
	return made < s.depth
}

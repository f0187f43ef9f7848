package replay

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// An iteration of Maui that starts nothing, in which no job came or ended, is followed by others like it, where time
// alone changes nothing: the jobs keep their order, running jobs have not reached their limits, and the time until a
// reservation only becomes less. Such iterations are skipped. The last one before the next event is made all the
// same: a job's queue time, by which the next one goes, is as of then.

// mostSkipped bounds how many iterations are skipped at once, so that rounding cannot add up.
const mostSkipped = 1000

// untimed reports a policy and a workload that go by no time but that which jobs have waited, and run.
func (r *run) untimed() bool {
	p := r.program
	if r.options.general || p.Windows != nil || p.Tree != nil || len(p.Limits) > 0 || p.Plan == nil || p.Queue == nil ||
		p.Queue.KeepsReservations || len(p.Plan.Reservations) > 0 {
		return false
	}
	return untimedPlan(p.Plan.Maui) && r.untimedJobs() && linear(p)
}

// untimedPlan reports settings of Maui by which an iteration that starts nothing is like the one before.
func untimedPlan(m *program.MauiPlan) bool {
	if m == nil || m.Reservations == "HIGHEST" || len(m.Standing) > 0 || m.Sets.Policy != "" || m.MaxLoad > 0 {
		return false
	}
	for _, policy := range m.Backfill {
		if policy != "FIRSTFIT" && policy != "BESTFIT" && policy != "NONE" {
			return false
		}
	}
	return (m.Threshold == "" || m.Threshold == "NONE") && (m.ChunkProcs <= 0 || m.ChunkSeconds <= 0)
}

// untimedJobs reports jobs without a time of their own, on a machine that is there at all times.
func (r *run) untimedJobs() bool {
	if r.workload.queue != nil || r.state.Snapshot().Reservations != nil {
		return false
	}
	for _, id := range []schema.ColumnID{"job.begin_time", "job.deadline", "job.dependency", "job.reservation",
		"job.suspended"} {
		if c := r.workload.table.Column(id); c != nil && filled(c) {
			return false
		}
	}
	return true
}

// linear reports scores that grow evenly with the time waited: no term with a cap, or that goes by a target, counts.
func linear(p *program.Program) bool {
	for i := range p.Components {
		c := &p.Components[i]
		if c.Cap.Reg != program.NoReg {
			return false
		}
		for k := range c.Terms {
			if t := &c.Terms[k]; t.Cap.Reg != program.NoReg || c.Name == "target" && t.Factor.Reg != program.NoReg {
				return false
			}
		}
	}
	return len(p.Components) > 0
}

// steady is what the iteration before came to.
type steady struct {
	possible bool
	scores   []float64 // of the waiting jobs, in their order
	order    []int32
}

// keeps notes an iteration, and reports one after which the waiting jobs keep their order: since the one before all
// have gained the same, and of two that may come to the same whole points the first in the list is before the other.
func (s *steady) keeps(r *evaluation.Result) bool {
	if !s.possible {
		return false
	}
	scores := make([]float64, len(r.Order))
	for i, job := range r.Order {
		scores[i] = r.Score[r.JobRow[job]]
	}
	before := *s
	s.scores, s.order = scores, slices.Clone(r.Order)
	if !slices.Equal(before.order, s.order) {
		return false
	}
	for i := range scores {
		gained := scores[i] - before.scores[i]
		if math.Abs(gained-(scores[0]-before.scores[0])) > 1e-9 || !(math.Abs(scores[i]) < 1e8) || scores[i] < 1 {
			return false
		}
		if i > 0 && !(s.order[i-1] < s.order[i] && scores[i-1] >= scores[i]) && scores[i-1]-scores[i] < 1+1e-6 {
			return false
		}
	}
	return true
}

// beforeNext is the last iteration before anything can happen, as time alone changes nothing: before a job comes, ends
// or reaches its limit.
func (r *run) beforeNext(now int64) int64 {
	step, at := r.pace.StepSeconds, int64(math.MaxInt64)
	if r.next < len(r.workload.Jobs) {
		at = r.workload.Jobs[r.next].Submit
	}
	for i := range r.running {
		at = min(at, r.running[i].at)
		if o := &r.out.Outcomes[r.running[i].job]; o.Limit > 0 {
			at = min(at, o.Start+o.Limit)
		}
	}
	if at == math.MaxInt64 {
		return now + step
	}
	skipped := (at-now+step-1)/step - 2
	return now + step*(1+min(max(0, skipped), mostSkipped))
}

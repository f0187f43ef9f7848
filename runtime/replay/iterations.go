package replay

import (
	"container/heap"
	"math"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// iterations plays a scheduler that looks at the queue at fixed intervals (Maui; observed in its simulations): the
// first time one step after the begin, twice: once with the jobs that are there at the begin alone. In each iteration
// jobs end, then others join the queue, then it schedules, then jobs over their limits are cancelled.
func (r *run) iterations() error {
	now := r.out.Begin + r.pace.StepSeconds
	if r.workload.queue != nil { // an iteration of a Maui that runs already
		now, r.pace.InitialJobs = r.out.Begin, 0
	}
	for k := int64(0); k < r.pace.InitialJobs && r.next < len(r.workload.Jobs); k++ {
		if err := r.submit(r.out.Begin); err != nil {
			return err
		}
	}
	if r.pace.InitialJobs > 0 {
		if err := r.iterate(now); err != nil {
			return err
		}
	}
	s := steady{possible: r.untimed() && len(r.options.Outages) == 0}
	for quiet, keeps := 0, false; ; now = r.following(now, quiet, keeps) {
		if err := r.options.Context.Err(); err != nil {
			return err
		}
		before := [...]int{len(r.waiting), len(r.running), r.next}
		if err := r.iterate(now); err != nil {
			return err
		}
		if quiet++; before != [...]int{len(r.waiting), len(r.running), r.next} {
			quiet = 0
		}
		keeps = r.keepsOrder(&s)
		if len(r.running) == 0 && r.next == len(r.workload.Jobs) && (len(r.waiting) == 0 || quiet > patience) &&
			(len(r.waiting) == 0 || r.nextOutage() == math.MaxInt64) {
			return nil
		}
		if r.options.Progress != nil {
			r.options.Progress(now, len(r.out.Started))
		}
	}
}

// patience is for how many iterations in a row time alone may let a job start. After so many in which no job came,
// started or ended, a week at the usual interval, those that wait are left alone until one comes or ends.
const patience = 10_000

// following is the iteration that is made after one; keeps is that the waiting jobs keep their order.
func (r *run) following(now int64, quiet int, keeps bool) int64 {
	if keeps && quiet > 1 && quiet <= patience && len(r.waiting) > 0 {
		return r.beforeNext(now)
	}
	return r.nextIteration(now, quiet)
}

// nextIteration is the first iteration after one that may find anything new. While no job waits that is the one in
// which the next job comes, ends or is cancelled, or in which a window of usage has ended; nothing happens in those
// between.
func (r *run) nextIteration(now int64, quiet int) int64 {
	step := r.pace.StepSeconds
	if len(r.waiting) > 0 && quiet <= patience {
		return now + step
	}
	at := r.nextOutage()
	if r.next < len(r.workload.Jobs) {
		at = min(at, r.workload.Jobs[r.next].Submit)
	}
	for i := range r.running {
		e := &r.running[i]
		if at = min(at, e.at); r.program.Windows != nil && e.at-step > now {
			at = min(at, e.at-step) // the last iteration in which its usage counts
		}
		if o := &r.out.Outcomes[e.job]; o.Limit > 0 && !o.Cancelled && r.pace.OverrunSeconds >= 0 {
			at = min(at, o.Start+o.Limit+r.pace.OverrunSeconds+1)
		}
	}
	if w := r.program.Windows; w != nil {
		at = min(at, (now/w.IntervalSeconds+1)*w.IntervalSeconds)
	}
	return now + max(1, (at-now+step-1)/step)*step
}

// arrive lets time pass: jobs end, and then others come.
func (r *run) arrive(now int64) error {
	r.state.Advance(now)
	if err := r.endUntil(now); err != nil {
		return err
	}
	if _, err := r.outagesUntil(now); err != nil {
		return err
	}
	for r.next < len(r.workload.Jobs) && r.workload.Jobs[r.next].Submit <= now {
		if err := r.submit(r.workload.Jobs[r.next].Submit); err != nil {
			return err
		}
	}
	return nil
}

// iterate does one iteration.
func (r *run) iterate(now int64) error {
	if err := r.arrive(now); err != nil {
		return err
	}
	did, err := r.iterated()
	if err != nil {
		return err
	}
	if err := r.carryOut(did, now); err != nil {
		return err
	}
	r.cancelOver(now)
	return r.removeImpossible(did)
}

// iterated is what an iteration decides.
func (r *run) iterated() (*Did, error) {
	if past, err := r.past(); past != nil || err != nil {
		return past.did(), err
	}
	result, err := r.look()
	if err != nil {
		return nil, err
	}
	return r.planned(result, result.Schedule)
}

// planned is what a plan decides: who starts now, in its order, and who would be deferred, as they are larger than the
// machine or no time can be found for them.
func (r *run) planned(result *evaluation.Result, s *backfill.Schedule) (*Did, error) {
	r.machine(s)
	r.result, r.schedule = result, s
	did := &Did{Starts: r.starts(result, s, func(q *backfill.Request) int { return r.waiting[result.JobID(int(q.Job))] })}
	for job, b := range result.Why {
		if r.pace.StepSeconds > 0 && b != nil && b.Kind == evaluation.BlockResources {
			did.Removed = append(did.Removed, result.JobID(job))
		}
	}
	return did, r.decided(did)
}

// machine notes which nodes there are.
func (r *run) machine(s *backfill.Schedule) {
	if r.out.Nodes != nil {
		return
	}
	for i := range s.Cluster.Nodes {
		r.out.Nodes = append(r.out.Nodes, s.Cluster.Nodes[i].Name)
		r.out.Procs += s.Cluster.Nodes[i].Capacity.Procs
	}
}

// cancelOver cancels jobs that have run beyond their limit for too long. They go with the next iteration.
func (r *run) cancelOver(now int64) {
	if r.pace.OverrunSeconds < 0 {
		return
	}
	for i := range r.running {
		e := &r.running[i]
		o := &r.out.Outcomes[e.job]
		if end := now + r.pace.StepSeconds; o.Limit > 0 && now-o.Start > o.Limit+r.pace.OverrunSeconds && end < e.at {
			e.at, o.Cancelled = end, true
		}
	}
	heap.Init(&r.running)
}

// removeImpossible takes out the jobs that would be deferred. Maui's simulation throws them out.
func (r *run) removeImpossible(did *Did) error {
	if r.outages.now() && r.nextOutage() < math.MaxInt64 {
		return nil // nodes may come back
	}
	for _, id := range did.Removed {
		if at, ok := r.waiting[id]; ok {
			if err := r.remove(at, "no nodes of the machine can ever run it"); err != nil {
				return err
			}
		}
	}
	return nil
}

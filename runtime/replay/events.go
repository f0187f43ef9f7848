package replay

import (
	"math"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
)

// events plays a scheduler without a clock of its own: it looks at the queue whenever a job has come or ended.
func (r *run) events() error {
	if r.workload.queue != nil {
		if err := r.event(r.out.Begin); err != nil {
			return err
		}
	}
	for {
		if err := r.options.Context.Err(); err != nil {
			return err
		}
		now := int64(math.MaxInt64)
		if r.next < len(r.workload.Jobs) {
			now = r.workload.Jobs[r.next].Submit
		}
		if len(r.running) > 0 {
			now = min(now, r.running[0].at)
		}
		if now < math.MaxInt64 || len(r.waiting) > 0 {
			now = min(now, r.nextOutage())
		}
		if now == math.MaxInt64 {
			return r.atTheEnd()
		}
		if err := r.event(now); err != nil {
			return err
		}
		if r.options.Progress != nil {
			r.options.Progress(now, len(r.out.Started))
		}
	}
}

// event is one look at the queue. What running jobs have used is counted before any of them ends.
func (r *run) event(now int64) error {
	if (r.program.Windows != nil || r.program.Tree != nil) && len(r.running) > 0 {
		r.state.Advance(now)
		if err := r.count(); err != nil {
			return err
		}
	}
	if err := r.arrive(now); err != nil || len(r.waiting) == 0 {
		return err
	}
	did, err := r.who()
	if err != nil {
		return err
	}
	return r.carryOut(did, now)
}

// who decides who starts now.
func (r *run) who() (*Did, error) {
	if past, err := r.past(); past != nil || err != nil {
		return past.did(), err
	}
	result, err := r.look()
	if err != nil {
		return nil, err
	}
	s, err := r.plan(result, true)
	if err != nil {
		return nil, r.undone(err)
	}
	return r.planned(result, s)
}

// plan asks the native planner who starts now, or when all do.
func (r *run) plan(result *evaluation.Result, startsOnly bool) (*backfill.Schedule, error) {
	return engine.Plan(result, planning.Options{Context: r.options.Context, Procs: r.options.Evaluation.Procs,
		Native: true, StartsOnly: startsOnly, Place: r.options.Evaluation.Place})
}

// atTheEnd asks once more about all jobs that still wait: they can never start.
func (r *run) atTheEnd() (err error) {
	if len(r.waiting) > 0 && r.result != nil {
		r.schedule, err = r.plan(r.result, false)
	}
	return err
}

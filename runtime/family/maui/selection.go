package maui

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/backfill/maui"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
	"github.com/fairway-sched/fairway/runtime/evaluation/order"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/rank"
)

// selection is Maui's way of deciding which jobs may start. One iteration walks the whole queue
// twice, each time in the order of freshly computed priorities: first with the hard numbers of
// limits, then with the soft ones (MQueueSelectAllJobs). Each walk makes a list; before
// jobs of a list are started it is filtered again by what runs by then (MQueueSelectJobs). What
// comes through the hard walk and the last soft filter is eligible, all else that waits
// is blocked. Recorded: families t and r.
//
// Which jobs of the lists start is the input's to say, or the planner's (plan.go). One thing that Maui does is not
// here, as no input tells of it: a class that the resource manager has disabled stops its jobs.
type selection struct {
	run     *evaluation.Run
	own     *Iteration
	result  *evaluation.Result
	queue   *program.Queue
	options evaluation.Options
	clock   *evaluation.Clock
	scorer  *scorer
	caps    *admit.Caps
	gate    *limit.Gate
	lacking diag.List // amounts that limits count and jobs do not state
	access  *partitionAccess

	unbounded bool    // neither limits nor caps are asked
	order     []int32 // of byPriority, while the priorities are those that were taken then
	ordered   int
	filtered  [2][2][]int32 // by bound: the last list that was filtered, and what came out
	starts    bool          // some job has started

	walked  []bool // per job: the hard walk took it
	may     []bool // per job: it may start
	settled bool   // no job depends on another one, and no walk has moved what priorities depend on
	resumed bool   // a job whose time of deferral is over is looked at again

	running    []bool              // per job: it uses resources
	stopped    []*evaluation.Block // per job: what keeps it out of the walks whatever others use; nil if nothing does
	dependency *column.Column
	depends    []bool                 // per job: another comes first, which the filters ask
	procsUp    int64                  // processors of the nodes that are up
	deferred   map[int32]int64        // until when jobs are not looked at for which no nodes were found
	reserved   map[int32]bool         // jobs that have kept a reservation from the last iteration: limits are not asked
	mauiPlan   *maui.Plan             // who starts where, if the planner decided it
	finish     func(eligible []int32) // ends the planner's iteration
	refused    limit.Refusals
	was        []*evaluation.Block // why jobs that are as they were could not start before; nil: that is unknown
	texts      map[violationKey]string
	shown      []bool // per job: over an active limit, and shown all the same; nil unless the manual is followed
}

// walk goes through the queue and lists the jobs that pass. What runs is counted when the
// hard walk comes to it, so that jobs above a running one are tested without it; the soft walk
// begins with all of it. Idle jobs are counted anew by each walk (recorded: t01, t30).
func (s *selection) walk(b limit.Bound) []int32 {
	var list []int32
	s.refused.Begin(b, len(s.running))
	s.gate.ResetIdle()
	if b == limit.Hard {
		s.gate.ResetActive()
		s.countUnranked()
	}
	for _, job := range s.byPriority() {
		if s.running[job] {
			if b == limit.Hard {
				s.count(job)
			}
			continue
		}
		if s.passes(job, b) {
			s.gate.AddIdle(int(job))
			list = append(list, job)
		}
	}
	return list
}

// countUnranked adds the running jobs without a priority, which have no place in the walk.
func (s *selection) countUnranked() {
	for job, running := range s.running {
		if running && s.scorer.failed.Get(job) {
			s.gate.AddActive(job)
		}
	}
}

// count adds a running job to what is used. One that is over a soft limit then is marked, which
// a weight may make count from now on (SPVIOLATION; recorded: t31).
func (s *selection) count(job int32) {
	_, s.clock.OverSoft[job] = s.gate.CheckActive(int(job), limit.Soft)
	s.gate.AddActive(int(job))
}

// passes asks a waiting job what both walks ask. Under FULLPOLICY whatever stops a job but its
// begin time and its size resets its clock; under QUEUEPOLICY only limits do, in the
// hard walk.
func (s *selection) passes(job int32, b limit.Bound) bool {
	if kind := s.stop(job); kind != "" {
		if s.queue.Accrual == program.AccrualFull && kind != evaluation.BlockBegin && kind != evaluation.BlockResources {
			s.clock.Reset(int(job))
		}
		return false
	}
	if s.unbounded || s.reserved[job] {
		return true
	}
	v, over := s.gate.CheckJob(int(job), b)
	if !over {
		if v, over = s.gate.CheckActive(int(job), b); over && b == limit.Hard {
			s.show(job)
		}
	}
	if !over {
		v, over = s.gate.CheckIdle(int(job), b)
	}
	if !over {
		return true
	}
	s.refused.Add(b, job, &v)
	if b == limit.Hard && s.queue.Accrual != program.AccrualAlways {
		s.clock.Reset(int(job))
	}
	return false
}

// stop is the kind of the first thing that keeps a job out of a walk whatever others use, "" if
// nothing does. A negative priority is asked after holds and before begin time and size, each time
// anew, since a walk may change it.
func (s *selection) stop(job int32) (kind string) {
	b := s.stopped[job]
	switch {
	case b != nil && !afterPriority(b.Kind):
		return b.Kind
	case s.negative(job):
		return evaluation.BlockPriority
	case b != nil:
		return b.Kind
	}
	return ""
}

func afterPriority(kind string) bool {
	return kind == evaluation.BlockBegin || kind == evaluation.BlockResources
}

// negative reports a job that may not start for its negative priority.
func (s *selection) negative(job int32) bool {
	return s.queue.RejectNegative && s.scorer.priority[job] < 0
}

// show marks a job over a hard active limit that the manual's queue shows among the idle ones: it
// takes its place in their limits (Δ28).
func (s *selection) show(job int32) {
	if s.shown == nil {
		return
	}
	if _, over := s.gate.CheckIdle(int(job), limit.Hard); !over {
		s.gate.AddIdle(int(job))
		s.shown[job] = true
	}
}

// filter lists those of a list that may start by what runs now. Passing renews a job's queue time.
// Who waits for another job has passed the walks and is stopped only here.
func (s *selection) filter(list []int32, b limit.Bound) []int32 {
	if out, same := s.sameFilter(list, b); same {
		return out
	}
	out := make([]int32, 0, len(list))
	for _, job := range list {
		if s.ready(job, b) {
			out = append(out, job)
		}
	}
	s.filtered[b] = [2][]int32{list, out}
	return out
}

// ready asks one job of a list.
func (s *selection) ready(job int32, b limit.Bound) bool {
	if s.running[job] || s.deferred[job] > 0 {
		return false
	}
	if _, open := s.access.First(int(job)); !open && !s.access.Stays(int(job)) {
		return false
	}
	if s.depends[job] || s.over(job, b) {
		if s.queue.Accrual == program.AccrualFull && (b == limit.Hard || s.depends[job]) {
			s.clock.Reset(int(job))
		}
		return false
	}
	s.clock.Pass(int(job))
	return true
}

// sameFilter finds what the last filter with a bound made of a list, or of what came out of it, while nothing stops
// another job than then: none has started. Where no limits are asked the bounds are alike.
func (s *selection) sameFilter(list []int32, b limit.Bound) ([]int32, bool) {
	if s.options.Plan || s.starts || len(list) == 0 {
		return nil, false
	}
	for bound, last := range s.filtered {
		if limit.Bound(bound) != b && !s.unbounded || last[1] == nil {
			continue
		}
		for _, known := range last {
			if len(known) == len(list) && &known[0] == &list[0] {
				return last[1], true
			}
		}
	}
	return nil, false
}

// over asks what the filter asks of amounts. Idle limits are the walks' alone.
func (s *selection) over(job int32, b limit.Bound) bool {
	if s.unbounded {
		return false
	}
	if _, over := s.gate.CheckJob(int(job), b); over {
		return true
	}
	if _, over := s.gate.CheckActive(int(job), b); over {
		return true
	}
	_, over := s.caps.Check(int(job))
	return over
}

// start makes jobs run. First those of the priority pass start, which stay within soft limits;
// then backfill takes the hard list as it was before them. Each job that it starts overtakes the
// jobs that are above it in that list and still wait (recorded: t03, t13, t31, t32).
func (s *selection) start(started, backfilled []int32, hard, soft []int32) {
	filled, listed, place := admit.Marked(backfilled, len(s.running)), admit.Marked(soft, len(s.running)), map[int32]int{}
	if len(started) > 0 {
		for at, job := range hard {
			place[job] = at
		}
	}
	backfill := false
	for _, job := range started {
		if !backfill && (filled[job] || !listed[job] || s.over(job, limit.Soft)) {
			backfill = true
			s.filter(soft, limit.Soft)
			s.filter(hard, limit.Hard)
		}
		if backfill {
			s.bypass(hard[:place[job]])
		}
		s.running[job], s.starts = true, true
		s.gate.AddActive(int(job))
	}
	if !backfill {
		s.filter(soft, limit.Soft)
		s.filter(hard, limit.Hard)
	}
}

// bypass counts the overtaken jobs that still wait; one that is suspended is not overtaken (recorded: b07).
func (s *selection) bypass(above []int32) {
	for _, other := range above {
		if !s.running[other] && s.result.State[other] != evaluation.Running && s.deferred[other] == 0 {
			s.clock.Bypass[other]++
		}
	}
}

// byPriority is Maui's order of all jobs: falling priority, equal ones in the order in which iterations came to know
// them, and as the resource manager lists those of one iteration (observed in recordings: N011, N036, N077).
func (s *selection) byPriority() []int32 {
	if s.order != nil && s.ordered == s.scorer.taken {
		return s.order
	}
	in, seen := make([]bool, len(s.running)), s.clock.FirstSeen
	for job, state := range s.result.State {
		in[job] = state != evaluation.Done && !s.scorer.failed.Get(job)
	}
	if s.ordered = s.scorer.taken; s.ordered == 1 && slices.IsSorted(seen) { // the priorities are those of the result
		s.order = marked(order.ByPriority(s.run), in)
		return s.order
	}
	list := make([]int32, 0, len(in))
	for job := range in {
		if in[job] {
			list = append(list, int32(job))
		}
	}
	slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(seen[a], seen[b]) })
	s.order = rank.Falling(list, func(job int) int64 { return s.scorer.priority[job] })
	return s.order
}

// marked are the jobs of a list that have a mark: the list itself if all have.
func marked(list []int32, marks []bool) []int32 {
	out := make([]int32, 0, len(list))
	for _, job := range list {
		if marks[job] {
			out = append(out, job)
		}
	}
	if len(out) == len(list) {
		return list
	}
	return out
}

// violationKey is what the words of a violation depend on.
type violationKey struct {
	limit                          int
	object, name, cross, partition string
	inUse, request                 int64
}

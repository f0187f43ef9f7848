package engine

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
)

// selection is Maui's way of deciding which jobs may start. One iteration walks the whole queue
// twice, each time in the order of freshly computed priorities: first with the hard numbers of
// limits, then with the soft ones (MQueueSelectAllJobs). Each walk makes a list; before
// jobs of a list are started it is filtered again by what runs by then (MQueueSelectJobs). What
// comes through the hard walk and the last soft filter is eligible, all else that waits
// is blocked. Recorded: families t and r.
type selection struct {
	result *Result
	queue  *program.Queue
	clock  *clock
	scorer *scorer
	caps   *caps
	gate   *limit.Gate

	running []bool                       // per job: it uses resources
	stopped []*Block                     // per job: what keeps it out whatever others use; nil if nothing does
	procsUp int64                        // processors of the nodes that are not down
	refused [2]map[int32]limit.Violation // by bound: what the walk did not take, and for which limit
}

// run makes the decisions of one iteration. Jobs in started wait while it selects and run when it
// ends; from the first one of backfilled on they were started by backfill.
func (s *selection) run(started, backfilled []int32) (eligible []int32, err error) {
	hard := s.walk(limit.Hard)
	if err := s.scorer.rescore(s.clock); err != nil {
		return nil, err
	}
	soft := s.walk(limit.Soft)
	s.result.Taken = [2][]int32{limit.Soft: soft, limit.Hard: hard}
	first := s.filter(hard, limit.Hard, true) // what backfill takes at the end (recorded: t03, t13)
	soft = s.filter(soft, limit.Soft, true)
	s.start(started, backfilled, first, soft)
	eligible = s.filter(hard, limit.Soft, true)
	// Clients compute the priorities of eligible jobs once more, with the queue time that
	// passing has renewed; those of others stay (recorded: t30, r01).
	return eligible, s.refresh(eligible)
}

// refresh rescores but keeps the priorities of all other jobs.
func (s *selection) refresh(eligible []int32) error {
	before := slices.Clone(s.scorer.priority)
	if err := s.scorer.rescore(s.clock); err != nil {
		return err
	}
	for _, job := range eligible {
		before[job] = s.scorer.priority[job]
	}
	s.scorer.priority = before
	return nil
}

// walk goes through the queue and lists the jobs that pass. What runs is counted when the
// hard walk comes to it, so that jobs above a running one are tested without it; the soft walk
// begins with all of it. Idle jobs are counted anew by each walk (recorded: t01, t30).
func (s *selection) walk(b limit.Bound) []int32 {
	var list []int32
	s.refused[b] = map[int32]limit.Violation{}
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
		if s.result.State[job] != Eligible && s.result.State[job] != Blocked && s.result.State[job] != Held {
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
	_, s.clock.overSoft[job] = s.gate.CheckActive(int(job), limit.Soft)
	s.gate.AddActive(int(job))
}

// passes asks a waiting job what both walks ask. Under FULLPOLICY whatever stops a job but its
// begin time and its size resets its clock; under QUEUEPOLICY only limits do, in the
// hard walk.
func (s *selection) passes(job int32, b limit.Bound) bool {
	stop := s.stopped[job]
	if stop == nil && s.queue.RejectNegative && s.scorer.priority[job] < 0 {
		stop = &Block{Kind: BlockPriority}
	}
	if stop != nil {
		if s.queue.Accrual == program.AccrualFull && stop.Kind != BlockBegin && stop.Kind != BlockResources {
			s.clock.reset(int(job))
		}
		return false
	}
	v, over := s.gate.CheckJob(int(job), b)
	if !over {
		v, over = s.gate.CheckActive(int(job), b)
	}
	if !over {
		v, over = s.gate.CheckIdle(int(job), b)
	}
	if !over {
		return true
	}
	s.refused[b][job] = v
	if b == limit.Hard && s.queue.Accrual != program.AccrualAlways {
		s.clock.reset(int(job))
	}
	return false
}

// filter lists those of a list that may start by what runs now. With renew, passing renews
// a job's queue time.
func (s *selection) filter(list []int32, b limit.Bound, renew bool) []int32 {
	var out []int32
	for _, job := range list {
		if s.running[job] {
			continue
		}
		if s.over(job, b) {
			if b == limit.Hard && s.queue.Accrual == program.AccrualFull {
				s.clock.reset(int(job))
			}
			continue
		}
		if renew {
			s.clock.pass(int(job))
		}
		out = append(out, job)
	}
	return out
}

// over asks what the filter asks. Idle limits are the walks' alone.
func (s *selection) over(job int32, b limit.Bound) bool {
	if _, over := s.gate.CheckJob(int(job), b); over {
		return true
	}
	if _, over := s.gate.CheckActive(int(job), b); over {
		return true
	}
	_, over := s.caps.check(int(job))
	return over
}

// start makes jobs run. First those of the priority pass start, which stay within soft limits;
// then backfill takes the hard list as it was before them. Each job that it starts overtakes the
// jobs that stand above it in that list and still wait (recorded: t03, t13, t31, t32).
func (s *selection) start(started, backfilled []int32, hard, soft []int32) {
	backfill := false
	for _, job := range started {
		if !backfill && (slices.Contains(backfilled, job) || !slices.Contains(soft, job) || s.over(job, limit.Soft)) {
			backfill = true
			s.filter(soft, limit.Soft, true)
			s.filter(hard, limit.Hard, true)
		}
		if backfill {
			s.bypass(job, hard)
		}
		s.running[job] = true
		s.gate.AddActive(int(job))
	}
	if !backfill {
		s.filter(soft, limit.Soft, true)
		s.filter(hard, limit.Hard, true)
	}
}

func (s *selection) bypass(job int32, hard []int32) {
	at := slices.Index(hard, job)
	for _, other := range hard[:max(0, at)] {
		if !s.running[other] {
			s.clock.bypass[other]++
		}
	}
}

// byPriority is Maui's order of all jobs: falling priority, equal ones as the resource manager
// lists them.
func (s *selection) byPriority() []int32 {
	order := make([]int32, 0, len(s.running))
	for job := range s.running {
		if s.result.State[job] != Done && !s.scorer.failed.Get(job) {
			order = append(order, int32(job))
		}
	}
	return descending(order, func(job int) int64 { return s.scorer.priority[job] })
}

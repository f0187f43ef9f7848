package planning

import (
	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Earliest is the first time at which a request of a plan fits around what runs, starts now or has a reservation,
// whatever its place in the queue and whatever limits say, which is what Maui's showstart answers, but not before the
// jobs that it comes after. ok is false if it fits at no time, or it is unknown when those jobs are done.
func Earliest(s *backfill.Schedule, at int) (start int64, partition string, ok bool) {
	s.Detail()
	own := s.Placements[at]
	if own.By != backfill.ByNone && own.By != backfill.ByEstimate {
		return own.Start, own.Partition, true
	}
	met, known := afterOthers(s, at)
	if !known {
		return 0, "", false
	}
	if s.Alone != nil && met <= s.Now {
		return s.Alone(at)
	}
	return s.Earliest(at, met)
}

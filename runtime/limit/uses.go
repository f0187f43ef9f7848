package limit

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/program"
)

// Use is what one job adds to a counter.
type Use struct {
	Job     int
	Amount  int64
	Seconds int64 // of minutes that a job may still use: the same in seconds; Amount is the whole minutes
}

// StandingOf is the limit of a violation as it stands for the job that violates it.
func (g *Gate) StandingOf(job int, v *Violation) (Standing, bool) {
	s := g.slotOf(job, v.Limit, v.Per, v.Counts, v.Phase)
	if s == nil {
		return Standing{}, false
	}
	keys, _ := g.row(job)
	st := g.standing(s, keys[s.keyAt], int32(v.Limit))
	st.InUse, st.Request = v.InUse, v.Request
	return st, true
}

// Uses lists those of the given jobs that count where a standing of one job does.
func (g *Gate) Uses(job int, st *Standing, jobs []int32) []Use {
	s := g.slotOf(job, st.Limit, st.Per, st.Counts, st.Phase)
	if s == nil {
		return nil
	}
	var list []Use
	keys, _ := g.row(job)
	key := keys[s.keyAt]
	for _, other := range jobs {
		keys, amounts := g.row(int(other))
		if keys[s.keyAt] == key && g.concerns(s.counters[key].own, int(other)) {
			list = append(list, Use{Job: int(other), Amount: amounts[s.amountAt]})
		}
	}
	return list
}

// Replaced is the limit of the job's own credentials that an override stands in for; ok is false
// where the standing is no override, or there would be no limit without it.
func (g *Gate) Replaced(job int, st *Standing) (limit int, ok bool) {
	s := g.slotOf(job, st.Limit, st.Per, st.Counts, st.Phase)
	if s == nil || !g.limits[st.Limit].Override {
		return 0, false
	}
	keys, _ := g.row(job)
	own := s.counters[keys[s.keyAt]].own
	return int(own), own != noLimit && own != int32(st.Limit)
}

// slotOf finds the counter that a limit holds for a job in.
func (g *Gate) slotOf(job, limit int, per []string, counts, phase string) *slot {
	keys, _ := g.row(job)
	for _, slots := range [][]slot{g.loaded, g.job, g.submit, g.idle, g.active} {
		for i := range slots {
			s := &slots[i]
			if s.phase == phase && s.counts == counts && slices.Equal(s.per, per) && keys[s.keyAt] != noKey &&
				s.limitOf(keys) == int32(limit) {
				return s
			}
		}
	}
	return nil
}

// Unnamed lists the limits set for a name, or for the whole policy, that no counter of Counters
// stands for: no job has the name, or the limit looks at single jobs only.
func (g *Gate) Unnamed() []int {
	var list []int
	seen := make([]bool, len(g.limits))
	for _, st := range g.Counters(true) {
		seen[st.Limit] = true
	}
	for i := range g.limits {
		if l := &g.limits[i]; l.Kind == "" && !seen[i] && (!l.Others || l.Override || l.Phase == Job) &&
			(l.Soft != program.NoLimit || l.Hard != program.NoLimit) {
			list = append(list, i)
		}
	}
	return list
}

package limit

import "github.com/fairway-sched/fairway/runtime/program"

// Standing is a limit with a counter it holds for: for explanations and lists.
type Standing struct {
	Limit   int      // index into the program's limits; an override's if one is in force
	Per     []string // credentials the count is kept for; none for the whole policy
	Names   []string // their names
	Counts  string
	Phase   string
	Soft    int64 // program.NoLimit: none
	Hard    int64
	AtLeast bool  // the bounds are the least that a job must have
	InUse   int64 // what jobs use already
	Request int64 // what the job asked about adds; 0 in lists of counters

	wrap bool // the sum is kept in a C int
}

// Violates reports whether the job's request is too much, or too little, for a bound.
func (s *Standing) Violates(b Bound) bool {
	bound := s.Soft
	if b == Hard {
		bound = s.Hard
	}
	switch {
	case bound == program.NoLimit:
		return false
	case s.AtLeast:
		return s.Request < bound
	}
	return narrow(s.InUse+s.Request, s.wrap) > bound
}

// Standings lists the limits that a job is under, in the order in which they are asked: those
// on the job alone, then idle, active and submit limits.
func (g *Gate) Standings(job int) []Standing {
	var list []Standing
	keys, amounts := g.row(job)
	for _, slots := range [][]slot{g.loaded, g.job, g.submit, g.idle, g.active} {
		for i := range slots {
			s := &slots[i]
			if keys[s.keyAt] == noKey {
				continue
			}
			if l := s.limitOf(keys); l != noLimit && g.concerns(l, job) {
				st := g.standing(s, keys[s.keyAt], l)
				st.Request = amounts[s.amountAt]
				list = append(list, st)
			}
		}
	}
	return list
}

// Counters lists every counter that a limit of its own credentials bounds and that is
// above zero, or, with all, also the others.
func (g *Gate) Counters(all bool) []Standing {
	var list []Standing
	for _, slots := range [][]slot{g.submit, g.idle, g.active} {
		for i := range slots {
			s := &slots[i]
			for key := range s.counters {
				c := &s.counters[key]
				if c.own != noLimit && (all || c.use != 0) && s.named(uint32(key)) {
					list = append(list, g.standing(s, uint32(key), c.own))
				}
			}
		}
	}
	return list
}

func (g *Gate) standing(s *slot, key uint32, limit int32) Standing {
	l := &g.limits[limit]
	return Standing{Limit: int(limit), Per: s.per, Names: s.names(key), Counts: s.counts, Phase: s.phase,
		Soft: l.Soft, Hard: l.Hard, AtLeast: s.atLeast, InUse: s.counters[key].use, wrap: g.how.Wraps}
}

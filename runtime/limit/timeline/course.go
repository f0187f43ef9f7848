package timeline

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// course is what jobs have of one counter over time. While a plan only adds to it, what was found for one job bounds
// what there is for others that ask for as much and as long, or more.
type course struct {
	origin int64
	steps  *profile.Steps // of what jobs have to their ends: 0 is free of what no job has, less than that of others
	slopes *slopes        // of what runs down
	ends   map[int64]int32
	learnt map[int64]*learnt // by what of a limit's bound an answer depends on
}

// learnt is what answers for some jobs rule out for others.
type learnt struct {
	asked [2][]int64 // needs and seconds that will be asked
	bound *profile.Bound
}

// offset makes needs positive, as bounds want them.
const offset = int64(1) << 60

func newCourse(origin int64, runsDown bool) *course {
	u := &course{origin: origin, ends: map[int64]int32{}, learnt: map[int64]*learnt{}}
	if runsDown {
		u.slopes = &slopes{at: []int64{origin}, parts: make([]slope, 1)}
	} else {
		u.steps = profile.NewSteps(origin, 0)
	}
	return u
}

// add counts a job that has an amount from one time on, to another.
func (u *course) add(id int32, from, to, amount int64) {
	if to <= from {
		return
	}
	if first, known := u.ends[to]; to < profile.Forever && (!known || id < first) {
		u.ends[to] = id
	}
	if u.slopes != nil {
		u.slopes.add(from, to, amount)
	} else {
		u.steps.Add(from, to, amount)
	}
}

func (u *course) addForever(amount int64) {
	switch amount = min(amount, Largest); {
	case amount <= 0:
	case u.slopes != nil:
		u.slopes.addConstant(amount)
	default:
		u.steps.Add(u.origin, profile.Forever, amount)
	}
}

// at is what is in use at a time; of what runs down, to the next whole number.
func (u *course) at(time int64) int64 {
	if u.slopes != nil {
		return u.slopes.use(time)
	}
	return -u.steps.FreeDuring(time, time+1)
}

// endsAt is a job that ends at a time, -1 if none does.
func (u *course) endsAt(time int64) int32 {
	if id, ok := u.ends[time]; ok {
		return id
	}
	return -1
}

// learntFor is what is learnt for a claim. What must be free of a counter tells all, but of what runs down: of two
// jobs that must find as much free under two bounds, the larger one has more room left while it runs.
func (u *course) learntFor(c *Claim) *learnt {
	key := int64(0)
	if u.slopes != nil {
		key = c.Bound
	}
	l := u.learnt[key]
	if l == nil {
		l = &learnt{}
		u.learnt[key] = l
	}
	return l
}

func (l *learnt) expect(need, seconds int64) {
	if l.bound == nil {
		l.asked[0], l.asked[1] = append(l.asked[0], need+offset), append(l.asked[1], seconds)
	}
}

// first is the first time from after on and before another at which a job's part has room for so many seconds.
func (u *course) first(c *Claim, after, before, seconds int64) (int64, bool) {
	l := u.learntFor(c)
	if l.bound == nil {
		l.expect(c.need(), seconds)
		l.bound = profile.NewBound(l.asked[0], l.asked[1])
		l.asked = [2][]int64{}
	}
	need := c.need() + offset
	ruledOut := max(u.origin, l.bound.Start(need, seconds))
	from := max(after, ruledOut)
	start, ok := before, false
	switch {
	case from >= before:
	case u.slopes != nil:
		start, ok = u.slopes.first(c, from, before, seconds)
	default:
		start, ok = u.steps.FirstFit(from, before, seconds, c.need())
	}
	limit := before
	if ok {
		limit = start
	}
	if after <= ruledOut && limit > ruledOut {
		l.bound.Raise(limit, need, seconds)
	}
	return start, ok
}

// slopes is what is in use of something that jobs have less and less of: at each time the sum of what each still has.
// Between two times it is whole - falls × (time - origin), as each job's part falls evenly to nothing at its end.
type slopes struct {
	at    []int64 // when each part begins, ascending; the last has no end
	parts []slope
}

type slope struct {
	whole float64 // of the jobs in it, with what they would have had at the origin
	falls float64 // a second
}

func (s *slopes) value(k int, time int64) float64 {
	p := &s.parts[k]
	if p.falls == 0 {
		return p.whole
	}
	return p.whole - p.falls*float64(time-s.at[0])
}

// index is the part in which a time lies.
func (s *slopes) index(time int64) int {
	k, found := slices.BinarySearch(s.at, time)
	if !found {
		k--
	}
	return max(k, 0)
}

// cut makes a part begin at a time.
func (s *slopes) cut(time int64) int {
	k := s.index(time)
	if s.at[k] == time {
		return k
	}
	s.at, s.parts = slices.Insert(s.at, k+1, time), slices.Insert(s.parts, k+1, s.parts[k])
	return k + 1
}

func (s *slopes) add(from, to, amount int64) {
	if to >= profile.Forever {
		for k := s.cut(from); k < len(s.parts); k++ {
			s.parts[k].whole += float64(amount)
		}
		return
	}
	falls := float64(amount) / float64(to-from)
	first := s.cut(from)
	for k := s.cut(to) - 1; k >= first; k-- {
		s.parts[k].falls += falls
		s.parts[k].whole += falls * float64(to-s.at[0])
	}
}

func (s *slopes) addConstant(amount int64) {
	for k := range s.parts {
		s.parts[k].whole += float64(amount)
	}
}

// tiny is what sums of rates may be off by.
const tiny = 1e-6

func (s *slopes) use(time int64) int64 {
	whole := s.value(s.index(time), time)
	use := int64(whole)
	if float64(use) < whole-tiny {
		use++
	}
	return use
}

// first is the first time with room for a job at its start, and for what it still has whenever another one starts
// meanwhile.
func (s *slopes) first(c *Claim, after, before, seconds int64) (int64, bool) {
	room := float64(c.Bound-c.Amount) + tiny
	start := after
	for k := s.index(after); ; {
		for ; ; k++ { // the first time of this part or of a later one with room at the start
			if s.at[k] >= before {
				return 0, false
			}
			from, end := max(start, s.at[k]), profile.Forever
			if k+1 < len(s.at) {
				end = s.at[k+1]
			}
			if p := &s.parts[k]; s.value(k, from) > room && p.falls > 0 {
				over := (p.whole - room) / p.falls
				if over < float64(end-s.at[0]) {
					from = max(from, s.at[0]+int64(over))
					for s.value(k, from) > room { // rounded
						from++
					}
				} else {
					from = end
				}
			} else if s.value(k, from) > room {
				from = end
			}
			if from < end || k+1 == len(s.at) {
				start = from
				break
			}
		}
		if start >= before || start >= profile.Forever {
			return 0, false
		}
		jump := s.jump(k, c, start, seconds)
		if jump < 0 {
			return start, true
		}
		k, start = jump, s.at[jump]
	}
}

// jump is the first part that begins while a job runs from start on and in which there is too little for what it still
// has; -1 if none.
func (s *slopes) jump(k int, c *Claim, start, seconds int64) int {
	for k++; k < len(s.at) && s.at[k]-start < seconds; k++ {
		still := float64(c.Amount) * float64(seconds-(s.at[k]-start)) / float64(seconds)
		if s.value(k, s.at[k])+still > float64(c.Bound)+tiny {
			return k
		}
	}
	return -1
}

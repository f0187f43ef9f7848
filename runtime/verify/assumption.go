package verify

import "slices"

// assumption is how numbers of a subject would be if a cause held: their computation again with
// what the cause changes.
type assumption struct {
	cause *Cause
	why   string
	value func(x *reading, value float64) float64 // a number of ours, of what it is without
}

// assume settles the subjects whose numbers are all as printed under one assumption, and then those that are
// under two at once.
func (q *inquiry) assume() error {
	off, proposed := slices.Clone(q.open), map[*subject][]assumption{}
	for _, c := range Causes() {
		if c.assume == nil {
			continue
		}
		for _, k := range q.checks {
			if !slices.ContainsFunc(q.open, func(s *subject) bool { return s.check == k }) {
				continue
			}
			propose, err := c.assume(q, c, k)
			if err != nil {
				return err
			}
			if propose == nil {
				continue
			}
			q.open = slices.DeleteFunc(q.open, func(s *subject) bool {
				if s.check != k {
					return false
				}
				list := propose(s)
				proposed[s] = append(proposed[s], list...)
				return slices.ContainsFunc(list, s.settledBy)
			})
		}
	}
	q.open = slices.DeleteFunc(q.open, func(s *subject) bool { return s.settledByTwo(proposed[s]) })
	q.reopen(off)
	return nil
}

// reopen takes back what was settled of jobs with numbers that nothing explains: these speak against an
// assumption for the others.
func (q *inquiry) reopen(off []*subject) {
	unexplained, open := map[int]bool{}, map[*subject]bool{}
	for _, s := range q.open {
		unexplained[s.job], open[s] = true, true
	}
	for _, s := range off {
		if s.job >= 0 && unexplained[s.job] && !open[s] {
			for _, x := range s.readings {
				if x.cause != &fewDigits {
					x.cause, x.why = nil, ""
				}
			}
			q.open = append(q.open, s)
		}
	}
}

// settledBy blames an assumption under which all numbers are as printed.
func (s *subject) settledBy(a assumption) bool {
	if !s.fit(func(x *reading) float64 { return a.value(x, x.ours) }) {
		return false
	}
	s.blame(a.cause, a.why)
	return true
}

// settledByTwo blames two assumptions, each for the numbers that it changes.
func (s *subject) settledByTwo(list []assumption) bool {
	for i, a := range list {
		for _, b := range list[i+1:] {
			if a.cause == b.cause || !s.fit(func(x *reading) float64 { return b.value(x, a.value(x, x.ours)) }) {
				continue
			}
			for _, x := range s.readings {
				switch {
				case x.almost(x.ours):
				case x.almost(a.value(x, x.ours)):
					x.cause, x.why = a.cause, a.why
				case x.almost(b.value(x, x.ours)):
					x.cause, x.why = b.cause, b.why
				default:
					x.cause, x.why = a.cause, a.why+"; besides, "+b.cause.Name+": "+b.why
				}
			}
			return true
		}
	}
	return false
}

// contradicted reports a number of a check that is as ours and would not be under an assumption that
// has to hold for all numbers at once.
func (q *inquiry) contradicted(k *check, value func(*reading) float64) bool {
	return slices.ContainsFunc(q.equal, func(s *subject) bool { return s.check == k && !s.fit(value) })
}

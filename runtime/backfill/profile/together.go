package profile

// Together asks several profiles at once, for what may be put together from all of them: a job that
// runs on nodes of several classes keeps the nodes that it has, so that what each class
// offers is the least it has free during the whole run.
type Together struct {
	Free  []int64 // what each offers during the span last looked at, at least 0
	parts []part
}

// part is how far one profile has been looked at.
type part struct {
	*Steps
	step  place // of the start last looked at
	alone int64 // no start before offers its part of the count
}

// FirstFit is the earliest start, from after on and before before, at which the profiles offer so many
// together for so many seconds, and what each of them does is enough. More must be enough where less is.
//
// Where all together have the count, some profile has its part of it alone: only such starts are
// looked at, and most are ruled out by a scan of one profile at a time.
func (t *Together) FirstFit(profiles []*Steps, after, before, seconds, count int64,
	enough func(free []int64) bool) (int64, bool) {
	t.parts, t.Free = t.parts[:0], t.Free[:0]
	for _, p := range profiles {
		t.parts = append(t.parts, part{Steps: p, step: p.index(after), alone: -1})
		t.Free = append(t.Free, 0)
	}
	share := -Forever // even a profile that is overdrawn offers nothing
	if count > 0 {
		share = (count + int64(len(profiles)) - 1) / int64(len(profiles))
	}
	for start := after; ; {
		lead := before
		for c := range t.parts {
			p := &t.parts[c]
			if p.alone < start {
				p.alone = lead
				if at, ok := p.firstFit(p.step, start, lead, seconds, share); ok {
					p.alone = at
				}
			}
			lead = min(lead, p.alone)
		}
		if start = lead; start >= before {
			return 0, false
		}
		sum, next := int64(0), Forever
		for c := range t.parts {
			p := &t.parts[c]
			p.step = p.indexFrom(p.step, start)
			free, until := p.least(p.step, start, End(start, seconds))
			t.Free[c] = max(free, 0)
			sum += t.Free[c]
			next = min(next, until)
		}
		if sum >= count && enough(t.Free) {
			return start, true
		}
		start = next
	}
}

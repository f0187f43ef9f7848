package profile

// Together asks several profiles at once, for what may be put together from all of them: a job that
// runs on nodes of several classes keeps the nodes that it has, so that what each class
// offers is the least it has free during the whole run.
type Together struct {
	parts []slide
	Free  []int64 // what each offers during the span last looked at, at least 0
}

// slide is the least of one profile in a window that moves forward. The queue holds the steps that
// are the least of what follows them in the window, so that its head is the least of all.
type slide struct {
	steps *Steps
	queue []int
	head  int
	next  int // the first step not yet in the window
}

// FirstFit is the earliest start, from after on and before before, at which what the profiles
// offer together for so many seconds is enough. More must be enough where less is.
func (t *Together) FirstFit(profiles []*Steps, after, before, seconds int64, enough func(free []int64) bool) (int64, bool) {
	t.begin(profiles, after)
	for start := after; start < before; {
		end := End(start, seconds)
		for c := range t.parts {
			t.Free[c] = max(t.parts[c].least(start, end), 0)
		}
		if enough(t.Free) {
			return start, true
		}
		// Nothing gets better before the least step of some profile has left the window.
		next := Forever
		for c := range t.parts {
			s := &t.parts[c]
			if i := s.queue[s.head] + 1; i < len(s.steps.at) {
				next = min(next, s.steps.at[i])
			}
		}
		start = next
	}
	return 0, false
}

func (t *Together) begin(profiles []*Steps, after int64) {
	for len(t.parts) < len(profiles) {
		t.parts = append(t.parts, slide{})
	}
	t.parts = t.parts[:len(profiles)]
	t.Free = append(t.Free[:0], make([]int64, len(profiles))...)
	for c, p := range profiles {
		t.parts[c] = slide{steps: p, queue: t.parts[c].queue[:0], next: p.index(after)}
	}
}

// least moves the window to [start, end), both no earlier than before.
func (s *slide) least(start, end int64) int64 {
	at, free := s.steps.at, s.steps.free
	for ; s.next < len(at) && (at[s.next] < end || len(s.queue) == s.head); s.next++ {
		for len(s.queue) > s.head && free[s.queue[len(s.queue)-1]] >= free[s.next] {
			s.queue = s.queue[:len(s.queue)-1]
		}
		s.queue = append(s.queue, s.next)
	}
	for s.queue[s.head]+1 < len(at) && at[s.queue[s.head]+1] <= start {
		s.head++
	}
	return free[s.queue[s.head]]
}

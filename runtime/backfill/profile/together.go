package profile

// Together asks several profiles at once, for what may be put together from all of them: a job that
// runs on nodes of several classes keeps the nodes that it has, so that what each class
// offers is the least it has free during the whole run.
type Together struct {
	parts []slide
	Free  []int64 // what each offers during the span last looked at, at least 0
}

// slide is the least of one profile in a window that moves forward. Between head and tail the queue holds
// the steps that are the least of what follows them in the window, so that its head is the least of all.
type slide struct {
	steps      *Steps
	queue      []int32
	head, tail int
	next       int // the first step not yet in the window
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
		// Nothing gets better before the least step of some profile has left the window. Until what the
		// windows hold would be enough, there is no need to look at what later runs reach.
		for hopeless := true; hopeless; {
			next := Forever
			for c := range t.parts {
				next = min(next, t.parts[c].leaves())
			}
			if next >= before {
				return 0, false
			}
			start, hopeless = next, true
			for c := range t.parts {
				if s := &t.parts[c]; s.leaves() <= start {
					if s.head++; s.head == s.tail {
						hopeless = false
						continue
					}
					t.Free[c] = max(s.steps.free[s.queue[s.head]], 0)
				}
			}
			hopeless = hopeless && !enough(t.Free)
		}
	}
	return 0, false
}

// leaves is when the least step of the window has left it.
func (s *slide) leaves() int64 {
	if i := int(s.queue[s.head]) + 1; i < len(s.steps.at) {
		return s.steps.at[i]
	}
	return Forever
}

func (t *Together) begin(profiles []*Steps, after int64) {
	for len(t.parts) < len(profiles) {
		t.parts = append(t.parts, slide{})
	}
	t.parts = t.parts[:len(profiles)]
	t.Free = append(t.Free[:0], make([]int64, len(profiles))...)
	for c, p := range profiles {
		s := &t.parts[c]
		s.steps, s.next, s.head, s.tail = p, p.index(after), 0, 0
		if room := len(p.at) - s.next; len(s.queue) < room {
			s.queue = make([]int32, 2*room)
		}
	}
}

// least moves the window to [start, end), both no earlier than before.
func (s *slide) least(start, end int64) int64 {
	at, queue, tail := s.steps.at, s.queue, s.tail
	free := s.steps.free[:len(at)]
	next, head := s.next, s.head
	for ; next < len(at) && (at[next] < end || tail == head); next++ {
		value := free[next]
		for tail > head && free[queue[tail-1]] >= value {
			tail--
		}
		queue[tail] = int32(next)
		tail++
	}
	for head+1 < tail && at[queue[head]+1] <= start {
		head++
	}
	s.next, s.head, s.tail = next, head, tail
	return free[queue[head]]
}

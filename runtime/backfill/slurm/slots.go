package slurm

// slotMap is the map of the backfill cycle: which nodes are kept for nobody, slot by slot of time. Slots
// follow each other without gaps.
type slotMap struct {
	resolution int64
	slots      []slot
	records    int64 // made so far, whether they are still there or not: what bf_node_space_size bounds
}

type slot struct {
	begin, end int64
	free       set
	licenses   []int64 // free ones; nil where they are not planned
}

func (m *slotMap) open(begin, end, resolution int64, free set, licenses []int64) {
	*m = slotMap{resolution: resolution, slots: []slot{{begin: floor(begin, resolution), end: floor(end, resolution), free: free, licenses: licenses}}, records: 1}
}

func floor(t, resolution int64) int64 { return t / resolution * resolution }

// keep takes nodes and licences out of the slots from start to end (_add_reservation). It is for one slot at least.
func (m *slotMap) keep(start, end int64, nodes set, take func(free []int64)) {
	start = max(start, m.slots[0].begin)
	end = max(end, start+m.resolution)
	at, before := m.cut(start)
	if at < 0 {
		return // beyond the map
	}
	last := at
	for ; last < len(m.slots); last++ {
		if end < m.slots[last].end {
			m.split(last, end)
		}
		s := &m.slots[last]
		s.free.without(nodes)
		if take != nil && s.licenses != nil {
			take(s.licenses)
		}
		if end == s.end {
			break
		}
	}
	m.join(before, last+1)
}

// cut makes start the begin of a slot. It returns that slot, -1 if there is none, and the slot from which on equal
// ones are joined.
func (m *slotMap) cut(start int64) (at, before int) {
	for k := range m.slots {
		switch end := m.slots[k].end; {
		case end > start:
			m.split(k, start)
			return k + 1, before
		case end == start:
			if k+1 == len(m.slots) {
				return -1, before
			}
			return k + 1, before
		}
		before = k
	}
	return -1, before
}

// split makes two slots of one. The first may be left without length, as slurmctld does.
func (m *slotMap) split(k int, at int64) {
	m.slots = append(m.slots, slot{})
	copy(m.slots[k+2:], m.slots[k+1:])
	s := &m.slots[k]
	second := slot{begin: at, end: s.end, free: s.free.clone()}
	if s.licenses != nil {
		second.licenses = append([]int64(nil), s.licenses...)
	}
	s.end = at
	m.slots[k+1] = second
	m.records++
}

// join makes one slot of the first two neighbours from before on that are equal, up to slot after.
func (m *slotMap) join(before, after int) {
	for k := before; k < after && k+1 < len(m.slots); k++ {
		a, b := &m.slots[k], &m.slots[k+1]
		if !a.free.equal(b.free) || !equal(a.licenses, b.licenses) {
			continue
		}
		a.end = b.end
		m.slots = append(m.slots[:k+1], m.slots[k+2:]...)
		return
	}
}

func equal(a, b []int64) bool {
	for k := range a {
		if a[k] != b[k] {
			return false
		}
	}
	return len(a) == len(b)
}

// during takes out of avail what is kept for others from start to end, and finds when to look again: at the end of
// the first slot after which there are nodes that are not free all along until then; 0 is never. usable are the
// nodes that the job could have. Where licences do not suffice in some slot, short is true and the job is to look again at
// its end.
func (m *slotMap) during(start, end int64, avail, usable, scratch set, looksOn bool, suffice func(free []int64) bool) (later int64, short bool) {
	for k := range m.slots {
		s := &m.slots[k]
		if s.end > start && later == 0 && k+1 < len(m.slots) {
			copy(scratch, usable)
			scratch.and(m.slots[k+1].free)
			if !withinBoth(scratch, avail, s.free) {
				later = s.end
			}
		}
		switch {
		case s.end <= start:
		case s.begin <= end:
			avail.and(s.free)
			if s.licenses != nil && !suffice(s.licenses) {
				later, short = s.end, true
				if looksOn {
					return later, short
				}
			}
		default:
			if looksOn && later == 0 && k+2 < len(m.slots) {
				later = m.slots[k+1].end
			}
			return later, short
		}
	}
	return later, short
}

// withinBoth reports that all of s is in a and in b.
func withinBoth(s, a, b set) bool {
	for i, w := range s {
		if w&^(a[i]&b[i]) != 0 {
			return false
		}
	}
	return true
}

// taken reports that some of the nodes, or too many licences, are kept for others at some time from start to
// before end (_test_resv_overlap).
func (m *slotMap) taken(nodes set, start, end int64, suffice func(free []int64) bool) bool {
	for k := range m.slots {
		s := &m.slots[k]
		if s.end > start && s.begin < end && (!nodes.within(s.free) || s.licenses != nil && !suffice(s.licenses)) {
			return true
		}
	}
	return false
}

// nextKept is the first time after now at which some of the nodes are kept for others, before end; end if there is none.
func (m *slotMap) nextKept(nodes set, now, end int64) int64 {
	for k := range m.slots {
		if s := &m.slots[k]; s.begin != now && s.begin < end && !nodes.within(s.free) {
			end = min(end, s.begin)
		}
	}
	return end
}

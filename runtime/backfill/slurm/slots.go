package slurm

import "slices"

// slotMap is the map of the backfill cycle: which nodes are kept for no job, slot by slot of time. Slots follow each
// other without gaps; the last one ends with the window. What is asked of every slot over and over is in arrays of its
// own: how many nodes of each partition are free, and after which slot some node comes free.
type slotMap struct {
	resolution int64
	windowEnd  int64
	begin      []int64
	free       []set
	licenses   [][]int64 // free ones; nil where they are not planned
	records    int64     // made so far, whether they are still there or not: what bf_node_space_size bounds
	version    int       // counts changes
	half       set       // what during found without the slot that begins where the job ends

	plain      bool // each slot is looked at
	blocks     blocks
	partitions []set
	counts     [][]int32 // by partition, then slot
	grows      [][]bool  // by partition, then slot: a node is free in the next slot that is not in this one
}

func (m *slotMap) open(begin, end, resolution int64, free set, licenses []int64, partitions []set) {
	*m = slotMap{resolution: resolution, windowEnd: floor(end, resolution), begin: []int64{floor(begin, resolution)},
		free: []set{free}, records: 1, half: free.clone(), partitions: partitions}
	m.blocks = blocks{start: []int{0}, all: []set{free.clone()}}
	if licenses != nil {
		m.licenses = [][]int64{licenses}
	}
	for _, nodes := range partitions {
		m.counts, m.grows = append(m.counts, []int32{int32(free.common(nodes))}), append(m.grows, []bool{false})
	}
}

func floor(t, resolution int64) int64 { return t / resolution * resolution }

func (m *slotMap) end(k int) int64 {
	if k+1 < len(m.begin) {
		return m.begin[k+1]
	}
	return m.windowEnd
}

// at is the first slot that ends after a time; their number if none does.
func (m *slotMap) at(t int64) int {
	k, _ := slices.BinarySearch(m.begin, t+1)
	if k == len(m.begin) && m.windowEnd <= t {
		return k
	}
	return max(0, k-1)
}

// keep takes nodes and licences out of the slots from start to end (_add_reservation). It is for one slot at least.
// What begins where the map ends is kept for no job: it reports false.
func (m *slotMap) keep(start, end int64, nodes set, take func(free []int64)) bool {
	m.version++
	start = max(start, m.begin[0])
	end = max(end, start+m.resolution)
	at, before := m.cut(start)
	if at < 0 {
		return false
	}
	last := at
	low, high := nodes.bounds()
	some := nodes[low:high]
	for ; last < len(m.begin); last++ {
		if end < m.end(last) {
			m.split(last, end)
		}
		free := m.free[last][low:high]
		for p, part := range m.partitions {
			m.counts[p][last] -= int32(common3(free, some, part[low:high]))
		}
		free.without(some)
		if take != nil && m.licenses != nil {
			take(m.licenses[last])
		}
		if end == m.end(last) {
			break
		}
	}
	m.blocks.kept(at, min(last, len(m.begin)-1), nodes)
	m.join(before, last+1)
	for k := max(0, at-2); k <= last+1 && k < len(m.begin); k++ {
		m.grow(k)
	}
	return true
}

// cut makes start the begin of a slot. It returns that slot, -1 if there is none, and the slot from which on equal
// ones are joined.
func (m *slotMap) cut(start int64) (at, before int) {
	k := m.at(start - 1) // the first that ends at start or later
	if k == len(m.begin) {
		return -1, max(0, k-1)
	}
	before = max(0, k-1)
	if m.end(k) > start {
		m.split(k, start)
	} else if k+1 == len(m.begin) {
		return -1, before
	}
	return k + 1, before
}

// split makes two slots of one. The first may be left without length, as slurmctld does.
func (m *slotMap) split(k int, at int64) {
	m.begin = slices.Insert(m.begin, k+1, at)
	m.free = slices.Insert(m.free, k+1, m.free[k].clone())
	if m.licenses != nil {
		m.licenses = slices.Insert(m.licenses, k+1, slices.Clone(m.licenses[k]))
	}
	for p := range m.partitions {
		m.counts[p] = slices.Insert(m.counts[p], k+1, m.counts[p][k])
		m.grows[p] = slices.Insert(m.grows[p], k, false)
	}
	m.inserted(k + 1)
	m.records++
}

// join makes one slot of the first two neighbours from before on that are equal, up to slot after.
func (m *slotMap) join(before, after int) {
	for k := before; k < after && k+1 < len(m.begin); k++ {
		if !m.free[k].equal(m.free[k+1]) || m.licenses != nil && !slices.Equal(m.licenses[k], m.licenses[k+1]) {
			continue
		}
		m.begin, m.free = slices.Delete(m.begin, k+1, k+2), slices.Delete(m.free, k+1, k+2)
		if m.licenses != nil {
			m.licenses = slices.Delete(m.licenses, k+1, k+2)
		}
		for p := range m.partitions {
			m.counts[p], m.grows[p] = slices.Delete(m.counts[p], k+1, k+2), slices.Delete(m.grows[p], k, k+1)
		}
		m.deleted(k + 1)
		return
	}
}

// grow notes whether a node of a partition comes free with the slot after k.
func (m *slotMap) grow(k int) {
	for p, nodes := range m.partitions {
		m.grows[p][k] = k+1 < len(m.begin) && !nodes.commonWithin(m.free[k+1], m.free[k], m.free[k])
	}
}

// quick is what can be stated of a job's chances without looking at nodes one by one.
type quick struct {
	on        bool
	foresees  bool // a time at which what runs leaves too few nodes is skipped, not only one at which what is kept does
	partition int32
	nodes     int32
	seconds   int64
	looksOn   bool
	ready     int64  // there is no start earlier
	none      *spans // nor is there one within these
}

// passes reports that there is no start at a time nor up to the next one to try.
func (q *quick) passes(at, next int64) bool {
	return next < q.ready || next < q.none.until(at)
}

// skip moves on from a time until so many nodes of a partition may be free for the whole of seconds, as during would
// move on from failure to failure; ok is false where the job is given up on the way. As long as no node comes free
// from slot to slot, the nodes that are free all along are those of the slot reached, so the next time to try is the
// end of the first slot after which one does. A time is also skipped if the next one to try comes before there can be
// a start.
func (m *slotMap) skip(q *quick, at int64) (then int64, ok bool) {
	counts := m.counts[q.partition]
	for k := m.at(at); k < len(counts); {
		if next, after := m.hop(q, k, at+q.seconds); after != 0 && q.passes(at, next) {
			at, k = next, after
			continue
		}
		short := k
		for short < len(counts) && m.begin[short] <= at+q.seconds && counts[short] >= q.nodes {
			short++
		}
		if short == len(counts) || m.begin[short] > at+q.seconds {
			return at, true
		}
		for k <= short {
			next, after := m.hop(q, k, at+q.seconds)
			if after == 0 {
				return at, false
			}
			if m.begin[short] < floor(at+q.seconds, m.resolution) {
				q.none.add(at, next)
			}
			at, k = next, after
		}
	}
	return at, true
}

// hop is the end of the first slot from k on after which a node comes free, if that slot begins by end or is the
// first after; and the slot then reached, 0 if there is none.
func (m *slotMap) hop(q *quick, k int, end int64) (next int64, after int) {
	for grows := m.grows[q.partition]; k < len(grows); k++ {
		switch {
		case grows[k]:
			return m.begin[k+1], k + 1
		case m.begin[k] > end:
			if q.looksOn && k+2 < len(grows) {
				return m.begin[k+2], k + 2
			}
			return 0, 0
		}
	}
	return 0, 0
}

// during takes out of avail what is kept for others from start to end, and finds when to look again: at the end of the
// first slot after which there are nodes that are not free all along until then; 0 is never. usable are the nodes that
// the job could have. Where licences do not suffice in some slot, short is true and the job is to look again at its
// end.
func (m *slotMap) during(start, end int64, avail, usable set, looksOn bool,
	suffice func(free []int64) bool) (later int64, short bool) {
	inside, copied := floor(end, m.resolution), false
	defer func() {
		if !copied {
			copy(m.half, avail)
		}
	}()
	for k := m.at(start); k < len(m.begin); k++ {
		if last, all := m.whole(k); later != 0 && all != nil && m.begin[last-1] <= end &&
			(copied || m.begin[last-1] < inside) {
			avail.and(all)
			k = last - 1
			continue
		}
		if later == 0 && k+1 < len(m.begin) && !usable.commonWithin(m.free[k+1], avail, m.free[k]) {
			later = m.end(k)
		}
		if m.begin[k] > end {
			if looksOn && later == 0 && k+2 < len(m.begin) {
				later = m.end(k + 1)
			}
			return later, short
		}
		if m.begin[k] >= inside && !copied {
			copy(m.half, avail)
			copied = true
		}
		avail.and(m.free[k])
		if m.licenses != nil && !suffice(m.licenses[k]) {
			later, short = m.end(k), true
			if looksOn {
				return later, short
			}
		}
	}
	return later, short
}

// taken reports that some of the nodes, or too many licences, are kept for others at some time from start to
// before end (_test_resv_overlap).
func (m *slotMap) taken(nodes set, start, end int64, suffice func(free []int64) bool) bool {
	low, high := nodes.bounds()
	nodes = nodes[low:high]
	for k := m.at(start); k < len(m.begin) && m.begin[k] < end; k++ {
		if last, all := m.whole(k); all != nil && m.begin[last-1] < end {
			if !nodes.within(all[low:high]) {
				return true
			}
			k = last - 1
			continue
		}
		if !nodes.within(m.free[k][low:high]) || m.licenses != nil && !suffice(m.licenses[k]) {
			return true
		}
	}
	return false
}

// nextKept is the first time after now at which some of the nodes are kept for others, before end; end if there is
// none.
func (m *slotMap) nextKept(nodes set, now, end int64) int64 {
	for k, begin := range m.begin {
		if begin != now && begin < end && !nodes.within(m.free[k]) {
			return begin
		}
	}
	return end
}

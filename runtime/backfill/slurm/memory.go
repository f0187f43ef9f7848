package slurm

import "slices"

// memory is what is known of jobs that want the same.
type memory struct {
	// As long as map and running jobs are the same, the same becomes of another one: if this is what became of the last
	// one, nothing is kept for it and it does not start.
	known            bool
	version, running int
	start            int64 // estimated; 0 is none
	keeps            bool  // the start that the job has stays
	counted          bool  // as a job whose placement was tried
	beyond           bool  // its start is after the window

	none   *spans // no start is within these, in this cycle
	placed int64  // the time at which placement was tried
}

// spans are spans of time, one after the other, without their ends.
type spans struct{ from, to []int64 }

// until is the end of the span that a time is in; 0 if it is in none.
func (s *spans) until(t int64) int64 {
	k, found := slices.BinarySearch(s.from, t)
	if !found {
		k--
	}
	if k < 0 || s.to[k] <= t {
		return 0
	}
	return s.to[k]
}

// add makes one of all spans that touch the new one.
func (s *spans) add(from, to int64) {
	first, _ := slices.BinarySearch(s.to, from) // the first that does not end before
	last := first
	for last < len(s.from) && s.from[last] <= to {
		from, to = min(from, s.from[last]), max(to, s.to[last])
		last++
	}
	s.from, s.to = slices.Replace(s.from, first, last, from), slices.Replace(s.to, first, last, to)
}

// shape is what decides how many nodes there are for a job at a time.
type shape struct {
	fit            *uint64
	alone          bool
	nodes, seconds int64
}

// question is what jobs that want the same have in common.
type question struct {
	kind    int32
	nowOnly bool
	planned int64
}

// remembers gives the attempt the memory of others.
func (a *attempt) remembers() {
	p := a.p
	if a.lost != p.lost { // nothing holds any more that was known of nodes that are not free
		a.lost, a.memories, a.shapes, a.stairs = p.lost, map[question]*memory{}, map[shape]*spans{}, nil
	}
	if a.gone != nil || a.stay != nil || a.r.Het != 0 || a.w.kind == 0 || p.owns || p.slots.licenses != nil ||
		len(p.in.Cluster.Reservations) > 0 || p.in.Settings.LimitStop || a.r.Reservation != "" ||
		p.gresCount > 0 && p.rules.gresWeight {
		return
	}
	q := question{a.w.kind, a.nowOnly, a.planned}
	if a.memory = a.memories[q]; a.memory == nil {
		s := shape{&a.w.fit[0], a.w.alone, a.w.nodesMin, a.planned}
		if a.shapes[s] == nil {
			a.shapes[s] = &spans{}
		}
		a.memory = &memory{none: a.shapes[s]}
		a.memories[q] = a.memory
	}
}

// run is search, if the answer is not known yet.
func (a *attempt) run() fate {
	p := a.p
	a.remembers()
	m := a.memory
	if m == nil || a.before != 0 {
		return a.search()
	}
	if !m.known || m.version != p.slots.version || m.running != p.epoch {
		result := a.search()
		m.known = result == refused && !a.asked
		m.version, m.running, m.start, m.keeps, m.counted = p.slots.version, p.epoch, a.estimated, a.keeps, a.counted
		m.beyond = a.beyond
		return result
	}
	if m.counted {
		p.tried++
	}
	if m.beyond {
		p.bind(a.e, "bf_window")
	}
	switch {
	case m.start != 0:
		a.estimate(m.start)
	case !m.keeps:
		a.j.start = 0
	}
	return refused
}

// staircases remember before which times there is no start for jobs of so many whole nodes and so many seconds. It
// holds for larger and for longer jobs on the same nodes as well, and for the rest of the cycle, as the map only loses
// nodes. Each is a table in which the largest time of all smaller and shorter jobs is found in a few steps.
type staircases struct {
	nodes, seconds []int64 // the sizes there are, in order
	tables         map[shape][]int64
}

// staircases notes what the entries of the queue ask for.
func (p *planner) staircases() *staircases {
	s := &staircases{tables: map[shape][]int64{}}
	nodes, seconds := map[int64]bool{}, map[int64]bool{}
	for _, entry := range p.queue {
		e := &p.in.Entries[entry]
		if p.jobs[e.Request].tasks > 0 {
			_, planned := p.limit(e)
			nodes[p.wantOf(entry).nodesMin], seconds[planned] = true, true
		}
	}
	for n := range nodes {
		s.nodes = append(s.nodes, n)
	}
	for n := range seconds {
		s.seconds = append(s.seconds, n)
	}
	slices.Sort(s.nodes)
	slices.Sort(s.seconds)
	return s
}

// none is a time before which there is no start.
func (s *staircases) none(w *want, seconds int64) int64 {
	table, most := s.tables[shape{fit: &w.fit[0], alone: w.alone}], int64(0)
	if table == nil {
		return 0
	}
	n, _ := slices.BinarySearch(s.nodes, w.nodesMin)
	d, _ := slices.BinarySearch(s.seconds, seconds)
	for i := n + 1; i > 0; i &= i - 1 {
		for row, k := table[i*(len(s.seconds)+1):], d+1; k > 0; k &= k - 1 {
			most = max(most, row[k])
		}
	}
	return most
}

// note a time before which there is no start.
func (s *staircases) note(w *want, seconds, at int64) {
	group := shape{fit: &w.fit[0], alone: w.alone}
	table := s.tables[group]
	if table == nil {
		table = make([]int64, (len(s.nodes)+1)*(len(s.seconds)+1))
		s.tables[group] = table
	}
	n, _ := slices.BinarySearch(s.nodes, w.nodesMin)
	d, _ := slices.BinarySearch(s.seconds, seconds)
	for i := n + 1; i <= len(s.nodes); i += i & -i {
		for row, k := table[i*(len(s.seconds)+1):], d+1; k <= len(s.seconds); k += k & -k {
			row[k] = max(row[k], at)
		}
	}
}

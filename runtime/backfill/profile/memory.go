package profile

import "sort"

// memory is what searches for one demand have found out about words of nodes.
type memory struct {
	seconds  []int64           // ascending
	full     map[int64]fullFor // by the fewest tasks that are of use on a node
	version  int
	roomiest int64 // Demand.Roomiest; −1 before it is asked
	rung     int   // on which the last search ended
}

// fullFor says, by duration and word, in which slots no node of the word has room for a start. It holds as long as
// nothing is given back, for jobs that run as long and longer.
type fullFor [][]run

// run are the slots from one on and before another one.
type run struct{ from, to int32 }

const mostMemories = 32

// Remember lets searches for this demand, or a copy of it with other sizes, learn from each other. The
// durations are those that will be asked.
func (d *Demand) Remember(seconds []int64) {
	d.memory = &memory{seconds: lines(seconds, mostMemories), full: map[int64]fullFor{}, roomiest: -1}
}

// likely is the rung on which a search may end.
func (d *Demand) likely() int {
	if d.memory == nil {
		return 0
	}
	return d.memory.rung
}

// ended notes the rung on which a search has.
func (d *Demand) ended(rung int) {
	if d.memory != nil {
		d.memory.rung = rung
	}
}

// Forget makes searches for this copy of the demand look for themselves.
func (d *Demand) Forget() { d.memory = nil }

// roomiest is Demand.Roomiest, looked up once.
func (n *Nodes) roomiest(d *Demand) int64 {
	switch m := d.memory; {
	case m == nil:
		return d.Roomiest(n.capacity)
	case m.roomiest < 0:
		m.roomiest = d.Roomiest(n.capacity)
	}
	return d.memory.roomiest
}

// recall begins a search in a slot with what is known.
func (s *search) recall(slot int) {
	clear(s.zero)
	m := s.d.memory
	if m == nil {
		return
	}
	if m.version != s.n.version {
		m.version = s.n.version
		clear(m.full)
	}
	full := m.full[s.few]
	if full == nil {
		full = make(fullFor, len(m.seconds))
		m.full[s.few] = full
	}
	above := sort.Search(len(m.seconds), func(i int) bool { return m.seconds[i] >= s.seconds })
	below := above
	if above == len(m.seconds) || m.seconds[above] > s.seconds {
		below--
	}
	if below >= 0 {
		for word, r := range full[below] {
			if int(r.from) <= slot {
				s.zero[word] = r.to
			}
		}
	}
	if above < len(m.seconds) { // what is found holds for those that run longer
		if full[above] == nil {
			full[above] = make([]run, len(s.zero))
		}
		s.known = full[above]
	}
}

// note keeps what was found of a word in a slot.
func (s *search) note(word, slot int, able uint64, zero int32) {
	if s.known == nil || able != 0 {
		return
	}
	if r := &s.known[word]; int(r.from) <= slot && slot <= int(r.to) {
		r.to = max(r.to, zero)
	} else {
		*r = run{int32(slot), zero}
	}
}

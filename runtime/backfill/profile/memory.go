package profile

import "sort"

// memory is what searches for one demand have found out about words of nodes, for some durations: that
// no node of a word has room for a start in some slots. It holds as long as nothing is given back,
// for jobs that run as long and longer.
type memory struct {
	seconds []int64 // ascending
	full    [][]run // by duration and word
	version int
}

// run are the slots from one on and before another one.
type run struct{ from, to int32 }

const mostMemories = 32

// Remember lets searches for this demand, or a copy of it with other sizes, learn from each other. The
// durations are those that will be asked.
func (d *Demand) Remember(seconds []int64) {
	m := &memory{seconds: lines(seconds, mostMemories)}
	m.full = make([][]run, len(m.seconds))
	d.memory = m
}

// Forget makes searches for this copy of the demand look for themselves.
func (d *Demand) Forget() { d.memory = nil }

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
	above := sort.Search(len(m.seconds), func(i int) bool { return m.seconds[i] >= s.seconds })
	below := above
	if above == len(m.seconds) || m.seconds[above] > s.seconds {
		below--
	}
	if below >= 0 {
		for word, r := range m.full[below] {
			if int(r.from) <= slot {
				s.zero[word] = r.to
			}
		}
	}
	if above < len(m.seconds) { // what is found holds for those that run longer
		if m.full[above] == nil {
			m.full[above] = make([]run, len(s.zero))
		}
		s.full = m.full[above]
	}
}

// note keeps what was found of a word in a slot.
func (s *search) note(word, slot int, able uint64, zero int32) {
	if s.full == nil || able != 0 {
		return
	}
	if r := &s.full[word]; int(r.from) <= slot && slot <= int(r.to) {
		r.to = max(r.to, zero)
	} else {
		*r = run{int32(slot), zero}
	}
}

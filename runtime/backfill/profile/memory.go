package profile

import "sort"

// memory is what searches for one demand have found out about words of nodes, for some durations: that
// no node of a word has room for a start in a slot before. It holds as long as nothing is given back,
// for jobs that run as long and longer.
type memory struct {
	seconds []int64   // ascending
	zero    [][]int32 // by duration and word
	version int
}

const mostMemories = 16

// Remember lets searches for this demand, or a copy of it with other sizes, learn from each other. The
// durations are those that will be asked.
func (d *Demand) Remember(seconds []int64) {
	m := &memory{seconds: lines(seconds, mostMemories)}
	m.zero = make([][]int32, len(m.seconds))
	d.memory = m
}

// Forget makes searches for this copy of the demand look for themselves.
func (d *Demand) Forget() { d.memory = nil }

// recall begins a search with what is known.
func (s *search) recall() {
	clear(s.zero)
	m := s.d.memory
	if m == nil {
		return
	}
	if m.version != s.n.version {
		m.version = s.n.version
		clear(m.zero)
	}
	at := sort.Search(len(m.seconds), func(i int) bool { return m.seconds[i] > s.seconds }) - 1
	if at < 0 {
		return
	}
	if m.zero[at] == nil {
		m.zero[at] = make([]int32, len(s.zero))
	}
	copy(s.zero, m.zero[at])
	if m.seconds[at] == s.seconds {
		s.kept = m.zero[at]
	}
}

// note keeps what was found of a word in a slot, if what lies before is known too.
func (s *search) note(word, slot int, able uint64, zero int32) {
	if s.kept == nil || slot > 0 && int(s.kept[word]) < slot {
		return
	}
	if able != 0 {
		zero = int32(slot)
	}
	s.kept[word] = max(s.kept[word], zero)
}

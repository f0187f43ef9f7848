package slurm

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// TestSlots compares the map with one that has a set of nodes for each minute.
func TestSlots(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		const minutes, nodes = 200, 70
		all, half := newSet(nodes), newSet(nodes)
		all.addRange(0, nodes)
		half.addRange(0, nodes/2)
		var m slotMap
		m.open(0, minutes*60, 60, all.clone(), nil, []set{all, half})
		var plain [minutes]set
		for k := range plain {
			plain[k] = all.clone()
		}
		for range rapid.IntRange(1, 60).Draw(t, "jobs") {
			from := rapid.IntRange(0, minutes-1).Draw(t, "from")
			to := rapid.IntRange(from, minutes+5).Draw(t, "to")
			first := rapid.Int32Range(0, nodes-1).Draw(t, "node")
			taken := newSet(nodes)
			taken.addRange(first, min(nodes, first+rapid.Int32Range(1, 20).Draw(t, "nodes")))
			m.keep(int64(from)*60, int64(to)*60, taken, nil)
			for k := from; k < min(minutes, max(to, from+1)); k++ {
				plain[k].without(taken)
			}
		}
		for k := range plain {
			at := m.at(int64(k) * 60)
			if !m.free[at].equal(plain[k]) {
				t.Fatalf("minute %d: %v are free, %v should be", k, m.free[at].members(), plain[k].members())
			}
			for p, part := range m.partitions {
				if want := int32(plain[k].common(part)); m.counts[p][at] != want {
					t.Fatalf("minute %d: %d of partition %d are counted, %d are free", k, m.counts[p][at], p, want)
				}
				if k+1 == minutes || m.end(at) != int64(k+1)*60 {
					continue
				}
				more := plain[k+1].clone()
				more.without(plain[k])
				if m.grows[p][at] != more.meets(part) {
					t.Fatalf("after minute %d nodes %v come free, and the map says %t", k, more.members(), m.grows[p][at])
				}
			}
		}
		for k := range m.blocks.start {
			end, all := m.whole(m.blocks.start[k])
			want := m.free[m.blocks.start[k]].clone()
			for at := m.blocks.start[k]; at < end; at++ {
				want.and(m.free[at])
			}
			if !all.equal(want) || end-m.blocks.start[k] > 2*blockSize || end == m.blocks.start[k] {
				t.Fatalf("slots %d to %d: %v are said to be free all through, %v are", m.blocks.start[k], end, all.members(),
					want.members())
			}
		}
		for k := range m.begin {
			if k > 0 && m.begin[k] < m.begin[k-1] {
				t.Fatalf("slots begin at %v", m.begin)
			}
		}
	})
}

package profile

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRoomiestAgreeWithTheirTwin: on crowded machines, where each level of each amount has its bits, jobs that take the
// roomiest nodes start when and where the twin has them start.
func TestRoomiestAgreeWithTheirTwin(t *testing.T) {
	draw := rand.New(rand.NewPCG(20, 4))
	found, waits := 0, 0
	for range 300 {
		f, w := checkRoomiest(t, draw)
		found, waits = found+f, waits+w
	}
	if found < 800 || waits < 400 {
		t.Errorf("%d jobs have a start, %d of them later: the machines show nothing", found, waits)
	}
}

func checkRoomiest(t *testing.T, draw *rand.Rand) (found, waits int) {
	count, dims := []int{3, 9, 66}[draw.IntN(3)], 1+draw.IntN(2)
	most := int64(4 + draw.IntN(5))
	twin := &plainNodes{spans: make([][]Span, count), private: make([]bool, count)}
	for range count {
		capacity := []int64{most - draw.Int64N(2), 2 * most}[:dims]
		twin.capacity = append(twin.capacity, capacity)
	}
	levels := make([][]int64, dims)
	for d := range levels {
		levels[d] = Levels([]int64{1, 2}, most*int64(d+1))
		if draw.IntN(3) == 0 {
			levels[d] = []int64{1, most / 2}
		}
	}
	n := NewNodes(1000, twin.capacity, twin.private, levels, []int64{1, 3, 7, 40}[draw.IntN(4)], draw.IntN(3) == 0)
	n.grid.most = []int{4, 9, 40, 300}[draw.IntN(4)]
	add := func(node int32, s Span) {
		n.Add(node, s)
		twin.spans[node] = append(twin.spans[node], s)
	}
	user := int32(0)
	if draw.IntN(4) == 0 { // users matter
		user = 1
	}
	for node := range count {
		for from := int64(1000); from < 1030; from += 1 + draw.Int64N(12) {
			s := Span{From: from, To: from + 1 + draw.Int64N(12), Amounts: []int64{1 + draw.Int64N(most-1), 1}[:dims]}
			if s.User = user * (1 + draw.Int32N(2)); user > 0 {
				s.Private = draw.IntN(4) == 0
			}
			add(int32(node), s)
		}
	}
	shapes := make([]*Demand, 3)
	for k := range shapes {
		d := &Demand{Eligible: []uint64{^uint64(0), ^uint64(0)}, Base: []int64{0, draw.Int64N(2)}[:dims],
			Task: []int64{1 + draw.Int64N(2), draw.Int64N(2)}[:dims], Most: 12, User: user}
		d.Eligible = d.Eligible[:(count+63)/64]
		d.Eligible[len(d.Eligible)-1] >>= (64 - count%64) % 64
		d.Remember([]int64{2, 9})
		shapes[k] = d
	}
	for range 15 {
		d := *shapes[draw.IntN(len(shapes))]
		d.Nodes, d.Tasks = 1+draw.Int64N(3), 1+draw.Int64N(int64(count)*most)
		if draw.IntN(3) == 0 {
			d.NodesMax = d.Nodes + draw.Int64N(3)
		}
		after, seconds := 1000+draw.Int64N(20), 1+draw.Int64N(15)
		before := after + 1 + draw.Int64N(45)
		start, shares, ok := n.FirstFit(&d, after, before, seconds)
		want, wantShares, wantOK := twin.firstFit(&d, after, before, seconds)
		if ok != wantOK || start != want || !slices.Equal(shares, wantShares) {
			t.Fatalf("%+v in [%d, %d) for %d: %d %v %v, twin %d %v %v", d, after, before, seconds, start, shares, ok, want,
				wantShares, wantOK)
		}
		if !ok {
			continue
		}
		if found++; start > after {
			waits++
		}
		for _, s := range shares {
			amounts := make([]int64, dims)
			for i := range amounts {
				amounts[i] = d.Base[i] + s.Tasks*d.Task[i]
			}
			add(s.Node, Span{From: start, To: start + seconds, Amounts: amounts, User: user})
		}
	}
	return found, waits
}

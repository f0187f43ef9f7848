package profile

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// plainNodes is the twin of Nodes: spans, and every second tried.
type plainNodes struct {
	capacity [][]int64
	private  []bool
	spans    [][]Span
}

// room is how many tasks a node has room for in one second.
func (n *plainNodes) room(d *Demand, node int, at int64) int64 {
	free := slices.Clone(n.capacity[node])
	others, private := false, d.Private || n.private[node]
	for _, s := range n.spans[node] {
		if s.From > at || s.To <= at {
			continue
		}
		for i, a := range s.Amounts {
			free[i] -= a
		}
		others = others || s.User != 0 && s.User != d.User
		private = private || s.User != 0 && s.Private
	}
	if others && private {
		return 0
	}
	tasks := d.Most
	for tasks > 0 {
		fits := true
		for i := range free {
			wants := d.Base[i] + tasks*d.Task[i]
			fits = fits && (wants == 0 || wants <= free[i])
		}
		if fits {
			break
		}
		tasks--
	}
	if d.Fixed && tasks < d.Most {
		return 0
	}
	return tasks
}

func (n *plainNodes) firstFit(d *Demand, after, before, seconds int64) (int64, []Share, bool) {
	for at := after; at < before; at++ {
		var nodes []int32
		var tasks []int64
		for node := range n.capacity {
			if d.Eligible[node/64]&(1<<(node%64)) == 0 {
				continue
			}
			room := n.room(d, node, at)
			for s := at; s < at+seconds && room > 0; s++ {
				room = min(room, n.room(d, node, s))
			}
			if room > 0 {
				nodes, tasks = append(nodes, int32(node)), append(tasks, room)
			}
		}
		if shares, ok := d.share(nodes, tasks, new([]Share)); ok {
			return at, shares, true
		}
	}
	return 0, nil, false
}

func TestNodesAgreeWithTheirTwin(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		dims := rapid.IntRange(1, 3).Draw(t, "dimensions")
		amounts := func(most int64, name string) []int64 {
			return rapid.SliceOfN(rapid.Int64Range(0, most), dims, dims).Draw(t, name)
		}
		count := rapid.SampledFrom([]int{1, 3, 70}).Draw(t, "nodes")
		twin := &plainNodes{spans: make([][]Span, count)}
		for range count {
			if len(twin.capacity) > 3 {
				twin.capacity, twin.private = append(twin.capacity, twin.capacity[0]), append(twin.private, false)
				continue
			}
			twin.capacity = append(twin.capacity, amounts(8, "capacity"))
			twin.private = append(twin.private, rapid.Bool().Draw(t, "private"))
		}
		levels := make([][]int64, dims)
		for d := range levels {
			levels[d] = rapid.SliceOfN(rapid.Int64Range(1, 8), 0, 4).Draw(t, "levels")
		}
		width := rapid.SampledFrom([]int64{1, 4, 50, 1000}).Draw(t, "width")
		aligned := rapid.Bool().Draw(t, "aligned")
		step := int64(1)
		if aligned && rapid.Bool().Draw(t, "keeps it") {
			step = min(width, 10)
		}
		n := NewNodes(1000, twin.capacity, twin.private, levels, width, aligned)
		n.grid.most = rapid.SampledFrom([]int{2, 5, 300}).Draw(t, "slots") // few, so that the plan outgrows them
		type placed struct {
			node int32
			Span
		}
		var all []placed
		var asked []*Demand
		for range rapid.IntRange(0, 25).Draw(t, "operations") {
			switch op := rapid.IntRange(0, 5).Draw(t, "operation"); {
			case op == 0 && len(all) > 0:
				i := rapid.IntRange(0, len(all)-1).Draw(t, "which")
				s := all[i]
				all = slices.Delete(all, i, i+1)
				if !n.Remove(s.node, s.Span) {
					t.Fatal("what was added is not there")
				}
				spans := twin.spans[s.node]
				k := slices.IndexFunc(spans, func(o Span) bool {
					return o.From == s.From && o.To == s.To && o.User == s.User && o.Private == s.Private &&
						slices.Equal(o.Amounts, s.Amounts)
				})
				twin.spans[s.node] = slices.Delete(spans, k, k+1)
			case op <= 2:
				from := 1000 + step*rapid.Int64Range(0, 40).Draw(t, "from")
				s := Span{From: from, To: from + step*rapid.Int64Range(1, 30).Draw(t, "long"), Amounts: amounts(4, "amounts"),
					User: rapid.Int32Range(0, 2).Draw(t, "user"), Private: rapid.Bool().Draw(t, "alone")}
				node := rapid.Int32Range(0, int32(count-1)).Draw(t, "node")
				n.Add(node, s)
				twin.spans[node] = append(twin.spans[node], s)
				all = append(all, placed{node, s})
			default:
				d := &Demand{Eligible: []uint64{rapid.Uint64().Draw(t, "eligible"), ^uint64(0)}, Base: amounts(3, "base"),
					Task: amounts(3, "task"),
					Most: rapid.Int64Range(1, 3).Draw(t, "most"), Fixed: rapid.Bool().Draw(t, "fixed"), Nodes: rapid.Int64Range(1, 3).
						Draw(t, "wanted"),
					User: rapid.Int32Range(1, 2).Draw(t, "user"), Private: rapid.Bool().Draw(t, "private job")}
				if rapid.Bool().Draw(t, "users do not matter") {
					d.User, d.Private = 0, false
					for _, spans := range twin.spans {
						for _, s := range spans {
							if s.User != 0 {
								d.User = 1
							}
						}
					}
				}
				d.Eligible = d.Eligible[:(count+63)/64]
				if count < 64 {
					d.Eligible[0] &= 1<<count - 1
				} else {
					d.Eligible[1] &= 1<<(count-64) - 1
				}
				if !d.Fixed {
					d.Tasks = rapid.Int64Range(1, 6).Draw(t, "tasks")
					d.NodesMax = rapid.SampledFrom([]int64{0, 1, 2, 4}).Draw(t, "most nodes")
					if d.NodesMax > 0 && rapid.Bool().Draw(t, "enough nodes") {
						d.Nodes = min(d.Nodes, d.NodesMax)
					}
				}
				if rapid.Bool().Draw(t, "remembers") {
					d.Remember([]int64{1, 5, 20})
				}
				if len(asked) > 0 && rapid.Bool().Draw(t, "again") { // one of which something may be remembered
					again := *asked[rapid.IntRange(0, len(asked)-1).Draw(t, "which again")]
					if again.Nodes = d.Nodes; again.NodesMax > 0 {
						again.Nodes = min(d.Nodes, again.NodesMax)
					}
					if again.Tasks = d.Tasks; !again.Fixed && d.Fixed {
						again.Tasks = rapid.Int64Range(1, 6).Draw(t, "tasks again")
					}
					if again.User != 0 || d.User == 0 {
						d = &again
					}
				}
				asked = append(asked, d)
				after, seconds := rapid.Int64Range(1000, 1060).
					Draw(t, "after"), rapid.OneOf(rapid.Int64Range(1, 40), rapid.SampledFrom([]int64{1, 5, 20})).Draw(t, "seconds")
				before := after + rapid.Int64Range(0, 150).Draw(t, "before")
				got, shares, ok := n.FirstFit(d, after, before, seconds)
				want, wantShares, wantOK := twin.firstFit(d, after, before, seconds)
				if got != want || ok != wantOK || !slices.Equal(shares, wantShares) {
					t.Fatalf("%+v in [%d, %d) for %d: %d %v %v, twin %d %v %v", *d, after, before, seconds, got, shares, ok, want,
						wantShares, wantOK)
				}
				if ok {
					until := n.FreeUntil(d, shares, got)
					if until < got+seconds {
						t.Fatalf("found for %d seconds from %d, but free until %d", seconds, got, until)
					}
				}
			}
		}
	})
}

// The only node of a machine is a node like others.
func TestOneAgreesWithNodes(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		capacity := []int64{rapid.Int64Range(0, 8).Draw(t, "procs"), rapid.Int64Range(0, 8).Draw(t, "memory")}
		one := NewOne(1000, capacity)
		nodes := NewNodes(1000, [][]int64{capacity}, []bool{false}, [][]int64{{1, 2}, {4}}, 8, false)
		for range rapid.IntRange(0, 20).Draw(t, "operations") {
			amounts := rapid.SliceOfN(rapid.Int64Range(0, 3), 2, 2).Draw(t, "amounts")
			from, long := rapid.Int64Range(1000, 1050).Draw(t, "from"), rapid.Int64Range(1, 30).Draw(t, "long")
			if rapid.Bool().Draw(t, "add") {
				s := Span{From: from, To: from + long, Amounts: amounts}
				one.Add(0, s)
				nodes.Add(0, s)
				continue
			}
			d := &Demand{Eligible: []uint64{1}, Base: amounts, Task: []int64{1, 0}, Most: rapid.Int64Range(1, 3).Draw(t, "most"),
				Fixed: rapid.Bool().Draw(t, "fixed"), Nodes: rapid.Int64Range(1, 2).Draw(t, "nodes"), Tasks: rapid.Int64Range(1, 4).
					Draw(t, "tasks")}
			before := from + rapid.Int64Range(0, 80).Draw(t, "before")
			got, shares, ok := one.FirstFit(d, from, before, long)
			want, wantShares, wantOK := nodes.FirstFit(d, from, before, long)
			if ok != wantOK || ok && (got != want || !slices.Equal(shares, wantShares) ||
				one.FreeUntil(d, shares, got) != nodes.FreeUntil(d, shares, want)) {
				t.Fatalf("%+v: %d %v %v, as one of many %d %v %v", *d, got, shares, ok, want, wantShares, wantOK)
			}
		}
	})
}

// What is learnt of jobs that need a roomy node does not keep a smaller one from its start.
func TestMemoryOfSmallerJobs(t *testing.T) {
	n := NewNodes(1000, [][]int64{{4}}, []bool{false}, [][]int64{{1, 4}}, 10, true)
	n.Add(0, Span{From: 1000, To: 1100, Amounts: []int64{2}})
	d := Demand{Eligible: []uint64{1}, Base: []int64{0}, Task: []int64{1}, Most: 100, Nodes: 1, NodesMax: 1, Tasks: 4}
	d.Remember([]int64{10})
	for _, c := range []struct{ tasks, start int64 }{{4, 1100}, {1, 1000}, {4, 1100}} {
		d.Tasks = c.tasks
		if start, _, ok := n.FirstFit(&d, 1000, 2000, 10); !ok || start != c.start {
			t.Errorf("%d tasks start at %d, %t", c.tasks, start, ok)
		}
	}
}

// What is learnt from a time within a slot on does not hold for starts before it, which may end sooner.
func TestMemoryOfPartOfASlot(t *testing.T) {
	n := NewNodes(1000, [][]int64{{4}}, []bool{false}, [][]int64{{4}}, 100, false)
	n.Add(0, Span{From: 1100, To: 1200, Amounts: []int64{4}})
	d := Demand{Eligible: []uint64{1}, Base: []int64{0}, Task: []int64{1}, Most: 4, Fixed: true, Nodes: 1}
	d.Remember([]int64{20})
	for _, c := range []struct{ after, start int64 }{{1090, 1200}, {1000, 1000}, {1090, 1200}} {
		if start, _, ok := n.FirstFit(&d, c.after, 2000, 20); !ok || start != c.start {
			t.Errorf("from %d on it starts at %d, %t", c.after, start, ok)
		}
	}
}

// A node that is busy when a slot begins is asked from there on: what an earlier slot has found of it is over.
func TestBusyNodeOfAnEarlierSlot(t *testing.T) {
	n := NewNodes(1000, [][]int64{{4}, {4}}, []bool{false, false}, [][]int64{{1, 2, 3, 4}}, 10, false)
	n.Add(0, Span{From: 1001, To: 1013, Amounts: []int64{3}})
	n.Add(0, Span{From: 1027, To: 1037, Amounts: []int64{4}})
	n.Add(1, Span{From: 1018, To: 1030, Amounts: []int64{4}})
	d := Demand{Eligible: []uint64{3}, Base: []int64{0}, Task: []int64{1}, Most: 100, Nodes: 1, NodesMax: 2, Tasks: 6}
	if start, shares, ok := n.FirstFit(&d, 1000, 2000, 14); !ok || start != 1037 || len(shares) != 2 {
		t.Errorf("it starts at %d, %t, on %v", start, ok, shares)
	}
}

package maui

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/program"
)

func withSets(sets program.NodeSets, features [][]string) (*Planner, []candidate) {
	p := &Planner{settings: &program.MauiPlan{Sets: sets}, nodes: make([]node, len(features))}
	var list []candidate
	for i, names := range features {
		p.nodes[i] = node{Node: &backfill.Node{Capacity: backfill.Amounts{MemMB: int64(len(names))}}, index: int32(i),
			features: names}
		list = append(list, candidate{node: &p.nodes[i], tasks: 1})
	}
	return p, list
}

// TestSetsAreWhatNodesHaveInCommon: each set has the nodes with its name, in their order, and what may be of any of
// the sets is each node once.
func TestSetsAreWhatNodesHaveInCommon(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 4)
		s := program.NodeSets{Policy: "ANYOF", Attribute: "FEATURE",
			List: rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "x"}), 0, 3, rapid.ID[string]).Draw(t, "list")}
		p, list := withSets(s, rapid.SliceOfN(words, 0, 8).Draw(t, "features"))
		names := s.List
		if len(names) == 0 {
			for i := range p.nodes {
				for _, name := range p.nodes[i].features {
					if !slices.Contains(names, name) {
						names = append(names, name)
					}
				}
			}
		}
		sets := p.sets(list)
		if len(sets) != len(names) {
			t.Fatalf("%d sets of %v", len(sets), names)
		}
		any := map[int32]bool{}
		for k, name := range names {
			var want, got []int32
			for i := range p.nodes {
				if slices.Contains(p.nodes[i].features, name) {
					want, any[int32(i)] = append(want, int32(i)), true
				}
			}
			for _, c := range sets[k] {
				got = append(got, c.node.index)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("set %s is %v, want %v", name, got, want)
			}
		}
		last := int32(-1)
		for _, c := range union(sets) {
			if c.node.index <= last || !any[c.node.index] {
				t.Fatalf("node %d in the union", c.node.index)
			}
			last = c.node.index
			delete(any, last)
		}
		if len(any) > 0 {
			t.Fatalf("not in the union: %v", any)
		}
	})
}

// BenchmarkSets builds the sets of many nodes and their union: the time for a node is the same in both sizes.
func BenchmarkSets(b *testing.B) {
	for _, nodes := range []int{2000, 32000} {
		b.Run(fmt.Sprint(nodes), func(b *testing.B) {
			var features [][]string
			for k := range nodes {
				features = append(features, []string{"a", "b", fmt.Sprint("rack", k%50)})
			}
			p, list := withSets(program.NodeSets{Policy: "ANYOF", Attribute: "FEATURE"}, features)
			for b.Loop() {
				if len(union(p.sets(list))) != nodes {
					b.Fatal("nodes are missing")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*nodes), "ns/node")
		})
	}
}

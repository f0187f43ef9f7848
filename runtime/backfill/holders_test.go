package backfill

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// TestHolders: who leaves the nodes of a job last is found as by looking at all who have them, in a schedule in which
// any jobs overlap, also on a node that a job has twice.
func TestHolders(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		s := &Schedule{Cluster: &Cluster{Nodes: make([]Node, 4)}}
		kinds := []By{ByRunning, ByMain, ByReservation, ByEstimate,
			ByNone}
		for at := range rapid.IntRange(1, 40).Draw(t, "jobs") {
			place := Placement{Job: int32(at * 7 % 41), By: rapid.SampledFrom(kinds).Draw(t, "by")}
			if place.By != ByNone {
				place.Start = rapid.Int64Range(0, 12).Draw(t, "start")
				place.End = place.Start + rapid.Int64Range(0, 4).Draw(t, "length")
				for range rapid.IntRange(0, 4).Draw(t, "nodes") {
					place.Nodes = append(place.Nodes, Share{Node: rapid.Int32Range(0, 3).Draw(t, "node")})
				}
			}
			s.Placements = append(s.Placements, place)
		}
		holders, left := HoldersOf(s.Placements, 4), make([]bool, len(s.Placements))
		for _, at := range rapid.Permutation(leavable(s)).Draw(t, "leave") {
			holders.Leave(at)
			left[at] = true
			after, by := rapid.Int64Range(0, 12).Draw(t, "after"), rapid.Int64Range(0, 16).Draw(t, "by")
			got := append([]Leaver{}, holders.Before(&s.Placements[at], after, by)...)
			if want := leaversPlainly(s, left, at, after, by); !reflect.DeepEqual(got, want) {
				t.Fatalf("the nodes of job %d are left by %v, plainly by %v", at, got, want)
			}
		}
	})
}

func leavable(s *Schedule) []int {
	var list []int
	for at := range s.Placements {
		if s.Placements[at].By != ByNone {
			list = append(list, at)
		}
	}
	return list
}

// leaversPlainly looks at every node of every job.
func leaversPlainly(s *Schedule, left []bool, at int, after, by int64) []Leaver {
	found := []Leaver{}
	for share, n := range s.Placements[at].Nodes {
		last := after
		for pass := range 2 {
			for other := range s.Placements {
				place := &s.Placements[other]
				if left[other] || place.By == ByNone || place.End > by {
					continue
				}
				for _, has := range place.Nodes {
					switch {
					case has.Node != n.Node:
					case pass == 0:
						last = max(last, place.End)
					case place.End == last && last > after:
						found = append(found, Leaver{last, int32(other), int32(share)})
					}
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b Leaver) int {
		return cmp.Or(cmp.Compare(b.Until, a.Until), cmp.Compare(s.Placements[a.At].Job, s.Placements[b.At].Job),
			cmp.Compare(a.Share, b.Share))
	})
	return found
}

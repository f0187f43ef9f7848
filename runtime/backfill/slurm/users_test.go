package slurm

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/backfill"
)

// TestUsers: who leaves the nodes of a job last is found as by looking at all who have them, in a schedule in which
// any jobs overlap, also on a node that a job has twice.
func TestUsers(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		s := &backfill.Schedule{Cluster: &backfill.Cluster{Nodes: make([]backfill.Node, 4)}}
		kinds := []backfill.By{backfill.ByRunning, backfill.ByMain, backfill.ByReservation, backfill.ByEstimate,
			backfill.ByNone}
		for at := range rapid.IntRange(1, 40).Draw(t, "jobs") {
			place := backfill.Placement{Job: int32(at * 7 % 41), By: rapid.SampledFrom(kinds).Draw(t, "by")}
			if place.By != backfill.ByNone {
				place.Start = rapid.Int64Range(0, 12).Draw(t, "start")
				place.End = place.Start + rapid.Int64Range(0, 4).Draw(t, "length")
				for range rapid.IntRange(0, 4).Draw(t, "nodes") {
					place.Nodes = append(place.Nodes, backfill.Share{Node: rapid.Int32Range(0, 3).Draw(t, "node")})
				}
			}
			s.Placements = append(s.Placements, place)
		}
		users, left := usersOf(s), make([]bool, len(s.Placements))
		for _, at := range rapid.Permutation(leavable(s)).Draw(t, "leave") {
			users.leave(at)
			left[at] = true
			after, by := rapid.Int64Range(0, 12).Draw(t, "after"), rapid.Int64Range(0, 16).Draw(t, "by")
			got := append([]leaver{}, users.before(&s.Placements[at], after, by)...)
			if want := leaversPlainly(s, left, at, after, by); !reflect.DeepEqual(got, want) {
				t.Fatalf("the nodes of job %d are left by %v, plainly by %v", at, got, want)
			}
		}
	})
}

func leavable(s *backfill.Schedule) []int {
	var list []int
	for at := range s.Placements {
		if s.Placements[at].By != backfill.ByNone {
			list = append(list, at)
		}
	}
	return list
}

// leaversPlainly looks at every node of every job.
func leaversPlainly(s *backfill.Schedule, left []bool, at int, after, by int64) []leaver {
	found := []leaver{}
	for share, n := range s.Placements[at].Nodes {
		last := after
		for pass := range 2 {
			for other := range s.Placements {
				place := &s.Placements[other]
				if left[other] || place.By == backfill.ByNone || place.End > by {
					continue
				}
				for _, has := range place.Nodes {
					switch {
					case has.Node != n.Node:
					case pass == 0:
						last = max(last, place.End)
					case place.End == last && last > after:
						found = append(found, leaver{last, int32(other), int32(share)})
					}
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b leaver) int {
		return cmp.Or(cmp.Compare(b.until, a.until), cmp.Compare(s.Placements[a.at].Job, s.Placements[b.at].Job),
			cmp.Compare(a.share, b.share))
	})
	return found
}

package slurm_test

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/slurm"
)

// featured is a queue of a cluster with switches, shared processors, jobs that preempt others, and heterogeneous
// jobs: some of these, in any combination.
func featured(t *rapid.T) *slurm.Input {
	in := queues(t)
	c, s := in.Cluster, in.Settings
	if chance(t, 50, "switches") {
		switches(t, in)
	}
	if chance(t, 40, "shared") {
		for k := range c.Partitions {
			p := &c.Partitions[k]
			p.Rows, p.Forced = rapid.SampledFrom([]int64{0, 1, 2, 3}).Draw(t, "rows"), chance(t, 60, "forced")
			p.Forced = p.Forced && p.Rows > 0
			p.Kept, p.LeastLoaded = chance(t, 20, "kept"), chance(t, 20, "least loaded")
		}
		for k := range in.Waiting {
			in.Waiting[k].Oversubscribes = chance(t, 50, "oversubscribes")
		}
	}
	if chance(t, 60, "preempt") {
		preemption(t, in)
	}
	if chance(t, 30, "het") {
		for k := range in.Waiting {
			if r := &in.Waiting[k]; r.TaskIDs == nil && chance(t, 50, "component") {
				r.Het = rapid.Int64Range(1, 3).Draw(t, "of")
			}
		}
		for k := range in.Running {
			if r := &in.Running[k]; chance(t, 20, "running component") {
				r.Het = rapid.Int64Range(11, 12).Draw(t, "of")
			}
		}
		s.HetPriority, s.HetImmediate = rapid.SampledFrom([]string{"", "min", "avg", "max"}).
			Draw(t, "het priority"), chance(t, 30, "immediate")
	}
	s.LeastLoaded, s.PackSerial = chance(t, 15, "least loaded nodes"), chance(t, 15, "pack serial")
	for i := range c.Nodes {
		c.Nodes[i].Asleep = chance(t, 5, "asleep")
	}
	return in
}

// switches draws a tree, or switches that are over each other in some other way.
func switches(t *rapid.T, in *slurm.Input) {
	s := in.Settings
	s.Tree, s.TreeOptional, s.SwitchSeconds = true, chance(t, 20, "optional"), rapid.SampledFrom([]int64{0, 300, 7200}).
		Draw(t, "wait")
	wide, broken := rapid.IntRange(1, 5).Draw(t, "nodes of a switch"), chance(t, 15, "broken")
	for i := range in.Cluster.Nodes {
		leaf := i / wide
		names := []string{fmt.Sprint("s", leaf), fmt.Sprint("t", leaf/2), "top"}
		if broken {
			names = names[:rapid.IntRange(0, 3).Draw(t, "levels")]
			for k := range names {
				names[k] = rapid.SampledFrom([]string{"s0", "s1", "t0", "top"}).Draw(t, "switch")
			}
		}
		in.Cluster.Nodes[i].Switches = names
	}
	for k := range in.Waiting {
		r := &in.Waiting[k]
		r.Switches, r.SwitchSeconds = rapid.Int64Range(0, 2).Draw(t, "at most"), rapid.SampledFrom([]int64{0, 60, 3600}).
			Draw(t, "for")
		r.Tested = rapid.SampledFrom([]int64{0, now - 3600, now - 100}).Draw(t, "tested")
	}
}

// preemption draws who may preempt whom, and how.
func preemption(t *rapid.T, in *slurm.Input) {
	s := in.Settings
	s.PreemptMode = rapid.SampledFrom([]string{"requeue", "cancel", "suspend"}).Draw(t, "mode")
	s.PreemptReorders = rapid.SampledFrom([]int64{0, 1, 3, 1 << 40}).Draw(t, "reorders")
	s.PreemptStrict, s.PreemptYoungest, s.RequeueSeconds = chance(t, 30, "strict"), chance(t, 30, "youngest"), 121
	const kinds = 4
	modes, grace, exempt, may := [kinds]string{}, [kinds]int64{}, [kinds]int64{}, [kinds][kinds]bool{}
	for k := range kinds {
		modes[k] = rapid.SampledFrom([]string{s.PreemptMode, "requeue", "cancel", "suspend", "off"}).Draw(t, "own mode")
		grace[k] = rapid.SampledFrom([]int64{0, 0, 30, 7200}).Draw(t, "grace")
		exempt[k] = rapid.SampledFrom([]int64{0, 0, 300, 3600}).Draw(t, "exempt")
		for other := range kinds {
			may[k][other] = chance(t, 50, "may")
		}
	}
	for k := range in.Running {
		if chance(t, 20, "told") {
			in.Running[k].PreemptTime = now - rapid.Int64Range(0, 60).Draw(t, "told before")
		}
	}
	in.Preempt = &slurm.Preemption{
		ByQOS: chance(t, 50, "by QOS"),
		Row:   func(r *backfill.Request) int32 { return r.Row },
		May:   func(waiting, running int32) bool { return may[waiting%kinds][running%kinds] },
		Of: func(running int32) backfill.Victim {
			k := running % kinds
			return backfill.Victim{Mode: modes[k], Rank: int64(k / 2), GraceSeconds: grace[k], ExemptSeconds: exempt[k]}
		},
	}
}

// TestFeaturesPlainTwin is TestPlainTwin with preemption, switches, shared processors and heterogeneous jobs; and who
// is preempted is the same.
func TestFeaturesPlainTwin(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		in := featured(t)
		fast, plain := planned(t, slurm.Plan, in), planned(t, slurm.PlanPlainly, in)
		for k := range plain.Placements {
			if a, b := fast.Placements[k], plain.Placements[k]; !reflect.DeepEqual(a, b) {
				t.Fatalf("%s is planned as %+v, plainly as %+v", plain.Requests[k].ID, a, b)
			}
		}
		if fast.Tried != plain.Tried || !reflect.DeepEqual(fast.Started, plain.Started) ||
			!reflect.DeepEqual(fast.Preempted, plain.Preempted) {
			t.Fatalf("%d tried, started %v, preempted %v; plainly %d, %v, %v", fast.Tried, fast.Started, fast.Preempted,
				plain.Tried, plain.Started, plain.Preempted)
		}
	})
}

// TestFeaturesNothingTwice: whenever a job starts, what runs has room on its nodes. Processors are had by as many jobs
// of a partition as it has rows; memory by one, also while it is suspended.
func TestFeaturesNothingTwice(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		in := featured(t)
		s := planned(t, slurm.Plan, in)
		for k := range s.Placements {
			if by := s.Placements[k].By; by == backfill.ByMain || by == backfill.ByBackfill {
				roomAt(t, in, s, s.Placements[k].Start)
			}
		}
		components(t, s)
	})
}

// roomAt checks every node at a time.
func roomAt(t *rapid.T, in *slurm.Input, s *backfill.Schedule, at int64) {
	ended := map[int32]int64{}
	for _, v := range s.Preempted {
		if v.Mode != "suspend" {
			ended[v.Job] = v.At
		}
	}
	rows := int64(1)
	for k := range in.Cluster.Partitions {
		rows = max(rows, in.Cluster.Partitions[k].Rows)
	}
	gang := in.Preempt != nil && !in.Preempt.ByQOS && in.Settings.PreemptMode == "suspend"
	procs, mem := make([]int64, len(in.Cluster.Nodes)), make([]int64, len(in.Cluster.Nodes))
	for k := range s.Placements {
		place, r := &s.Placements[k], &s.Requests[k]
		switch place.By {
		case backfill.ByRunning, backfill.ByMain, backfill.ByBackfill:
		default:
			continue
		}
		if end, gone := ended[r.Job]; gone && end <= at || place.Start > at {
			continue
		}
		for _, n := range place.Nodes {
			procs[n.Node] += n.ProcsOf(r.PerTask.Procs)
			mem[n.Node] += n.Tasks * r.PerTask.MemMB
		}
	}
	for i := range procs {
		has := &in.Cluster.Nodes[i].Capacity
		if !gang && procs[i] > has.Procs*rows*int64(len(in.Cluster.Partitions)) || rows == 1 && !gang &&
			procs[i] > has.Procs {
			t.Fatalf("node %d of %d processors has %d in use at %d", i, has.Procs, procs[i], at)
		}
		if in.Settings.Memory && !in.Settings.Linear && mem[i] > has.MemMB {
			t.Fatalf("node %d of %d MB has %d in use at %d", i, has.MemMB, mem[i], at)
		}
	}
}

// components checks that those of a heterogeneous job start together or not at all.
func components(t *rapid.T, s *backfill.Schedule) {
	started, waits := map[int64]string{}, map[int64]string{}
	for k := range s.Placements {
		r := &s.Requests[k]
		switch by := s.Placements[k].By; {
		case r.Het == 0, by == backfill.ByRunning:
		case by == backfill.ByMain:
			t.Fatalf("the main pass starts component %s", r.ID)
		case by == backfill.ByBackfill:
			started[r.Het] = r.ID
		default:
			waits[r.Het] = r.ID
		}
	}
	gone, stays := map[int64]string{}, map[int64]string{}
	victims := map[int32]bool{}
	for _, v := range s.Preempted {
		victims[v.Job] = v.Mode != "suspend"
	}
	for k := range s.Placements {
		if r := &s.Requests[k]; s.Placements[k].By == backfill.ByRunning && r.Het != 0 {
			if victims[r.Job] {
				gone[r.Het] = r.ID
			} else {
				stays[r.Het] = r.ID
			}
		}
	}
	for het, id := range gone {
		if other := stays[het]; other != "" {
			t.Fatalf("component %s is preempted, and component %s of the same job is not", id, other)
		}
	}
	for het, id := range started {
		if other := waits[het]; other != "" {
			t.Fatalf("component %s starts, and component %s of the same job does not", id, other)
		}
	}
}

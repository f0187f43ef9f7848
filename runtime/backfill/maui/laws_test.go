package maui_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/maui"
)

// drawInput makes a small queue under any of the policies.
func drawInput(t *rapid.T) maui.Input {
	s := settings()
	pick := func(name string, words ...string) string { return rapid.SampledFrom(words).Draw(t, name) }
	s.Backfill[""] = pick("backfill", "FIRSTFIT", "BESTFIT", "GREEDY", "PREEMPT", "NONE")
	s.Metric = pick("metric", "PROCS", "NODES", "PROCSECONDS", "SECONDS")
	s.Depth = rapid.Int64Range(0, 3).Draw(t, "depth")
	s.Reservations = pick("reservations", "CURRENTHIGHEST", "HIGHEST", "NEVER")
	s.Buckets[0].Depth = rapid.Int64Range(0, 4).Draw(t, "reserved")
	s.Allocation[""] = pick("allocation", "FIRSTAVAILABLE", "LASTAVAILABLE", "MINRESOURCE", "CPULOAD", "PRIORITY",
		"FASTEST", "MAXBALANCE", "FIRSTSET")
	s.Access = pick("access", "SHARED", "SHARED", "SINGLEUSER", "SINGLEJOB", "SINGLETASK")
	s.Combined, s.SoftFirst = rapid.Bool().Draw(t, "combined"), rapid.Bool().Draw(t, "soft")
	s.Combinations = 100
	if rapid.Bool().Draw(t, "one node") {
		s.MultiNode[""] = false
	}
	in := maui.Input{Cluster: &backfill.Cluster{Licenses: map[string]int64{"tool": 2}}, Now: 1_700_000_000, Settings: s}
	nodes := rapid.IntRange(1, 6).Draw(t, "nodes")
	for k := range nodes {
		n := backfill.Node{Name: fmt.Sprint("n", k), State: pick("state", "Idle", "Idle", "Idle", "Down", "Draining"),
			Up: true, Speed: 1, Capacity: backfill.Amounts{Procs: rapid.Int64Range(1, 4).Draw(t, "procs"), MemMB: 1000}}
		n.Features = rapid.SampledFrom([][]string{{"red"}, {"blue"}, {"red", "blue"}}).Draw(t, "features")
		n.Partitions = []string{pick("partition", "a", "a", "b")}
		in.Cluster.Nodes = append(in.Cluster.Nodes, n)
	}
	jobs := rapid.IntRange(1, 12).Draw(t, "jobs")
	for job := range jobs {
		j := maui.Job{Request: backfill.Request{Job: int32(job), User: pick("user", "amy", "bob"),
			Tasks:           rapid.Int64Range(1, 8).Draw(t, "tasks"),
			PerTask:         backfill.Amounts{Procs: 1, MemMB: rapid.Int64Range(0, 400).Draw(t, "mem")},
			WalltimeSeconds: rapid.Int64Range(0, 5).Draw(t, "seconds") * 100}}
		if rapid.IntRange(0, 4).Draw(t, "shaped") == 0 {
			j.TasksPerNode = rapid.Int64Range(1, 3).Draw(t, "per node")
		}
		if rapid.IntRange(0, 4).Draw(t, "counted") == 0 {
			j.Nodes = rapid.Int64Range(1, 3).Draw(t, "of nodes")
		}
		if rapid.IntRange(0, 4).Draw(t, "based") == 0 {
			j.PerNode.MemMB = rapid.Int64Range(1, 700).Draw(t, "of each node")
		}
		if rapid.IntRange(0, 4).Draw(t, "licensed") == 0 {
			j.Licenses = map[string]int64{"tool": rapid.Int64Range(0, 3).Draw(t, "tools")}
		}
		if rapid.IntRange(0, 4).Draw(t, "colours") == 0 {
			j.Features = backfill.Features{Alternatives: []backfill.FeatureSet{{All: []string{"red"}}, {All: []string{"blue"}}},
				SameForAll: rapid.Bool().Draw(t, "one colour")}
		}
		j.Dedicated = rapid.IntRange(0, 9).Draw(t, "dedicated") == 0
		j.ReserveAlways, j.NoBackfill = rapid.IntRange(0, 9).Draw(t, "always") == 0, rapid.IntRange(0, 9).Draw(t, "no") == 0
		in.Jobs = append(in.Jobs, j)
	}
	in.Runs = func(int32) bool { return false }
	return in
}

// TestStartsFit: jobs start once, whole, on nodes that are up and that have what they take.
func TestStartsFit(t *testing.T) {
	started, reserved := 0, 0
	draws.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		p := maui.New(in)
		q := newOpenQueue(len(in.Jobs), in.Runs)
		starts := p.Iterate(q)
		plan := p.Finish(nil)
		started, reserved = started+len(starts), reserved+len(plan.Reservations)
		procs, mem, seen := make([]int64, len(in.Cluster.Nodes)), make([]int64, len(in.Cluster.Nodes)), map[int32]bool{}
		who := make([][]int32, len(in.Cluster.Nodes))
		for _, s := range starts {
			j := &in.Jobs[s.Job]
			if seen[s.Job] {
				t.Fatalf("job %d starts twice", s.Job)
			}
			seen[s.Job] = true
			tasks, partition := int64(0), in.Cluster.Nodes[s.Nodes[0].Node].Partitions[0]
			var on []int32
			for _, share := range s.Nodes {
				n := &in.Cluster.Nodes[share.Node]
				if slices.Contains(on, share.Node) || share.Tasks < 1 || n.State != "Idle" || n.Partitions[0] != partition {
					t.Fatalf("job %d has %v", s.Job, s.Nodes)
				}
				on = append(on, share.Node)
				tasks += share.Tasks
				procs[share.Node] += share.Tasks
				mem[share.Node] += share.Tasks*j.PerTask.MemMB + j.PerNode.MemMB
				who[share.Node] = append(who[share.Node], s.Job)
			}
			if per := max(1, min(j.TasksPerNode, j.Tasks)); j.Tasks%per != 0 && tasks < j.Tasks && tasks > 0 {
				tasks = j.Tasks // maui.md §9 P23
			}
			if tasks != j.Tasks || len(s.Nodes) > 1 && !in.Settings.MultiNode[""] {
				t.Fatalf("job %d of %d tasks has %v", s.Job, j.Tasks, s.Nodes)
			}
		}
		tools := int64(0)
		for job := range seen {
			tools += in.Jobs[job].Licenses["tool"]
			if f := in.Jobs[job].Features; f.SameForAll &&
				!slices.ContainsFunc(f.Alternatives, func(s backfill.FeatureSet) bool {
					return !slices.ContainsFunc(in.Cluster.Nodes, func(n backfill.Node) bool {
						return slices.Contains(who[slices.IndexFunc(in.Cluster.Nodes,
							func(o backfill.Node) bool { return o.Name == n.Name })], job) && !s.In(n.Features)
					})
				}) {
				t.Fatalf("the nodes of job %d have no colour in common", job)
			}
		}
		if tools > in.Cluster.Licenses["tool"] {
			t.Fatalf("%d licences are in use", tools)
		}
		for k := range procs {
			if procs[k] > in.Cluster.Nodes[k].Capacity.Procs || mem[k] > 1000 {
				t.Fatalf("node %d gives %d processors and %d MB", k, procs[k], mem[k])
			}
			for _, a := range who[k] {
				for _, b := range who[k] {
					if a != b && (in.Jobs[a].Dedicated || in.Settings.Access == "SINGLEJOB" || in.Settings.Access == "SINGLETASK" ||
						in.Settings.Access == "SINGLEUSER" && in.Jobs[a].User != in.Jobs[b].User) {
						t.Fatalf("jobs %d and %d share node %d under %s", a, b, k, in.Settings.Access)
					}
				}
			}
		}
		for _, r := range plan.Reservations {
			if seen[r.Job] || r.Start < in.Now || len(r.Nodes) == 0 || slices.Contains(plan.Deferred, r.Job) {
				t.Fatalf("%+v", r)
			}
		}
	})
	// About 100 and 25 over random inputs; these bounds only say that the generator has not gone blind.
	if started < 20 || reserved < 3 {
		t.Errorf("only %d starts and %d reservations", started, reserved)
	}
}

// TestDepth: there are no more reservations for priority than the depth, in each of two rounds and partitions.
func TestDepth(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		p := maui.New(in)
		p.Iterate(newOpenQueue(len(in.Jobs), in.Runs))
		count := int64(0)
		for _, r := range p.Finish(nil).Reservations {
			if r.Kind == maui.ByPriority {
				count++
			}
		}
		if most := in.Settings.Buckets[0].Depth * 4; count > most || count > 0 &&
			(in.Settings.Reservations == "NEVER" || in.Settings.Backfill[""] == "NONE" ||
				in.Settings.Backfill[""] == "PREEMPT") {
			t.Fatalf("%d reservations under %s", count, in.Settings.Reservations)
		}
	})
}

// TestSameTwice: a plan is a function of its input.
func TestSameTwice(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		plan := func() *maui.Plan {
			p := maui.New(in)
			p.Iterate(newOpenQueue(len(in.Jobs), in.Runs))
			return p.Finish(nil)
		}
		if a, b := plan(), plan(); !reflect.DeepEqual(a, b) {
			t.Fatalf("%+v\n%+v", a, b)
		}
	})
}

// TestWindowsDelayNoReservation: with one reservation and nothing that runs, backfill leaves the reservation its
// nodes: there is room for all who start beside it.
func TestWindowsDelayNoReservation(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		in.Settings.Access, in.Settings.Buckets[0].Depth = "SHARED", 1
		p := maui.New(in)
		starts := p.Iterate(newOpenQueue(len(in.Jobs), in.Runs))
		for _, r := range p.Finish(nil).Reservations {
			for _, share := range r.Nodes {
				procs := share.Tasks
				for _, s := range starts {
					for _, other := range s.Nodes {
						end := in.Now + max(1, in.Jobs[s.Job].WalltimeSeconds)
						if s.By == backfill.ByBackfill && other.Node == share.Node && end > r.Start {
							procs += other.Tasks
						}
					}
				}
				if procs > in.Cluster.Nodes[share.Node].Capacity.Procs {
					t.Fatalf("%d tasks on node %d while job %d has its reservation", procs, share.Node, r.Job)
				}
			}
		}
	})
}

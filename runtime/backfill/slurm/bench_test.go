package slurm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/slurm"
	"github.com/fairway-sched/fairway/runtime/program"
)

// busy is a cluster that is full, with a queue: the measured peer's, with as many nodes and jobs as asked for. Jobs ask
// for 1 to 16 nodes, in two partitions of which the second has half of the nodes.
func busy(nodes, jobs int, alone bool) *slurm.Input {
	r := rand.New(rand.NewPCG(7, 11))
	in := &slurm.Input{Now: 1_800_000_000, Cluster: &backfill.Cluster{}, Settings: settings()}
	in.Settings.WindowSeconds, in.Settings.Tests, in.Settings.TableSize = 2880*60, 20000, 20000
	parts := []backfill.Partition{{Name: "main", Up: true, PriorityTier: 1}, {Name: "short", Up: true, PriorityTier: 1}}
	for i := range nodes {
		in.Cluster.Nodes = append(in.Cluster.Nodes,
			backfill.Node{Name: fmt.Sprintf("n%05d", i), Capacity: backfill.Amounts{Procs: 16, MemMB: 64000}, Up: true,
				Weight: 1})
		parts[0].Nodes = append(parts[0].Nodes, int32(i))
		if i < nodes/2 {
			parts[1].Nodes = append(parts[1].Nodes, int32(i))
		}
		in.Running = append(in.Running,
			backfill.Request{Job: int32(i), Row: int32(i), ID: fmt.Sprint(i + 1), Nodes: 1, Tasks: 16,
				Sharing: backfill.SingleJob,
				PerTask: backfill.Amounts{Procs: 1, MemMB: 100}, Start: in.Now - 3600, End: in.Now + 60 + r.Int64N(86400),
				Allocated: []backfill.Share{{Node: int32(i), Tasks: 16}}, Class: "main"})
	}
	in.Cluster.Partitions = parts
	walltimes := []int64{10, 20, 30, 45, 60, 90, 120, 180, 240, 480, 720, 1440}
	for k := range jobs {
		q := backfill.Request{Job: int32(nodes + k), Row: int32(nodes + k), ID: fmt.Sprint(nodes + k + 1),
			Nodes: 1 + r.Int64N(16), WalltimeSeconds: 60 * walltimes[r.IntN(len(walltimes))],
			PerTask: backfill.Amounts{Procs: 1, MemMB: 100}, SubmitTime: int64(k), User: fmt.Sprintf("u%02d", r.IntN(60))}
		q.NodesMax, q.Tasks = q.Nodes, q.Nodes
		if alone {
			q.Sharing = backfill.SingleJob
		} else {
			q.Tasks = q.Nodes * (1 + r.Int64N(16))
		}
		in.Waiting = append(in.Waiting, q)
		in.Entries = append(in.Entries,
			slurm.Entry{Request: int32(k), Partition: int32(r.IntN(2)), Row: int32(k), Priority: r.Int64N(1_000_000)})
	}
	return in
}

func settings() *program.SlurmPlan {
	return &program.SlurmPlan{Version: 2205, Memory: true, Main: true, Backfill: true, WindowSeconds: 86400,
		ResolutionSeconds: 60,
		Tests:             500, TableSize: 500, ArrayReservations: 20, KillWaitSeconds: 30}
}

func BenchmarkPlan(b *testing.B) {
	for _, c := range []struct {
		nodes, jobs int
		alone       bool
	}{{64, 1000, true}, {64, 10000, true}, {1000, 10000, true}, {10000, 10000, true}, {64, 10000, false}} {
		name := fmt.Sprintf("nodes=%d/jobs=%d/alone=%t", c.nodes, c.jobs, c.alone)
		in := busy(c.nodes, c.jobs, c.alone)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s, err := slurm.Plan(in)
				if err != nil {
					b.Fatal(err)
				}
				n := 0
				for k := range s.Placements {
					if s.Placements[k].By == backfill.ByReservation {
						n++
					}
				}
				b.ReportMetric(float64(n), "reserved")
				b.ReportMetric(float64(s.Tried), "tried")
			}
		})
	}
}

// with turns on a feature of a busy cluster.
func with(in *slurm.Input, feature string) *slurm.Input {
	part := &in.Cluster.Partitions[0]
	switch feature {
	case "preempt", "grace", "exempt":
		part.PriorityTier = 2
		v := backfill.Victim{Mode: "requeue"}
		if feature == "grace" {
			v.GraceSeconds = 600
		}
		if feature == "exempt" {
			v.ExemptSeconds = 86400
		}
		in.Settings.PreemptMode, in.Settings.PreemptReorders = "requeue", 1
		of := map[int32]int32{}
		for k := range in.Entries {
			of[in.Entries[k].Row] = in.Entries[k].Partition
		}
		in.Preempt = &slurm.Preemption{
			Row: func(r *backfill.Request) int32 { return -1 - r.Row },
			May: func(waiting, running int32) bool { return of[waiting] == 0 && (running < 0 || of[running] == 1) },
			Of:  func(int32) backfill.Victim { return v },
		}
	case "rows":
		part.Rows, part.Forced = 4, true
	case "tree":
		in.Settings.Tree = true
		for i := range in.Cluster.Nodes {
			in.Cluster.Nodes[i].Switches = []string{fmt.Sprint("s", i/16), fmt.Sprint("t", i/128), "top"}
		}
	}
	return in
}

// BenchmarkFeatures compares plans of a queue with those of the same with a feature.
func BenchmarkFeatures(b *testing.B) {
	for _, feature := range []string{"", "tree", "preempt", "grace", "exempt", "rows"} {
		for _, alone := range []bool{true, false} {
			b.Run(fmt.Sprintf("feature=%s/alone=%t", feature, alone), func(b *testing.B) {
				for b.Loop() {
					if _, err := slurm.Plan(with(busy(500, 5000, alone), feature)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

package slurm_test

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/slurm"
	"github.com/fairway-sched/fairway/runtime/program"
)

const now = 1_800_000_030

func chance(t *rapid.T, percent int, label string) bool {
	return rapid.IntRange(0, 99).Draw(t, label) >= 100-percent // shrinks to false
}

// queues draws a cluster, what runs there, and a queue, in the rules of some version.
func queues(t *rapid.T) *slurm.Input {
	in := &slurm.Input{Now: now, Cycle: now + rapid.Int64Range(0, 40).
		Draw(t, "cycle"), Cluster: &backfill.Cluster{}, Settings: drawSettings(t)}
	rich := chance(t, 60, "rich") // reservations, features and so on
	nodes(t, in, rich)
	running(t, in)
	for k := range rapid.IntRange(1, 25).Draw(t, "jobs") {
		waiting(t, in, k, rich)
	}
	return in
}

func drawSettings(t *rapid.T) *program.SlurmPlan {
	s := settings()
	s.Version = rapid.SampledFrom([]int{2205, 2302, 2311, 2411, 2505, 2511}).Draw(t, "version")
	s.Linear = chance(t, 15, "linear")
	s.Memory = chance(t, 70, "memory")
	s.Cores = chance(t, 70, "cores")
	s.Main = chance(t, 80, "main")
	s.WindowSeconds = rapid.SampledFrom([]int64{86400, 7200, 1800}).Draw(t, "window")
	s.ResolutionSeconds = rapid.SampledFrom([]int64{60, 1, 300}).Draw(t, "resolution")
	s.LinearSeconds = rapid.SampledFrom([]int64{0, 0, 60}).Draw(t, "linear window")
	s.RunningReserve = chance(t, 20, "running reserve")
	some := func(list *int64, percent int, label string, values ...int64) {
		if chance(t, percent, label) {
			*list = rapid.SampledFrom(values).Draw(t, label+" is")
		}
	}
	some(&s.Tests, 10, "tests", 3, 10)
	some(&s.TableSize, 10, "table", 5, 20)
	some(&s.Starts, 10, "starts", 1, 3)
	some(&s.ArrayReservations, 30, "array", 0, 1, 3)
	some(&s.PerUser, 10, "user", 1, 3)
	some(&s.PerPartition, 10, "partition", 1, 5)
	some(&s.PartitionReserve, 10, "reserve", 1, 3)
	some(&s.MinPriority, 10, "priority", 5)
	s.OneReservation = chance(t, 20, "one reservation")
	s.LimitStop = chance(t, 10, "limit stop")
	return s
}

func nodes(t *rapid.T, in *slurm.Input, rich bool) {
	n := rapid.SampledFrom([]int{4, 8, 8, 66}).Draw(t, "nodes")
	uneven, threads := chance(t, 20, "uneven"), chance(t, 25, "threads")
	c := in.Cluster
	if rich && chance(t, 40, "gpus") {
		c.Gres = []string{"gpu"}
	}
	parts := []backfill.Partition{{Name: "a", Up: true, PriorityTier: 1},
		{Name: "b", Up: true, PriorityTier: rapid.Int64Range(1, 2).Draw(t, "tier")}}
	if chance(t, 20, "exclusive") {
		parts[1].Sharing = backfill.SingleJob
	} else if chance(t, 20, "exclusive user") {
		parts[1].Sharing = backfill.SingleUser
	}
	half := rapid.IntRange(1, n).Draw(t, "second partition")
	for i := range n {
		node := backfill.Node{Name: fmt.Sprintf("n%d", i), Up: !chance(t, 5, "down"), Weight: 1,
			Capacity: backfill.Amounts{Procs: 4, MemMB: 4000}}
		if uneven {
			node.Capacity.Procs, node.Weight = rapid.SampledFrom([]int64{4, 8, 2}).Draw(t, "procs"), rapid.Int64Range(1, 2).
				Draw(t, "weight")
		}
		if threads {
			node.ThreadsPerCore = 2
		}
		if rich {
			node.Features = []string{[]string{"x", "y"}[i%2]}
		}
		if c.Gres != nil {
			node.Capacity.Gres = []int64{int64(i%2) * 2}
		}
		c.Nodes = append(c.Nodes, node)
		parts[0].Nodes = append(parts[0].Nodes, int32(i))
		if i < half {
			parts[1].Nodes = append(parts[1].Nodes, int32(n-1-i))
		}
	}
	c.Partitions = parts
	if rich && chance(t, 30, "reserved") {
		start := now + rapid.Int64Range(-60, 120).Draw(t, "reserved from")*60
		v := backfill.Reservation{Name: "r", Start: start, End: start + 3600, Maintenance: chance(t, 20, "maintenance"),
			Admits: func(*backfill.Request) bool { return true }}
		for i := range rapid.IntRange(1, n).Draw(t, "reserved nodes") {
			v.Nodes = append(v.Nodes, int32(i))
		}
		c.Reservations = []backfill.Reservation{v}
		if chance(t, 30, "again") {
			v.Series, v.PeriodSeconds = 1, 4*3600
			c.Reservations = nil
			for range 20 {
				c.Reservations = append(c.Reservations, v)
				v.Start, v.End = v.Start+v.PeriodSeconds, v.End+v.PeriodSeconds
			}
		}
	}
	if rich && chance(t, 30, "licensed") {
		c.Licenses = map[string]int64{"l": 2}
		in.Settings.Licenses = chance(t, 50, "plan licenses")
	}
}

// running fills some of the nodes.
func running(t *rapid.T, in *slurm.Input) {
	for i := range in.Cluster.Nodes {
		left := in.Cluster.Nodes[i].Capacity.Procs
		for left > 0 && in.Cluster.Nodes[i].Up && chance(t, 75, "busy") {
			r := backfill.Request{Job: int32(len(in.Running)), Row: int32(len(in.Running)), ID: fmt.Sprint(len(in.Running) + 1),
				Nodes: 1, Class: "a", User: "u", PerTask: backfill.Amounts{Procs: 1, MemMB: 100},
				Start: now - 600, End: now + rapid.SampledFrom([]int64{-30, 20, 60, 61, 300, 500, 1800, 3600, 7200, 40000}).
					Draw(t, "end")}
			r.Tasks = left
			if in.Settings.Linear || chance(t, 50, "alone") {
				if left < in.Cluster.Nodes[i].Capacity.Procs {
					break
				}
				r.Sharing = backfill.SingleJob
			} else {
				r.Tasks = rapid.Int64Range(1, left).Draw(t, "tasks")
			}
			left -= r.Tasks
			r.Allocated = []backfill.Share{{Node: int32(i), Tasks: r.Tasks}}
			in.Running = append(in.Running, r)
		}
	}
}

func waiting(t *rapid.T, in *slurm.Input, k int, rich bool) {
	row := int32(1000 + k)
	r := backfill.Request{Job: row, Row: row, ID: fmt.Sprint(row), Nodes: rapid.Int64Range(1, 6).
		Draw(t, "nodes"), PerTask: backfill.Amounts{Procs: 1, MemMB: 100},
		WalltimeSeconds: 60 * rapid.SampledFrom([]int64{1, 5, 10, 30, 60, 120, 600}).
			Draw(t, "minutes"), SubmitTime: now - 3600 + int64(k), User: rapid.SampledFrom([]string{"u", "v"}).Draw(t, "user")}
	r.NodesMax, r.Tasks = r.Nodes, r.Nodes
	if chance(t, 60, "alone") {
		r.Sharing = backfill.SingleJob
	} else {
		each := rapid.Int64Range(1, 4).Draw(t, "tasks")
		r.Tasks = r.Nodes * each
		if chance(t, 20, "so many on each node") {
			r.TasksPerNode = each
		}
		r.PerTask.MemMB = rapid.SampledFrom([]int64{0, 100, 1500}).Draw(t, "memory")
	}
	if in.Cluster.Nodes[0].ThreadsPerCore > 1 {
		r.ThreadsPerCore, r.TasksPerCore = rapid.Int64Range(0, 2).
			Draw(t, "threads of a core"), rapid.SampledFrom([]int64{0, 0, 1, 2}).Draw(t, "tasks of a core")
		r.PerTask.Procs = rapid.SampledFrom([]int64{1, 1, 2, 3}).Draw(t, "processors of a task")
	}
	if chance(t, 10, "range") {
		r.NodesMax += 2
	}
	if chance(t, 10, "shorter") {
		r.WalltimeMinSeconds = 60
	}
	if chance(t, 15, "array") {
		r.Array = int64(row)
		for task := range rapid.Int64Range(1, 4).Draw(t, "array of") {
			r.TaskIDs = append(r.TaskIDs, task)
		}
		r.ArrayMax = rapid.SampledFrom([]int64{0, 0, 2}).Draw(t, "throttle")
	}
	if rich {
		special(t, in, &r)
	}
	in.Waiting = append(in.Waiting, r)
	noReserve := chance(t, 5, "no reserve")
	for part := range in.Cluster.Partitions {
		if rapid.IntRange(0, 2).Draw(t, "partitions") != 1-part {
			in.Entries = append(in.Entries,
				slurm.Entry{Request: int32(k), Partition: int32(part), Row: row, Priority: rapid.Int64Range(1, 10).
					Draw(t, "priority"),
					NoReserve: noReserve, NodesMax: rapid.SampledFrom([]int64{0, 0, 0, 4}).Draw(t, "at most")})
		}
	}
}

func special(t *rapid.T, in *slurm.Input, r *backfill.Request) {
	if in.Cluster.Gres != nil && chance(t, 30, "gpu") {
		r.PerNode.Gres = []int64{1}
	}
	if in.Cluster.Gres != nil && chance(t, 30, "gpu of each task") {
		r.PerTask.Gres = []int64{1}
	}
	if in.Cluster.Reservations != nil && chance(t, 20, "in reservation") {
		r.Reservation = "r"
	}
	if in.Cluster.Licenses != nil && chance(t, 40, "license") {
		r.Licenses = map[string]int64{"l": rapid.Int64Range(1, 2).Draw(t, "licenses")}
	}
	if chance(t, 10, "deadline") {
		r.Deadline = now + 7200
	}
	switch rapid.IntRange(0, 9).Draw(t, "where") {
	case 7:
		r.Hosts = []int32{int32(rapid.IntRange(0, 3).Draw(t, "host"))}
	case 8:
		r.Excluded = []int32{int32(rapid.IntRange(0, 3).Draw(t, "not"))}
	case 9:
		x, y := backfill.FeatureSet{All: []string{"x"}}, backfill.FeatureSet{All: []string{"y"}}
		switch rapid.IntRange(0, 2).Draw(t, "features") {
		case 0:
			r.Features.Alternatives = []backfill.FeatureSet{x}
		case 1:
			r.Features = backfill.Features{Alternatives: []backfill.FeatureSet{x, y}, SameForAll: true}
		case 2:
			x.Count, y.Count = 1, 1
			r.Features.Alternatives = []backfill.FeatureSet{x, y}
		}
	}
}

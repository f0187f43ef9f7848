package synth_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/synth"
)

// drawMachine is a snapshot with nodes in partitions, each with a job that runs, and jobs that wait.
func drawMachine(t *rapid.T) *snapshot.Snapshot {
	nodes, jobs, parts := column.NewBuilder("node"), column.NewBuilder("job"), column.NewBuilder("partition")
	count := map[string]int64{}
	for i := range rapid.IntRange(1, 5).Draw(t, "nodes") {
		nodes.Row()
		name := fmt.Sprintf(rapid.SampledFrom([]string{"n%d", "gpu%02d", "m%dx"}).Draw(t, "form"), i)
		up := rapid.IntRange(0, 3).Draw(t, "up") > 0
		in := rapid.SampledFrom([][]string{{"all"}, {"all", "short"}}).Draw(t, "partitions")
		nodes.String("node.id", name)
		nodes.Bool("node.up", up)
		nodes.Int("node.procs", 8)
		nodes.List("node.partitions", in)
		for _, part := range in {
			count[part]++
		}
		if up {
			jobs.Row()
			jobs.String("job.id", fmt.Sprint(10+i))
			jobs.String("job.state", "running")
			jobs.Time("job.submit_time", now-500)
			jobs.Time("job.start_time", now-100)
			jobs.Time("job.end_time", now+int64(rapid.IntRange(1, 1000).Draw(t, "left")))
			jobs.List("job.allocated_hosts", []string{name})
		}
	}
	for i := range rapid.IntRange(1, 5).Draw(t, "waiting") {
		jobs.Row()
		jobs.String("job.id", fmt.Sprint(100+i))
		jobs.String("job.state", "pending")
		jobs.List("job.partitions", []string{rapid.SampledFrom([]string{"all", "short"}).Draw(t, "partition")})
		jobs.Time("job.submit_time", now-int64(i))
		jobs.Int("job.nodes", 1)
		jobs.Int("job.procs", 3)
		jobs.Value("job.tres(cpu)", schema.DoubleValue(3))
	}
	for _, name := range []string{"all", "short"} {
		parts.Row()
		parts.String("partition.name", name)
		parts.Int("partition.nodes", count[name])
		parts.Value("partition.tres(cpu)", schema.DoubleValue(float64(8*count[name])))
	}
	return &snapshot.Snapshot{Now: now, Family: "slurm", Jobs: jobs.Table(), Nodes: nodes.Table(),
		Credentials: map[string]*column.Table{"partition": parts.Table()}}
}

// TestMachine: so many nodes, each with a name of its own, in partitions that count them; jobs run on nodes that there
// are, at most one on each as in the given machine, and end later than now; what waits is so many times a model as
// large.
func TestMachine(t *testing.T) {
	copies, wide := 0, 0
	draws.Check(t, func(t *rapid.T) {
		s := drawMachine(t)
		before := text(t, s)
		n := s.Nodes.Rows + rapid.IntRange(0, 60).Draw(t, "more")
		o := synth.Options{Jobs: rapid.IntRange(0, 200).Draw(t, "jobs"), Nodes: n, Seed: rapid.Uint64().Draw(t, "seed")}
		out, err := synth.Queue(s, o)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := synth.Queue(s, o)
		if d := cmp.Diff(text(t, out), text(t, again)); d != "" {
			t.Fatalf("the same seed: %s", d)
		}
		if text(t, s) != before {
			t.Fatal("the given snapshot has changed")
		}
		if out.Nodes.Rows != n || out.Jobs.Rows != o.Jobs {
			t.Fatalf("%d nodes and %d jobs, want %d and %d", out.Nodes.Rows, out.Jobs.Rows, n, o.Jobs)
		}
		up, count := map[string]bool{}, map[string]float64{}
		for row := range n {
			name := out.Nodes.Value("node.id", row).Str
			if _, twice := up[name]; twice {
				t.Fatalf("two nodes %s", name)
			}
			up[name] = out.Nodes.Value("node.up", row).Int == 1
			for _, part := range out.Nodes.Value("node.partitions", row).List {
				count[part]++
			}
		}
		parts := out.Credentials["partition"]
		for row := range parts.Rows {
			name := parts.Value("partition.name", row).Str
			if got, cpu := float64(parts.Value("partition.nodes", row).Int),
				parts.Value("partition.tres(cpu)", row).Double; got != count[name] || cpu < 8*got-1e-6 || cpu > 8*got+1e-6 {
				t.Fatalf("partition %s says %g nodes and %g processors, has %g nodes", name, got, cpu, count[name])
			}
		}
		used := map[string]bool{}
		for row := range out.Jobs.Rows {
			if out.Jobs.Value("job.state", row).Str != "running" {
				nodes, procs := out.Jobs.Value("job.nodes", row).Int, out.Jobs.Value("job.procs", row).Int
				if procs != 3*nodes || out.Jobs.Value("job.tres(cpu)", row).Double != float64(procs) || nodes > max(1, int64(n/2)) {
					t.Fatalf("a job of %d processors wants %d of %d nodes", procs, nodes, n)
				}
				if nodes > 1 {
					wide++
				}
				continue
			}
			copies++
			hosts := out.Jobs.Value("job.allocated_hosts", row).List
			if len(hosts) != 1 || !up[hosts[0]] || used[hosts[0]] {
				t.Fatalf("a job runs on %q", hosts)
			}
			used[hosts[0]] = true
			start, end := out.Jobs.Value("job.start_time", row).Int, out.Jobs.Value("job.end_time", row).Int
			if start > now || end <= now || out.Jobs.Value("job.submit_time", row).Int > start {
				t.Fatalf("a job runs from %d to %d seconds from now", start-now, end-now)
			}
		}
	})
	if (copies < 100 || wide < 100) && !t.Failed() {
		t.Errorf("only %d jobs that run and %d on several nodes: the generator has gone blind", copies, wide)
	}
}

func TestMachineRefused(t *testing.T) {
	jobs, nodes := column.NewBuilder("job"), column.NewBuilder("node")
	jobs.Row()
	jobs.String("job.id", "1")
	for i := range 3 {
		nodes.Row()
		nodes.String("node.id", fmt.Sprint("n", i))
	}
	for want, s := range map[string]*snapshot.Snapshot{"no nodes": {Jobs: jobs.Table()},
		"has 3 nodes": {Jobs: jobs.Table(), Nodes: nodes.Table()}} {
		if _, err := synth.Queue(s, synth.Options{Jobs: 5, Nodes: 2}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

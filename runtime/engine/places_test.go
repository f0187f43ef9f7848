package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// onNodes is a queue on other nodes.
func onNodes(t *testing.T, s *snapshot.Snapshot, nodes ...string) *snapshot.Snapshot {
	t.Helper()
	text := fmt.Sprintf(`{"format_version":1,"now":%d,"nodes":[%s],"jobs":[]}`, now, strings.Join(nodes, ","))
	other, diags, err := snapshot.Read(fstest.MapFS{"nodes.json": {Data: []byte(text)}}, []string{"nodes.json"},
		snapshot.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	s.Nodes = other.Nodes
	return s
}

// TestMachine: what counts as up by Maui's words (recorded: n12), by the flag where there is no word
// of Maui's, and in Slurm by the flag alone.
func TestMachine(t *testing.T) {
	for _, c := range []struct {
		family, node string
		up           bool
	}{
		{"maui", `"state":"Busy","up":true`, true},
		{"maui", `"state":"Draining","up":false`, true},
		{"maui", `"state":"Drain","up":false`, true},
		{"maui", `"state":"Unknown","up":false`, true},
		{"maui", `"state":"Drained","up":false`, false},
		{"maui", `"state":"Flush","up":false`, false},
		{"maui", `"state":"Down"`, false},
		{"maui", `"state":"None","up":false`, false},
		{"", `"up":false`, false},
		{"", `"id":"n"`, true},
		{"slurm", `"state":"DRAIN","up":false`, false},
		{"slurm", `"state":"UNKNOWN","up":false`, false},
		{"slurm", `"state":"IDLE+DRAIN","up":true`, true},
	} {
		if !strings.Contains(c.node, `"id"`) {
			c.node += `,"id":"n"`
		}
		s := onNodes(t, queueOf(t, now, ""), "{"+c.node+`,"procs":4}`)
		s.Family = c.family
		procs, nodes, known := evaluation.Machine(s)
		want := 0
		if c.up {
			want = 1
		}
		if nodes != want || procs != int64(4*want) || !known {
			t.Errorf("%s %s: %d nodes of %d processors, known %t", c.family, c.node, nodes, procs, known)
		}
	}
	if _, nodes, known := evaluation.Machine(onNodes(t, queueOf(t, now, ""), `{"id":"n","up":true}`)); nodes != 1 ||
		known {
		t.Error("processors of a node that does not state them are known")
	}
}

// TestDrainingNodesCount: a job that needs nodes that drain is not larger than the machine.
func TestDrainingNodesCount(t *testing.T) {
	s := onNodes(t, queueOf(t, now, `"procs":8,"tasks":8`, `"procs":9,"tasks":9`),
		`{"id":"n1","procs":4,"state":"Idle","up":true}`,
		`{"id":"n2","procs":4,"state":"Draining","up":false}`, `{"id":"n3","procs":4,"state":"Drained","up":false}`)
	r := run(t, policyOf(t, ""), s, evaluation.Options{})
	if !slices.Equal(r.State, []evaluation.State{evaluation.Eligible, evaluation.Blocked}) {
		t.Errorf("the jobs are %v", r.State)
	}
}

// TestPlaces: in which partitions of nodes a job may run, and what diagnose -q says of the others.
func TestPlaces(t *testing.T) {
	nodes := []string{`{"id":"n1","procs":4,"up":true,"partitions":["pa"],"classes":["batch","long"]}`,
		`{"id":"n2","procs":4,"up":true,"partitions":["pb"],"classes":["batch"]}`}
	silent := append(slices.Clone(nodes), `{"id":"n3","procs":4,"up":true,"partitions":["pb"]}`)
	for _, c := range []struct {
		what, config, job string
		nodes             []string
		state             evaluation.State
		texts             []string
	}{
		{"anywhere", "", "", nodes, evaluation.Eligible, nil},
		{"one partition", "", `"node_partitions":["pb"]`, nodes, evaluation.Eligible, nil},
		{"no partition of theirs", "", `"node_partitions":["pc","pd"]`, nodes, evaluation.Blocked,
			[]string{"not allowed to run in partition pa  (partitions allowed: [pc][pd])",
				"not allowed to run in partition pb  (partitions allowed: [pc][pd])"}},
		{"held, and closed in one", "", `"held":true,"node_partitions":["pb"]`, nodes, evaluation.Held,
			[]string{"has non-idle expected state (expected state: Hold)",
				"not allowed to run in partition pa  (partitions allowed: [pb])"}},
		{"over the system's limit in another", "SYSTEMMAXPROCPERJOB 1", `"procs":2,"tasks":2,"node_partitions":["pb"]`, nodes,
			evaluation.Blocked,
			[]string{"violates system SOFT MAXPROC limit of 1 for par pb  (R: 2, U: 0)",
				"not allowed to run in partition pa  (partitions allowed: [pb])"}},
		{"over a cap", "FSPOLICY DEDICATEDPS\nUSERCFG[amy] FSTARGET=100^", "", nodes, evaluation.Blocked,
			[]string{"would violate (null) FS cap in partition pa"}},
		{"a class of one partition", "", `"partition":"long"`, nodes, evaluation.Eligible, nil},
		{"a class that the allowed partition lacks", "", `"partition":"long","node_partitions":["pb"]`, nodes,
			evaluation.Blocked,
			[]string{"not allowed to run in partition pa  (partitions allowed: [pb])",
				"requires classes not configured in partition pb ("}},
		{"a class that nobody offers", "", `"partition":"gpu"`, nodes, evaluation.Eligible, nil}, // maui.md §9 P20
		{"a class that a silent node may offer", "", `"partition":"gpu"`, silent, evaluation.Eligible, nil},
		{"no class", "", `"partition":""`, nodes, evaluation.Eligible, nil},
		{"nodes of no partition", "", `"node_partitions":["pa"]`, []string{`{"id":"n1","procs":4,"up":true}`},
			evaluation.Blocked,
			[]string{"not allowed to run in partition DEFAULT  (partitions allowed: [pa])"}},
	} {
		r := run(t, policyOf(t, c.config+"\n"), onNodes(t, queueOf(t, now, c.job), c.nodes...), evaluation.Options{})
		var texts []string
		if b := r.Why[0]; b != nil {
			for _, each := range append([]*evaluation.Block{b}, b.Also...) {
				texts = append(texts, each.Text)
			}
		}
		if r.State[0] != c.state || !slices.Equal(texts, c.texts) {
			t.Errorf("%s: the job is %s by\n%q, not %s by\n%q", c.what, r.State[0], texts, c.state, c.texts)
		}
	}
	r := run(t, policyOf(t, ""), onNodes(t,
		queueOf(t, now, `"partition":"long","node_partitions":["pa"]`, `"partition":"long"`), nodes...), evaluation.Options{})
	if got := maui.NodePartitions(r); !slices.Equal(got, []string{"pa", "pb"}) {
		t.Fatalf("partitions are %q", got)
	}
	if got := []string{maui.RefusedBy(r, 0, 0), maui.RefusedBy(r, 0, 1), maui.RefusedBy(r, 1, 1)}; !slices.Equal(got,
		[]string{"", evaluation.BlockNodes, evaluation.BlockClass}) {
		t.Errorf("the jobs are refused by %q", got)
	}
}

// TestProcsAlone: a job that states its processors alone has a task for each.
func TestProcsAlone(t *testing.T) {
	s := onNodes(t, queueOf(t, now, `"procs":6,"tasks":null,"procs_per_task":null`,
		`"procs":6,"tasks":null,"procs_per_task":1,"mem_mb":900`,
		`"procs":6,"tasks":null,"procs_per_task":2`, `"procs":6,"tasks":3,"procs_per_task":2,"mem_per_task_mb":100`),
		`{"id":"n1","procs":8,"mem_mb":800,"up":true}`)
	r := run(t, policyOf(t, "USERCFG[amy] MAXPE=6\n"), s, evaluation.Options{})
	for job, want := range []float64{6, 9, -1, 6} {
		v := r.Jobs.Value("job.processor_equivalents", job)
		if known := want >= 0; v.Known() != known || known && v.Double != want {
			t.Errorf("job %d: %v, not %v", job+1, v, want)
		}
	}
	if !slices.Equal(r.State, []evaluation.State{evaluation.Eligible, evaluation.Blocked, evaluation.Eligible,
		evaluation.Eligible}) {
		t.Errorf("the jobs are %v", r.State)
	}
}

package laws

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/conformance/oracle"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/explain"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestAdmission: the library's holds refuse the jobs that slurmctld's rules refuse, with the same reasons.
func TestAdmission(t *testing.T) {
	words := []string{"", "PartitionDown", "PartitionInactive", "PartitionConfig", "PartitionNodeLimit",
		"PartitionTimeLimit", "MaxMemPerLimit", "Job's_account_not_permitted_to_use_this_partition",
		"Job's_QOS_not_permitted_to_use_this_partition"}
	seen := map[string]int{}
	all := func() bool {
		return !slices.ContainsFunc(words, func(word string) bool { return seen[word] == 0 })
	}
	draws.UntilSeen(t, all, func(t *rapid.T) {
		text, queue := drawPartitions(t)
		version := rapid.SampledFrom([]string{"22.05", "23.02", "25.11"}).Draw(t, "version")
		out := compile(t, compiler.Input{Options: lower.Options{Version: version}}, text)
		s, diags, err := snapshot.Read(fstest.MapFS{"q.json": {Data: queue}}, []string{"q.json"}, snapshot.Options{})
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags, string(queue))
		}
		want, missing := oracle.Evaluate(out.Policy, s)
		if missing != nil {
			t.Fatal(missing)
		}
		r, err := engine.Run(out.Fused, s, evaluation.Options{Workers: 1})
		if err != nil || r.Findings.HasErrors() {
			t.Fatal(err, r.Findings)
		}
		for row, job := range r.RowJob {
			word := want.Refusal(row)
			kind, _, _ := strings.Cut(word, "_(")
			seen[kind]++
			switch b := r.Why[job]; {
			case word == "" && b != nil, word != "" && (b == nil || b.Text != word):
				t.Fatalf("job %d: the partition says %q, the holds %+v\n%s\n%s", job, word, b, text, queue)
			case b != nil:
				var said strings.Builder
				if err := explain.WriteExplain(&said, r, int(job), nil, eval.Options{}); err != nil {
					t.Fatal(err)
				}
				if strings.Contains(said.String(), "unknown") || !strings.Contains(said.String(), "it passes ") {
					t.Fatalf("job %d: %s", job, said.String())
				}
			}
		}
	})
	if !all() {
		t.Errorf("some reason is in no draw: %v", seen)
	}
}

// drawPartitions draws a policy of partitions that refuse much, and a queue of jobs for one of them each.
func drawPartitions(t *rapid.T) (text string, queue []byte) {
	maybe := func(b *strings.Builder, name string, values ...string) {
		if rapid.IntRange(0, 5).Draw(t, name) == 0 {
			fmt.Fprintf(b, "    %s = %s\n", name, rapid.SampledFrom(values).Draw(t, "value"))
		}
	}
	var b strings.Builder
	b.WriteString("policy \"site\" {\n  use = \"slurm\"\n  account \"root\" {\n    account \"physics\" {\n" +
		"      account \"optics\" { user \"amy\" {} }\n    }\n    account \"chem\" { user \"amy\" {} }\n  }\n")
	for _, qos := range []string{"high", "low", "part"} {
		fmt.Fprintf(&b, "  qos %q {\n", qos)
		maybe(&b, "flags", `["PartitionMaxNodes"]`, `["partitionminnodes", "DenyOnLimit"]`, `["PartitionTimeLimit"]`, `[]`)
		b.WriteString("  }\n")
	}
	lists := []string{`["Physics"]`, `["chem"]`, `["optics", "chem"]`, `[]`}
	for _, name := range []string{"p", "q"} {
		fmt.Fprintf(&b, "  partition %q {\n", name)
		maybe(&b, "state", `"DOWN"`, `"inactive"`, `"UP"`, `"DRAIN"`)
		maybe(&b, "qos", `"part"`)
		maybe(&b, "groups_allowed", `["staff"]`, `[]`)
		maybe(&b, "accounts_allowed", lists...)
		maybe(&b, "accounts_denied", lists...)
		maybe(&b, "qos_allowed", `["High"]`, `["low", "high"]`, `[]`)
		maybe(&b, "qos_denied", `["high"]`, `["LOW"]`)
		maybe(&b, "root_only", "true", "false")
		maybe(&b, "needs_reservation", "true", "false")
		for _, column := range []string{"procs", "nodes", "nodes_min", "nodes_max", "procs_per_node_max"} {
			maybe(&b, column, "0", "1", "2", "4", "8")
		}
		maybe(&b, "walltime_max_seconds", "0", "60", "3600")
		maybe(&b, "mem_per_node_max_mb", "0", "10", "100")
		maybe(&b, "mem_per_proc_max_mb", "0", "10", "100")
		b.WriteString("  }\n")
	}
	b.WriteString("}\n")

	var jobs []map[string]any
	for i := range rapid.IntRange(1, 8).Draw(t, "jobs") {
		j := map[string]any{"id": fmt.Sprint(i + 1), "state": "pending", "submit_time": 1_700_000_000, "procs": 1}
		set := func(name string, values ...any) {
			if v := rapid.SampledFrom(append(values, nil)).Draw(t, name); v != nil {
				j[name] = v
			}
		}
		set("partition", "p", "q", "nowhere")
		set("user", "amy", "root")
		set("group", "staff", "guests")
		set("account", "physics", "Optics", "chem")
		set("qos", "high", "low")
		set("state_reason", "PartitionConfig", "Priority")
		set("reservation", "r")
		set("procs", 0, 1, 3, 9)
		set("nodes", 1, 3, 5)
		set("nodes_max", 1, 3)
		set("hosts", []string{"n1"}, []string{"n1", "n2"})
		set("mem_mb", 5, 30, 300)
		set("walltime_seconds", 60, 61, 7200)
		set("walltime_min_seconds", 0, 30, 3600)
		set("walltime_unlimited", true)
		jobs = append(jobs, j)
	}
	state := rapid.SampledFrom([]string{"UP", "DOWN", "INACTIVE", ""}).Draw(t, "present state")
	snap := map[string]any{"format_version": 1, "now": 1_700_000_100, "jobs": jobs}
	if rapid.Bool().Draw(t, "nodes are listed") {
		snap["nodes"] = []map[string]any{{"id": "n1", "procs": 4, "partitions": []string{"p", "q"}},
			{"id": "n2", "procs": 4, "partitions": []string{"q"}}}
	} else {
		snap["nodes"] = []map[string]any{{"id": "n1", "procs": 4}}
	}
	snap["credentials"] = map[string]any{"partition": []map[string]any{{"name": "q", "state": state}}}
	queue, err := json.Marshal(snap)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), queue
}

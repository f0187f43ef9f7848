package engine_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestLimitDeviations: each point in which manual and program differ about limits, on a queue
// where it decides who is blocked. A job is a line: id user group account class qos procs nodes mem,
// and run if it runs; others wait in their order.
func TestLimitDeviations(t *testing.T) {
	for _, c := range []struct {
		deviation, cfg, jobs string
		observed, documented string // the blocked jobs
	}{
		{deviation: "limit_mem", cfg: "USERCFG[DEFAULT] MAXMEM=1000\nUSERCFG[amy] MINPROC=2",
			jobs: "r bob g - c - 2 0 600 run\na bob g - c - 2 0 401\nb cat g - c - 2 0 401\nc amy g - c - 1 0 0\nd amy g " +
				"- c - 2 0 0",
			observed: "", documented: "a c"},
		{deviation: "override_reach", cfg: "SYSCFG QLIST=hi QDEF=hi\nUSERCFG[steve] MAXJOB=2\nGROUPCFG[staff] " +
			"MAXJOB=5\nQOSCFG[hi] OMAXJOB=3",
			jobs: "r1 steve staff - c - 1 0 0 run\nr2 steve staff - c - 1 0 0 run\na steve staff - c - 1 0 0\nb bob " +
				"staff - c - 1 0 0",
			observed: "", documented: "a"},
		{deviation: "override_reach", cfg: "SYSCFG QLIST=hi QDEF=hi\nCLASSCFG[c] MAXNODE=4\nQOSCFG[hi] OMAXNODE=6",
			jobs:     "r bob g - c - 1 5 0 run\na amy g - c - 1 1 0\nb amy h - d - 1 7 0\nc amy h - c - 1 2 0",
			observed: "b c", documented: "b c"}, // in the manual by the limits of class and QOS alone
		{deviation: "override_reach", cfg: "SYSCFG QLIST=hi QDEF=hi\nCLASSCFG[c] MAXJOB=1\nQOSCFG[hi] QFLAGS=IGNJOBPERUSER",
			jobs: "r bob g - c - 1 0 0 run\na amy g - c - 1 0 0", observed: "", documented: "a"},
		{deviation: "multi_dimension",
			cfg: "CLASSCFG[c] MAXPROC[USER:steve]=3\nUSERCFG[cat] MAXJOB[CLASS:c]=1\nQOSCFG[DEFAULT] MAXJOBPERUSER=2",
			jobs: "r steve g - c - 2 0 0 run\nr2 cat g - c - 1 0 0 run\na steve g - c - 2 0 0\nb steve g - d - 2 0 0\nc bob " +
				"g - c - 4 0 0\n" +
				"d cat g - c - 1 0 0\ne cat g - d - 1 0 0\nr3 eve g - c - 1 0 0 run\nr4 eve g - d - 1 0 0 run\nf eve g - c - 1 0 0",
			observed: "", documented: "a d f"},
		{deviation: "multi_dimension", cfg: "CLASSCFG[c] MAXNODE[USER]=8", // dropped, so that the class has it
			jobs:     "r amy g - c - 1 5 0 run\na bob g - c - 1 8 0\nb amy g - c - 1 4 0",
			observed: "a b", documented: "b"},
		{deviation: "old_style", cfg: "MAXJOBPERUSERCOUNT 1\nMAXPROCPERGROUPPOLICY ON\nMAXPROCPERGROUPCOUNT 8",
			jobs:     "r amy g - c - 6 1 0 run\na amy h - c - 1 0 0\nb bob g - c - 4 1 0\nc bob h - c - 1 9 0",
			observed: "a c", documented: "b"},
		{deviation: "class_default", cfg: "CLASSCFG[DEFAULT] MAXPROC=2 MAXIJOB=1\nCLASSCFG[d] MAXPROC=9",
			jobs:     "a amy g - c - 3 0 0\nb amy g - d - 3 0 0\nc amy g - DEFAULT - 3 0 0\nd amy g - d - 1 0 0",
			observed: "c", documented: "a c d"},
		{deviation: "idle_default", cfg: "GROUPCFG[DEFAULT] MAXIJOB=1\nGROUPCFG[h] MAXIPROC=100",
			jobs:     "a amy g - c - 1 0 0\nb amy g - c - 1 0 0\nc amy h - c - 1 0 0\nd amy h - c - 1 0 0",
			observed: "d", documented: "b d"},
	} {
		t.Run(c.deviation, func(t *testing.T) {
			for _, side := range []struct {
				deviations []string
				want       string
			}{{nil, c.observed}, {[]string{c.deviation}, c.documented}} {
				r := runQueue(t, c.cfg, c.jobs, lower.Options{Deviations: side.deviations}, nil)
				var blocked []string
				for job, state := range r.State {
					if state == evaluation.Blocked || state == evaluation.Held {
						blocked = append(blocked, id(r, job))
					}
				}
				if got := strings.Join(blocked, " "); got != side.want {
					t.Errorf("%s %v: blocked are %q, want %q", c.cfg, side.deviations, got, side.want)
				}
			}
		})
	}
}

// TestSoftNumbers: which bound Maui's two passes look at shows in the bounds themselves.
func TestSoftNumbers(t *testing.T) {
	for _, c := range []struct {
		deviations []string
		want       string
	}{
		{nil, "MAXJOB 4 2, MAXIJOB 1 3"},
		{[]string{"soft_over_hard"}, "MAXJOB 2 2, MAXIJOB 1 3"},
		{[]string{"idle_soft"}, "MAXJOB 4 2, MAXIJOB 3 3"},
		{[]string{"D27", "D31"}, "MAXJOB 2 2, MAXIJOB 3 3"},
	} {
		r := runQueue(t, "USERCFG[amy] MAXJOB=4,2 MAXIJOB=1,3", "a amy g - c - 1 0 0",
			lower.Options{Deviations: c.deviations}, nil)
		var texts []string
		for _, l := range r.Program.Limits {
			texts = append(texts, l.Name+" "+strconv.FormatInt(l.Soft, 10)+" "+strconv.FormatInt(l.Hard, 10))
		}
		if got := strings.Join(texts, ", "); got != c.want {
			t.Errorf("%v: %s, want %s", c.deviations, got, c.want)
		}
	}
}

// runQueue evaluates a maui.cfg over jobs written as lines.
func runQueue(t *testing.T, cfg, lines string, opt lower.Options, started []string) *evaluation.Result {
	const now = 1_700_000_000
	out := compiler.Compile(compiler.Input{Lang: lower.Maui, Options: opt,
		Files: []*source.File{source.NewFile("maui.cfg", []byte(cfg+"\n"))}})
	if out.Diags.HasErrors() {
		t.Fatal(out.Diags[0].Message)
	}
	var jobs []map[string]any
	for i, line := range strings.Split(lines, "\n") {
		w := strings.Fields(line)
		number := func(i int) int {
			n, err := strconv.Atoi(w[i])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		name := func(i int) string { return strings.Trim(w[i], "-") }
		job := map[string]any{"id": w[0], "user": name(1), "group": name(2), "account": name(3), "partition": name(4),
			"qos":   name(5),
			"procs": number(6), "tasks": number(6), "procs_per_task": 1, "nodes": number(7), "mem_mb": number(8),
			"mem_per_task_mb":  number(8) / number(6),
			"walltime_seconds": 3600, "submit_time": now - 10000 + 60*i, "state": "pending"}
		if slices.Contains(w, "run") {
			job["state"], job["start_time"] = "running", now-60
		}
		jobs = append(jobs, job)
	}
	text, err := json.Marshal(map[string]any{"format_version": 1, "now": now, "jobs": jobs,
		"nodes": []map[string]any{{"id": "n", "procs": 1000, "mem_mb": 100000}}})
	if err != nil {
		t.Fatal(err)
	}
	s, diags, err := snapshot.Read(fstest.MapFS{"queue.json": {Data: text}}, []string{"queue.json"}, snapshot.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	r, err := engine.Run(out.Program, s, evaluation.Options{Workers: 1, Started: started})
	if err != nil || r.Findings.HasErrors() {
		t.Fatal(err, r.Findings)
	}
	return r
}

func id(r *evaluation.Result, job int) string { return r.Jobs.Value("job.id", job).Str }

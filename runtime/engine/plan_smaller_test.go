package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// asked is what a job of the queues below asks for.
type asked struct {
	nodes, tasks, seconds int64
	loose                 bool  // it does not say how many tasks it wants on each node
	ran                   int64 // seconds; −1 for a job that waits
	hosts                 []string
}

// queueText is a queue of three nodes of four processors, of which a reservation takes one out later.
func queueText(jobs []asked) string {
	var list []string
	for i, j := range jobs {
		state := `"state":"pending"`
		if j.ran >= 0 {
			state = fmt.Sprintf(`"state":"running","start_time":%d,"allocated_hosts":["%s"]`, now-j.ran,
				strings.Join(j.hosts, `","`))
		}
		if !j.loose {
			state += fmt.Sprintf(`,"tasks_per_node":%d`, j.tasks/j.nodes)
		}
		list = append(list, fmt.Sprintf(`{"id":"%d","user":"amy","partition":"batch",%s,"submit_time":%d,"walltime_seconds":%d,"nodes":%d,"tasks":%d,"procs":%d,"procs_per_task":1}`,
			i+1, state, now-9000+int64(i)*600, j.seconds, j.nodes, j.tasks, j.tasks))
	}
	var nodes []string
	for i := range 3 {
		nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","procs":4,"up":true,"state":"IDLE","partitions":["batch"]}`, i+1))
	}
	return fmt.Sprintf(`{"format_version":1,"now":%d,"nodes":[%s],"reservations":[{"name":"mt","start_time":%d,"end_time":%d,"hosts":["n3"],"flags":["maint"]}],"jobs":[%s]}`,
		now, strings.Join(nodes, ","), now+7200, now+10800, strings.Join(list, ",\n"))
}

// TestWhatIsOfferedIsKept: a job that asks for what is offered to it starts when that says, and before it did, whoever
// plans.
func TestWhatIsOfferedIsKept(t *testing.T) {
	const slurm = "ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSchedulerType=sched/backfill\nSchedulerParameters=bf_window=20160,bf_resolution=60,bf_continue\n" +
		"PriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityWeightJobSize=1000\nNodeName=n[1-3] " +
		"CPUs=4\nPartitionName=batch Nodes=n[1-3] MaxTime=UNLIMITED State=UP\n"
	const native = "policy \"site\" {\n  component \"c\" {\n    term \"t\" { factor = \"job.queue_minutes\" }\n  }\n  " +
		"backfill {\n    algorithm = \"firstfit\"\n    reservation_depth = \"unlimited\"\n  }\n}\n"
	policies := map[string]*program.Program{
		"maui": policyOf(t, "BACKFILLPOLICY FIRSTFIT\nRESERVATIONDEPTH 3\nQUEUETIMEWEIGHT 1\nXFACTORWEIGHT "+
			"10\nNODEACCESSPOLICY SHARED\n"),
		"native": policyOf(t, native),
	}
	out := compiler.Compile(compiler.Input{Lang: lower.Slurm,
		Files: []*source.File{source.NewFile("slurm.conf", []byte(slurm))}})
	if out.Program == nil {
		t.Fatal(out.Diags)
	}
	policies["slurm"] = out.Program
	for name, p := range policies {
		t.Run(name, func(t *testing.T) {
			draws.Check(t, func(t *rapid.T) { offersAreKept(t, p, drawQueue(t)) })
		})
	}
}

func drawQueue(t *rapid.T) []asked {
	var jobs []asked
	for i := range 3 {
		if rapid.IntRange(0, 2).Draw(t, "node in use") > 0 {
			jobs = append(jobs, asked{1, rapid.Int64Range(1, 4).Draw(t, "used"), rapid.Int64Range(1, 12).
				Draw(t, "limit")*900 + 300, false, 300, []string{fmt.Sprintf("n%d", i+1)}})
		}
	}
	for range rapid.IntRange(1, 6).Draw(t, "waiting") {
		nodes := rapid.Int64Range(1, 3).Draw(t, "nodes")
		jobs = append(jobs, asked{nodes, nodes * rapid.Int64Range(1, 4).Draw(t, "each"), rapid.Int64Range(1, 16).
			Draw(t, "walltime") * 900, rapid.IntRange(0, 3).Draw(t, "loose") == 0, -1, nil})
	}
	return jobs
}

func offersAreKept(t *rapid.T, p *program.Program, jobs []asked) {
	before := planOfText(t, p, queueText(jobs))
	for at := range before.Requests {
		r, pl := &before.Requests[at], &before.Placements[at]
		offers, err := backfill.Sooner(before, r.Job)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range offers {
			if o.Nodes == r.Nodes && o.Tasks == r.Tasks && o.WalltimeSeconds == r.WalltimeSeconds {
				continue // what outputs leave out
			}
			if pl.By != backfill.ByNone && o.Start >= pl.Start {
				t.Fatalf("job %s starts at %d, and is offered %+v", r.ID, pl.Start-now, o)
			}
			if !jobs[r.Row].loose && o.Tasks%o.Nodes != 0 {
				t.Fatalf("%d tasks on %d nodes", o.Tasks, o.Nodes)
			}
			changed := slices.Clone(jobs)
			changed[r.Row].nodes, changed[r.Row].tasks, changed[r.Row].seconds = o.Nodes, o.Tasks, o.WalltimeSeconds
			after := planOfText(t, p, queueText(changed))
			i := slices.IndexFunc(after.Requests, func(other backfill.Request) bool { return other.ID == r.ID })
			if got := &after.Placements[i]; got.By == backfill.ByNone || got.Start > o.Start {
				t.Fatalf("%+v is offered to job %s, in %d, and it gets %+v\n%s", o, r.ID, o.Start-now, got, queueText(jobs))
			}
		}
	}
}

func planOfText(t *rapid.T, p *program.Program, text string) *backfill.Schedule {
	s, diags, err := snapshot.Read(fstest.MapFS{"queue.json": {Data: []byte(text)}}, []string{"queue.json"},
		snapshot.Options{})
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	r, err := engine.Run(p, s, evaluation.Options{})
	if err != nil || r.Findings.HasErrors() {
		t.Fatal(err, r.Findings)
	}
	plan, err := engine.Plan(r, planning.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

package conformance_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// planExample is a worked example of Maui's manual about placing jobs, or of what Maui did with such a queue. All jobs
// were submitted at once, so that they are in their order; a job asks for tasks of one processor.
type planExample struct {
	id     string // in the list of all examples
	cite   string
	config string
	nodes  []string // JSON members; nil is eight nodes of one processor
	jobs   []string
	starts string // jobs that start, with the tasks on each node where nodes are of the example
	keeps  string // jobs with a reservation: from-to in seconds
}

const (
	page82    = "Maui Administrator's Guide 8.2"
	recordedM = "recorded from Maui 3.5 in simulation"
)

// ninth is the queue on which the algorithms were seen to differ; the second job blocks, and the third is beyond the
// depth of reservations.
var ninth = []string{pw(4, 2), pw(8, 1), pw(8, 1), pw(1, 1), pw(3, 1), pw(2, 2), pw(4, 3), pw(4, 1), pw(2, 1)}

// ofQOS blocks four jobs, of which DEFAULT, hi, hi and DEFAULT are the QOS.
var ofQOS = []string{pw(5, 2), pw(8, 1), pw(8, 1) + hi, pw(8, 1) + hi, pw(8, 1)}

const (
	hi      = `, "qos": "hi"`
	alsoHi  = "SYSCFG QLIST=hi,DEFAULT\n"
	page5   = "Maui Administrator's Guide 5.2"
	pageAF  = "Maui Administrator's Guide, appendix F"
	page711 = "Maui Administrator's Guide 7.1"
)

var planExamples = []planExample{
	{id: "ORA-BF-FIRSTFIT", cite: recordedM, config: "BACKFILLPOLICY FIRSTFIT", jobs: ninth, starts: "1 4 5",
		keeps: "2@7200-10800"},
	{id: "ORA-BF-BESTFIT", cite: recordedM, config: "BACKFILLPOLICY BESTFIT", jobs: ninth, starts: "1 8",
		keeps: "2@7200-10800"},
	{id: "ORA-BF-BESTFIT-SECONDS", cite: recordedM, config: "BACKFILLPOLICY BESTFIT\nBACKFILLMETRIC SECONDS", jobs: ninth,
		starts: "1 6 4", keeps: "2@7200-10800"},
	{id: "ORA-BF-BESTFIT-PROCSECONDS", cite: recordedM, config: "BACKFILLPOLICY BESTFIT\nBACKFILLMETRIC PROCSECONDS",
		jobs: ninth, starts: "1 6 9", keeps: "2@7200-10800"},
	{id: "ORA-BF-GREEDY", cite: recordedM, config: "BACKFILLPOLICY GREEDY", jobs: ninth, starts: "1",
		keeps: "2@7200-10800"},
	{id: "ORA-BF-BESTTIMEFIT", cite: recordedM, config: "BACKFILLPOLICY BESTTIMEFIT", jobs: ninth, starts: "1 4 5",
		keeps: "2@7200-10800"},
	{id: "ORA-BF-PREEMPT", cite: recordedM, config: "BACKFILLPOLICY PREEMPT", jobs: ninth, starts: "1 4 5"},
	{id: "ORA-BF-depth2", cite: recordedM, config: "RESERVATIONDEPTH 2", jobs: ninth, starts: "1 4 5",
		keeps: "2@7200-10800 3@10800-14400"},
	{id: "ORA-BF-none", cite: recordedM, config: "BACKFILLPOLICY NONE", jobs: []string{pw(6, 2), pw(4, 5), pw(1, 2)},
		starts: "1"},

	{id: "ORA-RB-buckets", cite: recordedM,
		config: alsoHi + "RESERVATIONDEPTH[0] 1\nRESERVATIONQOSLIST[0] hi\nRESERVATIONDEPTH[1] 2\nRESERVATIONQOSLIST[1] " +
			"DEFAULT",
		jobs: ofQOS, starts: "1", keeps: "2@7200-10800 3@10800-14400 5@14400-18000"},
	{id: "ORA-RB-default", cite: recordedM, config: alsoHi + "RESERVATIONDEPTH[DEFAULT] 3", jobs: ofQOS, starts: "1",
		keeps: "2@7200-10800 3@10800-14400 4@14400-18000"},
	{id: "ORA-RB-nolist", cite: recordedM, config: alsoHi + "RESERVATIONQOSLIST[0] hi", jobs: ofQOS, starts: "1",
		keeps: "3@7200-10800"},
	{id: "ORA-RB-thr", cite: recordedM, config: "RESERVATIONTHRESHOLDTYPE QUEUETIME\nRESERVATIONTHRESHOLDVALUE 3600",
		jobs: ofQOS[:3], starts: "1"},
	{id: "APP-RDEPTH", cite: pageAF, config: "SYSCFG QLIST=1,2,3,5\nRESERVATIONDEPTH[0] 4\nRESERVATIONQOSLIST[0] 1 3 5",
		jobs: []string{pw(5, 2), pw(8, 1) + `, "qos": "5"`, pw(8, 1) + `, "qos": "2"`, pw(8, 1) + `, "qos": "1"`,
			pw(8, 1) + `, "qos": "3"`, pw(8, 1) + `, "qos": "1"`, pw(8, 1) + `, "qos": "5"`},
		starts: "1", keeps: "2@7200-10800 4@10800-14400 5@14400-18000 6@18000-21600"},

	{id: "NA-01", cite: page5, config: "NODEALLOCATIONPOLICY MINRESOURCE", nodes: memory(256, 1024),
		jobs: []string{pw(1, 1) + `, "mem_mb": 256`}, starts: "1:n1"},
	{id: "ORA-NA-minres", cite: recordedM, config: "NODEALLOCATIONPOLICY MINRESOURCE", nodes: memory(2048, 512, 1024, 256),
		jobs: []string{pw(1, 1) + `, "mem_mb": 100`}, starts: "1:n4"},
	{id: "ORA-NA-last", cite: recordedM, config: "NODEALLOCATIONPOLICY LASTAVAILABLE", nodes: procs(1, 1, 1, 1),
		jobs: []string{pw(1, 1)}, starts: "1:n4"},
	{id: "ORA-NA-first", cite: recordedM, config: "NODEALLOCATIONPOLICY FIRSTAVAILABLE", nodes: procs(1, 1, 1, 1),
		jobs: []string{pw(1, 1)}, starts: "1:n1"},
	{id: "ORA-NA-prio", cite: recordedM, config: "NODEALLOCATIONPOLICY PRIORITY\nNODECFG[n3] PRIORITY=50",
		nodes: procs(1, 1, 1, 1), jobs: []string{pw(1, 1)}, starts: "1:n3"},

	// a node of four processors takes four jobs, though eight would run on it
	{id: "APP-NAVAIL", cite: pageAF, config: "NODEAVAILABILITYPOLICY COMBINED", nodes: procs(4),
		jobs:   []string{pw(1, 1), pw(1, 1), pw(1, 1), pw(1, 1), pw(1, 1), pw(1, 1), pw(1, 1), pw(1, 1)},
		starts: "1:n1 2:n1 3:n1 4:n1", keeps: "5@3600-7200"},
	{id: "APP-NSTOL", cite: pageAF, config: speeds + "NODECFG[n1] PROCSPEED=500\nNODECFG[n2] PROCSPEED=750",
		nodes: procs(1, 1), jobs: []string{pw(2, 1)}, starts: "1:n2,n1"},
	{id: "APP-NSTOL", cite: pageAF, config: speeds + "NODECFG[n1] PROCSPEED=500\nNODECFG[n2] PROCSPEED=900",
		nodes: procs(1, 1), jobs: []string{pw(2, 1)}},

	// tasks of one processor and 1 GB: two, one and two of them
	{id: "RES-01", cite: page711, config: "NODEALLOCATIONPOLICY FIRSTAVAILABLE",
		nodes: []string{`"id": "X", "procs": 2, "mem_mb": 3072`, `"id": "Y", "procs": 2, "mem_mb": 1024`,
			`"id": "Z", "procs": 2, "mem_mb": 2048`},
		jobs: []string{task(5, 1, 1024)}, starts: "1:X*2,Y,Z*2"},
	{id: "RES-02", cite: page711, nodes: []string{`"id": "n1", "procs": 4, "mem_mb": 1024`},
		jobs: []string{task(2, 2, 256)}, starts: "1:n1*2"},
	{id: "RES-02", cite: page711, nodes: []string{`"id": "n1", "procs": 4, "mem_mb": 1024`},
		jobs: []string{task(3, 2, 256)}},
	{id: "RES-03", cite: page711, nodes: []string{`"id": "n1", "procs": 8, "mem_mb": 1024`},
		jobs: []string{task(4, 2, 256)}, starts: "1:n1*4"},
	{id: "RES-03", cite: page711, nodes: []string{`"id": "n1", "procs": 16, "mem_mb": 1024`},
		jobs: []string{task(5, 2, 256)}},

	// four nodes for an hour and one for as long as one likes; a job that is wider or longer than its window waits
	{id: "BF-02", cite: page82, config: "NODEALLOCATIONPOLICY FIRSTAVAILABLE",
		jobs: []string{pw(3, 1), pw(7, 1), pw(7, 1), pw(2, 2), pw(1, 100), pw(4, 1)}, starts: "1 6 5", keeps: "2@3600-7200"},
}

const speeds = "NODESETPOLICY ONEOF\nNODESETATTRIBUTE PROCSPEED\nNODESETTOLERANCE 0.5\nNODESETDELAY 1:00\n"

// pw is a job of so many processors and hours.
func pw(procs, hours int) string {
	return fmt.Sprintf(`"procs": %d, "walltime_seconds": %d`, procs, hours*3600)
}

func task(count, procs, mem int) string {
	return fmt.Sprintf(`"procs": %d, "tasks": %d, "procs_per_task": %d, "mem_mb": %d, "walltime_seconds": 3600`,
		count*procs, count, procs, mem*count)
}

func memory(mb ...int) []string {
	var list []string
	for i, m := range mb {
		list = append(list, fmt.Sprintf(`"id": "n%d", "procs": 1, "mem_mb": %d`, i+1, m))
	}
	return list
}

func procs(counts ...int) []string {
	var list []string
	for i, n := range counts {
		list = append(list, fmt.Sprintf(`"id": "n%d", "procs": %d`, i+1, n))
	}
	return list
}

// TestManualPlans plans the examples.
func TestManualPlans(t *testing.T) {
	for _, x := range planExamples {
		t.Run(x.id, func(t *testing.T) {
			nodes := x.nodes
			if nodes == nil {
				nodes = procs(1, 1, 1, 1, 1, 1, 1, 1)
			}
			s := planQueue(t, x.config, 1800000000, nodes, x.jobs)
			if starts, keeps := described(s, x.nodes != nil); starts != x.starts || keeps != x.keeps {
				t.Errorf("%s: starts %q and reserves for %q, want %q and %q", x.cite, starts, keeps, x.starts, x.keeps)
			}
		})
	}
}

// TestManualTimeline is figure 1 of the page on backfill, BF-01: A runs since an hour and might for three more, B
// needs the whole machine and is reserved for then, and C fits before it. A ends after an hour; B starts as soon as C
// is over.
func TestManualTimeline(t *testing.T) {
	const now, hour = int64(1800000000), int64(3600)
	a := fmt.Sprintf(`"state": "running", "start_time": %d, "allocated_hosts": ["n1"], `, now-hour) + pw(1, 4)
	b, c := pw(2, 1), pw(1, 2)
	runs := fmt.Sprintf(`"state": "running", "start_time": %d, "allocated_hosts": ["n2"], `, now) + c
	ended := `"state": "done", ` + pw(1, 4)
	for _, x := range []struct {
		at            int64
		jobs          []string
		starts, keeps string
	}{
		{0, []string{a, b, c}, "3:n2", "2@10800-14400"},
		{hour, []string{ended, b, runs}, "", "2@3600-7200"},
		{2 * hour, []string{ended, b, `"state": "done", ` + c}, "2:n2,n1", ""},
	} {
		s := planQueue(t, "", now+x.at, procs(1, 1), x.jobs)
		if starts, keeps := described(s, true); starts != x.starts || keeps != x.keeps {
			t.Errorf("%s, after %d s: starts %q and reserves for %q, want %q and %q", page82, x.at, starts, keeps, x.starts,
				x.keeps)
		}
	}
}

// TestManualShowstart is ORA-SHOWSTART: a job of two processors for an hour would start in an hour.
func TestManualShowstart(t *testing.T) {
	var jobs []string
	for _, r := range []struct{ procs, hours, first int }{{4, 2, 1}, {1, 1, 5}, {3, 1, 6}} {
		var hosts []string
		for k := range r.procs {
			hosts = append(hosts, fmt.Sprintf(`"n%d"`, r.first+k))
		}
		jobs = append(jobs, fmt.Sprintf(`"state": "running", "start_time": 1800000000, "allocated_hosts": [%s], `,
			strings.Join(hosts, ", "))+pw(r.procs, r.hours))
	}
	s := planQueue(t, "", 1800000000, procs(1, 1, 1, 1, 1, 1, 1, 1), append(jobs, pw(2, 1)))
	for i := range s.Requests {
		if s.Requests[i].ID == "4" {
			if start, _, ok := planning.Earliest(s, i); !ok || start != s.Now+3600 {
				t.Errorf("%s: starts in %d s (%t), want 3600", recordedM, start-s.Now, ok)
			}
		}
	}
}

// planQueue plans jobs 1, 2, …, which have waited for a minute.
func planQueue(t *testing.T, config string, now int64, nodes, jobs []string) *backfill.Schedule {
	t.Helper()
	var rows []string
	for i, job := range jobs {
		if !strings.Contains(job, `"state"`) {
			job = `"state": "pending", ` + job
		}
		rows = append(rows, fmt.Sprintf(`{"id": "%d", "user": "u1", "submit_time": %d, %s}`, i+1, now-60, job))
	}
	text := fmt.Sprintf(`{"format_version": 1, "now": %d, "jobs": [%s], "nodes": [{%s}]}`, now, strings.Join(rows, ", "),
		strings.Join(nodes, "}, {"))
	snap, diags, err := snapshot.Read(fstest.MapFS{"queue.json": {Data: []byte(text)}}, []string{"queue.json"},
		snapshot.Options{})
	if err != nil || len(diags) > 0 {
		t.Fatalf("%v %s\n%s", err, recordedtest.Text(diags), text)
	}
	out := compiler.Compile(compiler.Input{Lang: lower.Maui,
		Files: []*source.File{source.NewFile("maui.cfg", []byte(config+"\n"))}})
	if out.Program == nil {
		t.Fatal(recordedtest.Text(out.Diags))
	}
	r, err := engine.Run(out.Program, snap, evaluation.Options{Plan: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := engine.Plan(r, planning.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// described lists who starts, in the order of starts, and who has a reservation, in the order of the queue.
func described(s *backfill.Schedule, onNodes bool) (starts, keeps string) {
	var started, kept []string
	at := map[int32]int{}
	for i := range s.Requests {
		at[s.Requests[i].Job] = i
		if p := &s.Placements[i]; p.By == backfill.ByReservation && p.Start > s.Now {
			kept = append(kept, fmt.Sprintf("%s@%d-%d", s.Requests[i].ID, p.Start-s.Now, p.End-s.Now))
		}
	}
	for _, job := range s.Started {
		i := at[job]
		text := s.Requests[i].ID
		for k, share := range s.Placements[i].Nodes {
			if onNodes {
				text += map[bool]string{true: ":", false: ","}[k == 0] + s.Cluster.Nodes[share.Node].Name
				if share.Tasks > 1 {
					text += fmt.Sprintf("*%d", share.Tasks)
				}
			}
		}
		started = append(started, text)
	}
	return strings.Join(started, " "), strings.Join(kept, " ")
}

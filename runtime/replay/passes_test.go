package replay

import (
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Recorded runs of slurmctld, pass by pass: with all that had happened before a pass or cycle as it was recorded, the
// model starts the same jobs in it. No difference grows here.

// recorded is one recorded run.
type recorded struct {
	program  *program.Program
	machine  *snapshot.Snapshot
	workload *Workload
	t0       int64
	events   []event
}

// event is one line of events.csv.
type event struct {
	at          instant
	kind, job   string
	nodes, more string
}

// readRecorded reads a run: the policy and, of the run, its workload and events.
func readRecorded(t *testing.T, policy, run fs.FS, t0 int64) *recorded {
	t.Helper()
	text := func(files fs.FS, name string) []byte {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	out := compiler.Compile(compiler.Input{Files: []*source.File{source.NewFile("slurm.conf", text(policy, "slurm.conf")),
		source.NewFile("sacctmgr_dump.cfg", text(policy, "sacctmgr_dump.cfg"))},
		Options: lower.Options{Version: "22.05"}})
	if out.Diags.HasErrors() {
		t.Fatal(out.Diags)
	}
	r := &recorded{program: out.Program}
	machine, _, err := snapshot.Read(policy, []string{"sacctmgr_qos.psv"}, snapshot.Options{})
	if err != nil {
		t.Fatal(err)
	}
	machine.Nodes = ConfiguredNodes(out.Program)
	r.machine = machine
	s, diags, err := snapshot.Read(run, []string{"workload.csv"}, snapshot.Options{WholeTrace: true})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	r.workload = NewWorkload(s.Jobs, Selection{Runtime: Recorded})
	if left := r.workload.Report(); len(left) > 0 && !strings.Contains(fmt.Sprint(r.workload.Left), noRuntime) {
		t.Fatal(left)
	}
	r.t0 = t0
	lines := csv.NewReader(strings.NewReader(string(text(run, "events.csv"))))
	rows, err := lines.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		if !slices.Contains(keptEvents, row[1]) {
			continue
		}
		seconds, err := strconv.ParseFloat(row[0], 64)
		if err != nil {
			t.Fatal(err)
		}
		nodes, more, _ := strings.Cut(row[3], " ")
		r.events = append(r.events, event{instant(r.t0)*second + instant(seconds*1e6), row[1], row[2], nodes, more})
	}
	return r
}

// follower goes through a recorded run.
type follower struct {
	*controller
	t             *testing.T
	events        []event
	passes, exact int
	differences   []string
}

func follow(t *testing.T, r *recorded) *follower {
	t.Helper()
	w := r.workload
	run := &run{program: r.program, workload: w, findings: map[string]bool{},
		out: &Result{Begin: r.t0, Workload: w, Outcomes: make([]Outcome, len(w.Jobs))}}
	run.options.Context = t.Context()
	run.pace.Ticks = true
	for i := range w.Jobs {
		run.out.Outcomes[i].Job = &w.Jobs[i]
	}
	if err := run.begin(r.machine); err != nil {
		t.Fatal(err)
	}
	c, err := run.controller()
	if err != nil {
		t.Fatal(err)
	}
	c.follows = true
	f := &follower{controller: c, t: t, events: r.events}
	for i := 0; i < len(f.events); {
		i = f.step(i)
	}
	return f
}

func (f *follower) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(f.now.seconds()-f.out.Begin, err)
	}
}

// step does the event, or the pass or cycle with all its starts, and returns the next one.
func (f *follower) step(i int) int {
	e := &f.events[i]
	f.now = e.at
	f.state.Advance(f.now.seconds())
	switch e.kind {
	case "submit":
		if jobs := f.submissions[f.first(e.job)]; jobs != nil {
			f.must(f.enter(jobs))
		}
	case "complete":
		if job, ok := f.jobs[e.job]; ok && f.endsAt[job] != 0 {
			f.out.Outcomes[job].End = f.now.seconds()
			delete(f.endsAt, job)
			f.must(f.leave(job, f.now.seconds()))
		}
	case "priority-pass":
		f.priorities = f.now
		f.must(f.prioritise())
	case "main", "main-full", "backfill-begin":
		return f.pass(i)
	}
	return i + 1
}

// first is the job of a workload that a record begins with.
func (f *follower) first(id string) int {
	if tasks := f.arrays[id]; len(tasks) > 0 {
		for at, jobs := range f.submissions {
			if slices.Contains(jobs, tasks[0]) {
				return at
			}
		}
	}
	if job, ok := f.jobs[id]; ok {
		return job
	}
	return -1
}

// pass lets the model make a pass or a cycle, and compares. Passes at once after it, which the ends of preempted jobs
// set off, belong to it.
func (f *follower) pass(i int) int {
	begin, only, depth := &f.events[i], planning.MainPass, f.rules.QueueDepth
	switch begin.kind {
	case "main-full":
		depth = 0
	case "backfill-begin":
		only, depth = planning.BackfillCycle, 0
	}
	if next := f.events[min(i+1, len(f.events)-1)]; next.kind == "main" && next.at-begin.at < second/10 {
		return i + 1 // the nodes of jobs that were just ended are not all free yet; the next one sees them
	}
	last := begin.at
	f.must(f.notice())
	_, s, err := f.decide(only, depth)
	f.must(err)
	end, started, stopped := i+1, []*event{}, []*event{}
	for ; end < len(f.events); end++ {
		e := &f.events[end]
		again := e.kind == "main" && len(stopped) > 0 && e.at < last+3*second/10 && only == planning.MainPass
		if kind := e.kind; strings.HasPrefix(kind, "start-") {
			started = append(started, e)
			last = e.at
		} else if kind == "preempt" {
			stopped = append(stopped, e)
			last = e.at
		} else if !again {
			break
		}
	}
	f.compare(begin, s, started, stopped)
	for _, e := range started {
		f.start(e, s, only)
	}
	for _, e := range stopped {
		if job, ok := f.jobs[e.job]; ok && f.endsAt[job] != 0 {
			v := Stop{Mode: "requeue", Back: f.now.seconds() + f.rules.RequeueSeconds}
			f.must(f.stop(job, &v))
		}
	}
	return end
}

// compare notes whether the model starts and preempts the jobs that slurmctld did.
func (f *follower) compare(begin *event, s *backfill.Schedule, started, stopped []*event) {
	model, real := map[string]bool{}, map[string]bool{}
	if s != nil {
		at := map[int32]string{}
		for k := range s.Requests {
			at[s.Requests[k].Job] = s.Requests[k].ID
		}
		for _, job := range s.Started {
			model["start "+at[job]] = true
		}
		for k := range s.Preempted {
			model["stop "+at[s.Preempted[k].Job]] = true
		}
	}
	for _, e := range started {
		real["start "+e.job] = true
	}
	for _, e := range stopped {
		real["stop "+e.job] = true
	}
	if len(model)+len(real) == 0 && len(f.waiting) == 0 {
		return
	}
	f.passes++
	if maps.Equal(model, real) {
		f.exact++
		return
	}
	f.differences = append(f.differences, fmt.Sprintf("%.3f %s: model %v, slurmctld %v",
		float64(begin.at-instant(f.out.Begin)*second)/1e6, begin.kind, slices.Sorted(maps.Keys(model)),
		slices.Sorted(maps.Keys(real))))
}

// start lets a job run where it did.
func (f *follower) start(e *event, s *backfill.Schedule, only planning.Only) {
	job, ok := f.jobs[e.job]
	if !ok || f.recordOf[job] == nil || s == nil {
		return
	}
	if r := f.recordOf[job]; r.waits != nil { // the model has not seen its dependency met
		f.differences = append(f.differences, fmt.Sprintf("%s starts and depends on others", e.job))
		return
	}
	by := backfill.ByMain
	if only == planning.BackfillCycle {
		by = backfill.ByBackfill
	}
	hosts, err := slurmtext.ExpandHostlist(e.nodes)
	f.must(err)
	f.must(f.begin(job, by, f.shares(e.job, hosts, s)))
}

// shares are what a job has on its nodes: as the model has it, if the nodes are the same, else as far as they have
// room.
func (f *follower) shares(id string, hosts []string, s *backfill.Schedule) []backfill.Share {
	for k := range s.Requests {
		if place := &s.Placements[k]; s.Requests[k].ID == id && len(place.Nodes) == len(hosts) &&
			(place.By == backfill.ByMain || place.By == backfill.ByBackfill) {
			if slices.Equal(f.run.names(place.Nodes), hosts) {
				return place.Nodes
			}
		}
	}
	o := &f.out.Outcomes[f.jobs[id]]
	free := map[string]int64{}
	for i := range s.Cluster.Nodes {
		free[s.Cluster.Nodes[i].Name] = s.Cluster.Nodes[i].Capacity.Procs
	}
	for other := range f.endsAt {
		for _, share := range f.out.Outcomes[other].Nodes {
			free[f.out.Nodes[share.Node]] -= share.ProcsOf(max(1, f.recordOf[other].cells["job.procs_per_task"].Int))
		}
	}
	each := max(1, f.recordOf[f.jobs[id]].cells["job.procs_per_task"].Int)
	left := o.Procs / each
	var list []backfill.Share
	for k, host := range hosts {
		n := max(1, min(free[host]/each, left-int64(len(hosts)-k-1)))
		if k == len(hosts)-1 {
			n = max(1, left)
		}
		left -= n
		node := int32(slices.Index(f.out.Nodes, host))
		list = append(list, backfill.Share{Node: node, Tasks: n})
	}
	return list
}

// told are what a run came to, in the form that is kept.
func (f *follower) told() string {
	return fmt.Sprintf("%d of %d passes and cycles exact\n%s", f.exact, f.passes,
		strings.Join(append(f.differences, ""), "\n"))
}

var update = flag.Bool("update", false, "rewrite the compact copies from the full set")

// keptEvents are the events that the test goes by.
var keptEvents = []string{"submit", "complete", "priority-pass", "main", "main-full", "backfill-begin", "start-main",
	"start-backfill", "preempt"}

// TestPassByPass goes through the compact copies: what is exact is, and no more differs than did.
func TestPassByPass(t *testing.T) {
	for _, c := range recordedtest.Copies(t, "slurm-replay") {
		t.Run(c.Name, func(t *testing.T) {
			t0, err := strconv.ParseInt(strings.TrimSpace(string(c.Read(t, "t0.txt"))), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			f, known := follow(t, readRecorded(t, c.Files, c.Files, t0)), string(c.Read(t, "told.txt"))
			var exact int
			if _, err := fmt.Sscan(known, &exact); err != nil || f.exact < exact {
				t.Errorf("%d of %d passes and cycles are exact, not %d (%v)", f.exact, f.passes, exact, err)
			}
			for _, d := range f.differences {
				if !strings.Contains(known, d+"\n") {
					t.Errorf("%s: which was met", d)
				}
			}
		})
	}
}

// TestPassByPassWhole goes through all recorded runs. What differs there is little: where a job has unlike numbers of
// processors on its nodes the log does not say which, and a job that ends in the moment of a pass may or may not be
// seen.
func TestPassByPassWhole(t *testing.T) {
	exact, passes := 0, 0
	for _, c := range recordedtest.Full(t, "slurm-replay", "") {
		var meta struct {
			Runs map[string]struct {
				T0 int64 `json:"epoch_of_t0"`
			} `json:"runs"`
		}
		if err := json.Unmarshal(c.Read(t, "meta.json"), &meta); err != nil {
			t.Fatal(err)
		}
		for name, run := range meta.Runs {
			t.Run(c.Name+"/"+name, func(t *testing.T) {
				files, err := fs.Sub(c.Files, "run-"+name)
				if err != nil {
					t.Fatal(err)
				}
				f := follow(t, readRecorded(t, c.Files, files, run.T0))
				exact, passes = exact+f.exact, passes+f.passes
				t.Log(f.told())
				if f.exact*100 < f.passes*80 {
					t.Errorf("%d of %d passes and cycles are exact", f.exact, f.passes)
				}
				if *update && name == "c" {
					copyRun(t, c, files, run.T0, f.told())
				}
			})
		}
	}
	if t.Logf("%d of %d passes and cycles exact", exact, passes); exact*100 < passes*97 {
		t.Errorf("fewer than 97 of 100 are exact")
	}
}

// copyRun writes the compact copy of a run: its policy and what the test reads.
func copyRun(t *testing.T, c recordedtest.Case, run fs.FS, t0 int64, told string) {
	a := &txtar.Archive{Comment: []byte("A run in real time, recorded from slurmctld 22.05.\n")}
	add := func(name string, text []byte) { a.Files = append(a.Files, txtar.File{Name: name, Data: text}) }
	for _, name := range []string{"slurm.conf", "sacctmgr_dump.cfg", "sacctmgr_qos.psv"} {
		add(name, withoutComments(c.Read(t, name)))
	}
	add("t0.txt", []byte(strconv.FormatInt(t0, 10)+"\n"))
	workload, err := fs.ReadFile(run, "workload.csv")
	if err != nil {
		t.Fatal(err)
	}
	add("workload.csv", workload)
	events, err := fs.ReadFile(run, "events.csv")
	if err != nil {
		t.Fatal(err)
	}
	var kept []byte
	for i, line := range strings.SplitAfter(string(events), "\n") {
		fields := strings.SplitN(line, ",", 4)
		if i > 0 && (len(fields) < 4 || !slices.Contains(keptEvents, fields[1])) {
			continue
		}
		if i > 0 && !strings.HasPrefix(fields[1], "start-") {
			line = strings.Join(fields[:3], ",") + ",\n"
		}
		kept = append(kept, line...)
	}
	add("events.csv", kept)
	add("told.txt", []byte(told))
	recordedtest.WriteCopy(t, "slurm-replay", c.Name, a)
}

// withoutComments leaves out the lines with # and what attached the controller to its simulated machine.
func withoutComments(text []byte) (out []byte) {
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") && !strings.Contains(line, "/var/lib/slurm") {
			out = append(out, line...)
		}
	}
	return out
}

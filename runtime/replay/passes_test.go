package replay

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Recorded runs of slurmctld, pass by pass: with all that had happened before a pass or cycle as it was recorded, the
// model starts the same jobs in it. No difference grows here.

// recordedReplays are the full recordings; nil where they are not, and in the short form.
func recordedReplays(t *testing.T) fs.FS {
	root := cmp.Or(os.Getenv("FAIRWAY_SHARED"), filepath.Join("..", "..", "..", "shared"))
	name := filepath.Join(root, "oracle", "slurm-replay")
	if _, err := os.Stat(name); err != nil || !draws.Long() {
		t.Skip("the full recordings are not here, or the long form is not wanted")
	}
	return os.DirFS(name)
}

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

func readRecorded(t *testing.T, files fs.FS, run string) *recorded {
	t.Helper()
	text := func(name string) []byte {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	out := compiler.Compile(compiler.Input{Files: []*source.File{source.NewFile("slurm.conf", text("slurm.conf")),
		source.NewFile("sacctmgr_dump.cfg", text("sacctmgr_dump.cfg"))}, Options: lower.Options{Version: "22.05"}})
	if out.Diags.HasErrors() {
		t.Fatal(out.Diags)
	}
	r := &recorded{program: out.Program}
	machine, _, err := snapshot.Read(files, []string{"sacctmgr_qos.psv"}, snapshot.Options{})
	if err != nil {
		t.Fatal(err)
	}
	machine.Nodes = ConfiguredNodes(out.Program)
	r.machine = machine
	s, diags, err := snapshot.Read(files, []string{run + "/workload.csv"}, snapshot.Options{WholeTrace: true})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	r.workload = NewWorkload(s.Jobs, Selection{Runtime: Recorded})
	if left := r.workload.Report(); len(left) > 0 && !strings.Contains(fmt.Sprint(r.workload.Left), noRuntime) {
		t.Fatal(left)
	}
	var meta struct {
		Runs map[string]struct {
			T0 int64 `json:"epoch_of_t0"`
		} `json:"runs"`
	}
	if err := json.Unmarshal(text("meta.json"), &meta); err != nil {
		t.Fatal(err)
	}
	r.t0 = meta.Runs[strings.TrimPrefix(run, "run-")].T0
	lines := csv.NewReader(strings.NewReader(string(text(run + "/events.csv"))))
	rows, err := lines.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
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
	f.must(f.notice())
	_, s, err := f.decide(only, depth)
	f.must(err)
	end, started, stopped := i+1, []*event{}, []*event{}
	for ; end < len(f.events); end++ {
		e := &f.events[end]
		again := e.kind == "main" && len(stopped) > 0 && e.at < begin.at+second/4 && only == planning.MainPass
		if kind := e.kind; strings.HasPrefix(kind, "start-") {
			started = append(started, e)
		} else if kind == "preempt" {
			stopped = append(stopped, e)
		} else if !again && kind != "backfill-queue" && kind != "backfill-end" {
			break
		}
	}
	f.compare(begin, s, started, stopped)
	for _, e := range started {
		f.start(e, s, only)
	}
	for _, e := range stopped {
		if job, ok := f.jobs[e.job]; ok && f.endsAt[job] != 0 {
			v := backfill.Victim{Mode: "requeue", Back: f.now.seconds() + f.rules.RequeueSeconds}
			f.must(f.stop(job, &v))
		}
	}
	return end
}

// compare notes whether the model starts and preempts whom slurmctld did.
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
	if os.Getenv("DBG") != "" && s != nil {
		for k := range s.Requests {
			p := &s.Placements[k]
			if s.Told != nil {
				p = &s.Told[k]
			}
			f.differences = append(f.differences, fmt.Sprintf("   %s prio %d start %d end %d by %s %v %s", s.Requests[k].ID, s.Requests[k].Priority, p.Start-f.t0(), p.End-f.t0(), p.By, names(s, p.Nodes), p.Reason))
		}
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
	f.must(f.begin(job, by, f.shares(e.job, hosts, s), s))
}

// shares are what a job has on its nodes: as the model has it, if the nodes are the same, else as far as they have
// room.
func (f *follower) shares(id string, hosts []string, s *backfill.Schedule) []backfill.Share {
	for k := range s.Requests {
		if place := &s.Placements[k]; s.Requests[k].ID == id && len(place.Nodes) == len(hosts) &&
			(place.By == backfill.ByMain || place.By == backfill.ByBackfill) {
			if slices.Equal(names(s, place.Nodes), hosts) {
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

// TestPassByPass reports how many passes and cycles are exact.
func TestPassByPass(t *testing.T) {
	files := recordedReplays(t)
	cases, err := fs.ReadDir(files, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range cases {
		if !dir.IsDir() {
			continue
		}
		of, err := fs.Sub(files, dir.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range []string{"run-a", "run-b", "run-c", "run-d"} {
			t.Run(dir.Name()+"/"+run, func(t *testing.T) {
				f := follow(t, readRecorded(t, of, run))
				t.Logf("%d of %d passes exact", f.exact, f.passes)
				for _, d := range f.differences {
					t.Log(d)
				}
			})
		}
	}
}

func (f *follower) t0() int64 { return f.out.Begin }

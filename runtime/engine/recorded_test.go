package engine_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// shared finds the recordings of the real scheduler, which are kept beside the checkout.
func shared(t *testing.T, elem ...string) string {
	t.Helper()
	root := os.Getenv("FAIRWAY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	name := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(name); err != nil {
		t.Skip("the recordings are not here")
	}
	return name
}

// iteration is what was recorded of one iteration.
type iteration struct {
	Now   json.Number `json:"now"`
	First map[string]struct {
		Since  int64 `json:"eff_queue_time"`
		Stored int64 `json:"start_priority_int"`
	} `json:"priorities_first_pass"`
	Starts []struct {
		Job string `json:"job"`
	} `json:"starts"`
	Queue struct {
		Idle    []queued `json:"idle"`
		Blocked []queued `json:"blocked"`
	} `json:"queue"`
	Reasons  map[string][]string `json:"blocked_reasons"`
	CheckJob map[string]struct {
		Stored *int64 `json:"start_priority"`
	} `json:"checkjob"`
	Commands []struct {
		Command []string `json:"cmd"`
	} `json:"pre_commands"`
	Later []iteration `json:"later_steps"`
}

type queued struct {
	Job string `json:"job"`
}

func ids(list []queued) []string {
	out := []string{}
	for _, q := range list {
		out = append(out, q.Job)
	}
	return out
}

// incomplete names recordings that hold nothing of a queue, and why.
var incomplete = map[string]string{
	"t15-running-over-limit": "the recorded scheduler answered no command",
}

// TestRecordedSelection compares what is eligible, blocked and why, in which order and with
// which stored priority, and how queue time goes on over later iterations, through a written and read
// checkpoint, with what Maui answered.
func TestRecordedSelection(t *testing.T) {
	root := shared(t, "oracle", "maui")
	dirs, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	family := regexp.MustCompile(`^(t|p|f|r|big)\d`)
	for _, d := range dirs {
		if !family.MatchString(d.Name()) {
			continue
		}
		t.Run(d.Name(), func(t *testing.T) {
			if reason := incomplete[d.Name()]; reason != "" {
				t.Skip(reason)
			}
			newReplay(t, os.DirFS(filepath.Join(root, d.Name()))).run()
		})
	}
}

// replay goes through the iterations of one recording. It plays the resource manager: jobs arrive,
// run from their recorded start and are gone when they have run for their time.
type replay struct {
	t        *testing.T
	files    fs.FS
	program  *program.Program
	jobs     []map[string]any
	backfill []string // jobs that backfill started, by the scheduler's log
	previous *checkpoint.Checkpoint
}

func newReplay(t *testing.T, files fs.FS) *replay {
	r := &replay{t: t, files: files, backfill: backfilled(t, files)}
	if err := json.Unmarshal(r.read("jobs.json"), &r.jobs); err != nil {
		t.Fatal(err)
	}
	out := compiler.Compile(compiler.Input{Lang: lower.Maui, Files: []*source.File{source.NewFile("maui.cfg", r.read("maui.cfg"))}})
	if out.Diags.HasErrors() {
		t.Fatal(out.Diags)
	}
	r.program = out.Program
	return r
}

func (r *replay) read(name string) []byte {
	text, err := fs.ReadFile(r.files, name)
	if err != nil {
		r.t.Fatal(err)
	}
	return text
}

// backfilled: who is started by the priority pass and who by backfill depends on where jobs fit,
// which is not the selection's business; the log of the recording tells.
func backfilled(t *testing.T, files fs.FS) []string {
	packed, err := files.Open("expected/maui.log.excerpt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpack, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpack)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range regexp.MustCompile(`MBF\w+: +job (\S+)\.0 started`).FindAllSubmatch(text, -1) {
		list = append(list, string(m[1]))
	}
	return list
}

func (r *replay) run() {
	var recorded iteration
	text := regexp.MustCompile(`-?\bInfinity\b`).ReplaceAll(r.read("expected.json"), []byte(`0`))
	if err := json.Unmarshal(text, &recorded); err != nil {
		r.t.Fatal(err)
	}
	if len(recorded.First) == 0 {
		r.t.Fatal("nothing was recorded")
	}
	for i, it := range append([]iteration{recorded}, recorded.Later...) {
		now, err := it.Now.Int64()
		if err != nil {
			r.t.Fatal(err)
		}
		r.step(fmt.Sprintf("iteration %d", i), now, &it)
	}
}

func (r *replay) step(what string, now int64, it *iteration) {
	t := r.t
	var started, filled []string
	for _, s := range it.Starts {
		if started = append(started, s.Job); slices.Contains(r.backfill, s.Job) {
			filled = append(filled, s.Job)
		}
	}
	result, err := engine.Run(r.program, r.snapshot(now), engine.Options{Workers: 1, Started: started, Backfilled: filled, Previous: r.previous})
	if err != nil {
		t.Fatal(what, err)
	}
	if result.Findings.HasErrors() {
		t.Fatal(what, result.Findings)
	}
	r.compare(what, result, it)
	r.previous = r.through(result, now)
	if len(it.CheckJob) > 0 {
		r.asked(result, now)
	}
	r.age(now, started)
}

// snapshot is the queue as the resource manager shows it now.
func (r *replay) snapshot(now int64) *snapshot.Snapshot {
	t := r.t
	var shown []map[string]any
	for _, j := range r.jobs {
		start, _ := j["start_time"].(float64)
		runtime, timed := j["runtime"].(float64)
		if j["state"] == "running" && timed && int64(start+runtime) <= now {
			continue
		}
		shown = append(shown, j)
	}
	jobs, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{"jobs.json": {Data: jobs}, "nodes.json": {Data: r.read("nodes.json")}}
	paths := []string{"jobs.json", "nodes.json"}
	if windows, err := fs.Glob(r.files, "fs/FS.*"); err == nil && len(windows) > 0 {
		for _, name := range windows {
			files[name] = &fstest.MapFile{Data: r.read(name)}
		}
		paths = append(paths, "fs")
	}
	s, diags, err := snapshot.Read(files, paths, snapshot.Options{Now: now})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	return s
}

func (r *replay) compare(what string, result *engine.Result, it *iteration) {
	t := r.t
	index := map[string]int{}
	var blocked []int
	for job := range result.Jobs.Rows {
		index[id(result, job)] = job
		switch result.State[job] {
		case engine.Blocked, engine.Held:
			blocked = append(blocked, job)
		case engine.Eligible:
			if !slices.Contains(result.Idle, int32(job)) {
				t.Errorf("%s: %s is eligible, but not listed", what, id(result, job))
			}
		}
	}
	for name, want := range it.First {
		job, ok := index[name]
		if !ok {
			t.Errorf("%s: job %s is missing", what, name)
			continue
		}
		if got := result.Jobs.Value("job.queue_start_time", job).Int; got != want.Since {
			t.Errorf("%s: queue time of %s counts from %d, recorded was %d", what, name, got, want.Since)
		}
		if got := result.Priority[result.JobRow[job]]; got != want.Stored {
			t.Errorf("%s: priority of %s is %d, recorded was %d", what, name, got, want.Stored)
		}
	}
	equalLists(t, what+": eligible", names(result, result.Idle), ids(it.Queue.Idle))
	equalLists(t, what+": blocked", names(result, blocked), ids(it.Queue.Blocked))
	for _, job := range blocked {
		checkReasons(t, what, result, job, it.Reasons[id(result, job)])
	}
	for _, name := range slices.Sorted(maps.Keys(it.CheckJob)) {
		want := it.CheckJob[name].Stored
		if job, ok := index[name]; ok && want != nil && len(it.Commands) == 0 && result.Stored[job] != *want {
			t.Errorf("%s: stored priority of %s is %d, recorded was %d", what, name, result.Stored[job], *want)
		}
	}
}

// checkReasons compares with the lines of diagnose -q. Of a job of negative priority it has none.
func checkReasons(t *testing.T, what string, result *engine.Result, job int, recorded []string) {
	t.Helper()
	var got []string
	for b := result.Why[int32(job)]; b != nil; b = nil {
		for _, each := range append([]*engine.Block{b}, b.Also...) {
			if each.Text != "" {
				got = append(got, each.Text)
			}
		}
	}
	want := []string{}
	for _, text := range recorded {
		want = append(want, strings.TrimSpace(text))
	}
	equalLists(t, what+": reasons of "+id(result, job), got, want)
	if len(want) > 0 && result.Reason[job] != want[0] {
		t.Errorf("%s: the reason of %s is %q, recorded was %q", what, id(result, job), result.Reason[job], want[0])
	}
}

// through writes the checkpoint and reads it back, as two runs of the command do.
func (r *replay) through(result *engine.Result, now int64) *checkpoint.Checkpoint {
	var file bytes.Buffer
	if err := result.Next.Write(&file); err != nil {
		r.t.Fatal(err)
	}
	read, diags := checkpoint.Read(source.NewFile("state.json", file.Bytes()), "maui", now)
	if diags.HasErrors() {
		r.t.Fatal(diags)
	}
	return read
}

// asked does what the command checkjob does to the scheduler that it asks: it tests the job against
// hard limits, and, unless queue time always accrues, a job that fails waits anew. The
// recording asked after every job.
func (r *replay) asked(result *engine.Result, now int64) {
	if r.program.Queue.Accrual == program.AccrualAlways {
		return
	}
	for i := range r.previous.Jobs {
		j := &r.previous.Jobs[i]
		for job, b := range result.Why {
			if id(result, int(job)) == j.ID && overHard(r.program, b) {
				j.QueueStart = now
			}
		}
	}
}

func overHard(p *program.Program, b *engine.Block) bool {
	if b.Kind != engine.BlockLimit || b.Limit == nil || b.Limit.Phase == limit.Idle {
		return false
	}
	return b.Limit.InUse+b.Limit.Request > p.Limits[b.Limit.Limit].Hard
}

// age lets the started jobs run.
func (r *replay) age(now int64, started []string) {
	for _, j := range r.jobs {
		if slices.Contains(started, j["id"].(string)) {
			j["state"], j["start_time"] = "running", float64(now)
		}
	}
}

func id(r *engine.Result, job int) string { return r.Jobs.Value("job.id", job).Str }

func names[T int | int32](r *engine.Result, jobs []T) []string {
	out := []string{}
	for _, job := range jobs {
		out = append(out, id(r, int(job)))
	}
	return out
}

func equalLists(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

package conformance_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
)

// replay evaluates the iterations of a case, each with the queue as the resource manager then showed
// it and the state that the one before left in a file. Which jobs start is taken from the
// recording.
func (r recording) replay(t *testing.T, want *mauiExpected, check func(*testing.T, *mauiStep, *engine.Result)) {
	t.Helper()
	out := r.compile(t, "maui.cfg", compiler.Input{Lang: lower.Maui})
	if out.Program == nil {
		t.Fatal(format(out.Diags))
	}
	var state []byte
	started := map[string]int64{}
	for i, step := range want.all() {
		o := engine.Options{Workers: 1, Started: names(step.Starts), Backfilled: both(names(step.Starts), names(want.Backfilled))}
		if i > 0 {
			o.Previous = readState(t, state, step.Now)
		}
		result := r.at(t, out.Program, step.Now, started, o)
		if i == 0 {
			check(t, step, result)
		} else {
			t.Run(stepName(i), func(t *testing.T) { check(t, step, result) })
		}
		if len(step.Checkjob) > 0 {
			checkjobResets(result)
		}
		var file bytes.Buffer
		if err := result.Next.Write(&file); err != nil {
			t.Fatal(err)
		}
		state = file.Bytes()
		for _, id := range names(step.Starts) {
			started[id] = step.Now
		}
	}
}

// both are the names of one list that stand in the other too.
func both(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return !slices.Contains(other, name) })
}

// checkjobResets does what the command checkjob, with which a case was recorded, does to the
// scheduler that it asks: it tests the job against hard limits, and unless queue time always
// accrues a job that fails waits anew.
func checkjobResets(result *engine.Result) {
	if result.Program.Queue.Accrual == program.AccrualAlways {
		return
	}
	_, index := jobIDs(result)
	for k := range result.Next.Jobs {
		job := &result.Next.Jobs[k]
		b := result.Why[int32(index[job.ID])]
		if b == nil || b.Limit == nil || b.Kind != engine.BlockLimit || b.Limit.Phase == limit.Idle {
			continue
		}
		if b.Limit.InUse+b.Limit.Request > result.Program.Limits[b.Limit.Limit].Hard {
			job.QueueStart = result.Now
		}
	}
}

var backfillStart = regexp.MustCompile(`MBF\w+: +job (\S+)\.0 started`)

// backfilled are the jobs that backfill started: whether it or the priority pass starts a job
// depends on where the job fits. A copy lists them; else the scheduler's log tells, and, where that is cut
// short, the flags that checkjob printed.
func (r recording) backfilled(t *testing.T, want *mauiExpected) []mauiJobName {
	const log = "expected/maui.log.excerpt.gz"
	if !r.exists(log) {
		return want.Backfilled
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(r.read(t, log)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	var list []mauiJobName
	for _, m := range backfillStart.FindAllSubmatch(text, -1) {
		list = append(list, mauiJobName(m[1]))
	}
	for _, id := range slices.Sorted(maps.Keys(want.Checkjob)) {
		if name := mauiJobName(id); slices.Contains(want.Checkjob[id].Flags, "BACKFILL") && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

func readState(t *testing.T, text []byte, now int64) *checkpoint.Checkpoint {
	t.Helper()
	c, diags := checkpoint.Read(source.NewFile("state.json", text), "maui", now)
	if diags.HasErrors() {
		t.Fatal(format(diags))
	}
	return c
}

// at evaluates the queue of one moment, in which jobs that started before run or are done.
func (r recording) at(t *testing.T, p *program.Program, now int64, started map[string]int64, o engine.Options) *engine.Result {
	t.Helper()
	files := fstest.MapFS{"jobs.json": {Data: queueAt(t, r.read(t, "jobs.json"), now, started)}, "nodes.json": {Data: r.read(t, "nodes.json")}}
	paths := []string{"jobs.json", "nodes.json"}
	windows, err := fs.Glob(r.files, "fs/FS.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range windows {
		files[name] = &fstest.MapFile{Data: r.read(t, name)}
		paths = append(paths, name)
	}
	s := recording{r.name, files}.snapshot(t, now, paths...)
	result, err := engine.Run(p, s, o)
	if err != nil {
		t.Fatal(err)
	}
	if result.Findings.HasErrors() {
		t.Fatal(format(result.Findings))
	}
	return result
}

// queueAt is jobs.json as the resource manager reports the jobs later: what was started runs
// since, and what has run as long as it takes is completed.
func queueAt(t *testing.T, text []byte, now int64, started map[string]int64) []byte {
	t.Helper()
	var jobs []map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&jobs); err != nil {
		t.Fatal(err)
	}
	for _, job := range jobs {
		if at, ok := started[job["id"].(string)]; ok {
			job["state"], job["start_time"] = "running", at
		}
		start, starts := integer(job["start_time"])
		runs, known := integer(job["runtime"])
		if starts && known && start+runs <= now {
			job["state"] = "completed"
		}
	}
	text, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case json.Number:
		n, err := v.Int64()
		return n, err == nil
	}
	return 0, false
}

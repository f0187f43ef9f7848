// Package replay plays recorded runs of a real Maui against the engine, iteration by iteration.
//
// In: the folder of one recording: configuration, queue, nodes, usage files, and what Maui did. Out:
// the engine's result of each iteration, made from what Maui had before it. It plays the resource
// manager: jobs arrive, start when they did, and are gone when they have run for their time.
// Called by tests that compare what is printed.
package replay

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
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

// Iteration is what was recorded of one iteration, as far as replaying needs it.
type Iteration struct {
	Index  int   `json:"iteration"`
	Now    int64 `json:"now"`
	Starts []struct {
		Job   string   `json:"job"`
		Tasks []string `json:"tasklist"` // the node of each task
	} `json:"starts"`
	CheckJob map[string]CheckJob `json:"checkjob"`
	Commands []struct {
		Command []string `json:"cmd"`
		Answer  string   `json:"out"`
	} `json:"pre_commands"`

	// Jobs are those that the resource manager shows, by id.
	Jobs map[string]Job `json:"-"`
}

// Job is what the resource manager knows of a job now that the snapshot of the engine, which was
// taken before jobs started, does not.
type Job struct {
	Started int64    // epoch seconds, 0 for a job that waits
	Hosts   []string // the node of each task
}

// CheckJob is what the command of that name said of a job.
type CheckJob struct {
	Flags    []string `json:"flags"`
	Stored   *int64   `json:"start_priority"`
	PE       *float64 `json:"pe"`
	State    string   `json:"state"`
	EState   string   `json:"estate"`
	Messages []string `json:"messages"`
}

type recording struct {
	Iteration
	Later []Iteration `json:"later_steps"`
}

// Case is one recording.
type Case struct {
	Program *program.Program

	files      fs.FS
	jobs       []map[string]any
	nodes      []byte
	iterations []Iteration
	backfilled []string
	previous   *checkpoint.Checkpoint
	priority   map[string]systemPriority
}

type systemPriority struct {
	value    int64
	relative bool
}

// pythonInfinity: the recordings were written by a program that says Infinity.
var pythonInfinity = regexp.MustCompile(`-?\bInfinity\b`)

// Open reads a recording and compiles its maui.cfg.
func Open(files fs.FS) (*Case, error) {
	c := &Case{files: files, priority: map[string]systemPriority{}}
	conf, err := fs.ReadFile(files, "maui.cfg")
	if err != nil {
		return nil, err
	}
	out := compiler.Compile(compiler.Input{Lang: lower.Maui, Files: []*source.File{source.NewFile("maui.cfg", conf)}})
	if out.Diags.HasErrors() {
		return nil, fmt.Errorf("%v", out.Diags)
	}
	c.Program = out.Program
	jobs, err := fs.ReadFile(files, "jobs.json")
	if err == nil {
		err = json.Unmarshal(jobs, &c.jobs)
	}
	if err != nil {
		return nil, err
	}
	if c.nodes, err = fs.ReadFile(files, "nodes.json"); err != nil {
		return nil, err
	}
	expected, err := fs.ReadFile(files, "expected.json")
	if err != nil {
		return nil, err
	}
	var r recording
	if err := json.Unmarshal(pythonInfinity.ReplaceAll(expected, []byte("0")), &r); err != nil {
		return nil, err
	}
	c.iterations = append([]Iteration{r.Iteration}, r.Later...)
	if c.backfilled, err = backfilled(files); err != nil {
		return nil, err
	}
	for id, job := range r.CheckJob { // the log may be cut short
		if slices.ContainsFunc(job.Flags, func(f string) bool { return strings.Contains(f, "BACKFILL") }) {
			c.backfilled = append(c.backfilled, id)
		}
	}
	return c, nil
}

// backfilled: who is started by the priority pass and who by backfill depends on where jobs fit,
// which is not the selection's business; the log of the recording tells.
func backfilled(files fs.FS) ([]string, error) {
	packed, err := files.Open("expected/maui.log.excerpt.gz")
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	unpack, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(unpack)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, m := range regexp.MustCompile(`MBF\w+: +job (\S+)\.0 started`).FindAllSubmatch(text, -1) {
		list = append(list, string(m[1]))
	}
	return list, nil
}

// Run goes through the iterations. each gets what the engine makes of one as its clients saw it:
// after the jobs had started and what the administrator typed had been done.
func (c *Case) Run(each func(it *Iteration, r *engine.Result)) error {
	for i := range c.iterations {
		it := &c.iterations[i]
		if err := c.step(it, each); err != nil {
			return fmt.Errorf("iteration %d: %w", i, err)
		}
	}
	return nil
}

func (c *Case) step(it *Iteration, each func(it *Iteration, r *engine.Result)) error {
	var started, filled []string
	for _, s := range it.Starts {
		if started = append(started, s.Job); slices.Contains(c.backfilled, s.Job) {
			filled = append(filled, s.Job)
		}
	}
	options := engine.Options{Workers: 1, Started: started, Backfilled: filled, Previous: c.previous}
	result, err := c.evaluate(it.Now, options)
	if err != nil {
		return err
	}
	seen := result
	if c.command(it) {
		if seen, err = c.evaluate(it.Now, options); err != nil {
			return err
		}
	}
	c.age(it)
	it.Jobs = c.shown(it.Now)
	each(it, seen)
	var file bytes.Buffer
	if err := result.Next.Write(&file); err != nil {
		return err
	}
	previous, diags := checkpoint.Read(source.NewFile("state.json", file.Bytes()), "maui", it.Now)
	if diags.HasErrors() {
		return fmt.Errorf("%v", diags)
	}
	c.previous = previous
	if len(it.CheckJob) > 0 {
		c.asked(result, it.Now)
	}
	return nil
}

// command notes the system priorities that the administrator set.
func (c *Case) command(it *Iteration) (changed bool) {
	for _, command := range it.Commands {
		words := command.Command
		if words[0] != "setspri" || command.Answer != "job system priority adjusted" {
			continue
		}
		if value, err := strconv.ParseInt(words[len(words)-2], 10, 64); err == nil {
			c.priority[words[len(words)-1]], changed = systemPriority{value, words[1] == "-r"}, true
		}
	}
	return changed
}

func (c *Case) evaluate(now int64, o engine.Options) (*engine.Result, error) {
	s, err := c.snapshot(now)
	if err != nil {
		return nil, err
	}
	result, err := engine.Run(c.Program, s, o)
	if err == nil && result.Findings.HasErrors() {
		err = fmt.Errorf("%v", result.Findings)
	}
	return result, err
}

// snapshot is the queue as the resource manager shows it now.
func (c *Case) snapshot(now int64) (*snapshot.Snapshot, error) {
	var shown []map[string]any
	set := []map[string]any{}
	for _, j := range c.jobs {
		if gone(j, now) {
			continue
		}
		shown = append(shown, j)
		if p, ok := c.priority[j["id"].(string)]; ok {
			set = append(set, map[string]any{"id": j["id"], "system_priority": p.value, "system_priority_relative": p.relative})
		}
	}
	jobs, err := json.Marshal(shown)
	if err != nil {
		return nil, err
	}
	files := fstest.MapFS{"jobs.json": {Data: jobs}, "nodes.json": {Data: c.nodes}}
	paths := []string{"jobs.json", "nodes.json"}
	if len(set) > 0 {
		text, err := json.Marshal(map[string]any{"format_version": 1, "jobs": set})
		if err != nil {
			return nil, err
		}
		files["set.json"] = &fstest.MapFile{Data: text}
		paths = append(paths, "set.json")
	}
	windows, err := fs.Glob(c.files, "fs/FS.*")
	if err != nil {
		return nil, err
	}
	for _, name := range windows {
		data, err := fs.ReadFile(c.files, name)
		if err != nil {
			return nil, err
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	if len(windows) > 0 {
		paths = append(paths, "fs")
	}
	s, diags, err := snapshot.Read(files, paths, snapshot.Options{Now: now})
	if err == nil && diags.HasErrors() {
		err = fmt.Errorf("%v", diags)
	}
	return s, err
}

// gone reports a job that has run for its time. One in a state that Maui's Wiki interface does
// not know was never loaded (recorded: b07).
func gone(j map[string]any, now int64) bool {
	if j["state"] == "UserHold" {
		return true
	}
	start, _ := j["start_time"].(float64)
	runtime, timed := j["runtime"].(float64)
	return j["state"] == "running" && timed && int64(start+runtime) <= now
}

// age lets the started jobs run.
func (c *Case) age(it *Iteration) {
	for _, s := range it.Starts {
		for _, j := range c.jobs {
			if j["id"] == s.Job {
				j["state"], j["start_time"], j["alloc"] = "running", float64(it.Now), s.Tasks
			}
		}
	}
}

func (c *Case) shown(now int64) map[string]Job {
	m := map[string]Job{}
	for _, j := range c.jobs {
		var job Job
		if start, ok := j["start_time"].(float64); ok {
			job.Started = int64(start)
		}
		switch hosts := j["alloc"].(type) {
		case []string:
			job.Hosts = hosts
		case []any:
			for _, h := range hosts {
				job.Hosts = append(job.Hosts, fmt.Sprint(h))
			}
		}
		m[j["id"].(string)] = job
	}
	return m
}

// asked does what the command checkjob does to the scheduler that it asks: it tests the job against
// hard limits, and, unless queue time always accrues, a job that fails waits anew. The
// recording asked after every job.
func (c *Case) asked(result *engine.Result, now int64) {
	if c.Program.Queue.Accrual == program.AccrualAlways {
		return
	}
	for i := range c.previous.Jobs {
		j := &c.previous.Jobs[i]
		for job, b := range result.Why {
			if result.Jobs.Value("job.id", int(job)).Str == j.ID && overHard(c.Program, b) {
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

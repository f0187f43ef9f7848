// Package replay plays recorded runs of a real Maui against the engine, iteration by iteration.
//
// In: the files of one recording: configuration, queue, nodes, usage, and what Maui did. A full recording
// and a compact copy of one are read alike. Out: the engine's result of each iteration, made from what
// Maui had before it, beside what was recorded of it. It plays the resource manager: jobs arrive, start
// when they did, and end when they have run for their time. Called by tests that compare.
package replay

import (
	"bytes"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"sync"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Case is one recording.
type Case struct {
	*Recording
	Program *program.Program

	// ListEnded: the resource manager goes on listing a job that has ended, as completed. Else
	// it lists the job no more.
	ListEnded bool

	// Plan lets the engine decide which jobs start; else they are those that were recorded. What an iteration leaves to
	// the next one is then what a plan of it leaves.
	Plan bool
}

// Open reads a recording and compiles its maui.cfg.
func Open(files fs.FS) (*Case, error) {
	conf, err := fs.ReadFile(files, "maui.cfg")
	if err != nil {
		return nil, err
	}
	policy, err := Compile(conf)
	if err != nil {
		return nil, err
	}
	recorded, err := Read(files)
	if err != nil {
		return nil, err
	}
	return &Case{Program: policy, Recording: recorded}, nil
}

// compiled are the programs of the recordings that were opened, by their maui.cfg: a recording is compared in
// several ways, and so is its copy.
var compiled sync.Map

// Compile makes the program of a recorded maui.cfg, which is not to be changed.
func Compile(conf []byte) (*program.Program, error) {
	if known, ok := compiled.Load(string(conf)); ok {
		return known.(*program.Program), nil
	}
	out := compiler.Compile(compiler.Input{Lang: lower.Maui, Files: []*source.File{source.NewFile("maui.cfg", conf)}})
	if out.Program == nil || out.Diags.HasErrors() {
		return nil, fmt.Errorf("%v", out.Diags)
	}
	compiled.Store(string(conf), out.Program)
	return out.Program, nil
}

// Played is one iteration: what was recorded of it, and what the engine makes of it.
type Played struct {
	*Iteration
	Index  int                // 0 is the first
	Result *evaluation.Result // as Maui scheduled
	Seen   *evaluation.Result // as its clients saw it: after what the administrator typed had been done
}

// Play goes through the iterations, from the first. Each takes up the state that the one before
// left in a file.
func (c *Case) Play() iter.Seq2[*Played, error] {
	return func(yield func(*Played, error) bool) {
		q, err := openQueue(c.files, c.ListEnded)
		if err != nil {
			yield(nil, err)
			return
		}
		var previous *checkpoint.Checkpoint
		state := engine.New(c.Program, &snapshot.Snapshot{}, evaluation.Options{})
		for i, it := range c.Iterations() {
			p := &Played{Iteration: it, Index: i}
			if err := c.evaluate(p, q, state, previous); err != nil {
				yield(nil, fmt.Errorf("iteration %d: %w", i, err))
				return
			}
			if !yield(p, nil) {
				return
			}
			left := p.Result
			if c.Plan && i+1 < len(c.Iterations()) {
				if left, err = planned(state, previous); err != nil {
					yield(nil, fmt.Errorf("iteration %d: %w", i, err))
					return
				}
			}
			if previous, err = reread(left); err != nil {
				yield(nil, fmt.Errorf("iteration %d: %w", i, err))
				return
			}
			if len(it.CheckJob) > 0 {
				checkJobResets(previous, p.Result)
			}
			q.start(it.Starts, it.Now)
		}
	}
}

// evaluate shows the state the queue of an iteration. What the administrator types then are steps of it.
func (c *Case) evaluate(p *Played, q *queue, state *engine.State, previous *checkpoint.Checkpoint) error {
	s, err := q.at(p.Now)
	if err != nil {
		return err
	}
	o := evaluation.Options{Workers: 1, Previous: previous, Plan: c.Plan}
	for _, start := range p.Starts {
		if c.Plan {
			break
		}
		if o.Started = append(o.Started, start.Job); slices.Contains(c.Backfilled, JobName(start.Job)) {
			o.Backfilled = append(o.Backfilled, start.Job)
		}
	}
	state.Show(s)
	state.Choose(o)
	if p.Result, err = result(state); err != nil {
		return err
	}
	p.Seen = p.Result
	if !q.setPriorities(p.Commands) {
		return nil
	}
	for id, priority := range q.priority {
		if snapshot.RowOf(s.Jobs, id) < 0 {
			continue
		}
		err := state.Change(id, snapshot.Cells{"job.system_priority": schema.IntValue(priority.value),
			"job.system_priority_relative": schema.BoolValue(priority.relative)})
		if err != nil {
			return err
		}
	}
	p.Seen, err = result(state)
	return err
}

// planned is an evaluation and a plan of it, as `fairway plan --state` makes them, which leaves the state to the next
// iteration.
func planned(state *engine.State, previous *checkpoint.Checkpoint) (*evaluation.Result, error) {
	state.Choose(evaluation.Options{Workers: 1, Previous: previous})
	r, err := result(state)
	if err != nil {
		return nil, err
	}
	_, err = engine.Plan(r, planning.Options{})
	return r, err
}

func result(state *engine.State) (*evaluation.Result, error) {
	r, err := state.Evaluate()
	if err == nil && r.Findings.HasErrors() {
		err = fmt.Errorf("%v", r.Findings)
	}
	return r, err
}

// reread writes the state that an iteration leaves and reads it back, as two runs of the command do.
func reread(r *evaluation.Result) (*checkpoint.Checkpoint, error) {
	var file bytes.Buffer
	if err := r.Next().Write(&file); err != nil {
		return nil, err
	}
	state, diags := checkpoint.Read(source.NewFile("state.json", file.Bytes()), "maui", r.Now)
	if diags.HasErrors() {
		return nil, fmt.Errorf("%v", diags)
	}
	return state, nil
}

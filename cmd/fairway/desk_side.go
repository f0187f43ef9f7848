package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/edit"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// deskServer is a queue whose policy a person changes.
type deskServer struct {
	in       compiler.Input
	files    []string
	captures []string // captured snapshots that some of them are of
	settings []edit.Setting
	recorded map[string]recordedCell // the settings that the snapshot alone has, by key
	snapshot *snapshot.Snapshot      // as it was read
	options  evaluation.Options
	replay   *deskReplay // nil without a workload

	before *deskSide

	choosing sync.Mutex // of kept
	kept     kept

	saving sync.Mutex        // of what follows
	onDisk map[string][]byte // what was saved, by file
	saved  edit.Change       // the change that was written last

	mu    sync.Mutex // of what follows
	state *engine.State
	now   *deskSide // the last change that was evaluated
}

// deskSide is the policy with a change, and what it comes to. A side is not changed once it is made.
type deskSide struct {
	change edit.Change
	where  string
	out    *compiler.Output
	result *evaluation.Result

	recorded edit.Change        // of the change, what the snapshot has otherwise
	queue    *snapshot.Snapshot // with that

	asked sync.Mutex // of what is made when it is asked for
	match *jobFilter // of where; nil if it was not asked
	plan  *deskPlan  // nil if it was not asked for, or failed
	lost  string     // how many jobs the condition fails for, in words; "" for none
}

// mistake is something wrong with what a person typed, at the setting where it was.
type mistake struct {
	Key     string   `json:"key"`
	Message string   `json:"message"`
	Notes   []string `json:"notes"`
}

// mistakes is an error of what a person typed.
type mistakes []mistake

func (m mistakes) Error() string { return m[0].Message }

// whereKey is the key of mistakes in a condition by which jobs are chosen.
const whereKey = "where"

// side compiles and evaluates a change, or takes the last one where it is the same.
func (d *deskServer) side(change edit.Change, where string) (*deskSide, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range []*deskSide{d.now, d.before} {
		if s.change.Key() == change.Key() && s.where == where {
			return s, nil
		}
	}
	out, recorded, err := d.compile(change, where)
	if err != nil {
		return nil, err
	}
	side := &deskSide{change: change, where: where, out: out, recorded: recorded, queue: d.now.queue}
	if d.now.change.Key() == change.Key() {
		side.result = d.now.result // the condition alone is another
		d.now = side
		return side, nil
	}
	if side.queue, err = d.queueWith(recorded); err != nil {
		return nil, err
	}
	if side.result, err = d.evaluate(out.Program, side.queue); err != nil {
		return nil, mistakeOf(err)
	}
	if side.result.Findings.HasErrors() {
		return nil, mistakesOf(side.result.Findings, nil)
	}
	d.now = side
	return side, nil
}

// queueWith is the queue with a change of what the snapshot has: that of the last change where it is the same.
func (d *deskServer) queueWith(recorded edit.Change) (*snapshot.Snapshot, error) {
	if d.now.recorded.Key() == recorded.Key() {
		return d.now.queue, nil
	}
	return recordedWith(d.snapshot, d.recorded, recorded)
}

// evaluate ranks a queue. What the last evaluation has is taken over where the queue is the same.
func (d *deskServer) evaluate(p *program.Program, queue *snapshot.Snapshot) (*evaluation.Result, error) {
	if d.state.Snapshot() == queue {
		d.state.Set(p)
	} else {
		d.state = engine.New(p, queue, d.options)
	}
	return d.state.Evaluate()
}

// input is what to compile for a change.
func (d *deskServer) input(change edit.Change) (compiler.Input, *edit.Changed, error) {
	in := d.in
	changed, err := edit.Apply(d.settings, change)
	if err != nil {
		return in, nil, mistakeOf(err)
	}
	if in, err = d.replaced(changed.Texts); err != nil {
		return in, nil, err
	}
	in.Params = append(in.Params[:len(in.Params):len(in.Params)], changed.Params...)
	return in, changed, nil
}

// replaced is the input with other texts of some files, included ones too.
func (d *deskServer) replaced(texts map[string]*source.File) (compiler.Input, error) {
	in := d.in
	in.Files = append([]*source.File(nil), in.Files...)
	included := map[string][]byte{}
	for name, file := range texts {
		if i := fileAt(in.Files, name); i >= 0 {
			in.Files[i] = file
			continue
		}
		path, err := filepath.Abs(name)
		if err != nil {
			return in, mistakeOf(err)
		}
		included[strings.TrimPrefix(filepath.ToSlash(path), "/")] = file.Text
	}
	if len(included) > 0 {
		in.Include.FS, in.Parsed = d.in.Include.FS.(*remembered).with(included), nil
	}
	return in, nil
}

func fileAt(files []*source.File, name string) int {
	for i, f := range files {
		if f.Name == name {
			return i
		}
	}
	return -1
}

// compile makes the program of a change, and finds what the snapshot has otherwise.
func (d *deskServer) compile(change edit.Change, where string) (out *compiler.Output, recorded edit.Change, err error) {
	in, changed, err := d.input(change)
	if err != nil {
		return nil, nil, err
	}
	if where != "" {
		in.Queries = []lower.Query{{Text: source.NewFile("--where", []byte(where)), Condition: true}}
	}
	out = compiler.Compile(in)
	if out.Diags.HasErrors() {
		return nil, nil, mistakesOf(out.Diags, changed)
	}
	if len(changed.Texts) > 0 {
		if m := changed.Unread(edit.Settings(out.Policy)); m != nil {
			return nil, nil, mistakeOf(m)
		}
	}
	return out, changed.Recorded, nil
}

// mistakeOf is an error of a change, at its setting if it has one.
func mistakeOf(err error) mistakes {
	var of *edit.Mistake
	m := mistake{Message: err.Error()}
	if errors.As(err, &of) {
		m.Key = of.Key
	}
	return mistakes{m}
}

// mistakesOf are the errors of a list, each at what a person typed if it is there.
func mistakesOf(list diag.List, changed *edit.Changed) mistakes {
	var all mistakes
	for _, d := range list {
		if d.Severity != diag.Error {
			continue
		}
		m := mistake{Message: source.Plain(d.Message)}
		switch {
		case !d.Span.IsZero() && d.Span.File.Name == "--where":
			m.Key = whereKey
		case changed != nil:
			m.Key = changed.KeyAt(d.Span)
		}
		if m.Key == "" && !d.Span.IsZero() {
			m.Message = source.Plain(d.Span.String()) + ": " + m.Message
		}
		for _, n := range d.Notes {
			m.Notes = append(m.Notes, source.Plain(n.Text))
		}
		all = append(all, m)
	}
	return all
}

// filterOf is a filter with the jobs for which the side's condition holds, which are found once.
func (d *deskServer) filterOf(s *deskSide) (*jobFilter, error) {
	s.asked.Lock()
	defer s.asked.Unlock()
	if s.match != nil || s.where == "" {
		if s.match == nil {
			s.match = &jobFilter{}
		}
		return s.match, nil
	}
	f := &jobFilter{where: []string{s.where}}
	p, diags := compiler.Queries(s.out.Policy)
	if diags.HasErrors() {
		return nil, mistakesOf(diags, nil)
	}
	o := d.options
	o.ScoresOnly, o.Started, o.KeepState, o.Workers = true, nil, false, runtime.GOMAXPROCS(0)
	r, err := engine.Run(p, s.result.Snapshot, o)
	if err != nil {
		return nil, mistakes{{Key: whereKey, Message: err.Error()}}
	}
	if r.Findings.HasErrors() {
		return nil, mistakesOf(r.Findings, nil)
	}
	if failed := f.take(r); failed > 0 {
		s.lost = fmt.Sprintf("The condition fails for %s: left out%s", count(failed, "job"), lossOf(r))
	}
	s.match = f
	return f, nil
}

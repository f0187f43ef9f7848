// Package fairway evaluates the policies of HPC job schedulers from Go: what the command does, for programs that
// want it inside.
//
// [Compile] turns policy text (maui.cfg, slurm.conf with sacctmgr dumps, *.fairway.hcl) into a [Policy], [Read] what
// the resource manager printed into a [Snapshot]. [Policy.Evaluate] ranks the queue, [Result.Plan] says when each job
// starts, and Write prints either as the command does. Nothing here opens a file but through the fs.FS that it is
// given, reads a clock, or runs a program.
//
// What is in this package, and the JSON that Write makes (fairway doc schema), stays compatible within a major
// version: names are added, none goes away or changes its meaning. The packages below this one are its inside, and
// change with the program.
package fairway

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/report"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/plan"
	"github.com/fairway-sched/fairway/runtime/report/plan/gantt"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Options are how a policy is read. The zero value is what the command does without flags.
type Options struct {
	Version    string   // of the scheduler, as YY.MM; empty: what the files say, else the newest known
	Documented bool     // follow the scheduler's manual where it does otherwise
	Params     []string // NAME=VALUE, as the scheduler's file has the value
	Without    []string // components to leave out, or limits
}

// Policy is a compiled policy. It may be used by several goroutines.
type Policy struct{ compiled *compiler.Output }

// Compile compiles the files of one policy; later ones add to earlier ones. The language of each is recognised by
// its content. The error is an [*Error] if the files are at fault.
func Compile(fsys fs.FS, files []string, o Options) (*Policy, error) {
	in := compiler.Input{Include: lower.Files{FS: fsys, Dir: "."},
		Options: lower.Options{Version: o.Version, Without: o.Without}}
	if o.Documented {
		in.Semantics = "documented"
	}
	for _, text := range o.Params {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("a parameter is NAME=VALUE, not %q", text)
		}
		f := source.NewFile("param "+name, []byte(value))
		in.Params = append(in.Params, lower.ParamOverride{Name: name, Value: value, Span: f.Span(0, len(value))})
	}
	for _, name := range files {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		in.Files = append(in.Files, source.NewFile(name, text))
	}
	out := compiler.Compile(in)
	if out.Program == nil {
		return nil, failed(out.Diags)
	}
	return &Policy{out}, nil
}

// Findings are warnings and notes about the policy.
func (p *Policy) Findings() []Finding { return findings(p.compiled.Diags) }

// Snapshot is a queue at one moment.
type Snapshot struct {
	read  *snapshot.Snapshot
	diags diag.List
}

// Read reads files and folders that together say what the resource manager knows, in any form that the command reads.
func Read(fsys fs.FS, paths ...string) (*Snapshot, error) {
	s, diags, err := snapshot.Read(fsys, paths, snapshot.Options{})
	if err != nil {
		return nil, err
	}
	if diags.HasErrors() {
		return nil, failed(diags)
	}
	return &Snapshot{s, diags}, nil
}

// At is the snapshot as of another time, in epoch seconds; s stays as it is. It is for snapshots that do not say when
// they were taken: jobs and nodes stay as they are.
func (s *Snapshot) At(epochSeconds int64) *Snapshot {
	moved := *s.read
	moved.Now = epochSeconds
	return &Snapshot{&moved, s.diags}
}

// Findings are records that could not be read, and other remarks.
func (s *Snapshot) Findings() []Finding { return findings(s.diags) }

// Result is an evaluated queue.
type Result struct{ run *evaluation.Result }

// Evaluate computes the priority of every job and the order of the queue.
func (p *Policy) Evaluate(s *Snapshot) (*Result, error) {
	r, err := engine.Run(p.compiled.Program, s.read, evaluation.Options{})
	if err != nil {
		return nil, err
	}
	if r.Findings.HasErrors() {
		return nil, failed(r.Findings)
	}
	r.Findings = slices.Concat(s.diags, p.compiled.Diags, r.Findings)
	return &Result{r}, nil
}

// Job is what a policy makes of a job.
type Job struct {
	ID, User string
	State    string // eligible, blocked, held, running, done or rejected
	Reason   string // why it waits, in the scheduler's own word
	Priority int64  // 0 with Failed
	Rank     int    // from 1; 0 for jobs that do not wait their turn
	Failed   bool   // an expression failed, so that it has no priority
}

// Jobs are all jobs in the snapshot's order.
func (r *Result) Jobs() []Job {
	ids, users := r.run.Jobs.Column("job.id"), r.run.Jobs.Column("job.user")
	jobs := make([]Job, r.run.Jobs.Rows)
	for i := range jobs {
		row := r.run.JobRow[i]
		jobs[i] = Job{ID: ids.Value(i).Str, User: users.Value(i).Str, State: r.run.State[i].String(), Reason: r.run.Reason[i],
			Rank: int(r.run.Rank[i]), Failed: r.run.Failed.Get(int(row))}
		if !jobs[i].Failed {
			jobs[i].Priority = r.run.Priority[row]
		}
	}
	return jobs
}

// Write prints the result in a format or view of `fairway eval`, such as json, csv, table, sprio or showq.
func (r *Result) Write(w io.Writer, format string) error {
	var diags diag.List
	v := report.Find(slices.Concat(report.Formats, report.Views), format, r.run, &diags)
	if v == nil {
		return failed(diags)
	}
	return v.Write(w, r.run, eval.Options{})
}

// Plan is when and where each job starts.
type Plan struct{ planned *plan.Plan }

// Plan places the waiting jobs on the nodes of the snapshot, as the policy's scheduler does.
func (r *Result) Plan() (*Plan, error) {
	s, err := engine.Plan(r.run, planning.Options{})
	if err != nil {
		return nil, err
	}
	planner := r.run.Program.Family
	if planner == "" {
		planner = "native"
	}
	return &Plan{&plan.Plan{Result: r.run, Schedule: s, Planner: planner}}, nil
}

// Write prints the plan in a format or view of `fairway plan`, such as json, table or squeue-start, or as gantt.
func (p *Plan) Write(w io.Writer, format string) error {
	if format == "gantt" {
		return gantt.WriteGantt(w, p.planned)
	}
	var diags diag.List
	v := plan.FindPlan(slices.Concat(plan.PlanFormats, plan.PlanViews), format, &diags)
	if v == nil {
		return failed(diags)
	}
	return v.Write(w, p.planned)
}

// Finding is an error, a warning or a note, with its place.
type Finding struct {
	Code     string // stable: `fairway doc rule CODE` explains it
	Severity string // error, warning or info
	Message  string
	File     string // empty if it is about no file
	Line     int    // from 1
	Column   int
}

func (f Finding) String() string {
	text := f.Severity + ": " + f.Message + " [" + f.Code + "]"
	if f.File != "" {
		text = fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, text)
	}
	return text
}

func findings(list diag.List) []Finding {
	out := make([]Finding, len(list))
	for i, d := range list {
		out[i] = Finding{Code: d.Code, Severity: d.Severity.String(), Message: d.Message}
		if at := diag.PlaceOf(d.Span); at != nil {
			out[i].File, out[i].Line, out[i].Column = at.File, at.Line, at.Column
		}
	}
	return out
}

// Error is what is wrong with the input: at least one finding is an error.
type Error struct{ Findings []Finding }

func failed(list diag.List) error { return &Error{findings(list)} }

// Error names all errors, a line each.
func (e *Error) Error() string {
	var lines []string
	for _, f := range e.Findings {
		if f.Severity == diag.Error.String() {
			lines = append(lines, f.String())
		}
	}
	return strings.Join(lines, "\n")
}

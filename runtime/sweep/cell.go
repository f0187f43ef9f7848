package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"sync"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Result is what a cell comes to.
type Result struct {
	FormatVersion int     `json:"format_version"`
	Cell          string  `json:"cell"`
	Policy        string  `json:"policy"`
	Params        []Param `json:"params,omitempty"`
	Source        string  `json:"source"`
	Seed          uint64  `json:"seed,omitempty"`
	All           Values  `json:"all"`
	Groups        []Group `json:"groups,omitempty"`
	Jobs          []Job   `json:"jobs,omitempty"`
}

// Group is a credential's part.
type Group struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Values Values `json:"values"`
}

// Job is what became of a job, where cells keep them.
type Job struct {
	ID       string `json:"id"`
	Priority *int64 `json:"priority,omitempty"`
	Rank     int32  `json:"rank,omitempty"`
	State    string `json:"state,omitempty"`
	Start    *int64 `json:"start,omitempty"` // epoch seconds
	End      *int64 `json:"end,omitempty"`
}

// Encode writes a result; the same result is the same text.
func (r *Result) Encode() ([]byte, error) {
	text, err := json.Marshal(r)
	return append(text, '\n'), err
}

// DecodeResult reads a result of a cell.
func DecodeResult(text []byte, cell string) (*Result, error) {
	r := &Result{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("it is no result of a cell: %w", err)
	}
	if r.FormatVersion != FormatVersion || r.Cell != cell || r.All == nil {
		return nil, errors.New("it is the result of another cell, or of another version of the format")
	}
	return r, nil
}

// Value is a figure of a result; NaN where it is unknown.
func (r *Result) Value(m *Metric) float64 {
	values := r.All
	if m.Kind != "" {
		values = nil
		for i := range r.Groups {
			if g := &r.Groups[i]; g.Kind == m.Kind && g.Name == m.Group {
				values = g.Values
			}
		}
	}
	if x, known := values[m.Of]; known {
		return x
	}
	return math.NaN()
}

// Compiler makes the programs of a policy with a choice of its parameters: one that explains, and one that scores. The
// release of a snapshot counts where nothing else states one; it is nil for a workload.
type Compiler func(p *Policy, params []Param, s *snapshot.Snapshot) (full, fused *program.Program, err error)

// Work is a manifest with what all its cells share. Several goroutines may use it.
type Work struct {
	*Manifest
	compile Compiler
	sources []func() (*input, error)
}

// input is a source that was read.
type input struct {
	snapshot *snapshot.Snapshot // the queue, or the machine of a workload
	workload *replay.Workload
	arrivals replay.Arrivals
	findings diag.List
	place    *time.Location
}

// NewWork begins work on a manifest.
func NewWork(m *Manifest, inputs fs.FS, compile Compiler) *Work {
	w := &Work{Manifest: m, compile: compile}
	for i := range m.Sources {
		w.sources = append(w.sources, sync.OnceValues(func() (*input, error) { return read(&m.Sources[i], inputs) }))
	}
	return w
}

// RefusedError is an input, or a policy, that no cell can be computed from.
type RefusedError struct{ Findings diag.List }

func (e *RefusedError) Error() string {
	if len(e.Findings) == 0 {
		return "the cell cannot be computed"
	}
	return e.Findings[0].Message
}

func read(s *Source, inputs fs.FS) (*input, error) {
	place, err := time.LoadLocation(s.Zone)
	if err != nil {
		return nil, err
	}
	in := &input{place: place, snapshot: &snapshot.Snapshot{}}
	o := snapshot.Options{Location: place, WholeTrace: s.Kind == Workload}
	if s.Now != nil {
		o.Now, o.AtZero = *s.Now, *s.Now == 0
	}
	recorded, findings, err := snapshot.Read(inputs, s.Files, o)
	if err != nil {
		return nil, err
	}
	if findings.HasErrors() {
		return nil, &RefusedError{findings}
	}
	if in.findings = findings; s.Kind == Snapshot {
		if recorded.Jobs == nil || recorded.Jobs.Rows == 0 {
			return nil, fmt.Errorf("snapshot %q has no jobs", s.Name)
		}
		in.snapshot = recorded
		return in, nil
	}
	if in.arrivals, err = replay.ParseArrivals(s.Arrivals); err != nil {
		return nil, err
	}
	in.workload = replay.NewWorkload(recorded.Jobs, replay.Selection{From: s.From, To: s.To,
		Runtime: replay.Runtime(s.Runtime)})
	if in.findings = append(in.findings, in.workload.Report()...); len(in.workload.Jobs) == 0 {
		return nil, fmt.Errorf("workload %q has no job to play", s.Name)
	}
	if len(s.Nodes) == 0 {
		return in, nil
	}
	machine, findings, err := snapshot.Read(inputs, s.Nodes, snapshot.Options{Location: place})
	switch {
	case err != nil:
		return nil, err
	case findings.HasErrors():
		return nil, &RefusedError{findings}
	case machine.Jobs != nil && machine.Jobs.Rows > 0:
		return nil, fmt.Errorf("workload %q: there are jobs in its machine too, and a replay begins with an empty one",
			s.Name)
	}
	in.snapshot, in.findings = machine, append(in.findings, findings...)
	return in, nil
}

// Read reads a source, and lists what a user should know of it before anything is computed.
func (w *Work) Read(source int) (diag.List, error) {
	in, err := w.sources[source]()
	if err != nil {
		return nil, err
	}
	return in.findings, nil
}

// Snapshot is a source's snapshot, by which policies are compiled; nil for a workload.
func (w *Work) Snapshot(source int) (*snapshot.Snapshot, error) {
	in, err := w.sources[source]()
	if err != nil || w.Sources[source].Kind == Workload {
		return nil, err
	}
	return in.snapshot, nil
}

// Hand computes one cell at a time. What it left of the last one is where the next begins, if both are of one
// snapshot: policies that differ in weights share its columns.
type Hand struct {
	work   *Work
	source int
	state  *engine.State
}

// Hand takes part in the work.
func (w *Work) Hand() *Hand { return &Hand{work: w, source: -1} }

// Compute computes a cell.
func (h *Hand) Compute(ctx context.Context, c *Cell) (*Result, error) {
	w := h.work
	source, point := &w.Sources[c.Source], &w.Points[c.Point]
	in, err := w.sources[c.Source]()
	if err != nil {
		return nil, err
	}
	policy := &w.Policies[point.Policy]
	r := &Result{FormatVersion: FormatVersion, Cell: c.ID, Policy: policy.Name, Params: point.Params, Source: source.Name,
		Seed: c.Seed}
	if source.Kind == Workload {
		full, _, err := w.compile(policy, point.Params, nil)
		if err != nil {
			return nil, err
		}
		return r, w.replay(ctx, r, full, source, in, c.Seed)
	}
	full, fused, err := w.compile(policy, point.Params, in.snapshot)
	if err != nil {
		return nil, err
	}
	if source.Plan {
		fused = full
	}
	return r, h.evaluate(ctx, r, fused, c.Source, in)
}

// HasMachine reports a workload that a policy can be played on: on its own machine, or on the one that the policy
// describes.
func (w *Work) HasMachine(source int, p *program.Program) bool {
	in, err := w.sources[source]()
	if err != nil || w.Sources[source].Kind == Snapshot {
		return err == nil
	}
	_, ok := w.Sources[source].machine(in.snapshot, p)
	return ok
}

// machine is that of a workload, or else the one that the policy describes.
func (s *Source) machine(given *snapshot.Snapshot, p *program.Program) (*snapshot.Snapshot, bool) {
	if s.Procs > 0 || given.Nodes != nil && given.Nodes.Rows > 0 {
		return given, true
	}
	own := *given
	own.Nodes = replay.ConfiguredNodes(p)
	return &own, own.Nodes != nil && own.Nodes.Rows > 0
}

// replay plays a workload.
func (w *Work) replay(ctx context.Context, r *Result, p *program.Program, s *Source, in *input,
	seed uint64) error {
	machine, ok := s.machine(in.snapshot, p)
	if !ok {
		return fmt.Errorf("workload %q has no machine", s.Name)
	}
	one := replay.Case{Program: p, Machine: machine, Workload: in.workload, Arrivals: in.arrivals, Seed: seed,
		WarmUp:  s.WarmUp,
		Options: replay.Options{Context: ctx, Evaluation: evaluation.Options{Procs: s.Procs, Place: in.place}}}
	played, figures, err := one.Play()
	var refused *replay.RefusedError
	if errors.As(err, &refused) {
		return &RefusedError{refused.Findings}
	}
	if err != nil {
		return err
	}
	r.All, r.Groups = measured(figures)
	if w.KeepJobs {
		for i := range played.Outcomes {
			o := &played.Outcomes[i]
			j := Job{ID: o.ID}
			if o.By != "" {
				j.Start, j.End = &o.Start, &o.End
			}
			r.Jobs = append(r.Jobs, j)
		}
	}
	return nil
}

// evaluate evaluates a snapshot, and plans it where that is wanted.
func (h *Hand) evaluate(ctx context.Context, r *Result, p *program.Program, source int, in *input) error {
	s := &h.work.Sources[source]
	if h.state == nil || h.source != source {
		h.source = source
		h.state = engine.New(p, in.snapshot, evaluation.Options{Workers: 1, Plan: s.Plan, Place: in.place, Context: ctx})
	}
	h.state.Set(p)
	result, err := h.state.Evaluate()
	if err != nil {
		h.state = nil
		return err
	}
	if result.Findings.HasErrors() {
		h.state = nil
		return &RefusedError{result.Findings}
	}
	q := queue{Result: result}
	if s.Plan {
		schedule, err := engine.Plan(result, planning.Options{Context: ctx, Place: in.place})
		if err != nil {
			h.state = nil
			return err
		}
		q.places = map[int32]*backfill.Placement{}
		for i := range schedule.Placements {
			q.places[schedule.Placements[i].Job] = &schedule.Placements[i]
		}
	}
	q.measure(r)
	if h.work.KeepJobs {
		q.jobs(r)
	}
	return nil
}

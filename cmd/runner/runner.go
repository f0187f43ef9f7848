// Package runner runs the tests of *.fairwaytest.hcl files: each names a policy, a
// snapshot and what must come out.
//
// In: a parsed test file and the file system its paths are relative to. Out: one Outcome
// per test, with every expectation that was not met at its place. `fairway test`
// and the conformance suite call it.
package runner

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Outcome is one test's result. It passed if Failures is empty.
type Outcome struct {
	Title    string
	Cite     string
	Span     source.Span
	Failures diag.List
	Checks   int // expectations looked at
}

// Passed reports whether every expectation was met.
func (o *Outcome) Passed() bool { return len(o.Failures) == 0 }

// File runs the tests of one file. Paths in it are relative to its folder in files. What they exercise is added to
// seen, unless that is nil.
func File(f *policy.File, files fs.FS, seen *Coverage) []Outcome {
	var out []Outcome
	for _, t := range f.Tests {
		r := &run{test: t, dir: path.Dir(f.Source.Name), files: files, seen: seen,
			out: Outcome{Title: t.Title.Value, Cite: t.Cite.Value, Span: t.Span}}
		r.all()
		out = append(out, r.out)
	}
	return out
}

// run is one test being run.
type run struct {
	test    *policy.Test
	dir     string
	files   fs.FS
	seen    *Coverage // nil where it is not asked for
	inline  map[string]*source.File
	found   diag.List // what the snapshot, the compiler and the engine reported
	stopped bool      // an error came up on the way
	now     *policy.Iteration
	result  *evaluation.Result
	asked   diag.List // what was wrong with a condition of a check
	out     Outcome
}

func (r *run) fail(span source.Span, format string, args ...any) *diag.Diagnostic {
	return r.out.Failures.Errorf("test-failed", span, format, args...)
}

func (r *run) all() {
	r.inline = map[string]*source.File{}
	for _, f := range r.test.Files {
		r.inline[f.Name.Value] = source.NewFile(f.Name.Value, []byte(f.Body))
	}
	if r.test.Check != nil {
		r.check()
	} else {
		r.iterations()
	}
	if len(r.test.Errors) == 0 && r.stopped {
		for _, d := range r.found {
			if d.Severity == diag.Error {
				r.out.Failures = append(r.out.Failures, d)
			}
		}
		return
	}
	r.expectCodes()
	if r.out.Checks == 0 && r.test.Check == nil {
		r.fail(r.test.Span, "the test expects nothing").Note("add an expect or an assert block")
	}
}

// iterations evaluates the test's own iteration and each step after it, and compares what came out of
// each before the next begins.
func (r *run) iterations() {
	var program *program.Program
	var previous *checkpoint.Checkpoint
	for i := range 1 + len(r.test.Later) {
		r.now, r.result = r.iteration(i), nil
		snap := r.snapshot(i)
		if r.stopped {
			return
		}
		if i == 0 {
			version := ""
			if snap != nil {
				version = snap.Version
			}
			program = r.compile(version).Program
		}
		if r.stopped {
			return
		}
		if snap == nil { // a test of the compiler alone
			if r.now.Expects() || len(r.test.Later) > 0 {
				r.fail(r.now.Span, "there is no result to compare with")
			}
			return
		}
		r.evaluate(program, snap, previous)
		if r.stopped {
			return
		}
		previous = r.result.Next()
		r.expectations()
	}
}

func (r *run) iteration(i int) *policy.Iteration {
	if i == 0 {
		return &r.test.Iteration
	}
	return &r.test.Later[i-1]
}

func (r *run) expectations() {
	r.expectJobs()
	r.expectOrder()
	r.expectCounts()
	r.expectObjects()
	r.expectShares()
	r.asserts()
}

// compile makes the test's policy; r.stopped says that it is none. version is what a snapshot is of, "" for none.
func (r *run) compile(version string) *compiler.Output {
	t := r.test
	in := compiler.Input{Include: lower.Files{FS: r.files}, Options: lower.Options{SnapshotVersion: version,
		Version: t.SlurmVersion.Value, Semantics: t.Semantics.Value,
		Deviations: values(t.Deviations), Without: values(t.Without)}}
	for _, p := range t.Params {
		in.Params = append(in.Params, lower.ParamOverride{Name: p.Name.Value, Value: p.Raw, Typed: p.Value, Span: p.Span})
	}
	for _, name := range t.Policies {
		f, err := r.open(name.Value)
		if err != nil {
			r.stop(name.Span, "cannot read policy %s: %v", name.Value, err)
			return &compiler.Output{}
		}
		in.Files = append(in.Files, f)
	}
	out := compiler.Compile(in)
	r.found = append(r.found, out.Diags...)
	r.stopped = out.Program == nil
	return out
}

// evaluate runs one iteration; r.stopped says that an error came up.
func (r *run) evaluate(p *program.Program, snap *snapshot.Snapshot, previous *checkpoint.Checkpoint) {
	result, err := engine.Run(p, snap,
		evaluation.Options{Workers: 1, Started: values(r.now.Started), Previous: previous, KeepState: len(r.test.Later) > 0})
	if err != nil {
		r.stop(r.now.Span, "%v", err)
		return
	}
	r.found = append(r.found, result.Findings...)
	r.stopped = result.Findings.HasErrors()
	r.result = result
	if r.seen != nil && !r.stopped {
		r.seen.add(result, true)
	}
}

func (r *run) stop(span source.Span, format string, args ...any) {
	r.found.Errorf("test-input", span, format, args...)
	r.stopped = true
}

func (r *run) open(name string) (*source.File, error) {
	if f := r.inline[name]; f != nil {
		return f, nil
	}
	full := path.Join(r.dir, name)
	text, err := fs.ReadFile(r.files, full)
	if err != nil {
		return nil, err
	}
	return source.NewFile(full, text), nil
}

// snapshot reads the named files and then the inline rows, which add to them: those of the test
// and of each iteration up to the i-th, and what those before it started.
func (r *run) snapshot(i int) *snapshot.Snapshot {
	t := r.test
	overlay := overlayFS{under: r.files, extra: map[string][]byte{}}
	var paths []string
	add := func(name string, text []byte) {
		name = path.Join(r.dir, ".inline", name)
		overlay.extra[name] = text
		paths = append(paths, name)
	}
	for _, s := range t.Snapshots {
		if f := r.inline[s.Value]; f != nil {
			add(s.Value, f.Text)
			continue
		}
		paths = append(paths, path.Join(r.dir, s.Value))
	}
	if len(t.Jobs)+len(t.Nodes)+len(t.Credentials)+len(t.Usage) > 0 {
		add("rows.json", inlineJSON(t))
	}
	for k := 1; k <= i; k++ {
		add(fmt.Sprintf("step%d.json", k), stepJSON(r.iteration(k-1), r.iteration(k)))
	}
	if len(paths) == 0 {
		return nil
	}
	opt := snapshot.Options{}
	if now := r.iteration(i).Now; now.Known() {
		opt.Now = now.Int
	}
	snap, diags, err := snapshot.Read(overlay, paths, opt)
	r.found = append(r.found, diags...)
	if err != nil {
		r.stop(t.Span, "cannot read the snapshot: %v", err)
	}
	if diags.HasErrors() {
		r.stopped = true
	}
	return snap
}

func values(list []policy.Text) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.Value
	}
	return out
}

// expectCodes checks findings and errors that must have been reported.
func (r *run) expectCodes() {
	check := func(list []policy.ExpectCode, what string, wanted func(diag.Severity) bool) {
		for _, x := range list {
			r.out.Checks++
			if !slices.ContainsFunc(r.found, func(d *diag.Diagnostic) bool {
				line := x.Line.Int
				return d.Code == x.Code.Value && wanted(d.Severity) && (!x.Line.Known() || int64(d.Span.Position().Line) == line)
			}) {
				f := r.fail(x.Span, "there is no %s %q", what, x.Code.Value)
				for _, d := range r.found {
					f.NoteAt(d.Span, "reported was %s: %s", d.Code, d.Message)
				}
			}
		}
	}
	check(r.test.Findings, "finding", func(diag.Severity) bool { return true })
	check(r.test.Errors, "error", func(s diag.Severity) bool { return s == diag.Error })
}

// jobIndex finds a job of the result by id.
func (r *run) jobIndex(id string) (int, bool) {
	c := r.result.Jobs.Column("job.id")
	for i := range r.result.Jobs.Rows {
		if c.Dict[c.Codes[i]] == id {
			return i, true
		}
	}
	return 0, false
}

func term(name string) (component, term string) {
	component, term, _ = strings.Cut(name, ".")
	return component, term
}

// Summary counts outcomes: "3 passed, 1 failed".
func Summary(outcomes []Outcome) (passed, failed int, text string) {
	for i := range outcomes {
		if outcomes[i].Passed() {
			passed++
		} else {
			failed++
		}
	}
	return passed, failed, fmt.Sprintf("%d passed, %d failed", passed, failed)
}

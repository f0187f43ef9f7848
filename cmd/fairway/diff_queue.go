package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family"
	"github.com/fairway-sched/fairway/runtime/impact"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/report/plan"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// diffed is what diff has found. Queue is nil without a snapshot.
type diffed struct {
	policies *diff.Report
	queue    *impact.Comparison
	shown    *impact.Comparison // of its jobs those that are chosen
	short    *impact.Comparison // and of those the first
	limit    int
	width    int    // of the terminal that shows the text; 0 is unlimited
	old, new string // as the user calls the policies

	before, after *plan.Plan // nil where nothing is planned
}

// onQueue evaluates the snapshot with both policies, and compares.
func (f *diffFlags) onQueue(d *disk, s *snapshot.Snapshot, read diag.List, x, y *compiler.Output) (*impact.Comparison,
	error) {
	pass, err := f.lastPass(s, x, y)
	if err != nil {
		return nil, err
	}
	state := engine.New(x.Program, s, evaluation.Options{})
	before, err := f.evaluate(d, state, x, pass)
	if err != nil {
		return nil, err
	}
	after, err := f.evaluate(d, state, y, pass)
	if err != nil {
		return nil, err
	}
	findings := notable(read)
	for _, r := range []*evaluation.Result{before.Result, after.Result} {
		for _, d := range notable(r.Findings) {
			if !said(findings, d) {
				findings = append(findings, d)
			}
		}
	}
	printDiags(findings)
	unplanned := ""
	switch {
	case f.noPlan:
		unplanned = "--no-plan leaves them out"
	case f.procs == 0 && (s.Nodes == nil || s.Nodes.Rows == 0):
		unplanned = "the snapshot has no nodes; --procs N plans on a machine of N processors"
	default:
		if unplanned, err = f.plan(&before, &after); err != nil {
			return nil, err
		}
	}
	after.Like = diff.Like(x.Policy, y.Policy)
	c, err := impact.Results(before, after)
	if err != nil {
		return nil, failf(exitUnreadable, "%v", err)
	}
	c.Unplanned = unplanned
	f.planned = [2]*plan.Plan{f.planOf(before), f.planOf(after)}
	return c, f.narrow(c, before.Result)
}

// planOf is a side's plan as charts show it; nil where nothing is planned.
func (f *diffFlags) planOf(side impact.Side) *plan.Plan {
	if side.Plan == nil {
		return nil
	}
	place, _ := f.snap.place() // it has been read before
	o := planning.Options{Procs: f.procs, Native: f.procs > 0}
	return &plan.Plan{Result: side.Result, Schedule: side.Plan, Planner: plannerOf(side.Result, o), Place: place}
}

// narrow chooses the jobs that are shown. Text has the limit of its tables, other formats one that is asked for.
func (f *diffFlags) narrow(c *impact.Comparison, r *evaluation.Result) error {
	f.shown, f.short = c, c
	limited := f.filter
	if !f.given("limit") {
		limited.limit = 0
	}
	if !limited.chooses() && len(limited.keys) == 0 && limited.limit == 0 {
		return nil
	}
	if err := f.filter.unknown(r); err != nil {
		return err
	}
	match := 0
	for job := range r.Jobs.Rows {
		if f.filter.keeps(r, job) {
			match++
		}
	}
	var order func(a, b int) int
	if len(f.filter.keys) > 0 {
		order = func(a, b int) int { return f.filter.compare(r, a, b) }
	}
	keep := func(job int) bool { return f.filter.keeps(r, job) }
	report := limited.report(match, r.Jobs.Rows)
	f.shown = c.Narrow(keep, order, 0, report)
	f.short = c.Narrow(keep, order, limited.limit, report)
	return nil
}

func said(list diag.List, d *diag.Diagnostic) bool {
	return slices.ContainsFunc(list, func(other *diag.Diagnostic) bool {
		return other.Code == d.Code && other.Message == d.Message
	})
}

// lastPass is when priorities were computed: the first policy of Slurm tells it, as the one in force.
func (f *diffFlags) lastPass(s *snapshot.Snapshot, sides ...*compiler.Output) (int64, error) {
	place, err := f.snap.place()
	if err != nil {
		return 0, err
	}
	of := sides[0].Program
	for _, out := range sides[1:] {
		if !family.Of(of).Facts.Passes {
			of = out.Program
		}
	}
	pass, err := f.snap.lastPass(of, s, place, s.Now)
	if err == nil && pass != 0 && f.iter.keeps() {
		err = failf(exitUsage, "a state keeps when the last pass was: leave out --pass or the state")
	}
	return pass, err
}

// evaluate is what eval does, with what each term adds. Both policies go on from the same state; the second computes
// what it does otherwise.
func (f *diffFlags) evaluate(d *disk, state *engine.State, out *compiler.Output, pass int64) (impact.Side, error) {
	place, err := f.snap.place()
	if err != nil {
		return impact.Side{}, err
	}
	o, err := f.iter.options(d, out.Program, state.Snapshot().Now)
	if err != nil {
		return impact.Side{}, err
	}
	o.Workers, o.Place = runtime.GOMAXPROCS(0), place
	if family.Of(out.Program).Facts.Passes {
		o.Pass = pass
	}
	if err := f.filter.ask(out, state.Snapshot(), o); err != nil {
		return impact.Side{}, err
	}
	state.Set(out.Program)
	state.Choose(o)
	r, err := state.Evaluate()
	if err != nil {
		return impact.Side{}, &exitError{code: runExit(err), err: err}
	}
	if r.Findings.HasErrors() {
		return impact.Side{}, complain(r.Findings)
	}
	return impact.Side{Result: r}, nil
}

// plan plans both. A queue that cannot be planned is compared without, which the
// reason says.
func (f *diffFlags) plan(sides ...*impact.Side) (reason string, err error) {
	place, err := f.snap.place()
	if err != nil {
		return "", err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	for n, side := range sides {
		bar := newProgress(fmt.Sprintf("planning %d waiting jobs with policy %d of %d", side.Result.Count().Waiting(), n+1,
			len(sides)))
		side.Plan, err = engine.Plan(side.Result,
			planning.Options{Procs: f.procs, Native: f.procs > 0, Place: place, Context: ctx, Progress: bar.show})
		bar.end()
		if ctx.Err() != nil {
			return "", planFailed(ctx.Err())
		}
		if err != nil {
			for _, all := range sides {
				all.Plan = nil
			}
			return err.Error(), nil
		}
	}
	return "", nil
}

func writeDiffText(w io.Writer, r *diffed) error {
	if r.queue != nil {
		if err := r.shown.WriteText(w, r.limit, r.width); err != nil {
			return err
		}
		if _, err := fmt.Fprint(w, "\nsettings: "); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintln(w, r.policies.Verdict()); err != nil || len(r.policies.Differences) == 0 {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return r.policies.WriteText(w)
}

// writeDiffMarkdown writes what a comment of a merge request shows.
func writeDiffMarkdown(w io.Writer, r *diffed) error {
	if r.queue != nil {
		if err := r.shown.WriteMarkdown(w, r.limit); err != nil {
			return err
		}
	}
	var settings strings.Builder
	if err := r.policies.WriteText(&settings); err != nil {
		return err
	}
	title := "\n#### Settings\n\n"
	if r.queue == nil {
		title = title[1:]
	}
	if _, err := fmt.Fprintf(w, "%s%s\n", title, r.policies.Verdict()); err != nil || len(r.policies.Differences) == 0 {
		return err
	}
	fence := "~~~"
	for strings.Contains(settings.String(), fence) {
		fence += "~"
	}
	_, err := fmt.Fprintf(w, "\n%s\n%s%s\n", fence, settings.String(), fence)
	return err
}

func writeDiffJSON(w io.Writer, r *diffed) error {
	e := json.NewEncoder(source.PlainJSON(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(struct {
		FormatVersion int `json:"format_version"`
		diff.Settings
		Queue *impact.Comparison `json:"queue"`
	}{1, r.policies.Settings(), r.short})
}

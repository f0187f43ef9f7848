package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/plan"
	"github.com/fairway-sched/fairway/runtime/report/plan/gantt"
)

// planFlags are what a plan is asked for with.
type planFlags struct {
	planner     string
	depth       string
	procs       string
	outputs     []string
	views       []string
	gantt       string
	filter      jobFilter
	spreadsheet bool
	estimate    estimateFlags
}

func newPlan() *cobra.Command {
	var (
		pol  policyFlags
		snap snapshotFlags
		iter = iterationFlags{planned: true}
		flag planFlags
	)
	cmd := &cobra.Command{
		Use:  "plan POLICY... --snapshot SNAPSHOT",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			opt, err := flag.options(cmd.Flags().Changed)
			if err != nil {
				return err
			}
			targets, err := flag.targets()
			if err != nil {
				return err
			}
			iter.readOnly, iter.onNodes = opt.Native || iter.state == "", opt.Procs == 0
			var policy reads
			pol.note, pol.filter = policy.note, &flag.filter
			defer iter.unlock()
			r, findings, err := evaluate(&pol, &snap, &iter, files)
			if err != nil {
				return err
			}
			outputs := writtenTo(targets)
			if err := nothingWritten(outputs, slices.Concat(policy.uses(), snap.uses(), iter.uses())); err != nil {
				return err
			}
			if opt.Place, err = snap.place(); err != nil {
				return err
			}
			if err := flag.estimate.read(&policy, opt.Place); err != nil {
				return err
			}
			if err := nothingWritten(slices.Concat(outputs, flag.estimate.uses()), slices.Concat(policy.uses(), snap.uses(),
				iter.uses())); err != nil {
				return err
			}
			if err := flag.run(r, findings, opt, targets); err != nil || noJobRead(r) {
				return err
			}
			return iter.save(r)
		},
	}
	pol.add(cmd)
	snap.add(cmd, false)
	snap.addPass(cmd)
	iter.add(cmd, "file that keeps queue times, usage and, of Maui's policies, reservations from one plan to the next")
	iter.addUsageFrom(cmd)
	f := cmd.Flags()
	f.StringVar(&flag.planner, "planner", "policy",
		"policy: as the policy's scheduler plans; native: the planner for any policy")
	f.StringVar(&flag.depth, "depth", "",
		"native planner: jobs that get a reservation, 0, 1 (EASY) … or unlimited (default: the policy's)")
	f.StringVar(&flag.procs, "procs", "",
		"a machine of `N` processors, one pool, instead of the snapshot's nodes, such as 128; the planner is native then")
	f.StringArrayVarP(&flag.outputs, "output", "o", nil,
		"FORMAT, or FORMAT=FILE as in json=plan.json, may repeat: "+strings.Join(planNames(plan.PlanFormats), ", "))
	f.StringArrayVar(&flag.views, "view", nil, "a view for people: "+strings.Join(planNames(plan.PlanViews), ", "))
	f.StringVar(&flag.gantt, "gantt", "",
		"write a chart of nodes over time to this file, as SVG, such as plan.svg; - is standard output")
	f.BoolVar(&flag.spreadsheet, "spreadsheet", false, spreadsheetHelp)
	flag.estimate.add(cmd)
	flag.filter.add(cmd, 0, "show only the first N waiting jobs, by their start or as --sort has them; 0 shows all")
	completeWords(cmd, "planner", "policy", "native")
	completeWords(cmd, "depth", "1", "unlimited")
	completeWords(cmd, "view", planNames(plan.PlanViews)...)
	completeWords(cmd, "output", planNames(plan.PlanFormats)...)
	_ = cmd.MarkFlagFilename("gantt", "svg")
	return cmd
}

// completeWords offers the words of a flag to the shell.
func completeWords(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	})
}

// mostProcs is more processors than any machine has, and as many as a plan counts.
const mostProcs = 1 << 28

// parseProcs reads --procs.
func parseProcs(text string) (int64, error) {
	procs, err := strconv.ParseInt(text, 10, 64)
	if err != nil || procs < 1 || procs > mostProcs {
		return 0, failf(exitUsage, "--procs is a number of processors from 1 to %d, not %q", mostProcs, text)
	}
	return procs, nil
}

// options checks the flags; given says which of them are on the command line.
func (f *planFlags) options(given func(flag string) bool) (planning.Options, error) {
	o := planning.Options{Native: f.planner == "native"}
	if f.planner != "native" && f.planner != "policy" {
		return o, failf(exitUsage, "--planner is policy or native, not %q", f.planner)
	}
	if err := f.filter.check(given); err != nil {
		return o, err
	}
	if err := f.estimate.check(given); err != nil {
		return o, err
	}
	if given("procs") {
		procs, err := parseProcs(f.procs)
		if err != nil {
			return o, err
		}
		o.Procs, o.Native = procs, true
	}
	switch {
	case !given("depth"):
	case f.depth == "unlimited":
		depth := int64(program.Unlimited)
		o.Depth = &depth
	default:
		depth, err := strconv.ParseInt(f.depth, 10, 64)
		if err != nil || depth < 0 {
			return o, failf(exitUsage, "--depth is a number of jobs or unlimited, not %q", f.depth)
		}
		o.Depth = &depth
	}
	return o, nil
}

func planNames(list []plan.PlanView) []string {
	return each(list, func(v plan.PlanView) string { return v.Name })
}

// targets reads -o, --view and --gantt; without any there is the native view.
func (f *planFlags) targets() ([]target[*plan.PlanView], error) {
	var targets []target[*plan.PlanView]
	add := func(flag, name, path string, list []plan.PlanView) error {
		var why diag.List
		v, err := found(plan.FindPlan(list, name, &why), why)
		if err == nil && v.Whole {
			err = f.filter.whole(flag + " " + name)
		}
		targets = append(targets, target[*plan.PlanView]{flag + " " + name, name, path, v})
		return err
	}
	for _, text := range f.outputs {
		name, path, _ := strings.Cut(text, "=")
		if err := add("-o", name, path, plan.PlanFormats); err != nil {
			return nil, err
		}
	}
	for _, name := range f.views {
		if err := add("--view", name, "", plan.PlanViews); err != nil {
			return nil, err
		}
	}
	if f.gantt != "" {
		if kind := filepath.Ext(f.gantt); slices.Contains([]string{".png", ".pdf", ".jpg", ".jpeg", ".html"},
			strings.ToLower(kind)) {
			return nil, failf(exitUsage, "--gantt writes SVG, not %s: name the file %s, or - for standard output", kind[1:],
				strings.TrimSuffix(f.gantt, kind)+".svg")
		}
		targets = append(targets, target[*plan.PlanView]{"--gantt", "gantt", f.gantt, &plan.PlanView{Write: gantt.WriteGantt,
			Limits: true}})
	}
	if len(targets) == 0 {
		if err := add("--view", "native", "", plan.PlanViews); err != nil {
			return nil, err
		}
	}
	return targets, apart(targets)
}

// run plans and writes. An interruption ends it without leaving anything half written.
func (f *planFlags) run(r *evaluation.Result, findings diag.List, o planning.Options, targets []target[*plan.PlanView]) error {
	if o.Depth != nil && !o.Native && family.Of(r.Program).Plan != nil {
		return failf(exitUsage, "--depth is of the native planner, and %s plans by its own parameters: add --planner native",
			r.Program.Family)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	bar := newProgress(fmt.Sprintf("planning %d waiting jobs", r.Count().Waiting()))
	defer bar.end()
	o.Context, o.Progress = ctx, bar.show
	before := len(r.Findings)
	s, err := engine.Plan(r, o)
	bar.end()
	printDiags(append(findings, notable(r.Findings[before:])...)) // before any failure that they may cause
	nameLeftOut(r.Findings[:before])
	if err != nil {
		return planFailed(err)
	}
	p := &plan.Plan{Result: r, Schedule: s, Planner: plannerOf(r, o), Place: o.Place, Limit: f.filter.limit,
		Spreadsheet: f.spreadsheet}
	if err := f.choose(p); err != nil {
		return err
	}
	if err := f.estimate.run(ctx, bar, p, o); err != nil {
		return err
	}
	for _, t := range targets {
		bar.show("writing "+t.name, 0, 0)
		if err := writePlan(ctx, bar, t, p); err != nil {
			return planFailed(err)
		}
	}
	return f.estimate.keep(ctx, p)
}

// choose takes the requests of the jobs that are shown. Tasks of an array may be planned apart and be named by
// themselves, so that ids are those of the plan.
func (f *planFlags) choose(p *plan.Plan) error {
	if !f.filter.chooses() && len(f.filter.keys) == 0 && f.filter.limit == 0 {
		return nil
	}
	named, others := f.filter.split("job")
	p.Named = len(named) > 0
	var places []int
	var diags diag.List
	for _, id := range named {
		places = append(places, plan.FindPlanned(p, id, &diags)...)
	}
	if len(diags) > 0 {
		printDiags(diags)
		return &exitError{code: exitUsage}
	}
	if err := others.unknown(p.Result); err != nil {
		return err
	}
	if !p.Named {
		for i := range p.Schedule.Requests {
			places = append(places, i)
		}
	}
	p.Jobs = []int{}
	seen := map[int]bool{}
	for _, i := range places {
		if !seen[i] && others.keeps(p.Result, int(p.Request(i).Row)) {
			p.Jobs = append(p.Jobs, i)
		}
		seen[i] = true
	}
	p.Filter, p.Sorted = f.filter.report(len(p.Jobs), len(p.Schedule.Requests)), len(f.filter.keys) > 0
	slices.SortStableFunc(p.Jobs, func(a, b int) int {
		return f.filter.compare(p.Result, int(p.Request(a).Row), int(p.Request(b).Row))
	})
	return nil
}

// nameLeftOut names the settings of the policy that place jobs and that the plan does not know.
func nameLeftOut(list diag.List) {
	for _, d := range list {
		if d.Code != "plan-not-modelled" {
			continue
		}
		text := strings.TrimPrefix(d.Span.String()+": "+d.Message, ": ")
		for _, n := range d.Notes {
			text += ": " + n.Text
		}
		fmt.Fprintf(stderr, "fairway: %s\n", text)
	}
}

func plannerOf(r *evaluation.Result, o planning.Options) string {
	if o.Native || family.Of(r.Program).Plan == nil {
		return "native"
	}
	return r.Program.Family
}

// planFailed says why there is no plan.
func planFailed(err error) error {
	var own *planning.Error
	switch {
	case errors.Is(err, context.Canceled):
		return failf(exitInterrupted, "interrupted; nothing was written that is not complete")
	case errors.As(err, &own) && own.Advice != "":
		return failf(exitUnreadable, "%s\n  %s", own.Problem, own.Advice)
	case errors.As(err, &own):
		return failf(exitUnreadable, "%s", own.Problem)
	}
	return err
}

func writePlan(ctx context.Context, bar *progress, t target[*plan.PlanView], p *plan.Plan) error {
	if t.path == "" {
		p.Colour, p.Width = colourful(os.Stdout), terminalWidth(t.path)
	}
	if !t.format.Limits {
		p = p.Limited()
	}
	return writeOutput(t.path, func(w io.Writer) error { return t.format.Write(&stoppable{w, ctx, bar}, p) })
}

// stoppable ends a long writing when the program is asked to, and the line of the progress before anything is written.
type stoppable struct {
	io.Writer
	ctx context.Context
	bar *progress
}

func (s *stoppable) Write(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, &exitError{exitInterrupted, fmt.Errorf("interrupted; nothing was written that is not complete")}
	}
	s.bar.end()
	return s.Writer.Write(b)
}

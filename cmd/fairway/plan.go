package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/view"
)

// planFlags are what a plan is asked for with.
type planFlags struct {
	planner string
	depth   string
	procs   int64
	outputs []string
	view    string
	gantt   string
	jobs    []string
	limit   int
}

func newPlan() *cobra.Command {
	var (
		pol  policyFlags
		snap snapshotFlags
		iter = iterationFlags{readOnly: true}
		flag planFlags
	)
	cmd := &cobra.Command{
		Use:   "plan POLICY... --snapshot SNAPSHOT",
		Short: "say when and where each job will start, and what it waits for",
		Long: `Plan ranks the queue as eval does and then places the jobs: those that start now, by
the main pass or by backfill, those that get a reservation, and of all others when they
would start. It needs the nodes (scontrol show node, pbsnodes, a nodes file) and where
the running jobs are; reservations, maintenance windows and licences count where the
snapshot or the policy states them.

Jobs of a maui.cfg are planned as Maui does, those of a slurm.conf as slurmctld does, and
those of a policy from scratch, or of any with --planner native, by one planner whose
settings are the policy's backfill block: EASY backfill is a reservation depth of 1,
conservative backfill an unlimited one.

Times are those at which running jobs reach their limits, so most jobs start sooner than
planned. A job that can never run is said to, with what stands in its way.`,
		Example: `  # when will my queue start?
  fairway plan slurm.conf -s squeue.json -s nodes.json

  # as the schedulers' own commands print it
  fairway plan slurm.conf -s snapshot/ --view squeue-start
  fairway plan maui.cfg -s snapshot/ --view showbf

  # what do these two jobs wait for, and what smaller request would start sooner?
  fairway plan slurm.conf -s snapshot/ --view why --job 4242,4243

  # a chart, and the same as data
  fairway plan slurm.conf -s snapshot/ --gantt plan.svg -o json=plan.json

  # what would conservative backfill change?
  fairway plan site.fairway.hcl -s snapshot/ --depth unlimited

  # a trace has no nodes: a machine of 128 processors
  fairway plan site.fairway.hcl -s trace.swf --now 1027839845 --procs 128`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			opt, err := flag.options()
			if err != nil {
				return err
			}
			targets, err := flag.targets()
			if err != nil {
				return err
			}
			defer iter.unlock()
			r, findings, err := evaluate(&pol, &snap, &iter, files)
			if err != nil {
				return err
			}
			if opt.Place, err = snap.place(); err != nil {
				return err
			}
			return flag.run(r, findings, opt, targets)
		},
	}
	pol.add(cmd)
	snap.add(cmd, false)
	iter.add(cmd, "what the last evaluation with this --state left; it is read only")
	f := cmd.Flags()
	f.StringVar(&flag.planner, "planner", "policy", "policy: as the policy's scheduler plans; native: the planner for any policy")
	f.StringVar(&flag.depth, "depth", "", "native: jobs that get a reservation, a number or unlimited (default: the policy's)")
	f.Int64Var(&flag.procs, "procs", 0, "plan on a machine that is one pool of so many processors, instead of the snapshot's nodes; the planner is native then")
	f.StringArrayVarP(&flag.outputs, "output", "o", nil, "FORMAT or FORMAT=PATH, may repeat: "+planNames(view.PlanFormats))
	f.StringVar(&flag.view, "view", "", "a view for people: "+planNames(view.PlanViews))
	f.StringVar(&flag.gantt, "gantt", "", "write a chart of nodes over time to this file, as SVG")
	f.StringSliceVar(&flag.jobs, "job", nil, "show only these jobs: ID,ID…")
	f.IntVar(&flag.limit, "limit", 0, "show only the first N jobs of a view")
	completeWords(cmd, "planner", "policy", "native")
	completeWords(cmd, "depth", "1", "unlimited")
	completeWords(cmd, "view", strings.Split(planNames(view.PlanViews), ", ")...)
	completeWords(cmd, "output", strings.Split(planNames(view.PlanFormats), ", ")...)
	_ = cmd.MarkFlagFilename("gantt", "svg")
	return cmd
}

// completeWords offers the words of a flag to the shell.
func completeWords(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	})
}

func planNames(list []view.PlanView) string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.Name
	}
	return strings.Join(out, ", ")
}

func (f *planFlags) options() (engine.PlanOptions, error) {
	o := engine.PlanOptions{Procs: f.procs, Native: f.planner == "native" || f.procs > 0}
	switch {
	case f.planner != "native" && f.planner != "policy":
		return o, failf(exitUsage, "--planner is policy or native, not %q", f.planner)
	case f.procs < 0:
		return o, failf(exitUsage, "--procs is a number of processors, not %d", f.procs)
	case f.limit < 0:
		return o, failf(exitUsage, "--limit is a number of jobs, not %d", f.limit)
	case f.depth == "":
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

// planTarget is one output: a view or format, to a file or to standard output.
type planTarget struct {
	list []view.PlanView
	name string
	path string
}

func (f *planFlags) targets() ([]planTarget, error) {
	var targets []planTarget
	for _, text := range f.outputs {
		name, path, _ := strings.Cut(text, "=")
		targets = append(targets, planTarget{view.PlanFormats, name, path})
	}
	if f.view != "" {
		targets = append(targets, planTarget{view.PlanViews, f.view, ""})
	}
	if f.gantt != "" {
		targets = append(targets, planTarget{[]view.PlanView{{Name: "gantt", Write: view.WriteGantt}}, "gantt", f.gantt})
	}
	if len(targets) == 0 {
		targets = []planTarget{{view.PlanViews, "native", ""}}
	}
	onStdout, paths := 0, map[string]bool{}
	for _, t := range targets {
		if t.path == "" || t.path == "-" {
			onStdout++
			continue
		}
		if paths[t.path] {
			return nil, failf(exitUsage, "two outputs go to %s", t.path)
		}
		paths[t.path] = true
	}
	if onStdout > 1 {
		return nil, failf(exitUsage, "%d outputs go to standard output: give all but one a file, as in -o json=FILE", onStdout)
	}
	var diags diag.List
	for _, t := range targets {
		if view.FindPlan(t.list, t.name, &diags) == nil {
			printDiags(diags)
			return nil, &exitError{code: exitUsage}
		}
	}
	return targets, nil
}

// run plans and writes. An interruption ends it without leaving anything half written.
func (f *planFlags) run(r *engine.Result, findings diag.List, o engine.PlanOptions, targets []planTarget) error {
	if o.Depth != nil && !o.Native && r.Program.Family != "" {
		return failf(exitUsage, "--depth is of the native planner, and %s plans by its own parameters: add --planner native", r.Program.Family)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	bar := newProgress("planned", "jobs")
	o.Context, o.Progress = ctx, bar.show
	before := len(r.Findings)
	s, err := engine.Plan(r, o)
	bar.end()
	if err != nil {
		return planFailed(err)
	}
	printDiags(append(findings, notable(r.Findings[before:])...))
	p := &view.Plan{Result: r, Schedule: s, Planner: plannerOf(r, o), Place: o.Place, Limit: f.limit}
	var diags diag.List
	for _, id := range f.jobs {
		p.Jobs = append(p.Jobs, view.FindPlanned(p, id, &diags)...)
	}
	if len(diags) > 0 {
		printDiags(diags)
		return &exitError{code: exitUsage}
	}
	for _, t := range targets {
		if err := t.write(ctx, p); err != nil {
			return planFailed(err)
		}
	}
	return nil
}

func plannerOf(r *engine.Result, o engine.PlanOptions) string {
	if o.Native || r.Program.Family == "" {
		return "native"
	}
	return r.Program.Family
}

// planFailed says why there is no plan.
func planFailed(err error) error {
	var own *engine.PlanError
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

func (t planTarget) write(ctx context.Context, p *view.Plan) error {
	var diags diag.List
	v := view.FindPlan(t.list, t.name, &diags)
	if t.path == "" {
		p.Colour = colourful(os.Stdout)
		if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
			p.Width = width
		}
	}
	return writeOutput(t.path, func(w io.Writer) error { return v.Write(&stoppable{w, ctx}, p) })
}

// stoppable ends a long writing when the program is told to.
type stoppable struct {
	io.Writer
	ctx context.Context
}

func (s *stoppable) Write(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, &exitError{exitInterrupted, fmt.Errorf("interrupted; nothing was written that is not complete")}
	}
	return s.Writer.Write(b)
}

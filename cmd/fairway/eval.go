package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/report"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

func newEval() *cobra.Command {
	var (
		pol     policyFlags
		snap    snapshotFlags
		iter    iterationFlags
		outputs []string
		viewArg string
		filter  jobFilter
		opt     eval.Options
	)
	cmd := &cobra.Command{
		Use:  "eval POLICY... --snapshot SNAPSHOT",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := filter.check(cmd.Flags().Changed); err != nil {
				return err
			}
			if viewArg != "sprio" && (opt.Norm || opt.Weights) {
				return failf(exitUsage, "--norm and --weights are of --view sprio")
			}
			if viewArg != "sshare" && (opt.Parsable || opt.Partitions) {
				return failf(exitUsage, "--parsable and --partitions are of --view sshare")
			}
			if viewArg != "sprio" && viewArg != "sshare" && opt.Long {
				return failf(exitUsage, "--long is of --view sprio and --view sshare")
			}
			targets, err := parseOutputs(outputs, viewArg, &filter)
			if err != nil {
				return err
			}
			if iter.state != "" && iter.dir != "" {
				return failf(exitUsage, "give only one of --state and --state-dir")
			}
			var policy reads
			pol.note, pol.filter = policy.note, &filter
			defer iter.unlock()
			r, findings, err := evaluate(&pol, &snap, &iter, files)
			if err != nil {
				return err
			}
			if opt.Jobs, opt.Filter, err = filter.jobs(r); err != nil {
				return err
			}
			opt.Limit = filter.limit
			if err := nothingWritten(writtenTo(targets), slices.Concat(policy.uses(), snap.uses(), iter.uses())); err != nil {
				return err
			}
			printDiags(findings)
			for _, t := range targets {
				if err := writeEval(t, r, opt); err != nil {
					return err
				}
			}
			if noJobRead(r) {
				fmt.Fprintln(stderr, "fairway: no record of a job could be read, so nothing is ranked; a state stays as it was")
				return &exitError{code: exitFindings}
			}
			if err := iter.save(r); err != nil {
				return err
			}
			if r.Failed.Any() {
				return &exitError{code: exitFindings} // some jobs have no priority
			}
			return nil
		},
	}
	pol.add(cmd)
	snap.add(cmd, false)
	snap.addPass(cmd)
	iter.add(cmd, "file that keeps queue times and usage from one evaluation to the next; made if it does not exist")
	iter.addUsageFrom(cmd)
	f := cmd.Flags()
	f.StringArrayVarP(&outputs, "output", "o", nil, "FORMAT or FORMAT=PATH, may repeat: "+strings.Join(names(report.Formats), ", "))
	f.StringVar(&viewArg, "view", "", "a view for people: "+strings.Join(names(report.Views), ", "))
	filter.add(cmd, 0, "show only the first N jobs, by rank or as --sort has them; 0 shows all")
	f.BoolVar(&opt.Spreadsheet, "spreadsheet", false, spreadsheetHelp)
	f.BoolVar(&opt.Long, "long", false, "sprio, sshare: every column (sprio -l, sshare -l)")
	f.BoolVar(&opt.Parsable, "parsable", false, "sshare: | between the columns, nothing cut (sshare -P)")
	f.BoolVar(&opt.Partitions, "partitions", false, "sshare: the partition of each association (sshare -m)")
	f.BoolVar(&opt.Norm, "norm", false, "sprio: factors instead of contributions (sprio -n)")
	f.BoolVar(&opt.Weights, "weights", false, "sprio: the weights (sprio -w)")
	return cmd
}

// noJobRead tells an unreadable queue from an empty one.
func noJobRead(r *evaluation.Result) bool {
	return r.Jobs.Rows == 0 && slices.ContainsFunc(r.Snapshot.Sources,
		func(s snapshot.Source) bool { return s.BadJobs > 0 })
}

func names(list []report.View) []string {
	return each(list, func(v report.View) string { return v.Name })
}

// evaluate compiles and runs. The findings are of the snapshot, the compiler and
// the run, without what `check` is for: of dialect warnings only the first are named.
func evaluate(pol *policyFlags, snap *snapshotFlags, iter *iterationFlags, files []string) (*evaluation.Result,
	diag.List, error) {
	d := &disk{snap.opened}
	files, err := snap.withCaptures(files)
	if err != nil {
		return nil, nil, err
	}
	if pol.dump != "" {
		_, err := pol.compile(d, files, nil)
		return nil, nil, err
	}
	if len(snap.paths) == 0 {
		return nil, nil, failf(exitUsage, "no snapshot: add --snapshot FILE, for instance the output of `squeue --json`")
	}
	if snap.usage, err = iter.enter("eval"); err != nil {
		return nil, nil, err
	}
	s, read, err := snap.read(d)
	if err != nil {
		return nil, nil, err
	}
	out, err := pol.compile(d, files, s)
	if err != nil {
		return nil, nil, err
	}
	if iter.onNodes && (s.Nodes == nil || s.Nodes.Rows == 0) {
		takeConfigured(s, out.Program, &read)
	}
	if len(iter.usageFrom) > 0 {
		place, err := snap.place()
		if err == nil && iter.keeps() {
			err = failf(exitUsage, "a state keeps usage from run to run: leave out --usage-from or the state")
		}
		if err == nil {
			err = usageFrom(d, iter.usageFrom, out.Program, s, place, &read)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	options, err := iter.options(d, out.Program, s.Now)
	if err == nil {
		options.Place, err = snap.place()
	}
	if err == nil {
		options.Pass, err = snap.lastPass(out.Program, s, options.Place, s.Now)
	}
	if err != nil {
		return nil, nil, err
	}
	if options.Pass != 0 && iter.keeps() {
		return nil, nil, failf(exitUsage, "a state keeps when the last pass was: leave out --pass or the state")
	}
	options.Workers = runtime.GOMAXPROCS(0)
	if pol.filter != nil {
		if err := pol.filter.ask(out, s, options); err != nil {
			return nil, nil, err
		}
	}
	r, err := engine.Run(out.Program, s, options)
	if err != nil {
		return nil, nil, &exitError{code: runExit(err), err: err}
	}
	if r.Findings.HasErrors() {
		printDiags(notable(read)) // what could not be read may be what is missing
		return nil, nil, complain(r.Findings)
	}
	findings := append(notable(read), r.Findings...)
	r.Findings = append(append(read, out.Diags...), r.Findings...)
	if !iter.quiet {
		nameWarnings(notable(out.Diags))
	}
	return r, findings, nil
}

// takeConfigured gives a snapshot without nodes those that the policy describes.
func takeConfigured(s *snapshot.Snapshot, p *program.Program, found *diag.List) {
	nodes := replay.ConfiguredNodes(p)
	if nodes == nil {
		return
	}
	s.Nodes = nodes
	found.Warnf("plan-nodes-configured", source.Span{}, "no input has the state of the nodes: the plan takes "+
		"%s as slurm.conf has them", count(nodes.Rows, "node")).
		Note("which of them are down or drained is unknown: add the output of `scontrol show node`")
}

// nameWarnings says how many warnings the policy has, and the first few in a line each.
func nameWarnings(list diag.List) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(stderr, "fairway: the policy has %s; `fairway lint` shows them\n", count(len(list), "warning"))
	const most = 3
	for i, d := range list {
		if i == most && len(list) > most+1 {
			fmt.Fprintf(stderr, "  and %d more\n", len(list)-most)
			return
		}
		fmt.Fprintf(stderr, "  %s\n", strings.TrimPrefix(d.Span.String()+": "+d.Message, ": "))
	}
}

// runExit: jobs to start are named on the command line, all else is what the input says.
func runExit(err error) int {
	var start *admit.StartError
	if errors.As(err, &start) {
		return exitUsage
	}
	return exitUnreadable
}

// notable drops infos: they are in the JSON, and `check` prints them.
func notable(list diag.List) diag.List {
	var out diag.List
	for _, d := range list {
		if d.Severity < diag.Info {
			out = append(out, d)
		}
	}
	return out
}

// parseOutputs reads -o and --view; without either there is the native view.
func parseOutputs(outputs []string, viewArg string, filter *jobFilter) ([]target[[]report.View], error) {
	var targets []target[[]report.View]
	add := func(flag, name, path string, list []report.View) error {
		targets = append(targets, target[[]report.View]{flag + " " + name, name, path, list})
		var why diag.List
		v, err := found(report.Named(list, name, &why), why)
		if err == nil && v.Whole {
			err = filter.whole(flag + " " + name)
		}
		return err
	}
	for _, text := range outputs {
		name, path, _ := strings.Cut(text, "=")
		if err := add("-o", name, path, report.Formats); err != nil {
			return nil, err
		}
	}
	if viewArg != "" || len(outputs) == 0 {
		if err := add("--view", cmp.Or(viewArg, "native"), "", report.Views); err != nil {
			return nil, err
		}
	}
	return targets, apart(targets)
}

func writeEval(t target[[]report.View], r *evaluation.Result, opt eval.Options) error {
	var why diag.List
	v, err := found(report.Find(t.format, t.name, r, &why), why)
	if err != nil {
		return err
	}
	if opt.Limit > 0 && opt.Limit < len(opt.Jobs) && !v.Limits {
		opt.Jobs = opt.Jobs[:opt.Limit]
	}
	if t.path == "" {
		opt.Colour, opt.Width = colourful(os.Stdout), terminalWidth(t.path)
	}
	return writeOutput(t.path, func(w io.Writer) error { return v.Write(w, r, opt) })
}

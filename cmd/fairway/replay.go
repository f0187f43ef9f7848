package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/replay"
	report "github.com/fairway-sched/fairway/runtime/report/replay"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// replayFlags are what a workload is played with.
type replayFlags struct {
	pol         policyFlags
	workload    []string
	nodes       []string
	zone        string
	procs       string
	from, to    string
	warmUp      string
	runtime     string
	outputs     []string
	spreadsheet bool

	opened reads
	place  *time.Location
}

func newReplay() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:     "replay POLICY... --workload FILE",
		Short:   "play a recorded workload through a policy: who would have started when",
		Long:    replayLong,
		Example: replayExamples,
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(cmd *cobra.Command, files []string) error { return f.run(cmd.Flags().Changed, files) },
	}
	f.pol.add(cmd)
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.workload, "workload", "w", nil,
		"file or folder with jobs that ran: SWF, sacct -P, PBS accounting, jobs.json …; may repeat, - is standard input")
	flags.StringArrayVarP(&f.nodes, "nodes", "n", nil,
		"file with the machine: scontrol show node, pbsnodes, nodes.json …; may repeat")
	flags.StringVar(&f.procs, "procs", "", "a machine of `N` processors, one pool, in place of nodes, such as 128")
	flags.StringVar(&f.from, "from", "", "play jobs that were submitted from this `TIME` on: epoch seconds or RFC 3339")
	flags.StringVar(&f.to, "to", "", "play jobs that were submitted before this `TIME`")
	flags.StringVar(&f.warmUp, "warm-up", "",
		"play but do not count the jobs of the first `TIME`, such as 24h: figures of an empty machine mislead")
	flags.StringVar(&f.runtime, "runtime", string(replay.Recorded),
		"how long jobs run: recorded, as they did; or limit, as long as they may")
	flags.StringArrayVarP(&f.outputs, "output", "o", nil,
		"FORMAT, or FORMAT=FILE as in json=replay.json, may repeat: "+strings.Join(replayFormats(), ", "))
	flags.BoolVar(&f.spreadsheet, "spreadsheet", false, spreadsheetHelp)
	flags.StringVar(&f.zone, "timezone", "UTC",
		"zone of times that the workload writes without one, and by which days begin; such as Europe/Stockholm")
	_ = cmd.MarkFlagRequired("workload")
	completeWords(cmd, "runtime", string(replay.Recorded), string(replay.AtLimit))
	completeWords(cmd, "output", replayFormats()...)
	return cmd
}

func replayFormats() (names []string) {
	for i := range report.Formats {
		names = append(names, report.Formats[i].Name)
	}
	return names
}

// run plays and writes. An interruption ends it without leaving anything half written.
func (f *replayFlags) run(given func(flag string) bool, files []string) error {
	selection, procs, warmUp, err := f.options(given)
	if err != nil {
		return err
	}
	targets, err := replayTargets(f.outputs)
	if err != nil {
		return err
	}
	f.pol.note = f.opened.note
	d := &disk{&f.opened}
	machine, err := f.machine(d)
	if err != nil {
		return err
	}
	out, err := f.pol.compile(d, files, machine)
	if err != nil {
		return err
	}
	w, err := f.jobs(d, selection)
	if err != nil {
		return err
	}
	outputs := usesOf(targets, func(t replayTarget) use { return use{what: "-o " + t.format.Name, path: t.path} })
	if err := nothingWritten(outputs, f.opened.uses()); err != nil {
		return err
	}
	result, err := f.play(out.Program, machine, w, procs)
	if err != nil {
		return err
	}
	shown := &report.Report{Result: result, Policy: out.Program.Family, Measured: result.Measure(result.Begin + warmUp),
		Spreadsheet: f.spreadsheet}
	for _, t := range targets {
		shown.Colour = t.path == "" && colourful(os.Stdout)
		if err := writeOutput(t.path, func(w io.Writer) error { return t.format.Write(w, shown) }); err != nil {
			return err
		}
	}
	if len(w.Left) > 0 {
		return &exitError{code: exitFindings}
	}
	return nil
}

// options checks the flags.
func (f *replayFlags) options(given func(flag string) bool) (s replay.Selection, procs, warmUp int64, err error) {
	s.Runtime = replay.Runtime(f.runtime)
	if s.Runtime != replay.Recorded && s.Runtime != replay.AtLimit {
		return s, 0, 0, failf(exitUsage, "--runtime is recorded or limit, not %q", f.runtime)
	}
	for _, t := range []struct {
		flag, text string
		to         *int64
	}{{"from", f.from, &s.From}, {"to", f.to, &s.To}} {
		if given(t.flag) {
			if *t.to, err = parseNow(t.text); err != nil {
				return s, 0, 0, failf(exitUsage, "--%s: %v", t.flag, err)
			}
		}
	}
	if given("to") && s.To <= s.From {
		return s, 0, 0, failf(exitUsage, "--to %s is not after --from, so there is nothing to play", f.to)
	}
	if given("warm-up") {
		if warmUp, err = parseSpan(f.warmUp); err != nil {
			return s, 0, 0, failf(exitUsage, "--warm-up: %v", err)
		}
	}
	if given("procs") {
		if len(f.nodes) > 0 {
			return s, 0, 0, failf(exitUsage, "--procs is a machine without nodes: leave out --nodes or --procs")
		}
		procs, err = parseProcs(f.procs)
	}
	if !given("procs") && len(f.nodes) == 0 {
		return s, 0, 0, failf(exitUsage,
			"no machine: add --nodes FILE, for instance the output of `scontrol show node`, or --procs N")
	}
	if err == nil {
		if f.place, err = time.LoadLocation(f.zone); err != nil {
			err = failf(exitUsage, "--timezone: %v", err)
		}
	}
	return s, procs, warmUp, err
}

// parseSpan reads a time span: seconds, or as Go writes it with hours, minutes and seconds.
func parseSpan(text string) (int64, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 && n <= snapshot.LastSecond {
		return n, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is neither a number of seconds nor a time such as 36h or 90m", text)
	}
	return int64(d / time.Second), nil
}

// machine reads the nodes.
func (f *replayFlags) machine(d *disk) (*snapshot.Snapshot, error) {
	if len(f.nodes) == 0 {
		return &snapshot.Snapshot{}, nil
	}
	s, diags, err := snapshot.Read(d, f.nodes, snapshot.Options{Location: f.place})
	if err != nil {
		return nil, &exitError{code: exitIO, err: err}
	}
	if diags.HasErrors() {
		return nil, complain(diags)
	}
	printDiags(notable(diags))
	switch {
	case s.Nodes == nil || s.Nodes.Rows == 0:
		return nil, failf(exitUnreadable, "--nodes: there are no nodes in %s", strings.Join(f.nodes, ", "))
	case s.Jobs != nil && s.Jobs.Rows > 0:
		return nil, failf(exitUnreadable,
			"--nodes: there are jobs in %s too, and a replay begins with an empty machine: name "+
				"the files with nodes alone", strings.Join(f.nodes, ", "))
	}
	return s, nil
}

// jobs reads the workload.
func (f *replayFlags) jobs(d *disk, selection replay.Selection) (*replay.Workload, error) {
	s, diags, err := snapshot.Read(d, f.workload, snapshot.Options{Location: f.place, WholeTrace: true})
	if err != nil {
		return nil, &exitError{code: exitIO, err: err}
	}
	if diags.HasErrors() {
		return nil, complain(diags)
	}
	w := replay.NewWorkload(s.Jobs, selection)
	printDiags(append(notable(diags), w.Report()...))
	if len(w.Jobs) == 0 {
		return nil, failf(exitUnreadable, "%s has no job to play", strings.Join(f.workload, ", "))
	}
	return w, nil
}

// play moves the workload through the policy.
func (f *replayFlags) play(p *program.Program, machine *snapshot.Snapshot, w *replay.Workload,
	procs int64) (*replay.Result, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	bar := newProgress("replaying")
	result, err := replay.Run(p, machine, w, replay.Options{Context: ctx,
		Evaluation: evaluation.Options{Procs: procs, Place: f.place},
		Progress: func(now int64, done int) {
			bar.show("jobs until "+time.Unix(now, 0).UTC().Format("2006-01-02 15:04"), done, len(w.Jobs))
		}})
	bar.end()
	var refused *replay.RefusedError
	switch {
	case errors.Is(err, context.Canceled):
		return nil, failf(exitInterrupted, "interrupted; nothing was written that is not complete")
	case errors.As(err, &refused):
		return nil, complain(refused.Findings)
	case err != nil:
		return nil, planFailed(err)
	}
	findings := slices.DeleteFunc(notable(result.Findings), func(d *diag.Diagnostic) bool { return passing[d.Code] })
	printDiags(append(findings, result.Report()...))
	return result, nil
}

// passing are findings about a queue at one moment, which say nothing of a replay.
var passing = map[string]bool{"plan-given-twice": true, "fairshare-no-usage": true}

// replayTarget is one output, to a file or to standard output.
type replayTarget struct {
	format *report.Format
	path   string
}

func replayTargets(outputs []string) (targets []replayTarget, err error) {
	if len(outputs) == 0 {
		outputs = []string{"table"}
	}
	var diags diag.List
	onStdout, paths := 0, map[string]bool{}
	for _, text := range outputs {
		name, path, _ := strings.Cut(text, "=")
		format := report.Find(name, &diags)
		if format == nil {
			printDiags(diags)
			return nil, &exitError{code: exitUsage}
		}
		if targets = append(targets, replayTarget{format, path}); path == "" || path == "-" {
			onStdout++
		} else if paths[path] {
			return nil, failf(exitUsage, "two outputs go to %s", path)
		}
		paths[path] = true
	}
	if onStdout > 1 {
		return nil, failf(exitUsage, "%d outputs go to standard output: give all but one a file, as in -o json=FILE",
			onStdout)
	}
	return targets, nil
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/replay/outage"
	report "github.com/fairway-sched/fairway/runtime/report/replay"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// replayFlags are what a workload is played with.
type replayFlags struct {
	pol         policyFlags
	workload    []string
	nodes       []string
	events      []string
	snapshot    []string
	now         string
	zone        string
	procs       string
	from, to    string
	warmUp      string
	runtime     string
	arrivals    string
	seed        uint64
	against     []string
	drawnCount  int
	outputs     []string
	spreadsheet bool
	kept        resumable

	opened reads
	place  *time.Location
	out    []outage.Outage
	drawn  replay.Arrivals
}

func newReplay() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:  "replay POLICY... --workload FILE",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error { return f.run(cmd.LocalFlags(), files) },
	}
	f.pol.add(cmd)
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.workload, "workload", "w", nil,
		"file or folder with jobs that ran: SWF, sacct -P, PBS accounting, Maui traces, jobs.json …; may repeat, - is "+
			"standard input")
	flags.StringArrayVarP(&f.nodes, "nodes", "n", nil,
		"file with the machine: scontrol show node, pbsnodes, nodes.json …; may repeat")
	flags.StringArrayVar(&f.events, "events", nil,
		"file with times in which nodes were down or drained (sacctmgr show event -P, or a table) or reserved (scontrol "+
			"show reservation); may repeat")
	flags.StringArrayVarP(&f.snapshot, "snapshot", "s", nil,
		"begin with this queue, its running jobs and its usage, not with an empty machine; may repeat")
	flags.StringVar(&f.now, "now", "",
		"time of the snapshot: epoch seconds or RFC 3339 (default: its own); of a trace, who waits and runs then")
	flags.StringVar(&f.procs, "procs", "", "a machine of `N` processors, one pool, in place of nodes, such as 128")
	flags.StringVar(&f.from, "from", "", "play jobs that were submitted from this `TIME` on: epoch seconds or RFC 3339")
	flags.StringVar(&f.to, "to", "", "play jobs that were submitted before this `TIME`")
	flags.StringVar(&f.warmUp, "warm-up", "",
		"play but do not count the jobs of the first `TIME`, such as 24h: figures of an empty machine mislead")
	flags.StringVar(&f.runtime, "runtime", string(replay.Recorded),
		"how long jobs run: recorded, as they did; limit, as long as they may; or habits, drawn from the share of the "+
			"limit that jobs of their user used")
	flags.StringVar(&f.arrivals, "arrivals", "recorded",
		"when jobs come: recorded; scaled=1.2, the same jobs with 1.2 times the load; or bootstrap, blocks of days drawn "+
			"with replacement")
	flags.Uint64Var(&f.seed, "seed", 1, "`N` of what is drawn: the same seed draws the same")
	flags.StringArrayVar(&f.against, "against", nil,
		"file of another policy, played on the same jobs: who waits less, who more, and whether that is luck; may repeat")
	flags.IntVar(&f.drawnCount, "drawn", 20,
		"`N` workloads drawn from this one, from which --against has its intervals; 0 for none")
	formats := each(report.Formats, func(r report.Format) string { return r.Name })
	flags.StringArrayVarP(&f.outputs, "output", "o", nil,
		"FORMAT, or FORMAT=FILE as in json=replay.json, may repeat: "+strings.Join(formats, ", "))
	flags.BoolVar(&f.spreadsheet, "spreadsheet", false, spreadsheetHelp)
	flags.StringVar(&f.kept.path, "checkpoint", "",
		"leave in `FILE`, if the replay is interrupted (Ctrl-C, SIGTERM), what --resume goes on from")
	flags.StringVar(&f.kept.from, "resume", "",
		"go on from the checkpoint `FILE`, with the same files and options; another interruption leaves it there again")
	flags.StringVar(&f.zone, "timezone", "UTC",
		"zone of times that the workload writes without one, and by which days begin; such as Europe/Stockholm")
	completeWords(cmd, "runtime", replay.Runtimes...)
	completeWords(cmd, "arrivals", "recorded", "bootstrap", "scaled=1.2")
	completeWords(cmd, "output", formats...)
	return cmd
}

// run plays and writes. An interruption ends it without leaving anything half written.
func (f *replayFlags) run(flags *pflag.FlagSet, files []string) error {
	selection, procs, warmUp, err := f.options(flags.Changed)
	if err != nil {
		return err
	}
	if err := f.kept.ready(); err != nil {
		return err
	}
	targets, err := targetsOf(f.outputs, "table", func(name string) (*report.Format, error) {
		var why diag.List
		return found(report.Find(name, &why), why)
	})
	if err != nil {
		return err
	}
	f.pol.note = f.opened.note
	d := &disk{&f.opened}
	if files, err = policyFiles(files, f.opened.note); err != nil {
		return err
	}
	if f.against, err = policyFiles(f.against, f.opened.note); err != nil {
		return err
	}
	files, records, err := f.policyFiles(d, files)
	if err != nil {
		return err
	}
	machine, err := f.machine(d, records)
	if err != nil {
		return err
	}
	jobs, err := f.records(d, machine)
	if err != nil {
		return err
	}
	out, err := f.pol.compile(d, files, machine)
	if err != nil {
		return err
	}
	sayAssumed(out, machine)
	if procs == 0 {
		if err := f.configured(machine, out.Program); err != nil {
			return err
		}
	}
	if err := f.kept.of(flags, f.opened); err != nil {
		return err
	}
	other, err := f.other(d, machine)
	if err != nil {
		return err
	}
	if len(f.snapshot) > 0 {
		selection.From = max(selection.From, machine.Now+1)
	}
	w, err := f.jobs(jobs, selection)
	if err != nil {
		return err
	}
	outputs := append(writtenTo(targets), use{what: "--checkpoint", path: f.kept.path})
	if err := nothingWritten(outputs, f.opened.uses()); err != nil {
		return err
	}
	shown, err := f.play(f.caseOf(out.Program, machine, w, procs, warmUp), other)
	if err != nil {
		return err
	}
	shown.Policy, shown.Spreadsheet = out.Program.Family, f.spreadsheet
	shown.This, shown.Other = strings.Join(slices.Concat(files, f.pol.params), " "), strings.Join(f.against, " ")
	for _, t := range targets {
		shown.Colour = t.colour()
		if err := writeOutput(t.path, func(w io.Writer) error { return t.format.Write(w, shown) }); err != nil {
			return err
		}
	}
	if len(shown.Workload.Left) > 0 {
		return &exitError{code: exitFindings}
	}
	return nil
}

// caseOf is what is played.
func (f *replayFlags) caseOf(p *program.Program, machine *snapshot.Snapshot, w *replay.Workload,
	procs, warmUp int64) *replay.Case {
	return &replay.Case{Program: p, Machine: machine, Workload: w, Arrivals: f.drawn, Seed: f.seed, WarmUp: warmUp,
		Options: replay.Options{Outages: f.out, Evaluation: evaluation.Options{Procs: procs, Place: f.place},
			Log: f.kept.log, Resume: f.kept.past}}
}

// options checks the flags.
func (f *replayFlags) options(given func(flag string) bool) (s replay.Selection, procs, warmUp int64, err error) {
	s.Runtime = replay.Runtime(f.runtime)
	if !slices.Contains(replay.Runtimes, f.runtime) {
		return s, 0, 0, failf(exitUsage, "--runtime is recorded, limit or habits, not %q", f.runtime)
	}
	if f.drawn, err = replay.ParseArrivals(f.arrivals); err != nil {
		return s, 0, 0, failf(exitUsage, "--arrivals: %v", err)
	}
	if err := f.sources(given); err != nil {
		return s, 0, 0, err
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
		procs, err = parseProcs(f.procs)
	}
	if err == nil {
		if f.place, err = time.LoadLocation(f.zone); err != nil {
			err = failf(exitUsage, "--timezone: %v", err)
		}
	}
	return s, procs, warmUp, err
}

// mostDrawn bounds how many workloads a comparison draws.
const mostDrawn = 10_000

// sources checks what is played on which machine.
func (f *replayFlags) sources(given func(flag string) bool) error {
	switch {
	case len(f.workload) == 0 && len(f.snapshot) == 0:
		return failf(exitUsage, "nothing to play: add --workload FILE with jobs that ran, or --snapshot FILE with a queue")
	case given("procs") && len(f.nodes) > 0:
		return failf(exitUsage, "--procs is a machine without nodes: leave out --nodes or --procs")
	case given("procs") && len(f.events) > 0:
		return failf(exitUsage, "--procs is a machine without nodes, and events are of nodes: give the machine by --nodes")
	case len(f.nodes) > 0 && len(f.snapshot) > 0:
		return failf(exitUsage, "the snapshot has the machine: leave out --nodes, or give its file as another --snapshot")
	case given("drawn") && (f.drawnCount < 0 || f.drawnCount > mostDrawn):
		return failf(exitUsage, "--drawn is a number of workloads from 0 to %d, not %d", mostDrawn, f.drawnCount)
	case given("drawn") && len(f.against) == 0:
		return failf(exitUsage, "--drawn is of a comparison: add --against FILE")
	case given("now") && len(f.snapshot) == 0:
		return failf(exitUsage, "--now is the time of a snapshot: add --snapshot FILE; --from says from when on to play")
	}
	return nil
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

// policyFiles parts policy files from what the resource manager has of the policy, such as its QOS: sacctmgr show qos.
func (f *replayFlags) policyFiles(d *disk, files []string) (policy, records []string, err error) {
	for _, name := range files {
		if info, err := d.Stat(name); err != nil || !info.Mode().IsRegular() || f.pol.lang != "" {
			policy = append(policy, name) // what can be read only once, or is not there, the compiler reads
			continue
		}
		file, err := d.readFile(name)
		switch {
		case err != nil:
			return nil, nil, err
		case lower.Detect(file.Text) == "" && snapshot.Knows(name, file.Text):
			records = append(records, name)
		default:
			policy = append(policy, name)
		}
	}
	if len(policy) == 0 {
		return files, nil, nil // which the compiler reports
	}
	return policy, records, nil
}

// machine reads the nodes, or the snapshot that the replay begins with, and what the resource manager has of the
// policy.
func (f *replayFlags) machine(d *disk, records []string) (*snapshot.Snapshot, error) {
	reserved, err := f.outages(d)
	if err != nil {
		return nil, err
	}
	records = slices.Concat(records, reserved)
	if len(f.snapshot) > 0 {
		return f.begin(d, records)
	}
	files := slices.Concat(f.nodes, records)
	if len(files) == 0 {
		return &snapshot.Snapshot{}, nil
	}
	s, err := readAll(d, files, snapshot.Options{Location: f.place})
	switch {
	case err != nil:
		return nil, err
	case len(f.nodes) > 0 && (s.Nodes == nil || s.Nodes.Rows == 0):
		return nil, failf(exitUnreadable, "--nodes: there are no nodes in %s", strings.Join(f.nodes, ", "))
	case s.Jobs != nil && s.Jobs.Rows > 0:
		return nil, failf(exitUnreadable,
			"--nodes: there are jobs in %s too, and a replay begins with an empty machine: name the files with nodes "+
				"alone, or begin with this queue by --snapshot", strings.Join(files, ", "))
	}
	return s, nil
}

// outages reads the times in which nodes were out. The other files of events are left, with reservations.
func (f *replayFlags) outages(d *disk) (reserved []string, err error) {
	var diags diag.List
	for _, name := range f.events {
		file, err := d.readFile(name)
		if err != nil {
			return nil, err
		}
		if !outage.Recognize(file.Text) {
			reserved = append(reserved, name)
			continue
		}
		list, found := outage.Read(file, f.place)
		f.out, diags = append(f.out, list...), append(diags, found...)
	}
	printDiags(notable(diags))
	if len(reserved) == 0 {
		return nil, nil
	}
	s, err := readAll(d, reserved, snapshot.Options{Location: f.place})
	if err == nil && (s.Reservations == nil || s.Reservations.Rows == 0) {
		err = failf(exitUnreadable, "--events: there are neither outages nor reservations in %s", strings.Join(reserved, ", "))
	}
	return reserved, err
}

// begin reads the snapshot.
func (f *replayFlags) begin(d *disk, records []string) (*snapshot.Snapshot, error) {
	o := snapshot.Options{Location: f.place}
	if f.now != "" {
		now, err := parseNow(f.now)
		if err != nil {
			return nil, failf(exitUsage, "--now: %v", err)
		}
		o.Now, o.AtZero = now, now == 0
	}
	s, err := readAll(d, slices.Concat(f.snapshot, records), o)
	switch {
	case err != nil:
		return nil, err
	case !s.KnowsNow():
		return nil, failf(exitUsage, "the time of the snapshot is unknown: add --now TIME")
	}
	return s, nil
}

// readAll reads files, and prints what is notable of them.
func readAll(d *disk, paths []string, o snapshot.Options) (*snapshot.Snapshot, error) {
	s, diags, err := snapshot.Read(d, paths, o)
	if err != nil {
		return nil, &exitError{code: exitIO, err: err}
	}
	if diags.HasErrors() {
		return nil, complain(diags)
	}
	printDiags(notable(diags))
	return s, nil
}

// configured takes the machine that the policy describes, if no other was given.
func (f *replayFlags) configured(machine *snapshot.Snapshot, p *program.Program) error {
	if machine.Nodes == nil || machine.Nodes.Rows == 0 {
		machine.Nodes = replay.ConfiguredNodes(p)
	}
	switch {
	case machine.Nodes != nil:
	case len(f.snapshot) > 0:
		return failf(exitUsage, "there are no nodes in %s: add the output of `scontrol show node` as another "+
			"--snapshot, or --procs N", strings.Join(f.snapshot, ", "))
	default:
		return failf(exitUsage, "no machine: add --nodes FILE, for instance the output of `scontrol show node`, or "+
			"--procs N; a slurm.conf with NodeName lines describes one itself")
	}
	return nil
}

// records reads the workload. What it shows of the release counts as what the machine's files show.
func (f *replayFlags) records(d *disk, machine *snapshot.Snapshot) (*snapshot.Snapshot, error) {
	if len(f.workload) == 0 {
		return nil, nil
	}
	return readWorkload(d, f.workload, f.place, machine)
}

func readWorkload(d *disk, paths []string, place *time.Location, machine *snapshot.Snapshot) (*snapshot.Snapshot, error) {
	s, err := readAll(d, paths, snapshot.Options{Location: place, WholeTrace: true})
	if err == nil && machine.Version == "" {
		machine.Version, machine.Until = s.Version, cmp.Or(machine.Until, s.Until)
	}
	return s, err
}

// sayAssumed says as which release of Slurm a policy is played, where nothing states it.
func sayAssumed(out *compiler.Output, machine *snapshot.Snapshot) {
	if text := assumedRelease(out, machine); text != "" {
		fmt.Fprintln(stderr, "fairway: "+text)
	}
}

func assumedRelease(out *compiler.Output, machine *snapshot.Snapshot) string {
	version := out.Policy.Version
	if version == "" || !out.Policy.Assumed {
		return ""
	}
	why := "as nothing states the release"
	if version == machine.Until {
		why = "the last release whose sacct has these columns"
	}
	return fmt.Sprintf("played as Slurm %s, %s; --slurm-version chooses another", version, why)
}

// jobs are those of the workload that are played.
func (f *replayFlags) jobs(s *snapshot.Snapshot, selection replay.Selection) (*replay.Workload, error) {
	if s == nil {
		return replay.NewWorkload(nil, selection), nil
	}
	w := replay.NewWorkload(s.Jobs, selection)
	printDiags(w.Report())
	if len(w.Jobs) == 0 && len(f.snapshot) == 0 {
		return nil, failf(exitUnreadable, "%s has no job to play", strings.Join(f.workload, ", "))
	}
	return w, nil
}

// other reads the policy to compare with, as its files have it: what the command line changes is of this one alone.
func (f *replayFlags) other(d *disk, machine *snapshot.Snapshot) (*program.Program, error) {
	if len(f.against) == 0 {
		return nil, nil
	}
	pol := f.pol
	pol.params, pol.without, pol.dump = nil, nil, ""
	out, err := pol.compile(d, f.against, machine)
	if err != nil {
		return nil, err
	}
	return out.Program, nil
}

// play moves the workload through the policy, and through the other one if there is one.
func (f *replayFlags) play(c *replay.Case, other *program.Program) (*report.Report, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	bar := newProgress("replaying")
	defer bar.end()
	c.Options.Context = ctx
	c.Options.Progress = func(now int64, done int) {
		bar.show("jobs until "+time.Unix(now, 0).UTC().Format("2006-01-02 15:04"), done, len(c.Workload.Jobs))
	}
	result, measured, err := c.Play()
	if err != nil {
		bar.end()
		return nil, f.failed(err)
	}
	shown := &report.Report{Result: result, Measured: measured}
	if other != nil {
		o := *c
		o.Program, o.Options.Log, o.Options.Resume = other, nil, nil
		shown.Against, err = c.Against(&o, result, f.drawnCount, runtime.NumCPU(), func(done int) {
			bar.show("drawn workloads", done, f.drawnCount)
		})
	}
	bar.end()
	if err != nil {
		return nil, f.failed(err)
	}
	findings := slices.DeleteFunc(notable(result.Findings), func(d *diag.Diagnostic) bool { return passing[d.Code] })
	printDiags(append(findings, result.Report()...))
	return shown, nil
}

// failed is what a replay that came to no result ends with.
func (f *replayFlags) failed(err error) error {
	var misfit *replay.MisfitError
	switch {
	case errors.Is(err, context.Canceled) && f.kept.path != "":
		return f.kept.leave()
	case errors.As(err, &misfit) && f.kept.file != nil:
		return f.kept.refuse(misfit.Problem)
	}
	return replayFailed(err)
}

// replayFailed is the same of one that leaves no checkpoint.
func replayFailed(err error) error {
	var refused *replay.RefusedError
	switch {
	case errors.Is(err, context.Canceled):
		return failf(exitInterrupted, "interrupted; nothing was written that is not complete")
	case errors.As(err, &refused):
		return complain(refused.Findings)
	}
	return planFailed(err)
}

// passing are findings about a queue at one moment, which say nothing of a replay.
var passing = map[string]bool{"plan-given-twice": true, "fairshare-no-usage": true,
	"fairshare-usage-missing": true}

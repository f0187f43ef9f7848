package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/usage"
)

// usageFlags are the flags of `fairway usage`.
type usageFlags struct {
	policies        []string
	nodes           []string
	usage, interval string
	depth           int
	depthGiven      bool
	now, since      string
	zone            string
	to              string
	force, dryRun   bool
	state, dir      string
	output          string

	read reads // files of the policies
}

func newUsage() *cobra.Command {
	var f usageFlags
	cmd := &cobra.Command{
		Use:  "usage RECORDS... [--to DIR]",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, records []string) error {
			f.depthGiven = cmd.Flags().Changed("depth")
			return f.run(records)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.to, "to", "",
		"folder of the files FS.<epoch> (Maui's STATDIR); for an account tree the file to write")
	flags.StringVar(&f.state, "state", "",
		"account trees: go on from this file, and leave the usage in it; made if it does not exist")
	flags.StringVar(&f.dir, "state-dir", "",
		"keep it in a state directory, where eval and push --state-dir find it (fairway doc state)")
	flags.StringArrayVar(&f.policies, "policy", nil,
		"take FSPOLICY, FSINTERVAL and FSDEPTH from this maui.cfg or policy, and default QOS; or share by this slurm.conf "+
			"and dump; may repeat")
	flags.StringVar(&f.usage, "usage", "",
		"what counts: DEDICATEDPS, DEDICATEDPES or UTILIZEDPS (default: the policy's, else DEDICATEDPS)")
	flags.StringVar(&f.interval, "interval", "",
		"length of a window, such as 12h or 12:00:00 (default: the policy's, else 12h as in Maui)")
	flags.IntVar(&f.depth, "depth", 0,
		"how many windows, the current one included (default: the policy's, else 8 as in Maui)")
	flags.StringArrayVar(&f.nodes, "nodes", nil, "snapshot with the nodes, for DEDICATEDPES; may repeat")
	flags.StringVar(&f.now, "now", "", "count up to this time: epoch seconds or RFC 3339 (default: the clock)")
	flags.StringVar(&f.since, "since", "", "the records are complete from this time on")
	flags.StringVar(&f.zone, "timezone", "UTC",
		"zone of times that the records write without one, such as Europe/Stockholm")
	flags.BoolVar(&f.force, "force", false, "replace files with more usage than the records and files of another interval")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what would be written")
	flags.StringVarP(&f.output, "output", "o", "table", "table or json, or FORMAT=PATH")
	// fails for a flag that is not there
	_ = cmd.RegisterFlagCompletionFunc("usage", cobra.FixedCompletions(mauiUsage, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("output",
		cobra.FixedCompletions([]string{"table", "json"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (f *usageFlags) run(paths []string) error {
	format, path, _ := strings.Cut(f.output, "=")
	if format != "table" && format != "json" {
		return failf(exitUsage, "-o is table or json, not %q", format)
	}
	if f.dir != "" && (f.to != "" || f.state != "") {
		return failf(exitUsage, "--state-dir is instead of --to and --state")
	}
	d := &disk{}
	p, err := f.compile(d)
	switch {
	case err != nil:
		return err
	case p != nil && p.Tree != nil && p.Windows == nil:
		return f.runTree(d, p, paths, format, path)
	case f.state != "":
		return failf(exitUsage, "--state is for account trees: give --policy slurm.conf and the output of sacctmgr dump")
	}
	settings, err := f.settings(d, p)
	if err != nil {
		return err
	}
	records, list, err := f.records(d, paths)
	if err != nil {
		return err
	}
	settings.Told = records.Told
	if err := f.sinceWhen(&settings); err != nil {
		return err
	}
	if p != nil && records.Jobs != nil {
		records.Jobs.Put(maui.EffectiveQOS(records.Jobs, p))
	}
	out := &usageOutput{Report: usage.Build(records.Jobs, settings), sources: records.Sources, dir: f.to, dryRun: f.dryRun}
	list = append(list, out.Findings()...)
	if list.HasErrors() {
		printDiags(notable(list))
		return &exitError{code: exitUsage}
	}
	kept := []use{{what: "the folder of windows", path: f.to, part: ofWindows},
		{what: "the state directory", path: f.dir, part: ofLayout}}
	if err := nothingWritten([]use{{what: "-o " + format, path: path}},
		append(f.uses(paths, records), kept...)); err != nil {
		return err
	}
	if err := out.put(f, &list); err != nil {
		return err
	}
	printDiags(notable(list))
	out.findings = list
	err = writeOutput(path, func(w io.Writer) error {
		if format == "json" {
			return out.writeJSON(w)
		}
		return out.writeTable(w)
	})
	if err == nil && out.bad() > 0 {
		return &exitError{code: exitFindings}
	}
	return err
}

// uses are the files that were read.
func (f *usageFlags) uses(paths []string, records *snapshot.Records) []use {
	f.read = append(f.read, paths...)
	for _, s := range records.Sources {
		f.read.note(s.Name, nil)
	}
	return append(f.read.uses(), (&snapshotFlags{paths: f.nodes}).uses()...)
}

// ofWindows is the part of a folder that is Maui's windows, and the lock.
func ofWindows(_, inside string) bool {
	return directly("", inside) && strings.HasPrefix(inside, "FS.") || inside == lockName
}

// settings joins flags, policy and Maui's own defaults (reference §3.1).
func (f *usageFlags) settings(d *disk, p *program.Program) (usage.Settings, error) {
	s := usage.Settings{Usage: fairshare.DedicatedProcSeconds, IntervalSeconds: 12 * 3600, Depth: 8}
	if err := f.policy(p, &s); err != nil {
		return s, err
	}
	if f.usage != "" {
		if s.Usage = usageWord(f.usage); s.Usage == "" {
			return s, failf(exitUsage, "--usage is DEDICATEDPS, DEDICATEDPES or UTILIZEDPS, not %q", f.usage)
		}
	}
	if f.interval != "" {
		if s.IntervalSeconds = intervalSeconds(f.interval); s.IntervalSeconds <= 0 || s.IntervalSeconds > longestInterval {
			return s, failf(exitUsage, "--interval is a time such as 12h, 12:00:00 or 43200 seconds, up to a year, not %q",
				f.interval)
		}
	}
	if f.depthGiven {
		s.Depth = f.depth
	}
	if s.Depth < 1 || s.Depth > mostWindows {
		return s, failf(exitUsage, "--depth is a number of windows from 1 to %d, not %d", mostWindows, s.Depth)
	}
	var err error
	if s.Now, err = f.when(); err != nil {
		return s, err
	}
	if len(f.nodes) > 0 {
		nodes, err := f.nodeTable(d)
		if err != nil {
			return s, err
		}
		s.Cluster = usage.ClusterOf(nodes)
	}
	return s, nil
}

// when is the time that counts as now.
func (f *usageFlags) when() (int64, error) {
	if f.now == "" {
		return time.Now().Unix(), nil
	}
	now, err := parseNow(f.now)
	if err != nil {
		return 0, failf(exitUsage, "--now: %v", err)
	}
	if now <= 0 {
		return 0, failf(exitUsage, "--now %s is before 1970", f.now)
	}
	return now, nil
}

// A year of windows that are a year long is more than any decay leaves of them.
const (
	longestInterval = 366 * 86400
	mostWindows     = 1000
)

// compile compiles the policy, if one is given.
func (f *usageFlags) compile(d *disk) (*program.Program, error) {
	if len(f.policies) == 0 {
		return nil, nil
	}
	files, err := policyFiles(f.policies, f.read.note)
	if err != nil {
		return nil, err
	}
	out, err := (&policyFlags{note: f.read.note}).compile(d, files, nil)
	if err != nil {
		return nil, err
	}
	return out.Program, nil
}

// policy takes the windows of a policy. A maui.cfg without FSPOLICY still has an interval and a depth.
func (f *usageFlags) policy(p *program.Program, s *usage.Settings) error {
	if p == nil {
		return nil
	}
	w := p.Windows
	if w == nil {
		w = p.Dormant
	}
	if w == nil || w.Usage == "" && f.usage == "" {
		return failf(exitUsage, "the policy counts no usage: FSPOLICY is not set; --usage says what to count")
	}
	s.IntervalSeconds, s.Depth = w.IntervalSeconds, w.Depth
	if w.Usage != "" {
		s.Usage = w.Usage
	}
	return nil
}

func (f *usageFlags) nodeTable(d *disk) (*column.Table, error) {
	s, _, err := (&snapshotFlags{paths: f.nodes, zone: f.zone}).read(d)
	if err != nil {
		return nil, err
	}
	if s.Nodes == nil {
		return nil, failf(exitUnreadable, "%s has no nodes", strings.Join(f.nodes, ", "))
	}
	return s.Nodes, nil
}

func (f *usageFlags) records(d *disk, paths []string) (*snapshot.Records, diag.List, error) {
	zone, err := time.LoadLocation(f.zone)
	if err != nil {
		return nil, nil, failf(exitUsage, "--timezone: %v", err)
	}
	records, list, err := snapshot.ReadRecords(d, paths, snapshot.Options{Location: zone})
	if err != nil {
		return nil, list, &exitError{code: exitIO, err: err}
	}
	if list.HasErrors() {
		printDiags(notable(list))
		return nil, list, &exitError{code: exitUnreadable}
	}
	return records, list, nil
}

// sinceWhen puts the begin of the records where the user knows it to be.
func (f *usageFlags) sinceWhen(s *usage.Settings) error {
	if f.since == "" {
		return nil
	}
	since, err := parseNow(f.since)
	if err != nil {
		return failf(exitUsage, "--since: %v", err)
	}
	if since >= s.Now {
		return failf(exitUsage, "--since %s is not before now, %s", f.since, time.Unix(s.Now, 0).UTC().Format(time.RFC3339))
	}
	s.Told.First = since
	if !s.Told.Known || s.Told.Last < since {
		s.Told.Last = since
	}
	s.Told.Known = true
	return nil
}

// mauiUsage are Maui's words for fairshare.UsageWords, in the same order.
var mauiUsage = []string{"DEDICATEDPS", "DEDICATEDPES", "UTILIZEDPS"}

// usageWord takes Maui's words and those of policies.
func usageWord(text string) string {
	for i, word := range mauiUsage {
		if strings.EqualFold(text, word) || text == fairshare.UsageWords[i] {
			return fairshare.UsageWords[i]
		}
	}
	return ""
}

// intervalSeconds reads 12h, 1h30m, 43200, 12:00:00 and 1:00:00:00; two fields
// mean different things to different people and are none.
func intervalSeconds(text string) int64 {
	if d, err := time.ParseDuration(text); err == nil && d%time.Second == 0 {
		return int64(d / time.Second)
	}
	fields, total := strings.Split(text, ":"), int64(0)
	if len(fields) == 2 || len(fields) > 4 {
		return 0
	}
	units := []int64{86400, 3600, 60, 1}[4-len(fields):]
	for i, field := range fields {
		n, err := strconv.ParseUint(field, 10, 31)
		if err != nil {
			return 0
		}
		total += int64(n) * units[i]
	}
	return total
}

// lengthText writes the length of a window as Maui's configuration has it.
func lengthText(seconds int64) string {
	return fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
}

package main

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lint/report"
	"github.com/fairway-sched/fairway/compiler/lint/upgrade"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// lintFlags are the flags of lint besides those about policies and snapshots.
type lintFlags struct {
	pol  policyFlags
	snap snapshotFlags

	outputs    []string
	all        bool
	failOn     string
	severities []string
	levels     string
	baseline   string
	accept     string
	fix, diff  bool
	unsafe     bool
	upgrade    string
	today      string

	failing bool // only what fails is shown
	config  bool // what is in force is shown, and nothing else
	given   func(flag string) bool
	project *project
}

func newLint() *cobra.Command {
	f := &lintFlags{}
	cmd := &cobra.Command{
		Use:  "lint FILE|FOLDER...",
		RunE: func(_ *cobra.Command, files []string) error { return f.run(files) },
	}
	f.add(cmd, "warning")
	return cmd
}

// add adds the flags; failOn is the least severity that fails.
func (f *lintFlags) add(cmd *cobra.Command, failOn string) {
	f.given = func(flag string) bool { return cmd.Flags().Changed(flag) }
	f.pol.add(cmd)
	f.snap.add(cmd, false)
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.outputs, "output", "o", nil,
		"FORMAT or FORMAT=PATH, may repeat: "+strings.Join(lintFormats(), ", ")+" (default text)")
	flags.BoolVar(&f.all, "all", false, "also the rules on demand, which are true of most files or ask what is meant")
	flags.StringVar(&f.failOn, "fail-on", failOn, "exit with 1 from this severity on: error, warning, info or never")
	flags.StringArrayVar(&f.severities, "severity", nil,
		"RULE=error|warning|info|off, may repeat; RULE may hold * as in slurm-gpu-*")
	flags.StringVar(&f.levels, "severities", "", "file with a line RULE LEVEL for each")
	flags.StringVar(&f.baseline, "baseline", "", "do not show the findings that this file accepts")
	flags.StringVar(&f.accept, "write-baseline", "", "accept all findings: write them to this file")
	flags.BoolVar(&f.fix, "fix", false, "change the files where that changes no meaning, and show how")
	flags.BoolVar(&f.unsafe, "unsafe-fixes", false,
		"with --fix: also what changes the meaning and brings no other mistake")
	flags.BoolVar(&f.diff, "diff", false, "with --fix: only show, change nothing")
	flags.StringVar(&f.upgrade, "upgrade-to", "", "say what this version of Slurm makes of the files, as YY.MM")
	flags.BoolVar(&f.config, "show-config", false,
		"show the release, severities and decisions in force with where they are from, and stop")
	flags.StringVar(&f.today, "today", "", "the day by which ignore comments expire, as YYYY-MM-DD (default: today)")
}

func lintFormats() []string {
	return append([]string{"text", "json"}, each(report.Formats, func(r report.Format) string { return r.Name })...)
}

func (f *lintFlags) run(names []string) error {
	d := &disk{}
	names, err := f.ofProject(d, names)
	if err != nil {
		return err
	}
	if names, err = f.snap.withCaptures(names); err != nil {
		return err
	}
	sites, targets, err := f.decisions()
	if err != nil {
		return err
	}
	if f.config {
		return f.showConfig(names)
	}
	if !slices.ContainsFunc(names, isFolder) {
		if done, err := f.configs(d, names, sites, targets); done {
			return err
		}
	}
	groups, err := f.groups(d, names)
	if err != nil {
		return err
	}
	snap, err := f.queue(d, len(groups))
	if err != nil {
		return err
	}
	all := lintedAll{found: &compiler.Linted{}}
	for _, g := range groups {
		one, err := f.group(d, g, snap, sites, targets)
		if err != nil {
			return err
		}
		if one.failed != nil && len(groups) == 1 {
			return f.report(one.found, targets, one.failed)
		}
		all.add(one)
	}
	if f.diff {
		return f.shownOnly(all, sites)
	}
	err = f.show(all.found, sites, targets)
	var exit *exitError
	if found := errors.As(err, &exit) && exit.code == exitFindings; all.failed != nil && (err == nil || found) {
		return all.failed // which is worse
	}
	return err
}

// queue is the snapshot that one policy is linted with: that of -s, or the project's; nil if there is none.
func (f *lintFlags) queue(d *disk, policies int) (*snapshot.Snapshot, error) {
	if len(f.snap.paths) == 0 && f.project != nil && len(f.project.Snapshots) > 0 && policies == 1 && f.upgrade == "" {
		f.snap.paths = f.project.beneath(f.project.Snapshots)
	}
	if len(f.snap.paths) == 0 {
		return nil, nil
	}
	snap, _, err := f.snap.read(d)
	if err == nil && policies > 1 {
		err = failf(exitUsage, "--snapshot goes with the files of one policy, and these are %d", policies)
	}
	return snap, err
}

// lintedAll is what is found of one policy, or of all.
type lintedAll struct {
	found   *compiler.Linted
	changes int        // files that --fix changes
	failed  *exitError // the files are no policy, which has been reported
}

func (a *lintedAll) add(one lintedAll) {
	a.changes += one.changes
	if one.failed != nil {
		a.failed = one.failed
		return
	}
	a.found.Diags = append(a.found.Diags, one.found.Diags...)
	for _, file := range one.found.Files {
		if !slices.Contains(a.found.Files, file) {
			a.found.Files = append(a.found.Files, file)
		}
	}
}

// group lints the files of one policy.
func (f *lintFlags) group(d *disk, g lintGroup, snap *snapshot.Snapshot, s site, targets []target[lintWriter]) (one lintedAll,
	err error) {
	one.found = &compiler.Linted{}
	version := f.pol.slurmVersion
	if len(g.files) > 0 {
		if err = f.policy(d, g, snap, s, targets, &one); err != nil || one.failed != nil {
			return one, err
		}
		if one.found.Policy != nil {
			version = one.found.Policy.Version
		}
	}
	if err := f.beside(d, g, version, one.found); err != nil {
		return one, err
	}
	one.found.Diags.Sort()
	if g.only != nil {
		one.found.Diags = slices.DeleteFunc(one.found.Diags, func(d *diag.Diagnostic) bool { return !g.shows(d.Span.File) })
		one.found.Files = slices.DeleteFunc(one.found.Files, func(file *source.File) bool { return !g.shows(file) })
	}
	return one, nil
}

// shows reports a file whose findings are shown.
func (g *lintGroup) shows(file *source.File) bool {
	return g.only == nil || file != nil && slices.Contains(g.only, fullName(file.Name))
}

func (f *lintFlags) policy(d *disk, g lintGroup, snap *snapshot.Snapshot, s site, targets []target[lintWriter],
	one *lintedAll) error {
	in, err := f.pol.input(d, g.files, snap)
	if err != nil {
		return err
	}
	in.Fragment = g.fragment
	found := compiler.Lint(in, lint.Options{All: f.all})
	one.found = found
	if one.failed = unreadable(found); one.failed != nil || found.Policy == nil {
		return nil
	}
	if f.fix {
		s.only = g.shows
		fixed, err := f.repair(in, found, s, targets)
		if err != nil {
			return err
		}
		one.changes = len(fixed.Files)
		in, found = fixed.Input, fixed.Found
	}
	if f.upgrade != "" {
		if found.Diags, err = f.upgraded(in, found); err != nil {
			return err
		}
	}
	if snap != nil {
		list, err := lintQueue(in, snap, &f.snap)
		if err != nil {
			return err
		}
		found.Diags = append(found.Diags, list...)
	}
	if g.fragment && !slurmconf.IsTemplate(in.Files[0].Text) { // of a template the reader says what it is
		found.Diags.Infof("slurm-fragment", in.Files[0].Span(0, 0), "a part of a slurm.conf, which is looked at by itself").
			Note("no slurm.conf in its folder or above includes it; name the one that does")
	}
	one.found = found
	return nil
}

// beside reads gres.conf and the other files beside a slurm.conf.
func (f *lintFlags) beside(d *disk, g lintGroup, version string, found *compiler.Linted) error {
	main := g.main
	if len(g.files) > 0 {
		main = g.files[0]
	}
	if f.upgrade != "" || len(g.beside) == 0 {
		return nil
	}
	in, err := f.pol.input(d, slices.DeleteFunc([]string{main}, func(n string) bool { return n == "" }), nil)
	if err != nil {
		return err
	}
	var conf *source.File
	if len(in.Files) > 0 {
		if _, lang := f.role(in.Files[0]); lang == lower.Slurm {
			conf = in.Files[0]
		}
	}
	in.Version = version
	for _, name := range g.beside {
		file, err := d.readFile(name)
		if err != nil {
			return err
		}
		found.Files = append(found.Files, file)
		list := lower.CheckBeside(file, conf, in.Include, in.Options)
		lint.Raise(list)
		found.Diags = append(found.Diags, list...)
	}
	return nil
}

// site is what the site has decided about findings.
type site struct {
	severities   lint.Severities
	baseline     *lint.Baseline
	baselineFile string
	today        time.Time
	project      *project
	asked        func(code string) bool       // whether a code is looked for
	only         func(file *source.File) bool // whether a file is looked at; nil: all are
}

// beside names files as they are called from the folder of the baseline, so that it holds from wherever the
// program is started.
func beside(baseline string) func(string) string {
	folder, err := filepath.Abs(filepath.Dir(baseline))
	return func(name string) string {
		full, failed := filepath.Abs(name)
		if name == "-" || err != nil || failed != nil {
			return name
		}
		if short, failed := filepath.Rel(folder, full); failed == nil {
			return filepath.ToSlash(short)
		}
		return name
	}
}

// decisions reads the flags before any work is done.
func (f *lintFlags) decisions() (s site, targets []target[lintWriter], err error) {
	if !slices.Contains([]string{"error", "warning", "info", "never"}, f.failOn) {
		return s, nil, failf(exitUsage, "--fail-on is error, warning, info or never, not %q", f.failOn)
	}
	if f.diff && !f.fix {
		return s, nil, failf(exitUsage, "--diff goes with --fix")
	}
	if f.unsafe && !f.fix {
		return s, nil, failf(exitUsage, "--unsafe-fixes goes with --fix")
	}
	if f.config && len(f.outputs) > 0 {
		return s, nil, failf(exitUsage, "--show-config prints text for people: leave out -o")
	}
	if targets, err = targetsOf(f.outputs, "text", lintFormat); err != nil {
		return s, nil, err
	}
	s.project = f.project
	s.asked = func(code string) bool {
		return lint.Options{All: f.all}.Asked(code, len(f.snap.paths) > 0, f.upgrade != "")
	}
	if f.project != nil {
		for _, one := range f.project.Severities {
			if err := s.severities.AddSeverity(one.Rule.Value + "=" + one.Level.Value); err != nil {
				return s, nil, failf(exitUsage, "%s: %v", one.Rule.Span, err)
			}
		}
	}
	if f.levels != "" {
		text, err := (&disk{}).readRegular(f.levels)
		if err != nil {
			return s, nil, err
		}
		if s.severities, err = lint.ReadSeverities(strings.NewReader(string(text.Text))); err != nil {
			return s, nil, failf(exitUsage, "%s: %v", f.levels, err)
		}
	}
	for _, text := range f.severities {
		if err := s.severities.AddSeverity(text); err != nil {
			return s, nil, failf(exitUsage, "--severity: %v", err)
		}
	}
	if s.baselineFile = f.baseline; f.baseline != "" {
		text, err := (&disk{}).readRegular(f.baseline)
		if err != nil {
			return s, nil, err
		}
		if s.baseline, err = lint.ReadBaseline(strings.NewReader(string(text.Text))); err != nil {
			return s, nil, failf(exitUnreadable, "%s: %v", f.baseline, err)
		}
	}
	s.today = time.Now()
	if f.today != "" {
		if s.today, err = time.Parse(time.DateOnly, f.today); err != nil {
			return s, nil, failf(exitUsage, "--today is a day such as 2026-11-20, not %q", f.today)
		}
	}
	return s, targets, nil
}

// notPolicies are the findings after which nothing else can be stated of a file.
var notPolicies = map[string]bool{
	"unknown-language": true, "mixed-families": true, "two-main-files": true, "no-policy": true, "policy-syntax": true,
	"maui-too-large": true, "slurm-too-large": true,
	"sacctmgr-template": true, "sacctmgr-too-large": true, "sacctmgr-script": true, "sacctmgr-table": true,
}

// unreadable complains of files that are no policy, and of wrong usage that shows late.
func unreadable(found *compiler.Linted) *exitError {
	var errs diag.List
	for _, d := range found.Diags {
		if d.Severity == diag.Error && (notPolicies[d.Code] || wrongUsage[d.Code]) {
			errs = append(errs, d)
		}
	}
	if len(errs) == 0 {
		return nil
	}
	var exit *exitError
	errors.As(complain(errs), &exit)
	return exit
}

// upgraded lints for the other version too.
func (f *lintFlags) upgraded(in compiler.Input, found *compiler.Linted) (diag.List, error) {
	branch, ok := slurmconf.Branch(f.upgrade)
	switch {
	case !ok:
		return nil, failf(exitUsage, "there is no Slurm %q; releases are %s", f.upgrade,
			strings.Join(slurmconf.Versions, " "))
	case found.Policy.Family != "slurm":
		return nil, failf(exitUsage, "--upgrade-to is about Slurm, and the files are not for it")
	case slices.Index(slurmconf.Versions, found.Policy.Version) >= slices.Index(slurmconf.Versions, branch):
		return nil, failf(exitUsage,
			"the files are read as Slurm %s already; say with --slurm-version which one they are for",
			found.Policy.Version)
	}
	in.Version = branch
	next := compiler.Lint(in, lint.Options{All: f.all})
	return upgrade.Findings(upgrade.Version{Policy: found.Policy, Findings: found.Diags},
		upgrade.Version{Policy: next.Policy, Findings: next.Diags}), nil
}

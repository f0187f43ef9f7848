package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
)

// configure takes from the run configuration what the command line does not say. It returns the policy files.
func (p *pushFlags) configure(ctx context.Context, given func(flag string) bool, files []string) ([]string, error) {
	if p.config == "" && p.name != "" {
		return nil, failf(exitUsage, "--run is of --config")
	}
	if p.config == "" {
		p.name = "push"
		return files, nil
	}
	if p.sends() {
		if err := refuseWritable(p.config); err != nil {
			return nil, err
		}
	}
	p.reads("the configuration", p.config)
	r, err := until(ctx, p.readRun)
	if ctx.Err() != nil {
		return nil, p.orTime(ctx, err)
	}
	if r != nil { // also where something else in the file is wrong, the metrics are to tell it
		p.name = r.Name.Value
		p.takeOutputs(given, r)
		p.reads("a file of the policy", beneath(p.config, r.Policies)...)
		p.reads("the snapshot", beneath(p.config, r.Snapshots)...)
	}
	if err != nil {
		return nil, err
	}
	if found := refused(p.without(given, files, r)); found.HasErrors() {
		return nil, complain(found)
	}
	p.take(given, r)
	if p.made() {
		return files, nil
	}
	if len(files) == 0 {
		files = beneath(p.config, r.Policies)
	}
	p.takeInput(given, r)
	return files, nil
}

// readRun finds the run that is meant. Where the file has errors the run is there too if it can be told.
func (p *pushFlags) readRun() (*policy.Run, error) {
	f, err := (&disk{}).readFile(p.config)
	if err != nil {
		return nil, err
	}
	parsed, diags := policy.Parse(f)
	var names []string
	for _, r := range parsed.Runs {
		names = append(names, r.Name.Value)
	}
	at := slices.Index(names, p.name)
	if p.name == "" && len(names) == 1 {
		at = 0
	}
	switch {
	case diags.HasErrors() && at < 0:
		return nil, complain(diags)
	case diags.HasErrors():
		return parsed.Runs[at], complain(diags)
	case len(names) == 0:
		return nil, failf(exitUsage, `%s has no run: add a block run "NAME" { … }; fairway doc language describes it`, p.config)
	case p.name == "" && len(names) > 1:
		return nil, failf(exitUsage, "%s has several runs: say which with --run: %s", p.config, strings.Join(names, ", "))
	case at < 0 && diag.Nearest(p.name, names) != "":
		return nil, failf(exitUsage, "%s has no run %q; did you mean %s?", p.config, p.name, diag.Nearest(p.name, names))
	case at < 0:
		return nil, failf(exitUsage, "%s has no run %q; it has %s", p.config, p.name, strings.Join(names, ", "))
	}
	return parsed.Runs[at], nil
}

// take sets each flag that the command line does not set.
func (p *pushFlags) take(given func(flag string) bool, r *policy.Run) {
	p.inFile = map[string]bool{}
	free := func(flag string, set bool) bool { return set && !given(flag) }
	text := func(flag string, to *string, t policy.Text) {
		if free(flag, t.IsSet()) {
			*to = t.Value
		}
	}
	number := func(flag string, s policy.Scalar, set func(float64)) {
		if free(flag, s.IsSet()) {
			p.inFile[flag] = true
			set(max(s.Value.Double, float64(s.Value.Int))) // one of them is 0, and neither is below
		}
	}
	period := func(flag string, to *time.Duration, s policy.Scalar) {
		number(flag, s, func(n float64) { *to = time.Duration(n * float64(time.Second)) })
	}
	if r.Live != nil {
		period("timeout", &p.live.timeout, r.Live.Timeout)
		text("jobs", &p.live.form, r.Live.Jobs)
	}
	number("max-changes", r.Bounds.MaxChanges, func(n float64) { p.bounds.MaxChanges = int(n) })
	number("max-share", r.Bounds.MaxShare, func(n float64) { p.bounds.MaxShare = n })
	number("threshold", r.Bounds.Threshold, func(n float64) { p.bounds.Threshold = int64(n) })
	number("rate", r.Bounds.Rate, func(n float64) { p.perSecond = n })
	period("deadline", &p.deadline, r.Bounds.Deadline)
	period("max-age", &p.maxAge, r.Bounds.MaxAge)
	period("", &p.every, r.Every)
	text("slurm-version", &p.pol.slurmVersion, r.SlurmVersion)
	text("semantics", &p.pol.semantics, r.Semantics)
	text("timezone", &p.snap.zone, r.TimeZone)
	for _, path := range []struct {
		flag string
		to   *string
		from policy.Text
	}{{"state-dir", &p.dir, r.StateDir}, {"state", &p.iter.state, r.State}} {
		if free(path.flag, path.from.IsSet()) {
			*path.to = beneath(p.config, []policy.Text{path.from})[0]
		}
	}
}

// takeOutputs sets what is printed and written. What only looks leaves no trace.
func (p *pushFlags) takeOutputs(given func(flag string) bool, r *policy.Run) {
	if !p.sends() || given("output") {
		return
	}
	if !given("quiet") {
		p.quiet = true
	}
	for _, o := range []pushOutput{{"prom", r.Prom.Value}, {"json", r.JSON.Value}} {
		if o.path != "" {
			o.path = beneath(p.config, []policy.Text{{Value: o.path}})[0]
			p.targets = append(p.targets, o)
		}
	}
}

// takeInput sets what is evaluated and who is fed.
func (p *pushFlags) takeInput(given func(flag string) bool, r *policy.Run) {
	if !given("snapshot") && !given("live") {
		p.snap.paths = beneath(p.config, r.Snapshots)
		p.live.on = r.Live != nil
	}
	if given("to") {
		return
	}
	p.target.To = r.Feed.To.Value
	switch path := r.Feed.Path; {
	case p.target.To == "file", p.target.To == "command" && strings.Contains(path.Value, "/"):
		p.target.To += "=" + beneath(p.config, []policy.Text{path})[0]
	case p.target.To == "command":
		p.target.To += "=" + path.Value
	}
	switch {
	case given("by"):
	case r.Feed.Resource.IsSet():
		p.target.By = "resource=" + r.Feed.Resource.Value
	default:
		p.target.By = r.Feed.By.Value
	}
}

// sends reports a run that is meant to change something.
func (p *pushFlags) sends() bool { return p.yes || p.apply != "" || p.undo != "" }

// beneath names files as they are called from the folder of the configuration, so that it holds from wherever the
// program is started.
func beneath(config string, names []policy.Text) []string {
	var list []string
	for _, t := range names {
		name := t.Value
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(config), name)
		}
		list = append(list, name)
	}
	return list
}

// refuseWritable refuses a configuration that anyone, or somebody else who is not root, can write or replace: it names
// what is run and who is fed.
func refuseWritable(config string) error {
	if config == "-" {
		return nil
	}
	steps, err := linkSteps(config)
	if err != nil {
		return plainFailure(config, err)
	}
	for _, step := range steps {
		if err := refuseReplaceable(step); err != nil {
			return err
		}
	}
	return nil
}

// linkSteps are a file, the links by which it leads to another one, and that: whoever can replace one of them says
// what is read.
func linkSteps(name string) ([]string, error) {
	if _, err := os.Stat(name); err != nil {
		return nil, err
	}
	steps := []string{name}
	last, err := filepath.EvalSymlinks(name)
	if err != nil {
		return steps, nil // it is open as another file is, and has no name (/dev/fd)
	}
	for {
		to, err := os.Readlink(name)
		if err != nil {
			break // it is the last
		}
		if !filepath.IsAbs(to) {
			folder, err := filepath.EvalSymlinks(filepath.Dir(name))
			if err != nil {
				return nil, err
			}
			to = filepath.Join(folder, to)
		}
		name = to
		steps = append(steps, name)
	}
	if name != last { // a folder on the way is a link
		steps = append(steps, last)
	}
	return steps, nil
}

// refuseReplaceable looks at one file and the folder that it is in.
func refuseReplaceable(config string) error {
	folder := filepath.Dir(config)
	for _, name := range []string{config, folder} {
		info, err := os.Stat(name)
		if err != nil {
			return plainFailure(name, err)
		}
		owner, foreign := foreignOwner(info)
		switch {
		case info.Mode().IsRegular() && info.Mode().Perm()&0o002 != 0:
			return failf(exitUsage, "nothing is sent: anyone can write to %s, which says what is sent to whom; chmod o-w it", name)
		case name == folder && openToAll(info):
			return failf(exitUsage, "nothing is sent: anyone can put another file in the place of %s, which says what is sent to whom; chmod o-w %s", config, folder)
		case foreign && name == folder:
			return failf(exitUsage, "nothing is sent: %s is in a folder of %s, who could put another file in its place, by which %s would send: run this as %s, or chown %s", config, userName(owner), userName(os.Geteuid()), userName(owner), folder)
		case foreign:
			return failf(exitUsage, "nothing is sent: %s is %s's, by whose words %s would send: run this as %s, or chown it", config, userName(owner), userName(os.Geteuid()), userName(owner))
		}
	}
	return nil
}

// openToAll reports a folder in which anyone can replace files of others.
func openToAll(folder os.FileInfo) bool {
	return folder.Mode().Perm()&0o002 != 0 && folder.Mode()&os.ModeSticky == 0
}

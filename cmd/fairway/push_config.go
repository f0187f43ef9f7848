package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/runtime/push"
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
		p.feeds = p.fed(given, r)
		return files, nil
	}
	if len(files) == 0 {
		files = beneath(p.config, r.Policies)
	}
	p.takeInput(given, r)
	return files, nil
}

// readRun finds the run that is meant. Where the file has errors the run is there too if it can be known.
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
		return nil, failf(exitUsage, `%s has no run: add a block run "NAME" { … }; fairway doc language describes it`,
			p.config)
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
	if !given("to") {
		p.target = *p.fed(given, r)
	}
}

// fed is who the run of the file feeds.
func (p *pushFlags) fed(given func(flag string) bool, r *policy.Run) *push.Target {
	t := push.Target{To: r.Feed.To.Value, By: p.target.By}
	switch path := r.Feed.Path; {
	case t.To == "file":
		t.To += "=" + beneath(p.config, []policy.Text{path})[0]
	case t.To == "command" && strings.Contains(path.Value, "/"):
		name := beneath(p.config, []policy.Text{path})[0]
		if !strings.Contains(name, "/") { // else it would be looked for on the PATH
			name = "./" + name
		}
		t.To += "=" + name
	case t.To == "command":
		t.To += "=" + path.Value
	}
	switch {
	case given("by"):
	case r.Feed.Resource.IsSet():
		t.By = "resource=" + r.Feed.Resource.Value
	default:
		t.By = r.Feed.By.Value
	}
	return &t
}

// sends reports a run that is meant to change something.
func (p *pushFlags) sends() bool { return p.yes || p.apply != "" }

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

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/source"
)

// configCodes are what lint finds in a run configuration. Unlike the rules of policies they look at the machine.
var configCodes = []diag.CodeDoc{
	{Code: "run-file-missing", Severity: diag.Error,
		What: "A file or a program that a run needs cannot be read or started.", Why: "Each run would fail.",
		Example: `policy = "/etc/slurm/slurm.cnf"`, Instead: "Correct the name; names are as seen from the folder of the configuration."},
	{Code: "run-overruns", Severity: diag.Warning,
		What: "A run may take longer than the time until the next one starts.", Why: "The next one finds the state directory locked and does nothing.",
		Example: "every = \"1m\"\nbounds {\n  deadline = \"5m\"\n}", Instead: "A deadline that is shorter than `every`."},
	{Code: "run-shared-file", Severity: diag.Error,
		What: "A file that a run writes is written for something else too, or is read.", Why: "One would replace the other: the policy, the configuration, the audit. Push refuses such a run.",
		Example: "outputs { prom = \"fairway.prom\" } in two runs", Instead: "A file for each."},
	{Code: "run-state-dir", Severity: diag.Info,
		What: "The state directory does not exist.", Why: "The first run makes it, if it may.",
		Example: `state_dir = "/var/lib/fairway/stat"`, Instead: "Make it, so that its owner is the account that runs Fairway: install -d -o fairway -m 750 /var/lib/fairway/state; of a systemd service, StateDirectory= does."},
	{Code: "run-unbounded", Severity: diag.Warning,
		What: "Nothing bounds the share of the queue that a run may change.", Why: "A mistake in a policy would move all jobs before anyone looks.",
		Example: `bounds { max_changes = 0 }`, Instead: "max_share = 0.5, or less."},
	{Code: "run-unseen", Severity: diag.Warning,
		What: "The file of the metrics does not end in .prom, or its folder does not exist.", Why: "The textfile collector reads files of its folder that end so.",
		Example: `outputs { prom = "metrics.txt" }`, Instead: `prom = "/var/lib/prometheus/node-exporter/fairway.prom"`},
	{Code: "run-word", Severity: diag.Error,
		What: "A run has a time zone, a version of Slurm or the name of a resource that is none.", Why: "Push refuses such a run.",
		Example: `timezone = "Mars/X"`, Instead: `timezone = "Europe/Stockholm"`},
	{Code: "run-writable", Severity: diag.Error,
		What: "Anyone can write a file that says what is pushed: the configuration, a policy, a program, the state directory.", Why: "Any user of the machine could then order the queue, or have a program run.",
		Example: "-rw-rw-rw- 1 root root 812 fairway.hcl", Instead: "chmod o-w FILE"},
}

// runConfig parses a file that says how push is run; nil if it is a policy, or anything else.
func runConfig(f *source.File) (*policy.File, diag.List) {
	if !bytes.Contains(f.Text, []byte(`run "`)) || lower.Detect(f.Text) != lower.HCL {
		return nil, nil // most files are policies, and are not parsed twice
	}
	parsed, diags := policy.Parse(f)
	if len(parsed.Runs) == 0 || len(parsed.Policies) > 0 {
		return nil, nil
	}
	return parsed, diags
}

// configs lints run configurations if files are such. Others are left to the linter of policies.
func (f *lintFlags) configs(d *disk, files []string, s site, targets []lintTarget) (done bool, err error) {
	found := &compiler.Linted{}
	others := 0
	for _, name := range files {
		file, err := d.readFile(name)
		if err != nil {
			return false, nil // said where policies are read
		}
		parsed, diags := runConfig(file)
		if parsed == nil {
			others++
			continue
		}
		found.Files = append(found.Files, file)
		c := configLint{flags: f, found: found, reads: []string{file.Name}}
		found.Diags = append(found.Diags, diags...)
		c.trusted(file.Name, file.Span(0, 0))
		if !diags.HasErrors() {
			for _, r := range parsed.Runs {
				c.run(r)
			}
			c.shared()
		}
	}
	switch {
	case len(found.Files) == 0:
		return false, nil
	case others > 0 || f.fix || f.upgrade != "" || len(f.snap.paths) > 0:
		return true, failf(exitUsage, "%s says how push is run and names its policies itself: lint it alone, without --fix, --upgrade-to and --snapshot", found.Files[0].Name)
	}
	found.Diags.Sort()
	return true, f.show(found, s, targets)
}

// configLint looks at the runs of one file.
type configLint struct {
	flags  *lintFlags
	found  *compiler.Linted
	writes []runText  // what the runs write
	reads  []string   // what they read, included files too
	linted [][]string // policies that were linted already
}

func (c *configLint) run(r *policy.Run) {
	diags, config := &c.found.Diags, r.Span.File.Name
	c.policies(r, beneath(config, r.Policies))
	for i, name := range beneath(config, r.Snapshots) {
		if _, err := os.Stat(name); err != nil {
			diags.Errorf("run-file-missing", r.Snapshots[i].Span, "%v", plainPathError(name, err))
		}
	}
	*diags = append(*diags, refused(r)...)
	c.stateDir(r, beneath(config, []policy.Text{r.StateDir})[0])
	if r.Feed.To.Value == "command" {
		c.program(r.Feed.Path)
	}
	b := r.Bounds
	share := b.MaxShare
	if !share.IsSet() || share.Value.Double >= 1 {
		at := r.Span
		if !b.Span.IsZero() {
			at = b.Span
		}
		if share.IsSet() {
			at = share.Span
		}
		diags.Warnf("run-unbounded", at, "a run may change every job of the queue").Note("max_share = 0.5 in the block bounds lets a run change half of the waiting jobs at most")
	}
	c.time(r)
	for _, path := range []policy.Text{r.Prom, r.JSON, r.State} {
		c.written(r, path)
	}
	if r.Feed.To.Value == "file" {
		c.written(r, r.Feed.Path)
	}
	c.reads = slices.Concat(c.reads, beneath(config, r.Policies), beneath(config, r.Snapshots))
	if name := beneath(config, []policy.Text{r.Prom})[0]; r.Prom.IsSet() {
		switch info, err := os.Stat(filepath.Dir(name)); {
		case filepath.Ext(name) != ".prom":
			diags.Warnf("run-unseen", r.Prom.Span, "%s does not end in .prom", r.Prom.Value).Note("the textfile collector reads no other file")
		case err != nil || !info.IsDir():
			diags.Warnf("run-unseen", r.Prom.Span, "there is no folder %s", filepath.Dir(name))
		}
	}
}

// policies lints the policies of a run, once where several runs have the same.
func (c *configLint) policies(r *policy.Run, files []string) {
	readable := true
	for i, name := range files {
		info, err := os.Stat(name)
		if err == nil && info.IsDir() {
			err = fmt.Errorf("it is a folder")
		}
		if err != nil {
			readable = false
			c.found.Diags.Errorf("run-file-missing", r.Policies[i].Span, "%v", plainPathError(name, err))
		}
	}
	if !readable || slices.ContainsFunc(c.linted, func(l []string) bool { return slices.Equal(l, files) }) {
		return
	}
	c.linted = append(c.linted, files)
	pol := c.flags.pol
	pol.note = func(name string, _ []byte) { // of included files too
		c.reads = append(c.reads, name)
		c.trusted(name, r.Policies[0].Span)
	}
	pol.slurmVersion, pol.semantics = r.SlurmVersion.Value, r.Semantics.Value
	in, err := pol.input(&disk{}, files, nil)
	if err != nil {
		c.found.Diags.Errorf("run-file-missing", r.Policies[0].Span, "%v", err)
		return
	}
	out := compiler.Lint(in, lint.Options{All: c.flags.all})
	c.found.Diags = append(c.found.Diags, out.Diags...)
	c.found.Files = append(c.found.Files, out.Files...)
}

func (c *configLint) stateDir(r *policy.Run, name string) {
	switch info, err := os.Stat(name); {
	case err != nil:
		c.found.Diags.Infof("run-state-dir", r.StateDir.Span, "there is no folder %s", name).Note("the first run makes it, if it may")
	case !info.IsDir():
		c.found.Diags.Errorf("run-file-missing", r.StateDir.Span, "%s is no folder", name)
	default:
		c.trusted(name, r.StateDir.Span)
	}
}

func (c *configLint) program(path policy.Text) {
	name := path.Value
	if strings.Contains(name, "/") {
		name = beneath(path.Span.File.Name, []policy.Text{path})[0]
	}
	full, err := exec.LookPath(name)
	if err != nil {
		c.found.Diags.Errorf("run-file-missing", path.Span, "%s cannot be started: it is no program, or not on the PATH", path.Value)
		return
	}
	c.trusted(full, path.Span)
}

// time compares how long a run may take with how often it is started.
func (c *configLint) time(r *policy.Run) {
	if !r.Every.IsSet() {
		return
	}
	at, deadline := r.Every.Span, pushDeadline
	if r.Bounds.Deadline.IsSet() {
		at, deadline = r.Bounds.Deadline.Span, time.Duration(r.Bounds.Deadline.Value.Double*float64(time.Second))
	}
	timeout := liveTimeout
	if r.Live != nil && r.Live.Timeout.IsSet() {
		timeout = time.Duration(r.Live.Timeout.Value.Double * float64(time.Second))
	}
	look := lastLook * timeout
	const locked = "it would find the state directory locked, and do nothing"
	switch every := time.Duration(r.Every.Value.Double * float64(time.Second)); {
	case deadline >= every:
		c.found.Diags.Warnf("run-overruns", at, "a run may take %s, and the next one starts after %s", deadline, every).Note(locked)
	case deadline+look >= every:
		c.found.Diags.Warnf("run-overruns", at, "a run may take %s and then look for %s at what it sent last, and the next one starts after %s", deadline, look, every).
			Note(locked).Note("that is %d times the timeout of the block live, which says how long a command may take", lastLook)
	}
}

// runText is where a run says which file it writes.
type runText struct {
	run  *policy.Run
	text policy.Text
	path string
}

func (c *configLint) written(r *policy.Run, text policy.Text) {
	if text.IsSet() && text.Value != "" {
		c.writes = append(c.writes, runText{r, text, beneath(text.Span.File.Name, []policy.Text{text})[0]})
	}
}

// shared finds files that are written twice, or read as well.
func (c *configLint) shared() {
	for i, w := range c.writes {
		const code = "run-shared-file"
		if info, err := os.Stat(w.path); err == nil && !info.Mode().IsRegular() {
			continue // as /dev/null is
		}
		at, name := w.text.Span, w.text.Value
		first := slices.IndexFunc(c.writes[:i], func(other runText) bool { return sameFile(w.path, other.path) })
		switch {
		case first >= 0 && c.writes[first].run == w.run:
			c.found.Diags.Errorf(code, at, "this run writes %s twice", name).NoteAt(c.writes[first].text.Span, "the other time")
		case first >= 0:
			c.found.Diags.Errorf(code, at, "another run writes %s too", name).NoteAt(c.writes[first].text.Span, "the other one")
		case slices.ContainsFunc(c.reads, func(read string) bool { return sameFile(w.path, read) || sameFile(filepath.Dir(w.path), read) }):
			c.found.Diags.Errorf(code, at, "%s is read, and would be written over", name)
		case inStateDir(beneath(w.text.Span.File.Name, []policy.Text{w.run.StateDir})[0], w.path):
			c.found.Diags.Errorf(code, at, "%s is a file of the state directory", name)
		case w.text == w.run.Prom && noMetrics(w.path):
			c.found.Diags.Errorf(code, at, "%s is there, and holds no metrics of a run", name).Note("give another name, or remove it")
		}
	}
}

// trusted finds what anyone can write, also what links lead to.
func (c *configLint) trusted(name string, at source.Span) {
	steps, err := linkSteps(name)
	if err != nil {
		steps = []string{name} // that it is missing is said elsewhere
	}
	for _, step := range steps {
		c.unwritable(step, at)
	}
}

// unwritable looks at one file and the folder that it is in.
func (c *configLint) unwritable(name string, at source.Span) {
	info, err := os.Stat(name)
	folder := filepath.Dir(name)
	if in, gone := os.Stat(folder); err == nil && gone == nil && openToAll(in) {
		c.found.Diags.Errorf("run-writable", at, "anyone can put another file in the place of %s", name).Note("chmod o-w %s", folder)
	}
	if err != nil || info.Mode().Perm()&0o002 == 0 || info.Mode()&(fs.ModeDevice|fs.ModeNamedPipe) != 0 {
		return
	}
	c.found.Diags.Errorf("run-writable", at, "anyone can write to %s", name).Note("chmod o-w %s", name)
}

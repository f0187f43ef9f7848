package main

import (
	"bytes"
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
func (f *lintFlags) configs(d *disk, files []string, s site, targets []target[lintWriter]) (done bool, err error) {
	found := &compiler.Linted{}
	others := 0
	for _, name := range files {
		file, err := d.readFile(name)
		if err != nil {
			return false, nil // reported where policies are read
		}
		parsed, diags := runConfig(file)
		if parsed == nil {
			others++
			continue
		}
		found.Files = append(found.Files, file)
		c := configLint{flags: f, found: found, uses: readBy("the configuration", file.Name)}
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
		return true, failf(exitUsage, "%s says how push is run and names its policies itself: lint it alone, without "+
			"--fix, --upgrade-to and --snapshot", found.Files[0].Name)
	}
	found.Diags.Sort()
	return true, f.show(found, s, targets)
}

// configLint looks at the runs of one file.
type configLint struct {
	flags  *lintFlags
	found  *compiler.Linted
	writes []use      // what the runs write
	uses   []use      // what they read, included files too, and keep
	linted [][]string // policies that were linted already
}

func (c *configLint) run(r *policy.Run) {
	diags, config := &c.found.Diags, r.Span.File.Name
	c.policies(r, beneath(config, r.Policies))
	*diags = append(*diags, refused(r)...)
	c.stateDir(r, beneath(config, []policy.Text{r.StateDir})[0])
	if r.State.IsSet() {
		diags.Infof("run-state-file", r.State.Span, "queue times and usage are kept in %s, and not in the state directory %s",
			r.State.Value, r.StateDir.Value)
	}
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
		diags.Warnf("run-unbounded", at, "a run may change every job of the queue").
			Note("max_share = 0.5 in the block bounds lets a run change half of the waiting jobs at most")
	}
	c.time(r)
	c.written(r)
	if r.Prom.IsSet() && filepath.Ext(r.Prom.Value) != ".prom" {
		diags.Warnf("run-unseen", r.Prom.Span, "%s does not end in .prom", r.Prom.Value).
			Note("the textfile collector reads no other file")
	}
}

// policies lints the policies of a run, once where several runs have the same.
func (c *configLint) policies(r *policy.Run, files []string) {
	missing := slices.ContainsFunc(files, func(name string) bool { return readable(name, false) != nil })
	if missing || slices.ContainsFunc(c.linted, func(l []string) bool { return slices.Equal(l, files) }) {
		return
	}
	c.linted = append(c.linted, files)
	pol := c.flags.pol
	pol.note = func(name string, _ []byte) { // of included files too
		c.uses = append(c.uses, readBy("a file of the policy", name)...)
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
		c.found.Diags.Infof("run-state-dir", r.StateDir.Span, "there is no folder %s", name).
			Note("the first run makes it, if it may")
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
		c.found.Diags.Errorf("run-file-missing", path.Span, "%s cannot be started: it is no program, or not on the PATH",
			path.Value)
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
		c.found.Diags.Warnf("run-overruns", at, "a run may take %s, and the next one starts after %s", deadline, every).
			Note(locked)
	case deadline+look >= every:
		c.found.Diags.Warnf("run-overruns", at,
			"a run may take %s and then look for %s at what it sent last, and the next one starts after %s", deadline, look,
			every).
			Note(locked).Note("that is %d times the timeout of the block live, which says how long a command may take", lastLook)
	}
}

// written notes the files that a run writes.
func (c *configLint) written(r *policy.Run) {
	config := r.Span.File.Name
	path := func(t policy.Text) string {
		if !t.IsSet() {
			return ""
		}
		return beneath(config, []policy.Text{t})[0]
	}
	c.writes = append(c.writes, use{what: "state", path: path(r.State), at: r.State.Span})
	c.writes = slices.Concat(c.writes, outputUses("prom", path(r.Prom), r.Prom.Span),
		outputUses("json", path(r.JSON), r.JSON.Span))
	if r.Feed.To.Value == "file" {
		c.writes = append(c.writes, use{what: "the file that is fed", path: path(r.Feed.Path), at: r.Feed.Path.Span})
	}
	c.uses = slices.Concat(c.uses, readBy("a file of the policy", beneath(config, r.Policies)...),
		among(directly, readBy("the snapshot", beneath(config, r.Snapshots)...)),
		[]use{{what: "the state directory", path: path(r.StateDir), part: ofLayout}}, noMetrics(path(r.Prom)))
}

// shared finds files that are written twice, or read as well.
func (c *configLint) shared() {
	for _, o := range separate(c.writes, c.uses) {
		d := c.found.Diags.Errorf("run-shared-file", o.out.at, "%v", o)
		if o.twice {
			d.NoteAt(o.other.at, "the other one")
		}
	}
}

// trusted finds what others can write, also what links lead to.
func (c *configLint) trusted(name string, at source.Span) {
	found, err := distrusted(name, false)
	if err == nil && found != nil { // that it is missing is reported elsewhere
		c.found.Diags.Errorf("run-writable", at, "%s", found.why).Note("%s", found.fix)
	}
}

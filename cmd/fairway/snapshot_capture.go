package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// capture takes a snapshot from a running resource manager.
type capture struct {
	reading  *manager.Reading
	list     []manager.Command
	form     string
	timeout  time.Duration
	usage    string // folder of Maui's files FS.<epoch>, or ""
	policy   string // the configuration to keep; "" is that which the scheduler reads
	policies bool   // the configuration is kept
	allowBad int    // records that may be unreadable; below 0 any number

	shown map[string][]byte // what the commands printed of configuration, partitions and nodes

	manifest *snapshot.Manifest
	missed   []manager.Missed
	users    associations
	everyone bool      // each job has an association, and all are shown
	began    time.Time // the last command
	asked    time.Time // for the jobs
}

// accountsFile is what sacctmgr dump writes. It is policy: it lies in a folder below the snapshot, which
// is read flat.
const accountsFile = "policy/sacctmgr_dump.cfg"

func newSnapshotCapture() *cobra.Command {
	var (
		c     capture
		from  string
		out   string
		quiet bool
	)
	cmd := &cobra.Command{
		Use:  "capture --to DIR|FILE.tar.zst",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if out == "" {
				return failf(exitUsage, "--to says where the snapshot goes: a new folder, or a file whose name ends in .tar.zst")
			}
			if c.timeout <= 0 {
				return failf(exitUsage, "--timeout is how long a command may take, not %s", c.timeout)
			}
			if c.allowBad < 0 {
				return failf(exitUsage, "--allow-bad is a number of records, not %d", c.allowBad)
			}
			if err := c.choose(from); err != nil {
				return err
			}
			c.policies = true
			ctx, stop := interruptible()
			defer stop()
			s, err := c.take(ctx, out)
			if err != nil {
				if ctx.Err() != nil {
					return failf(exitInterrupted, "interrupted; %s is not written", out)
				}
				return err
			}
			sayMissed(c.missed)
			c.users.say()
			if !quiet {
				fmt.Fprintf(stderr, "fairway: %s: %s\n", out, c.summary(s))
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "to", "", "where the snapshot goes: a new folder, or FILE.tar.zst")
	f.StringVar(&from, "from", "", "resource manager: slurm or pbs (default: the one whose commands are on the PATH)")
	f.StringVar(&c.form, "jobs", "", "form in which jobs are read (default: the first of the resource manager)")
	f.DurationVar(&c.timeout, "timeout", liveTimeout, "how long each command may take")
	f.StringVar(&c.usage, "usage", "", "folder of Maui's fairshare files FS.<epoch> (its STATDIR), which are copied")
	f.StringVar(&c.policy, "policy", "", "the slurm.conf or maui.cfg to keep (default: the one that the scheduler reads)")
	f.IntVar(&c.allowBad, "allow-bad", 0, "how many records may be unreadable; more, and there is no snapshot")
	f.BoolVarP(&quiet, "quiet", "q", false, "say nothing if all goes well")
	return cmd
}

// choose finds the commands.
func (c *capture) choose(from string) error {
	for _, r := range manager.Readings {
		_, err := exec.LookPath(r.Program)
		if from == r.Kind || from == "" && err == nil {
			c.reading = r
			break
		}
	}
	switch {
	case c.reading == nil && from == "":
		return failf(exitIO, "neither Slurm's scontrol nor PBS's qstat is on the PATH: run this where the resource "+
			"manager's commands are, or say --from")
	case c.reading == nil:
		return failf(exitUsage, "--from is slurm or pbs, not %q", from)
	case c.form == "":
		c.form = c.reading.Forms[0].Name
	}
	return c.chooseForm()
}

// chooseForm finds the commands of the form.
func (c *capture) chooseForm() error {
	var ok bool
	if c.list, ok = c.reading.Commands(c.form); !ok {
		var forms []string
		for _, f := range c.reading.Forms {
			forms = append(forms, f.Name)
		}
		return failf(exitUsage, "--jobs is %s for %s, not %q", strings.Join(forms, " or "), c.reading.Kind, c.form)
	}
	return nil
}

// take captures into a folder or an archive, which is there in the end or not at all.
func (c *capture) take(ctx context.Context, out string) (*snapshot.Snapshot, error) {
	to, err := newCaptureTarget(out)
	if err != nil {
		return nil, err
	}
	defer to.discard()
	now := time.Now()
	c.manifest = snapshot.NewManifest(c.reading.Kind, c.form, programVersion(), stamp(now))
	if err := c.fill(ctx, to); err != nil {
		return nil, err
	}
	c.manifest.Ended, c.manifest.Complete = stamp(time.Now()), true
	if err := c.keepManifest(to); err != nil {
		return nil, err
	}
	name, err := to.written()
	if err != nil {
		return nil, ioError(out, err)
	}
	s, err := until(ctx, func() (*snapshot.Snapshot, error) { return c.check(name) })
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s, ioError(out, to.publish())
}

// fill runs the commands. The manifest of a capture under way is there first, so that what is left behind
// by a machine that stops is never taken for a snapshot.
func (c *capture) fill(ctx context.Context, to captureTarget) error {
	if err := c.keepManifest(to); err != nil {
		return err
	}
	c.shown = map[string][]byte{}
	run := &commands{c.timeout, c.reading.Environment}
	var err error
	c.missed, err = manager.Capture(ctx, c.list, c.timed(run.run), func(command manager.Command, text []byte) error {
		switch command.File {
		case manager.SlurmConfig.File:
			c.manifest.Version = manager.SlurmVersion(text)
			c.shown[command.File] = text
		case "scontrol_partition.txt", "scontrol_node.txt":
			c.shown[command.File] = text
		}
		if command.Lists() {
			c.asked = c.began
		}
		c.users.saw(command, text)
		c.manifest.Commands[len(c.manifest.Commands)-1].File = command.File
		return c.keep(to, command.File, text)
	})
	if err != nil {
		return captureError(err)
	}
	if c.users.shares > 0 && c.users.all == 0 && c.users.manager != nil {
		c.missed = append(c.missed, manager.Missed{Command: *c.users.manager,
			Err: errors.New("the output has no association of a user, and sshare has some")})
	}
	if c.policies {
		if err := c.configuration(ctx, to); err != nil {
			return err
		}
	}
	config := c.shown[manager.SlurmConfig.File]
	c.everyone = manager.SlurmListsAll(config)
	switch {
	case c.reading.Kind == manager.Slurm.Kind:
		err = c.accounts(ctx, run, config, to)
	default: // no answer states the time
		err = c.keep(to, "now.txt", fmt.Appendf(nil, "%d\n", c.asked.Unix()))
	}
	if err != nil {
		return err
	}
	if c.usage != "" {
		return c.copyUsage(to)
	}
	return nil
}

// timed notes each command in the manifest.
func (c *capture) timed(run manager.Run) manager.Run {
	return func(ctx context.Context, argv []string) ([]byte, error) {
		began := time.Now()
		c.began = began
		text, err := run(ctx, argv)
		done := snapshot.ManifestCommand{Argv: argv, Began: stamp(began),
			Seconds: float64(time.Since(began).Milliseconds()) / 1000}
		if err != nil {
			done.Error = err.Error()
		}
		c.manifest.Commands = append(c.manifest.Commands, done)
		return text, err
	}
}

// accounts keeps sacctmgr dump, which writes to a file of a name of its own. Without a database there is none.
func (c *capture) accounts(ctx context.Context, run *commands, config []byte, to captureTarget) error {
	cluster, ok := manager.SlurmCluster(config)
	if !ok {
		return failf(exitUnreadable, "scontrol show config does not say the ClusterName")
	}
	c.manifest.Cluster = cluster
	dir, err := newScratch("", "fairway-accounts-")
	if err != nil {
		return ioError("a temporary folder", err)
	}
	defer dir.remove()
	file := filepath.Join(dir.path, "dump.cfg")
	dump := manager.Command{Argv: manager.SlurmDump(cluster, file), Gives: "the accounts of the database"}
	_, err = c.timed(run.run)(ctx, dump.Argv)
	var text []byte
	if err == nil {
		if text, err = readRegular(file, maxAnswer); errors.Is(err, fs.ErrNotExist) {
			err = errors.New("it ended well and wrote nothing")
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && !manager.SlurmDumpWhole(text):
		return failf(exitIO, "sacctmgr: the dump of the accounts is cut off")
	case err != nil:
		c.missed = append(c.missed, manager.Missed{Command: dump, Err: err})
		return nil
	}
	last := &c.manifest.Commands[len(c.manifest.Commands)-1]
	last.Argv, last.File = manager.SlurmDump(cluster, path.Base(accountsFile)), accountsFile
	return c.keepPolicy(to, path.Base(accountsFile), text)
}

// copyUsage copies Maui's fairshare files.
func (c *capture) copyUsage(to captureTarget) error {
	names, err := filepath.Glob(filepath.Join(c.usage, "FS.*"))
	if err != nil || len(names) == 0 {
		return failf(exitIO, "cannot read %s: there are no files FS.<epoch> in it", c.usage)
	}
	slices.Sort(names)
	for _, name := range names {
		began := time.Now()
		text, err := readRegular(name, mostSourceBytes)
		if err != nil {
			return &exitError{code: exitIO, err: plainPathError(name, err)}
		}
		if len(text) == 0 || text[len(text)-1] != '\n' {
			return failf(exitIO, "%s is cut off; Maui may be writing it: try again", name)
		}
		file := path.Join("fs", filepath.Base(name))
		c.manifest.Commands = append(c.manifest.Commands,
			snapshot.ManifestCommand{Argv: []string{"copy", name}, File: file, Began: stamp(began)})
		if err := c.keep(to, file, text); err != nil {
			return err
		}
	}
	c.manifest.From = "maui"
	return nil
}

func (c *capture) keep(to captureTarget, name string, text []byte) error {
	c.manifest.Holds(name, text)
	return ioError(to.name(), to.put(name, text))
}

func (c *capture) keepManifest(to captureTarget) error {
	text, err := c.manifest.Text()
	if err != nil {
		return err
	}
	if !c.manifest.Complete {
		return ioError(to.name(), to.begin(snapshot.ManifestFile, text))
	}
	return ioError(to.name(), to.put(snapshot.ManifestFile, text))
}

// check reads what was written as anybody would.
func (c *capture) check(name string) (*snapshot.Snapshot, error) {
	s, diags, err := snapshot.Read(&disk{}, []string{name}, snapshot.Options{})
	if err != nil {
		return nil, &exitError{code: exitIO, err: err}
	}
	if diags.HasErrors() {
		return nil, complain(diags)
	}
	bad := 0
	for _, source := range s.Sources {
		bad += source.Bad
	}
	if c.allowBad >= 0 && bad > c.allowBad {
		printDiags(notable(diags))
		return nil, failf(exitUnreadable, "%s cannot be read, so there is no snapshot; --allow-bad %d lets them pass",
			count(bad, "record"), bad)
	}
	if s.Jobs == nil {
		return nil, failf(exitUnreadable, "what the commands printed has no list of jobs in it")
	}
	if c.reading == &manager.Slurm {
		return s, missesPart(s, c.everyone)
	}
	return s, nil
}

func sayMissed(list []manager.Missed) {
	for _, m := range list {
		fmt.Fprintf(stderr, "fairway: without %s: %s: %v\n", m.Command.Gives, m.Command.Argv[0], m.Err)
	}
}

func (c *capture) summary(s *snapshot.Snapshot) string {
	nodes := 0
	if s.Nodes != nil {
		nodes = s.Nodes.Rows
	}
	seconds := 0.0
	for _, command := range c.manifest.Commands {
		seconds += command.Seconds
	}
	return fmt.Sprintf("%s and %s of %s, by %s in %.1f s", count(s.Jobs.Rows, "job"), count(nodes, "node"),
		strings.TrimSpace(c.manifest.From+" "+c.manifest.Version), count(len(c.manifest.Commands), "command"), seconds)
}

func captureError(err error) error {
	var own *exitError
	if errors.As(err, &own) || errors.Is(err, context.Canceled) {
		return err
	}
	return failf(exitIO, "%w; there is no snapshot", err)
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// formsText lists the forms for the help.
func formsText() string {
	var b strings.Builder
	for _, r := range manager.Readings {
		for _, f := range r.Forms {
			fmt.Fprintf(&b, "  %-6s %-9s %s\n", r.Kind, f.Name, f.Doc)
		}
	}
	return b.String()
}

// commandsText lists the commands of the default forms as a shell would run them.
func commandsText() string {
	var parts []string
	for _, r := range manager.Readings {
		list, _ := r.Commands(r.Forms[0].Name)
		parts = append(parts, shellCommands(r.Environment, list))
	}
	return strings.Join(parts, "\n")
}

func shellCommands(environment []string, list []manager.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  export %s\n", strings.Join(environment, " "))
	for _, c := range list {
		if c.File != "" {
			fmt.Fprintf(&b, "  %s > %s\n", shellText(c.Argv), c.File)
		}
	}
	return b.String()
}

// shellText is a command as it is typed.
func shellText(argv []string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:@+"
	quoted := make([]string, len(argv))
	for i, word := range argv {
		if quoted[i] = word; word == "" || strings.Trim(word, plain) != "" {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

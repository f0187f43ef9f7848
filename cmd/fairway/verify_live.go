package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/runtime/manager"
)

// liveFlags take the snapshot from a running controller.
type liveFlags struct {
	on      bool
	keep    string
	timeout time.Duration
}

func (l *liveFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&l.on, "live", false, "run Slurm's commands for the snapshot, and sacctmgr dump for the accounts")
	f.StringVar(&l.keep, "keep", "", "with --live: folder in which what the commands printed stays, as a snapshot")
	f.DurationVar(&l.timeout, "timeout", time.Minute, "with --live: how long a command may take")
}

// accountsFile is what sacctmgr dump writes. It is policy: it lies in a folder below the snapshot, which
// is read flat.
const accountsFile = "policy/sacctmgr_dump.cfg"

// capture runs the commands and adds what they gave to the snapshot and to the policy. done removes it,
// unless it is to be kept.
func (l *liveFlags) capture(ctx context.Context, snap *snapshotFlags, files *[]string) (done func(), err error) {
	if ctx == nil {
		ctx = context.Background()
	}
	done = func() {}
	dir := l.keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "fairway-live-"); err != nil {
			return nil, ioError("a temporary folder", err)
		}
		done = func() { _ = os.RemoveAll(dir) }
	}
	if err := l.fill(ctx, dir, files); err != nil {
		done()
		return nil, err
	}
	snap.paths, snap.zone = append([]string{dir}, snap.paths...), "UTC"
	return done, nil
}

func (l *liveFlags) fill(ctx context.Context, dir string, files *[]string) error {
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(accountsFile)), 0o755); err != nil {
		return ioError(dir, err)
	}
	var config []byte
	missed, err := manager.Capture(ctx, manager.SlurmCapture, l.run, func(name string, text []byte) error {
		if name == manager.SlurmConfig.File {
			config = text
		}
		name = filepath.Join(dir, name)
		return ioError(name, os.WriteFile(name, text, 0o644))
	})
	if err != nil {
		return liveError(err)
	}
	for _, m := range missed {
		fmt.Fprintf(os.Stderr, "fairway: without %s: %s: %v\n", m.Command.Gives, m.Command.Argv[0], m.Err)
	}
	return l.accounts(ctx, config, dir, files)
}

// accounts adds the controller's accounts to the policy, unless a file has them.
func (l *liveFlags) accounts(ctx context.Context, config []byte, dir string, files *[]string) error {
	d := &disk{}
	for _, name := range *files {
		f, err := d.readFile(name)
		if err != nil {
			return err
		}
		if lower.Detect(f.Text) == lower.Dump {
			return nil
		}
	}
	cluster, ok := manager.SlurmCluster(config)
	if !ok {
		return failf(exitUnreadable, "scontrol show config does not say the ClusterName")
	}
	dump := filepath.Join(dir, accountsFile)
	if _, err := l.run(ctx, manager.SlurmDump(cluster, dump)); err != nil {
		fmt.Fprintf(os.Stderr, "fairway: without the accounts of the database: sacctmgr: %v\n", err)
		return nil
	}
	*files = append(*files, dump)
	return nil
}

// run runs one command. It gets no input, and is stopped when it takes too long.
func (l *liveFlags) run(ctx context.Context, argv []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), manager.SlurmEnvironment...)
	cmd.WaitDelay = time.Second
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	err := cmd.Run()
	switch first, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n"); {
	case err == nil:
		return out.Bytes(), nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("no answer within %s; --timeout says how long to wait", l.timeout)
	case errors.Is(err, exec.ErrNotFound):
		return nil, errNotHere
	case first != "":
		return nil, fmt.Errorf("%s (%w)", first, err)
	}
	return nil, err
}

var errNotHere = errors.New("the command is not on the PATH")

func liveError(err error) error {
	var own *exitError
	if errors.As(err, &own) {
		return own
	}
	if errors.Is(err, errNotHere) {
		return failf(exitIO, "%v: --live needs a machine with Slurm's commands; elsewhere, give their outputs with --snapshot", err)
	}
	return failf(exitIO, "%v", err)
}

// liveCommandsText lists the commands as a shell would run them.
func liveCommandsText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  export %s\n", strings.Join(manager.SlurmEnvironment, " "))
	for _, c := range manager.SlurmCapture {
		fmt.Fprintf(&b, "  %s > %s\n", shellText(c.Argv), c.File)
	}
	fmt.Fprintf(&b, "  %s", shellText(manager.SlurmDump("CLUSTER", "assoc.cfg")))
	return b.String()
}

func shellText(argv []string) string {
	quoted := make([]string, len(argv))
	for i, word := range argv {
		if quoted[i] = word; strings.ContainsAny(word, "|% ") {
			quoted[i] = "'" + word + "'"
		}
	}
	return strings.Join(quoted, " ")
}

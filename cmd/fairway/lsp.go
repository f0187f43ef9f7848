package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/cmd/lsp"
	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/editor"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/slurmconf"
)

// restBeforeLint is how long a text rests before it is linted.
const restBeforeLint = 150 * time.Millisecond

func newLSP() *cobra.Command {
	var snap snapshotFlags
	var version string
	var stdio bool
	cmd := &cobra.Command{
		Use:  "lsp",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt := lsp.Options{Version: programVersion(), Site: siteOf, Rest: restBeforeLint,
				Disk:  notingFS{os.DirFS("/"), func(string, []byte) {}},
				Lower: lower.Options{Version: version}}
			if _, ok := slurmconf.Branch(version); !ok {
				return failf(exitUsage, "--slurm-version: Slurm %s is not known; the newest is %s", version, slurmconf.Newest())
			}
			opt.Snapshot = func(name string) (editor.Queue, error) {
				return snap.observed([]string{name})
			}
			if len(snap.paths) > 0 {
				queue, err := snap.observed(snap.paths)
				if err != nil {
					return err
				}
				opt.Queue = queue
			}
			switch err := lsp.Serve(context.Background(), os.Stdin, os.Stdout, opt); {
			case err == nil:
				return nil
			case errors.Is(err, lsp.ErrNoProtocol):
				return &exitError{code: exitUnreadable, err: err}
			case errors.Is(err, lsp.ErrNoGoodbye):
				return &exitError{code: exitFindings, err: err}
			default:
				return &exitError{code: exitIO, err: err}
			}
		},
	}
	snap.add(cmd, false)
	cmd.Flags().StringVar(&version, "slurm-version", "", versionUsage)
	cmd.Flags().BoolVar(&stdio, "stdio", true, "speak on standard input and output, which is all there is")
	return cmd
}

// siteOf is what the project file of a policy says: the release, and which findings are left.
func siteOf(files []string, opt lower.Options) (lower.Options, func(*compiler.Linted) diag.List) {
	s := site{today: time.Now(), asked: func(code string) bool { return lint.Options{}.Asked(code, false, false) }}
	d := &disk{}
	if len(files) > 0 {
		s.project, _ = projectOf(d, files[0]) // a faulty one is shown where it is open
	}
	if p := s.project; p != nil {
		if t := p.release(files); t.IsSet() {
			opt.SiteVersion.Text, opt.SiteVersion.Span = t.Value, t.Span
		}
		for _, one := range p.Severities {
			_ = s.severities.AddSeverity(one.Rule.Value + "=" + one.Level.Value) // the same
		}
	}
	return opt, func(found *compiler.Linted) diag.List {
		list, _, _ := s.decide(found)
		return slices.Clone(list)
	}
}

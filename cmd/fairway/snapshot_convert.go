package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/synth"
)

// snapshotForms are the forms in which Fairway writes snapshots.
var snapshotForms = []struct {
	name  string
	all   bool // not only jobs
	write func(io.Writer, *snapshot.Snapshot) error
}{
	{"json", true, snapshot.WriteJSON},
	{"jsonl", false, snapshot.WriteLines},
	{"csv", false, snapshot.WriteCSV},
}

// snapshotOutput is -o of the commands that write a snapshot.
type snapshotOutput struct{ text string }

func (o *snapshotOutput) add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.text, "output", "o", "json",
		"json, jsonl or csv, or FORMAT=PATH; packed if PATH ends in .zst")
}

// check refuses a form that is not known, before anything is read.
func (o *snapshotOutput) check() error {
	for _, f := range snapshotForms {
		if name, _, _ := strings.Cut(o.text, "="); f.name == name {
			return nil
		}
	}
	return failf(exitUsage, "-o is json, jsonl or csv, not %q", o.text)
}

// use is the file that is written.
func (o *snapshotOutput) use() use {
	form, to, _ := strings.Cut(o.text, "=")
	return use{what: "-o " + form, path: to}
}

// write writes, and says what of the snapshot the form has no place for.
func (o *snapshotOutput) write(s *snapshot.Snapshot) error {
	name, to, _ := strings.Cut(o.text, "=")
	for _, f := range snapshotForms {
		if f.name != name {
			continue
		}
		if s.Jobs == nil && !f.all {
			return failf(exitUnreadable, "the snapshot has no list of jobs, which is all that %s holds; json holds the rest",
				name)
		}
		if err := writePacked(to, func(w io.Writer) error { return f.write(w, s) }); err != nil {
			return err
		}
		if left := besidesJobs(s); !f.all && len(left) > 0 {
			fmt.Fprintf(stderr, "fairway: %s holds jobs only, so it is without %s; json holds all\n", name,
				strings.Join(left, ", "))
		}
	}
	return nil
}

func besidesJobs(s *snapshot.Snapshot) (left []string) {
	if s.Nodes != nil {
		left = append(left, "nodes")
	}
	for _, name := range []string{"user", "group", "account", "qos", "partition", "association"} {
		if s.Credentials[name] != nil {
			left = append(left, "the table of each "+name)
		}
	}
	for _, part := range []struct {
		name string
		is   bool
	}{{"reservations", s.Reservations != nil}, {"licences", s.Licenses != nil}, {"sprio", s.Sprio != nil},
		{"fairshare windows", len(s.Usage) > 0}} {
		if part.is {
			left = append(left, part.name)
		}
	}
	return left
}

func newSnapshotConvert() *cobra.Command {
	var (
		snap snapshotFlags
		out  snapshotOutput
	)
	cmd := &cobra.Command{
		Use:  "convert SNAPSHOT...",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			if err := out.check(); err != nil {
				return err
			}
			s, err := snap.readApart(paths, out.use())
			if err != nil {
				return err
			}
			if err := out.write(s); err != nil {
				return err
			}
			return unreadRecords(s)
		},
	}
	snap.addTimes(cmd)
	out.add(cmd)
	return cmd
}

func newSnapshotSynth() *cobra.Command {
	var (
		snap    snapshotFlags
		out     snapshotOutput
		options synth.Options
	)
	cmd := &cobra.Command{
		Use:  "synth SNAPSHOT... --jobs N [--nodes N]",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			const most, mostNodes = 10_000_000, 1_000_000
			switch {
			case !cmd.Flags().Changed("jobs"):
				return failf(exitUsage, "--jobs says how many jobs there are to be")
			case options.Jobs < 0 || options.Jobs > most:
				return failf(exitUsage, "--jobs is from 0 to %d, not %d", most, options.Jobs)
			case cmd.Flags().Changed("nodes") && options.Nodes < 1 || options.Nodes > mostNodes:
				return failf(exitUsage, "--nodes is from 1 to %d, not %d", mostNodes, options.Nodes)
			}
			if err := out.check(); err != nil {
				return err
			}
			s, err := snap.readApart(paths, out.use())
			if err != nil {
				return err
			}
			queue, err := synth.Queue(s, options)
			if err != nil {
				return &exitError{code: exitUnreadable, err: err}
			}
			if err := out.write(queue); err != nil {
				return err
			}
			return unreadRecords(s)
		},
	}
	snap.addTimes(cmd)
	out.add(cmd)
	f := cmd.Flags()
	f.IntVar(&options.Jobs, "jobs", 0, "how many jobs, running ones included")
	f.IntVar(&options.Nodes, "nodes", 0, "how many nodes the machine has; 0 keeps the given ones")
	f.Uint64Var(&options.Seed, "seed", 1, "another number gives another queue")
	return cmd
}

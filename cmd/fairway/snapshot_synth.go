package main

import (
	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/runtime/synth"
)

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
			snap.paths = paths
			if err := nothingWritten([]use{out.use()}, snap.uses()); err != nil {
				return err
			}
			s, diags, err := snap.read(&disk{})
			if err != nil {
				return err
			}
			printDiags(notable(diags))
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

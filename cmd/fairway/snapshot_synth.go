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
		Use:   "synth SNAPSHOT... --jobs N [--nodes N]",
		Short: "make up a queue of N jobs that is like a given one",
		Long: `Synth writes a snapshot with the machine, the people and the usage of a given one, and N
jobs: its running jobs, and waiting jobs that are copies of its waiting ones, drawn by
chance. Each copy has a number of its own and was submitted between its model and the
next job, so that sizes, limits, users and waiting times are as they were, and as they go
together. Of a queue shorter than the given one the running jobs' share runs.

With --nodes the machine grows too: it is the given one over and over, with nodes numbered
on, in the same partitions and states, each copy with its running jobs. Jobs grow with it:
half of the copies are as large as their models, a quarter twice as large, and so on, up to
half of their partition. A slurm.conf that lists nodes has to list these: Slurm counts the
nodes of its partitions.

What the scheduler had computed of waiting jobs, recorded priorities and sprio, is left
out. The same --seed gives the same queue. Exit code 1 says that some records of the given
one cannot be read and are left out.`,
		Example: `  # what if the queue were ten times as long?
  fairway snapshot synth queue.tar.zst --jobs 40000 -o json=long.json.zst
  fairway eval slurm.conf --snapshot long.json.zst -o json=/dev/null

  # how long does a plan of such a queue take on a large machine?
  fairway snapshot synth queue.tar.zst --jobs 100000 --nodes 10000 -o json=large.json.zst

  # a small one, for a test
  fairway snapshot synth queue.tar.zst --jobs 30 --seed 7 -o json=small.json`,
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

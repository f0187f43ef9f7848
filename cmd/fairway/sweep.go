package main

import (
	"strings"

	"github.com/spf13/cobra"
)

func newSweep() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "sweep VERB",
		Short:   "try many policies at once, on this machine or on the site's own Slurm",
		Long:    sweepLong(),
		Example: sweepExamples,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return failf(exitUsage, "sweep is followed by one of %s", strings.Join(verbNames(cmd), ", "))
			}
			return failf(exitUsage, "%s", unknownWord("verb of sweep", args[0], verbNames(cmd)))
		},
	}
	cmd.AddCommand(newSweepPlan(), newSweepRun(), newSweepResume(), newSweepStatus(), newSweepMerge(),
		newSweepReport(), newSweepSuggest(),
		newSweepTasks(), newSweepWork())
	return cmd
}

package main

import (
	"strings"

	"github.com/spf13/cobra"
)

func newSnapshot() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "snapshot VERB",
		Short: "capture, look at, convert, anonymize and make up snapshots",
		Long: `A snapshot is what a resource manager says of its queue at one moment: a file, a folder of
files, or a folder in one archive (.tar.zst). These commands make, inspect and share them.`,
		Example: `  fairway snapshot capture --to queue.tar.zst
  fairway snapshot info queue.tar.zst`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return failf(exitUsage, "snapshot is followed by one of %s", strings.Join(verbNames(cmd), ", "))
			}
			return failf(exitUsage, "%s", unknownWord("verb of snapshot", args[0], verbNames(cmd)))
		},
	}
	cmd.AddCommand(newSnapshotCapture(), newSnapshotInfo(), newSnapshotConvert(), newSnapshotAnonymize(),
		newSnapshotSynth())
	return cmd
}

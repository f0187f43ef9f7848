package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/lang/slurmconf"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:  "version",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			version, revision := programVersion(), ""
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						revision = " " + s.Value[:min(12, len(s.Value))]
					}
				}
			}
			return writeOutput("", func(w io.Writer) error {
				fmt.Fprintf(w, "fairway %s%s %s/%s %s\n", version, revision, runtime.GOOS, runtime.GOARCH, runtime.Version())
				_, err := fmt.Fprintf(w, "Slurm %s to %s, Maui 3.3 and later\n", slurmconf.Versions[0], slurmconf.Newest())
				return err
			})
		},
	}
}

// release is set by the linker in packages.
var release string

// programVersion is the release this was built as.
func programVersion() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "(development)"
}

package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/runtime/estimate"
	"github.com/fairway-sched/fairway/runtime/report/encode"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

func newEstimate() *cobra.Command {
	cmd := &cobra.Command{
		Use:  "estimate VERB",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return failf(exitUsage, "estimate is followed by score; fairway plan --estimate makes estimates")
			}
			return failf(exitUsage, "%s", unknownWord("verb of estimate", args[0], verbNames(cmd)))
		},
	}
	cmd.AddCommand(newEstimateScore())
	return cmd
}

func newEstimateScore() *cobra.Command {
	var out, zone string
	cmd := &cobra.Command{
		Use:  "score LEDGER HISTORY...",
		Args: cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			format, path, _ := strings.Cut(out, "=")
			if format != "table" && format != "json" {
				return failf(exitUsage, "-o is table or json, or one of them with =FILE, not %q", out)
			}
			place, err := time.LoadLocation(zone)
			if err != nil {
				return failf(exitUsage, "--timezone: %v", err)
			}
			opened := &reads{}
			entries, err := readLedger(&disk{opened}, args[0])
			if err != nil {
				return err
			}
			jobs, err := readHistory(&disk{opened}, args[1:], place)
			if err != nil {
				return err
			}
			if err := nothingWritten([]use{{what: "-o " + format, path: path}}, opened.uses()); err != nil {
				return err
			}
			starts := map[string]int64{}
			for row := range jobs.Rows {
				if start := jobs.Value("job.start_time", row); start.Known() {
					starts[jobs.Value("job.id", row).Str] = start.Int
				}
			}
			s := estimate.Judge(entries, starts)
			return writeOutput(path, func(w io.Writer) error { return writeScore(w, s, format) })
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "table", "FORMAT, or FORMAT=FILE: table, json")
	cmd.Flags().StringVar(&zone, "timezone", "UTC", "zone of times that the history writes without one")
	completeWords(cmd, "output", "table", "json")
	return cmd
}

// errorsReport are by how much starts differ from what was estimated.
type errorsReport struct {
	Entries int     `json:"entries"`
	Mean    float64 `json:"mean_seconds"`
	Median  float64 `json:"median_seconds"`
}

func writeScore(w io.Writer, s estimate.Score, format string) error {
	if format == "json" {
		return encode.Write(w, struct {
			FormatVersion int          `json:"format_version"`
			Entries       int          `json:"entries"`
			Open          int          `json:"open"`
			NoInterval    int          `json:"no_interval"`
			Held          int          `json:"held"`
			Early         int          `json:"early"`
			Late          int          `json:"late"`
			Middle        errorsReport `json:"median"`
			Plan          errorsReport `json:"plan"`
		}{1, s.Entries, s.Open, s.NoInterval, s.Held, s.Early, s.Late, errorsReport(s.Median),
			errorsReport(s.Plan)})
	}
	text := fmt.Sprintf("estimates  %d", s.Entries)
	for _, x := range []struct {
		n    int
		what string
	}{{s.Open, "without a start by now"}, {s.NoInterval, "with no interval"}} {
		if x.n > 0 {
			text += fmt.Sprintf(", and %d %s", x.n, x.what)
		}
	}
	text += "\n"
	if s.Entries > 0 {
		part := func(n int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(s.Entries)) }
		text += fmt.Sprintf("intervals  %s hold the start (80 %% should), %s start before and %s after\n", part(s.Held),
			part(s.Early), part(s.Late))
	}
	for _, x := range []struct {
		name string
		of   estimate.Errors
	}{{"median", s.Median}, {"plan", s.Plan}} {
		if x.of.Entries > 0 {
			text += fmt.Sprintf("%-10s off by %s on average, %s at the median (%s)\n", x.name,
				form.SpanText(int64(x.of.Mean+0.5)), form.SpanText(int64(x.of.Median+0.5)), count(x.of.Entries, "estimate"))
		}
	}
	_, err := io.WriteString(w, text)
	return err
}

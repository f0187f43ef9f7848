package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/usage"
)

// writeTable shows the windows, newest first, and what becomes of their files.
func (o *usageOutput) writeTable(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s in %s of %s, as of %s\n", mauiUsage[slices.Index(fairshare.UsageWords, o.Usage)],
		count(len(o.Windows), "window"), lengthText(o.IntervalSeconds), utc(o.Now))
	fmt.Fprintf(&b, "%s in them, %d still running; %s", count(o.Runs, "run"), o.Running, count(len(o.sources), "file"))
	if o.Told.Known {
		fmt.Fprintf(&b, " from %s to %s", utc(o.Told.First), utc(o.Told.Last))
	}
	if n := o.bad(); n > 0 {
		fmt.Fprintf(&b, "; %s could not be read", count(n, "record"))
	}
	b.WriteString("\n\n")
	wide := len("total")
	for i := range o.Windows {
		wide = max(wide, len(fmt.Sprintf("%.3f", o.Windows[i].Total)))
	}
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "file\tbegins\t%*s\tuser\tgroup\taccount\tclass\tQOS\trecords", wide, "total")
	if o.decisions != nil {
		fmt.Fprint(t, "\tdone")
	}
	fmt.Fprintln(t)
	for i := range o.Windows {
		win := &o.Windows[i]
		fmt.Fprintf(t, "%s\t%s\t%*.3f", usage.FileName(win.StartTime), utc(win.StartTime), wide, win.Total)
		for _, object := range fairshare.Objects {
			fmt.Fprintf(t, "\t%d", len(win.Usage[object]))
		}
		fmt.Fprintf(t, "\t%s", win.Cover)
		if o.decisions != nil {
			fmt.Fprintf(t, "\t%s", o.done(o.decisions[i].Action))
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if o.dir == "" {
		b.WriteString("nothing is written without --to\n")
	} else if o.dryRun {
		b.WriteString("nothing is written in a dry run\n")
	}
	for line := range strings.Lines(b.String()) {
		if _, err := io.WriteString(w, strings.TrimRight(line, " \n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// done says what happened, or would.
func (o *usageOutput) done(a usage.Action) string {
	switch {
	case a == usage.Left:
		return "no file"
	case o.dryRun && (a == usage.New || a == usage.Replace):
		return "would be " + string(a)
	}
	return string(a)
}

func utc(epochSeconds int64) string { return time.Unix(epochSeconds, 0).UTC().Format(time.RFC3339) }

// The JSON form of a report. Times are epoch seconds, usage is in the unit of usage.
type usageJSON struct {
	FormatVersion   int               `json:"format_version"`
	Usage           string            `json:"usage"`
	IntervalSeconds int64             `json:"interval_seconds"`
	Now             int64             `json:"now"`
	Records         usageRecordsJSON  `json:"records"`
	Windows         []usageWindowJSON `json:"windows"`
	DryRun          bool              `json:"dry_run"`
	Findings        json.RawMessage   `json:"findings"`
}

type usageRecordsJSON struct {
	Files   []usageSourceJSON `json:"files"`
	Runs    int               `json:"runs"`
	Running int               `json:"running"`
	Begin   *int64            `json:"begin"`
	End     *int64            `json:"end"`
}

type usageSourceJSON struct {
	Name    string `json:"name"`
	Format  string `json:"format"`
	Records int    `json:"records"`
	Bad     int    `json:"bad"`
}

type usageWindowJSON struct {
	File      string                        `json:"file"`
	StartTime int64                         `json:"start_time"`
	EndTime   int64                         `json:"end_time"`
	Records   string                        `json:"records"`
	Action    *string                       `json:"action"`
	Total     float64                       `json:"total"`
	Usage     map[string]map[string]float64 `json:"usage"`
}

func (o *usageOutput) writeJSON(w io.Writer) error {
	out := usageJSON{FormatVersion: 1, Usage: o.Usage, IntervalSeconds: o.IntervalSeconds, Now: o.Now, DryRun: o.dryRun,
		Records: usageRecordsJSON{Files: []usageSourceJSON{}, Runs: o.Runs, Running: o.Running}}
	for _, s := range o.sources {
		out.Records.Files = append(out.Records.Files,
			usageSourceJSON{Name: s.Name, Format: s.Format, Records: s.Records, Bad: s.Bad})
	}
	if o.Told.Known {
		out.Records.Begin, out.Records.End = &o.Told.First, &o.Told.Last
	}
	for i := range o.Windows {
		win := &o.Windows[i]
		j := usageWindowJSON{File: usage.FileName(win.StartTime), StartTime: win.StartTime, EndTime: win.EndTime,
			Records: string(win.Cover), Total: win.Total, Usage: map[string]map[string]float64{}}
		for _, object := range fairshare.Objects {
			if j.Usage[object] = win.Usage[object]; j.Usage[object] == nil {
				j.Usage[object] = map[string]float64{}
			}
		}
		if o.decisions != nil {
			action := string(o.decisions[i].Action)
			j.Action = &action
		}
		out.Windows = append(out.Windows, j)
	}
	var findings bytes.Buffer
	if err := diag.WriteJSON(&findings, o.findings); err != nil {
		return err
	}
	var list struct{ Findings json.RawMessage }
	if err := json.Unmarshal(findings.Bytes(), &list); err != nil {
		return err
	}
	out.Findings = list.Findings
	return source.WriteJSON(w, out)
}

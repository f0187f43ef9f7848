package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

func newSnapshotInfo() *cobra.Command {
	var (
		snap   snapshotFlags
		output string
	)
	cmd := &cobra.Command{
		Use:  "info SNAPSHOT...",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			format, to, _ := strings.Cut(output, "=")
			if format != "table" && format != "json" {
				return failf(exitUsage, "-o is table or json, not %q", format)
			}
			s, err := snap.readApart(paths, use{what: "-o " + format, path: to})
			if err != nil {
				return err
			}
			info := newSnapshotReport(s)
			if err := writeOutput(to, map[string]func(io.Writer) error{"table": info.writeTable,
				"json": info.writeJSON}[format]); err != nil {
				return err
			}
			return unreadRecords(s)
		},
	}
	snap.addTimes(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "table", "table or json, or FORMAT=PATH")
	return cmd
}

// readApart reads a snapshot, and shows what was found in it. No output is one of its files.
func (s *snapshotFlags) readApart(paths []string, outputs ...use) (*snapshot.Snapshot, error) {
	s.paths = paths
	if err := nothingWritten(outputs, s.uses()); err != nil {
		return nil, err
	}
	snap, found, err := s.read(&disk{})
	if err == nil {
		printDiags(notable(found))
	}
	return snap, err
}

// unreadRecords is the exit code of a snapshot with unreadable records.
func unreadRecords(s *snapshot.Snapshot) error {
	for _, source := range s.Sources {
		if source.Bad > 0 {
			return &exitError{code: exitFindings}
		}
	}
	return nil
}

// snapshotReport is what info prints; its JSON form is a contract.
type snapshotReport struct {
	FormatVersion int                  `json:"format_version"`
	Now           *int64               `json:"now"` // epoch seconds
	Family        string               `json:"family"`
	Version       string               `json:"version"`
	Jobs          *int                 `json:"jobs"` // null where no input has a list of them
	States        map[string]int       `json:"states"`
	Held          int                  `json:"held"`      // of the pending
	Moment        *snapshot.Moment     `json:"moment"`    // of a trace at this time
	Submitted     *[2]int64            `json:"submitted"` // first and last, epoch seconds
	Nodes         *int                 `json:"nodes"`
	NodesUp       int                  `json:"nodes_up"`
	Procs         int64                `json:"procs"`
	Others        map[string]int       `json:"others"` // rows of the other tables, by name
	Sources       []sourceReport       `json:"sources"`
	Captures      []*snapshot.Manifest `json:"captures"`
}

type sourceReport struct {
	Name    string `json:"name"`
	Format  string `json:"format"`
	Records int    `json:"records"`
	Bad     int    `json:"bad"`
}

func newSnapshotReport(s *snapshot.Snapshot) *snapshotReport {
	r := &snapshotReport{FormatVersion: 1, Family: s.Family, Version: s.Version, States: map[string]int{},
		Others: map[string]int{}, Moment: s.Moment,
		Sources: []sourceReport{}, Captures: s.Captures}
	if r.Captures == nil {
		r.Captures = []*snapshot.Manifest{}
	}
	if s.KnowsNow() {
		r.Now = &s.Now
	}
	if s.Jobs != nil {
		r.Jobs = &s.Jobs.Rows
		for row := range s.Jobs.Rows {
			state := s.Jobs.Value("job.state", row).Str
			if state == "" {
				state = "pending"
			}
			r.States[state]++
			if state == "pending" && s.Jobs.Value("job.held", row).Int == 1 {
				r.Held++
			}
		}
		if s.TimeRange != [2]int64{} {
			r.Submitted = &s.TimeRange
		}
	}
	if s.Nodes != nil {
		r.Nodes = &s.Nodes.Rows
		for row := range s.Nodes.Rows {
			if s.Nodes.Value("node.up", row).Int == 1 {
				r.NodesUp++
			}
			r.Procs += s.Nodes.Value("node.procs", row).Int
		}
	}
	for name, t := range s.Credentials {
		r.Others[schema.ObjectByName(name).Plural] = t.Rows
	}
	for name, t := range map[string]*column.Table{"reservations": s.Reservations, "licenses": s.Licenses,
		"rows of sprio": s.Sprio} {
		if t != nil {
			r.Others[name] = t.Rows
		}
	}
	if len(s.Usage) > 0 {
		r.Others["fairshare windows"] = len(s.Usage)
	}
	for _, source := range s.Sources {
		r.Sources = append(r.Sources, sourceReport{source.Name, source.Format, source.Records, source.Bad})
	}
	return r
}

func (r *snapshotReport) writeJSON(w io.Writer) error {
	return source.WriteJSON(w, r)
}

func (r *snapshotReport) writeTable(w io.Writer) error {
	of, at := source.Plain(strings.TrimSpace(r.Family+" "+r.Version)), "at a time that no input states"
	if of == "" {
		of = "a queue"
	}
	if r.Now != nil {
		at = "as of " + utc(*r.Now)
	}
	fmt.Fprintf(w, "%s, %s\n\n", of, at)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	r.writeCounts(t)
	fmt.Fprintf(t, "\nfile\tformat\trecords\tunreadable\n")
	for _, s := range r.Sources {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\n", source.Plain(s.Name), s.Format, s.Records, s.Bad)
	}
	for _, m := range r.Captures {
		r.writeCapture(t, m)
	}
	return t.Flush()
}

func (r *snapshotReport) writeCounts(w io.Writer) {
	if r.Jobs == nil {
		fmt.Fprintf(w, "jobs\tno list of jobs\n")
	} else {
		var states []string
		for _, state := range []string{"pending", "running", "suspended", "completing", "submitting", "done"} {
			if n := r.States[state]; n > 0 {
				word := fmt.Sprintf("%d %s", n, state)
				if state == "pending" && r.Held > 0 {
					word += fmt.Sprintf(" (%d held)", r.Held)
				}
				states = append(states, word)
			}
		}
		fmt.Fprintf(w, "jobs\t%d\t%s\n", *r.Jobs, strings.Join(states, ", "))
	}
	if m := r.Moment; m != nil {
		line := "by the times that the trace records"
		if m.Untimed > 0 {
			line += fmt.Sprintf("; %d of the pending without any", m.Untimed)
		}
		if m.Later > 0 {
			line += fmt.Sprintf("; %s submitted later left out", count(m.Later, "job"))
		}
		fmt.Fprintf(w, "\t\t%s\n", line)
	}
	if r.Submitted != nil {
		fmt.Fprintf(w, "\t\tsubmitted from %s to %s\n", utc(r.Submitted[0]), utc(r.Submitted[1]))
	}
	if r.Nodes == nil {
		fmt.Fprintf(w, "nodes\tno list of nodes\n")
	} else {
		fmt.Fprintf(w, "nodes\t%d\t%d up, %s in all\n", *r.Nodes, r.NodesUp, count(int(r.Procs), "processor"))
	}
	var names []string
	for name := range r.Others {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(w, "%s\t%d\n", name, r.Others[name])
	}
}

func (r *snapshotReport) writeCapture(w io.Writer, m *snapshot.Manifest) {
	fmt.Fprintf(w, "\ncaptured from %s to %s by fairway %s; all %s are as they were\n", source.Plain(m.Began),
		source.Plain(m.Ended), source.Plain(m.Program), count(len(m.Files), "file"))
	fmt.Fprintf(w, "seconds\tcommand\tgave\n")
	for _, c := range m.Commands {
		gave := c.File
		switch {
		case c.Error != "":
			gave = "nothing: " + c.Error
		case gave == "":
			gave = "which jobs there are"
		}
		fmt.Fprintf(w, "%.1f\t%s\t%s\n", c.Seconds, source.Plain(shortened(c.Argv)), source.Plain(gave))
	}
}

// shortened is a command without the lists of what it is to print.
func shortened(argv []string) string {
	short := slices.Clone(argv)
	for i, word := range short {
		if len(word) > 60 {
			short[i] = word[:20] + "…"
		}
	}
	return strings.Join(short, " ")
}

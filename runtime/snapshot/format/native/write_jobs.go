package native

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// WriteLines writes the jobs as JSON lines, after a line with the time. What is no job is left out.
func WriteLines(w io.Writer, s *format.Snapshot) error {
	p := &jsonPrinter{out: bufio.NewWriter(w)}
	p.raw(`{"format_version": ` + strconv.Itoa(formatVersion))
	if s.Now != 0 {
		p.raw(`, "now": ` + strconv.FormatInt(s.Now, 10))
	}
	for _, member := range [][2]string{{"family", s.Family}, {"version", s.Version}} {
		if member[1] != "" {
			p.raw(", " + quoted(member[0]) + ": " + quoted(member[1]))
		}
	}
	p.raw("}\n")
	if s.Jobs != nil {
		groups := fieldGroups(s.Jobs)
		for row := range s.Jobs.Rows {
			p.raw("{")
			p.record(groups, row)
			p.raw("}\n")
		}
	}
	return p.out.Flush()
}

// WriteCSV writes the jobs as a table. What is no job, and the time, is left out. What a cell of such a table
// cannot hold is an error: it would be read back as something else.
func WriteCSV(w io.Writer, s *format.Snapshot) error {
	out := csv.NewWriter(w)
	if s.Jobs == nil {
		return nil
	}
	columns := s.Jobs.Columns()
	if i := slices.IndexFunc(columns, func(c *column.Column) bool { return c.ID == "job.id" }); i > 0 {
		columns = slices.Concat(columns[i:i+1], columns[:i], columns[i+1:])
	}
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = strings.TrimPrefix(string(c.ID), "job.")
	}
	if err := out.Write(cells); err != nil {
		return err
	}
	for row := range s.Jobs.Rows {
		for i, c := range columns {
			var err error
			if cells[i], err = cellText(c.Value(row)); err != nil {
				return fmt.Errorf("job %s: %s %w; JSON can hold it", s.Jobs.Text("job.id", row), c.ID.Name(), err)
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// cellText is the text that readCSV reads as the value.
func cellText(v schema.Value) (string, error) {
	switch v.Type {
	case schema.Invalid:
		return "", nil
	case schema.Bool:
		return strconv.FormatBool(v.Int != 0), nil
	case schema.Double:
		if math.IsNaN(v.Double) || math.IsInf(v.Double, 0) {
			return "", fmt.Errorf("is %v", v.Double)
		}
		return strconv.FormatFloat(v.Double, 'g', -1, 64), nil
	case schema.String:
		if strings.TrimSpace(v.Str) != v.Str || strings.HasPrefix(v.Str, "#") || strings.Contains(v.Str, "\r") {
			return "", fmt.Errorf("%q begins or ends with a blank, begins with # or holds a carriage return", v.Str)
		}
		return v.Str, nil
	case schema.StringList:
		for _, item := range v.List {
			if item == "" || strings.TrimSpace(item) != item || strings.ContainsAny(item, ";#\r") {
				return "", fmt.Errorf("%q is empty or holds a semicolon, # or a blank at an end", item)
			}
		}
		return strings.Join(v.List, ";"), nil
	}
	return strconv.FormatInt(v.Int, 10), nil
}

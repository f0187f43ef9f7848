package native

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// WriteJSON writes the native form, one record a line. Reading it gives the
// same snapshot: what is unknown is left out, but a column without a single
// known cell is kept as a null in the first record, because a column that is
// there and one that is not may mean different things. Sources are not
// written, and text that is no UTF-8 is mended.
func WriteJSON(w io.Writer, s *format.Snapshot) error {
	p := &jsonPrinter{out: bufio.NewWriter(w), separator: ","}
	p.raw("{\n \"format_version\": " + strconv.Itoa(formatVersion))
	if s.Now != 0 {
		p.member("now")
		p.raw(strconv.FormatInt(s.Now, 10))
	}
	if s.Family != "" {
		p.member("family")
		p.string(s.Family)
	}
	if s.Version != "" {
		p.member("version")
		p.string(s.Version)
	}
	p.table("jobs", s.Jobs)
	p.table("nodes", s.Nodes)
	p.table("reservations", s.Reservations)
	p.table("licenses", s.Licenses)
	if len(s.Credentials) > 0 {
		p.member("credentials")
		p.separator = ""
		p.raw("{")
		for _, name := range format.SortedKeys(s.Credentials) {
			p.table(name, s.Credentials[name])
		}
		p.raw("\n }")
		p.separator = ","
	}
	p.usage(s.Usage)
	p.table("sprio", s.Sprio)
	p.raw("\n}\n")
	return p.out.Flush()
}

type jsonPrinter struct {
	out       *bufio.Writer
	separator string // before the next member
}

func (p *jsonPrinter) raw(s string) { p.out.WriteString(s) } // the error stays in the writer until Flush

func (p *jsonPrinter) string(s string) { p.raw(quoted(s)) }

func (p *jsonPrinter) number(f float64) {
	switch {
	case math.IsNaN(f):
		p.raw("null")
	case math.IsInf(f, 1):
		p.raw(`"inf"`)
	case math.IsInf(f, -1):
		p.raw(`"-inf"`)
	default:
		p.raw(strconv.FormatFloat(f, 'g', -1, 64))
	}
}

func (p *jsonPrinter) member(name string) {
	p.raw(p.separator + "\n ")
	p.string(name)
	p.raw(": ")
	p.separator = ","
}

func (p *jsonPrinter) table(name string, t *column.Table) {
	if t == nil {
		return
	}
	p.member(name)
	if t.Rows == 0 {
		p.raw("[]")
		return
	}
	p.raw("[")
	groups := fieldGroups(t)
	for row := range t.Rows {
		if row > 0 {
			p.raw(",")
		}
		p.raw("\n  {")
		p.record(groups, row)
		p.raw("}")
	}
	p.raw("\n ]")
}

// fieldGroup is one member of a record: a column, or all columns of one name
// with different keys.
type fieldGroup struct {
	name    string
	columns []*column.Column
	silent  []bool // the column has nothing to say in any row
}

func fieldGroups(t *column.Table) []*fieldGroup {
	var groups []*fieldGroup
	byName := map[string]*fieldGroup{}
	for _, c := range t.Columns() {
		name := c.ID.Name()
		g := byName[name]
		if g == nil {
			g = &fieldGroup{name: name}
			byName[name], groups = g, append(groups, g)
		}
		silent := true
		for row := range t.Rows {
			silent = silent && !column.Stated(c, row)
		}
		g.columns, g.silent = append(g.columns, c), append(g.silent, silent)
	}
	return groups
}

func (p *jsonPrinter) record(groups []*fieldGroup, row int) {
	separator := ""
	for _, g := range groups {
		inner := separator + quoted(g.name) + ": "
		closing := ""
		for i, c := range g.columns {
			if !column.Stated(c, row) && !(row == 0 && g.silent[i]) {
				continue
			}
			p.raw(inner)
			inner = ", "
			if key := c.ID.Key(); key != "" {
				if closing == "" {
					p.raw("{")
				}
				closing = "}"
				p.string(key)
				p.raw(": ")
			}
			p.value(c, row)
			separator = ", "
		}
		p.raw(closing)
	}
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always has a JSON form
	return string(source.EscapeJSON(b))
}

func (p *jsonPrinter) value(c *column.Column, row int) {
	v := c.Value(row)
	switch v.Type {
	case schema.Invalid:
		p.raw("null")
	case schema.Bool:
		p.raw(strconv.FormatBool(v.Int != 0))
	case schema.Double:
		p.number(v.Double)
	case schema.String:
		p.string(v.Str)
	case schema.StringList:
		separator := "["
		for _, s := range v.List {
			p.raw(separator)
			p.string(s)
			separator = ", "
		}
		if len(v.List) == 0 {
			p.raw("[")
		}
		p.raw("]")
	default:
		p.raw(strconv.FormatInt(v.Int, 10))
	}
}

func (p *jsonPrinter) usage(windows []format.UsageWindow) {
	if len(windows) == 0 {
		return
	}
	p.member("usage")
	separator := "["
	for _, w := range windows {
		p.raw(separator + "\n  {\"start_time\": " + strconv.FormatInt(w.StartTime, 10) + ", ")
		p.amounts(w.Total, w.Usage)
		if w.Passed.Usage != nil || w.Passed.Total != 0 {
			p.raw(", \"passed\": {")
			p.amounts(w.Passed.Total, w.Passed.Usage)
			p.raw("}")
		}
		p.raw("}")
		separator = ","
	}
	p.raw("\n ]")
}

// amounts writes the members total and usage.
func (p *jsonPrinter) amounts(total float64, usage map[string]map[string]float64) {
	p.raw("\"total\": ")
	p.number(total)
	p.raw(", \"usage\": {")
	kinds := ""
	for _, kind := range format.SortedKeys(usage) {
		p.raw(kinds + quoted(kind) + ": {")
		names := ""
		for _, name := range format.SortedKeys(usage[kind]) {
			p.raw(names + quoted(name) + ": ")
			p.number(usage[kind][name])
			names = ", "
		}
		p.raw("}")
		kinds = ", "
	}
	p.raw("}")
}

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

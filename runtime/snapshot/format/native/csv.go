package native

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// RecognizeCSV knows a table of jobs by its header: an id, and mostly columns
// of the vocabulary.
func RecognizeCSV(h *format.Head) int {
	fields := strings.Split(h.FirstLine("#"), ",")
	job, own, hasID := schema.ObjectByName("job"), 0, false
	for _, f := range fields {
		id, ok := nativeColumn(job, strings.Trim(f, " \t\""))
		hasID = hasID || id == "job.id"
		if ok {
			own++
		}
	}
	if hasID && len(fields) > 1 && own*2 >= len(fields) {
		return format.Likely
	}
	return format.Foreign
}

// ReadCSV reads a table of jobs: a header with column names, a line per job,
// blank cells unknown, lists separated by semicolons, # before comments.
func ReadCSV(in *format.Input) error {
	r := csv.NewReader(bytes.NewReader(in.Text))
	r.Comment, r.FieldsPerRecord, r.TrimLeadingSpace, r.ReuseRecord = '#', -1, true, true
	places := &lineOffsets{text: in.Text, line: 1}
	var columns []schema.ColumnID
	for {
		start := int(r.InputOffset())
		fields, err := r.Read()
		var syntax *csv.ParseError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &syntax):
			at := places.of(syntax.Line, syntax.Column)
			in.Bad("snapshot-bad-record", at, at+1, "%s",
				csvFault(syntax)).Note("a cell with quotes, commas or line ends must be in double quotes")
			if int(r.InputOffset()) == start {
				return nil
			}
			continue
		case err != nil:
			return err
		case columns == nil:
			columns = csvHeader(in, r, places, fields)
			continue
		}
		csvRow(in, r, places, columns, fields)
	}
}

func csvFault(e *csv.ParseError) string {
	if errors.Is(e.Err, csv.ErrBareQuote) {
		return "there is a quote within a bare cell"
	}
	return "a quoted cell does not end"
}

// csvHeader finds the column of each field; "" for one that is left out.
func csvHeader(in *format.Input, r *csv.Reader, places *lineOffsets, fields []string) []schema.ColumnID {
	job, columns := schema.ObjectByName("job"), make([]schema.ColumnID, len(fields))
	shape, seen := shapeOfObject("job"), map[schema.ColumnID]bool{}
	for i, f := range fields {
		f = strings.TrimSpace(f)
		at := places.of(r.FieldPos(i))
		id, ok := nativeColumn(job, f)
		switch {
		case !ok:
			in.UnknownField(f, at, shape.Names())
		case seen[id]:
			in.Warn("snapshot-repeated-column", at, at+len(f), "the column %q is there twice", f).
				Note("the first one is read")
		default:
			columns[i], seen[id] = id, true
			in.Jobs().Declare(id, format.ColumnType(id))
		}
	}
	return columns
}

func csvRow(in *format.Input, r *csv.Reader, places *lineOffsets, columns []schema.ColumnID, fields []string) {
	start := places.of(r.FieldPos(0))
	row := in.Begin(start, int(r.InputOffset()))
	if len(fields) != len(columns) {
		row.Fail(row.Start, row.End, "the number of cells is not that of the header's columns")
	}
	for i, text := range fields[:min(len(fields), len(columns))] {
		if text = strings.TrimSpace(text); columns[i] == "" || text == "" {
			continue
		}
		t := format.ColumnType(columns[i])
		at := places.of(r.FieldPos(i))
		v, ok := format.TextValue(t, text)
		if !ok {
			row.Fail(at, at+len(text),
				columns[i].Name()+" should be "+format.Wanted(t)+", not "+strconv.Quote(format.Excerpt([]byte(text))))
		}
		row.SetAt(columns[i], v, at, at+len(text))
	}
	in.Write(in.Jobs(), row, "job.id")
}

// lineOffsets turns lines and byte columns, both from 1 and asked for in
// ascending order of lines, into offsets.
type lineOffsets struct {
	text         []byte
	line, offset int
}

func (l *lineOffsets) of(line, column int) int {
	if line < l.line {
		l.line, l.offset = 1, 0
	}
	for l.line < line {
		i := bytes.IndexByte(l.text[l.offset:], '\n')
		if i < 0 {
			break
		}
		l.offset += i + 1
		l.line++
	}
	return min(l.offset+column-1, len(l.text))
}

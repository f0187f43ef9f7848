package slurm

import (
	"bytes"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// Tables of Slurm's commands have a header line. With -P, -p or a format that
// says so, cells are separated by |; otherwise they are in columns, under
// which sshare and sacctmgr draw a line of hyphens.

// slurmTable is such a table as rows of cells.
type slurmTable struct {
	header []string
	piped  bool
	bars   int          // that each row has, where the header ends with |
	width  int          // of the last column then, where the header has blanks up to it
	rulers [][2]int     // columns as the hyphens show them
	body   int          // offset of the first row
	record *slurmRecord // of the row being read
}

// tableHeader finds the header among the first lines: the one that has all the
// names. A line or two before it may be a prompt and its command.
func tableHeader(text []byte, names ...string) *slurmTable {
	const linesBefore = 3
	at := 0
	for range linesBefore {
		line, next := lineAt(text, at)
		piped := strings.Contains(line, "|")
		header := CellsOf(line, piped)
		if !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(header, n) }) {
			t := &slurmTable{header: header, piped: piped, body: next}
			if strings.HasSuffix(line, "|") {
				t.bars = strings.Count(line, "|")
				if last := line[strings.LastIndexByte(line[:len(line)-1],
					'|')+1 : len(line)-1]; strings.HasSuffix(last, " ") {
					t.width = len(last)
				}
			}
			if under, after := lineAt(text, next); !piped && strings.HasPrefix(strings.TrimSpace(under), "--") {
				t.rulers, t.body = rulersOf(under), after
			}
			return t
		}
		if next >= len(text) {
			return nil
		}
		at = next
	}
	return nil
}

// lineAt is the line that starts at an offset, and where the next one starts.
func lineAt(text []byte, at int) (line string, next int) {
	end := len(text)
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		end = at + i
		next = end + 1
	} else {
		next = end
	}
	return strings.TrimSuffix(string(text[at:end]), "\r"), next
}

// CellsOf splits a line; the | that -p prints after the last cell is no cell.
func CellsOf(line string, piped bool) []string {
	if !piped {
		return strings.Fields(line)
	}
	cells := strings.Split(line, "|")
	for i, c := range cells {
		cells[i] = strings.TrimSpace(c)
	}
	return cells
}

// rulersOf finds the columns that a line of hyphens shows.
func rulersOf(line string) (columns [][2]int) {
	for at := 0; at < len(line); {
		for at < len(line) && line[at] != '-' {
			at++
		}
		start := at
		for at < len(line) && line[at] == '-' {
			at++
		}
		if at > start {
			columns = append(columns, [2]int{start, at})
		}
	}
	return columns
}

// tableRow is one line of a table.
type tableRow struct {
	cells      []string
	indent     int // blanks before the first cell: depth in the tree
	start, end int
}

// rows calls visit for each line that is not empty. Where rows end with |, the last value of one may hold line
// breaks: then its first line has one | less, and what follows has fewer still.
func (t *slurmTable) rows(text []byte, visit func(*tableRow)) {
	for at := t.body; at < len(text); {
		line, next := lineAt(text, at)
		broken := false
		for next < len(text) && t.bars > 0 {
			more := text[next:]
			if end := bytes.IndexByte(more, '\n'); end >= 0 {
				more = more[:end+1]
			}
			if bytes.Count(more, []byte{'|'}) >= t.bars-1 {
				break
			}
			broken, next = true, next+len(more)
		}
		if broken {
			line = strings.TrimRight(string(text[at:next]), "\r\n")
		}
		if strings.TrimSpace(line) != "" {
			r := &tableRow{start: at, end: at + len(line)}
			r.indent = len(line) - len(strings.TrimLeft(line, " "))
			if t.rulers != nil {
				r.cells = cutColumns(line, t.rulers)
			} else {
				r.cells = CellsOf(line, t.piped)
			}
			visit(r)
		}
		at = next
	}
}

// cutColumns cuts a line where the hyphens show columns, so that empty cells are
// seen and blanks within a cell do not split it.
func cutColumns(line string, columns [][2]int) (cells []string) {
	for _, c := range columns {
		cell := ""
		if c[0] < len(line) {
			cell = strings.TrimSpace(line[c[0]:min(c[1], len(line))])
		}
		cells = append(cells, cell)
	}
	return cells
}

// column is the place of the n-th column of that name (from 0), or -1.
func (t *slurmTable) column(name string, n int) int {
	for i, h := range t.header {
		if h == name {
			if n == 0 {
				return i
			}
			n--
		}
	}
	return -1
}

// has reports a column.
func (t *slurmTable) has(name string) bool { return t.column(name, 0) >= 0 }

// cell is the cell of the first column of that name, "" if there is none.
func (t *slurmTable) cell(r *tableRow, name string) string {
	if i := t.column(name, 0); i >= 0 && i < len(r.cells) {
		return r.cells[i]
	}
	return ""
}

// isEmpty: nothing is under the header, so that it needs no columns that can be told apart.
func (t *slurmTable) isEmpty(text []byte) bool { return len(bytes.TrimSpace(text[t.body:])) == 0 }

// fields are the fields that the columns have; one without a reader is ignored.
func (t *slurmTable) fields(of map[string]textField) []textField {
	fields := make([]textField, len(t.header))
	for i, name := range t.header {
		fields[i] = of[name]
	}
	return fields
}

// read fills a record with the cells of a row. One that ends early is refused, as that of a file which was cut off.
func (t *slurmTable) read(r *slurmRecord, cells []string, fields []textField) error {
	if len(cells) < len(t.header) {
		return fieldError("row", "the row has %d cells where the header has %d", len(cells), len(t.header))
	}
	for i, f := range fields {
		if f.read == nil {
			continue
		}
		if err := f.read(r, f.slot, cells[i]); err != nil {
			return fieldError(t.header[i], "%s", err)
		}
	}
	return nil
}

// badRow reports a row that cannot be read.
func badRow(in *format.Input, start, end int, err error) {
	in.Bad("snapshot-bad-record", start, end, "%s", err).
		Note("the whole record is left out; no value is guessed")
}

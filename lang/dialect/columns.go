package dialect

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Cell is one part of a line: Key says with which parts of other lines it shares a column.
type Cell struct{ Key, Text string }

const (
	widestCell   = 40  // a longer one does not push the column after it
	longestLine  = 180 // columns that need more are given up
	mostKeys     = 64  // lines with more have no columns
	commentLimit = 100 // where comments do not go with those of other lines
)

// Columns lays lines out with one column for each key, in the order that all lines agree on; where they do not agree,
// what they begin with has columns. What comes out depends on the cells alone, so that laying out twice is laying out
// once.
func Columns(rows [][]Cell) []string {
	if order, ok := merged(rows); ok {
		if lines := inColumns(rows, order); fits(rows, lines) {
			return lines
		}
	}
	lines := inColumns(rows, shared(rows))
	if !fits(rows, lines) {
		return inColumns(rows, nil)
	}
	return lines
}

// widestGap is more than the eye follows.
var widestGap = strings.Repeat(" ", 48)

// fits reports that no line became long by its columns, and none has a hole in it.
func fits(rows [][]Cell, lines []string) bool {
	for i, row := range rows {
		natural := len(row) - 1
		for _, c := range row {
			natural += width(c.Text)
		}
		if n := width(lines[i]); n > longestLine && n > natural || strings.Contains(lines[i], widestGap) {
			return false
		}
	}
	return true
}

func width(s string) int { return utf8.RuneCountInString(s) }

// merged is an order of all keys in which no line goes back; false if there is none.
func merged(rows [][]Cell) (order []string, ok bool) {
	after := map[string]map[string]bool{} // by key: those that come somewhere before it
	var keys []string
	for _, row := range rows {
		for i, c := range row {
			if after[c.Key] == nil {
				after[c.Key] = map[string]bool{}
				keys = append(keys, c.Key)
			}
			if i > 0 {
				after[c.Key][row[i-1].Key] = true
			}
		}
	}
	if len(keys) > mostKeys {
		return nil, false
	}
	for len(keys) > 0 {
		i := slices.IndexFunc(keys, func(k string) bool {
			return !slices.ContainsFunc(keys, func(other string) bool { return after[k][other] })
		})
		if i < 0 {
			return nil, false // a circle, or a key twice in one line
		}
		order = append(order, keys[i])
		keys = slices.Delete(keys, i, i+1)
	}
	return order, true
}

// shared are the keys that all lines begin with.
func shared(rows [][]Cell) (order []string) {
	for i := 0; i < mostKeys; i++ {
		for _, row := range rows {
			if i >= len(row) || row[i].Key != rows[0][i].Key || slices.Contains(order, row[i].Key) {
				return order
			}
		}
		order = append(order, rows[0][i].Key)
	}
	return order
}

// inColumns starts the cells of each key of the order in one column, and the first of the rest after them.
func inColumns(rows [][]Cell, order []string) []string {
	widest := map[string]int{}
	for _, row := range rows {
		for _, c := range row {
			if n := width(c.Text); n <= widestCell {
				widest[c.Key] = max(widest[c.Key], n)
			}
		}
	}
	starts, end := map[string]int{}, 0
	for _, key := range order {
		starts[key] = end
		end += widest[key] + 1
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		var b strings.Builder
		at := 0
		for k, c := range row {
			start := starts[c.Key]
			if k == len(order) && !slices.Contains(order, c.Key) {
				start = end
			}
			gap := max(start-at, min(k, 1))
			b.WriteString(strings.Repeat(" ", gap))
			at += gap
			b.WriteString(c.Text)
			at += width(c.Text)
		}
		lines[i] = b.String()
	}
	return lines
}

// Commented puts the comments of lines that follow one another into one column, with a gap before it. A line without
// a comment ends it, and a long line goes its own way. Comments has "" for lines without one.
func Commented(lines, comments []string, gap int) []string {
	out := make([]string, len(lines))
	for i := 0; i < len(lines); {
		end, column := i, 0
		for end < len(lines) && comments[end] != "" && lines[end] != "" {
			if n := width(lines[end]); n <= commentLimit {
				column = max(column, n)
			}
			end++
		}
		for ; i < end; i++ {
			out[i] = lines[i] + strings.Repeat(" ", max(column-width(lines[i]), 0)+gap) + comments[i]
		}
		if i < len(lines) {
			out[i] = lines[i] + comments[i]
			i++
		}
	}
	return out
}

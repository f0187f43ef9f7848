package form

import (
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
)

// Grid lays text out in columns. The table library measures and wraps each cell several
// times, which for a long queue takes longer than evaluating it.
type Grid struct {
	Rows    int
	columns []gridColumn
}

type gridColumn struct {
	title string
	right bool
	width int // of the widest cell
	cells []string
}

// Add adds a column with a cell for each row.
func (g *Grid) Add(title string, right bool, cell func(row int) string) {
	g.add(title, right, cell, true)
}

// AddUsed adds a column unless all its cells are empty.
func (g *Grid) AddUsed(title string, right bool, cell func(row int) string) {
	g.add(title, right, cell, false)
}

func (g *Grid) add(title string, right bool, cell func(row int) string, always bool) {
	c := gridColumn{title: title, right: right, cells: make([]string, g.Rows)}
	for i := range c.cells {
		c.cells[i] = cell(i)
		c.width = max(c.width, TextWidth(c.cells[i]))
	}
	if always || c.width > 0 {
		c.width = max(c.width, TextWidth(title))
		g.columns = append(g.columns, c)
	}
}

// leastLast is how many columns of a terminal the last column keeps, however narrow the terminal is.
const leastLast = 16

// Fit cuts the last column so that rows fit a terminal; a width of 0 is unlimited.
func (g *Grid) Fit(width int) {
	if width <= 0 || len(g.columns) == 0 {
		return
	}
	last := &g.columns[len(g.columns)-1]
	room := max(width-g.Width()+last.width+len(Gap), leastLast)
	if last.width <= room {
		return
	}
	for i, s := range last.cells {
		last.cells[i] = text.Snip(s, room, "…")
	}
	last.width = room
}

// Width is how many columns of a terminal come before the next one.
func (g *Grid) Width() (width int) {
	for i := range g.columns {
		width += g.columns[i].width + len(Gap)
	}
	return width
}

// Gap is between columns.
const Gap = "  "

// Text writes the titles and the rows; no line ends in blanks.
func (g *Grid) Text(colour bool) string {
	var b, line strings.Builder
	for k := range g.columns {
		g.cell(&line, k, g.columns[k].title)
	}
	title := strings.TrimRight(line.String(), " ")
	if colour {
		title = text.Bold.Sprint(title)
	}
	b.WriteString(title + "\n")
	for i := range g.Rows {
		line.Reset()
		for k := range g.columns {
			g.cell(&line, k, g.columns[k].cells[i])
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

func (g *Grid) cell(line *strings.Builder, k int, s string) {
	c := &g.columns[k]
	pad := spaces(c.width - TextWidth(s))
	if c.right {
		line.WriteString(pad)
	}
	line.WriteString(s)
	if k == len(g.columns)-1 {
		return
	}
	if !c.right {
		line.WriteString(pad)
	}
	line.WriteString(Gap)
}

const blanks = "                                                                "

func spaces(n int) string {
	if n <= len(blanks) {
		return blanks[:max(n, 0)]
	}
	return strings.Repeat(" ", n)
}

// TextWidth is how many columns of a terminal s takes.
func TextWidth(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] == '\x1b' {
			return text.StringWidthWithoutEscSequences(s)
		}
	}
	return len(s)
}

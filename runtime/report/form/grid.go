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
	Columns []GridColumn
}

type GridColumn struct {
	Title string
	Right bool
	Width int // of the widest cell; the last column needs none
	Cells []string
}

// Gap stands between columns.
const Gap = "  "

// Text writes the titles and the rows; no line ends in blanks.
func (g *Grid) Text(colour bool) string {
	var b, line strings.Builder
	for k := range g.Columns {
		g.cell(&line, k, g.Columns[k].Title)
	}
	title := strings.TrimRight(line.String(), " ")
	if colour {
		title = text.Bold.Sprint(title)
	}
	b.WriteString(title + "\n")
	for i := range g.Rows {
		line.Reset()
		for k := range g.Columns {
			g.cell(&line, k, g.Columns[k].Cells[i])
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

func (g *Grid) cell(line *strings.Builder, k int, s string) {
	c := &g.Columns[k]
	pad := spaces(c.Width - TextWidth(s))
	if c.Right {
		line.WriteString(pad)
	}
	line.WriteString(s)
	if k == len(g.Columns)-1 {
		return
	}
	if !c.Right {
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

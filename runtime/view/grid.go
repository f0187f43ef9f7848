package view

import (
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
)

// grid lays text out in columns. The table library measures and wraps each cell several
// times, which for a long queue takes longer than evaluating it.
type grid struct {
	rows    int
	columns []gridColumn
}

type gridColumn struct {
	title string
	right bool
	width int // of the widest cell; the last column needs none
	cells []string
}

// gap stands between columns.
const gap = "  "

// text writes the titles and the rows; no line ends in blanks.
func (g *grid) text(colour bool) string {
	var b, line strings.Builder
	for k := range g.columns {
		g.cell(&line, k, g.columns[k].title)
	}
	title := strings.TrimRight(line.String(), " ")
	if colour {
		title = text.Bold.Sprint(title)
	}
	b.WriteString(title + "\n")
	for i := range g.rows {
		line.Reset()
		for k := range g.columns {
			g.cell(&line, k, g.columns[k].cells[i])
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

func (g *grid) cell(line *strings.Builder, k int, s string) {
	c := &g.columns[k]
	pad := spaces(c.width - textWidth(s))
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
	line.WriteString(gap)
}

const blanks = "                                                                "

func spaces(n int) string {
	if n <= len(blanks) {
		return blanks[:max(n, 0)]
	}
	return strings.Repeat(" ", n)
}

// textWidth is how many columns of a terminal s takes.
func textWidth(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] == '\x1b' {
			return text.StringWidthWithoutEscSequences(s)
		}
	}
	return len(s)
}

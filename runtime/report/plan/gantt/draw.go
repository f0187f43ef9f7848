package gantt

import (
	"fmt"
	"unicode/utf8"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// legendEntry is a sample with its text. A sample without a class is a heading.
type legendEntry struct {
	class, text string
	kind        backfill.By
}

// legendLines has how certain a start is, what else is in the chart, and whose jobs have which colour, in lines that
// are not wider than the chart.
func (g *gantt) legendLines() (lines [][]legendEntry) {
	counts := map[backfill.By]int{}
	for i := range g.Schedule.Placements {
		counts[g.At(i).By]++
	}
	var first, second []legendEntry
	for _, k := range ganttKinds {
		if n := counts[k.by]; n > 0 {
			first = append(first, legendEntry{fmt.Sprintf("u%d %s", others, k.class), fmt.Sprintf("%s (%d)", k.text, n), k.by})
		}
	}
	if g.anyReservation() {
		first = append(first, legendEntry{class: "kept", text: "reservation"})
	}
	for i := range g.Schedule.Cluster.Nodes {
		if !g.Schedule.Cluster.Nodes[i].Up {
			first = append(first, legendEntry{class: "down", text: "node that starts no jobs"})
			break
		}
	}
	c := &g.colours
	if c.by != "" {
		second = append(second, legendEntry{text: "colour by " + c.by + ":"})
		for k, name := range c.names {
			second = append(second, legendEntry{class: fmt.Sprintf("u%d s", k),
				text: fmt.Sprintf("%s (%d)", shorten(name, 20), c.counts[k])})
		}
		if c.rest > 0 {
			second = append(second, legendEntry{class: fmt.Sprintf("u%d r", others),
				text: fmt.Sprintf("%d %s (%d)", c.rest, form.Plural(c.rest, "other", "others"), c.jobs)})
		}
	}
	for _, list := range [][]legendEntry{first, second} {
		var line []legendEntry
		used := 0.0
		for _, e := range list {
			if used += e.width(); used > g.width-2*ganttMargin && len(line) > 0 {
				lines, line, used = append(lines, line), nil, e.width()
			}
			line = append(line, e)
		}
		if len(line) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

func (e *legendEntry) width() float64 {
	width := charWidth*float64(utf8.RuneCountInString(e.text)) + 14
	if e.class != "" {
		width += 18
	}
	return width
}

func (g *gantt) drawLegend() {
	for k, line := range g.legend {
		x, y := float64(ganttMargin), 46+lineHeight*float64(k)
		for _, e := range line {
			at := x
			if e.class != "" {
				g.sample(e, x, y)
				at += 18
			}
			fmt.Fprintf(g.out, "<text x=\"%s\" y=\"%s\">%s</text>", px(at), px(y+9.5), svgText(e.text))
			x += e.width()
		}
		g.out.WriteByte('\n')
	}
}

func (g *gantt) sample(e legendEntry, x, y float64) {
	fmt.Fprintf(g.out, "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"14\" height=\"11\"/>", e.class, px(x), px(y))
	if e.class == "kept" {
		fmt.Fprintf(g.out, "<rect class=\"hatch\" x=\"%s\" y=\"%s\" width=\"14\" height=\"11\"/>", px(x), px(y))
	}
	g.mark(e.kind, x, y, 14, 11)
}

// mark distinguishes boxes of one colour: those that start now have an edge, those that backfill starts have stripes.
func (g *gantt) mark(by backfill.By, x, y, width, height float64) {
	switch {
	case by == backfill.ByMain && width > 4:
		fmt.Fprintf(g.out, "<rect class=\"edge\" x=\"%s\" y=\"%s\" width=\"3\" height=\"%s\"/>", px(x), px(y), px(height))
	case by == backfill.ByBackfill && width > 3 && height > 3:
		fmt.Fprintf(g.out, "<rect class=\"over\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>", px(x), px(y), px(width),
			px(height))
	}
}

// rows draws labels and lines of the nodes, and greys those that are not up.
func (g *gantt) rows() {
	left, right := g.scale.left, g.scale.right
	for node := range g.Schedule.Cluster.Nodes {
		if n := &g.Schedule.Cluster.Nodes[node]; !n.Up {
			fmt.Fprintf(g.out, "<rect class=\"down\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>%s: "+
				"%s</title></rect>\n", px(left), px(g.top+float64(node)*g.lane),
				px(right-left), px(g.lane), svgText(n.Name), svgText(n.State))
		}
	}
	for _, l := range g.labels() {
		y := g.top + float64(l.node)*g.lane
		middle := y + float64(l.rows)*g.lane/2
		fmt.Fprintf(g.out, "<path class=\"grid\" d=\"M%s %sH%s\"/><text x=\"%s\" y=\"%s\" text-anchor=\"end\">%s</text>\n",
			px(left), px(y), px(right), px(left-5), px(middle+4), svgText(l.text))
	}
	fmt.Fprintf(g.out, "<path class=\"grid\" d=\"M%s %sH%s\"/>\n", px(left), px(g.floor()), px(right))
	if len(g.aside) > 0 {
		text := fmt.Sprintf("%d %s a time and no place above: others have %s nodes then, or only the time is planned",
			len(g.aside), form.Plural(len(g.aside), "job has", "jobs have"), form.Plural(len(g.aside), "its", "their"))
		fmt.Fprintf(g.out, "<text class=\"dim\" x=\"%s\" y=\"%s\">%s</text>\n", px(left), px(g.asideTop-6), text)
	}
}

// reservations draws what is kept, nodes that are beside each other as one. Jobs that are admitted lie over it.
func (g *gantt) reservations() {
	for k := range g.Schedule.Cluster.Reservations {
		r := &g.Schedule.Cluster.Reservations[k]
		list := g.keptBoxes(r)
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(g.out, "<g><title>reservation %s\n%s to %s</title>", svgText(r.Name), g.Moment(r.Start),
			g.Moment(r.End))
		named := false
		for _, b := range list {
			area := fmt.Sprintf("x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"", px(b.x), px(b.y), px(b.width), px(b.height))
			fmt.Fprintf(g.out, "<rect class=\"kept\" %s/><rect class=\"hatch\" %s/>", area, area)
			if !named && b.height >= labelHeight && b.width > textLength(r.Name) {
				named = true
				fmt.Fprintf(g.out, "<rect class=\"kept\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%d\"/><text class=\"keptname\" "+
					"x=\"%s\" y=\"%s\">%s</text>",
					px(b.x), px(b.y), px(textLength(r.Name)+2), labelHeight, px(b.x+3), px(b.y+10), svgText(r.Name))
			}
		}
		g.out.WriteString("</g>\n")
	}
}

// outlines draws over the jobs the edges of reservations, and those of nodes whose rows have many boxes.
func (g *gantt) outlines() {
	if g.lane > 2*rowHeight {
		for node := 1; node < g.rowCount(); node++ {
			fmt.Fprintf(g.out, "<path class=\"rule\" d=\"M%s %sH%s\"/>\n", px(g.scale.left), px(g.top+float64(node)*g.lane),
				px(g.scale.right))
		}
	}
	for k := range g.Schedule.Cluster.Reservations {
		for _, b := range g.keptBoxes(&g.Schedule.Cluster.Reservations[k]) {
			fmt.Fprintf(g.out, "<rect class=\"outline\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n", px(b.x), px(b.y),
				px(b.width), px(b.height))
		}
	}
}

func (g *gantt) keptBoxes(r *backfill.Reservation) (boxes []box) {
	x0, x1 := g.scale.x(r.Start), g.scale.x(r.End)
	if x1-x0 < 0.1 {
		return nil
	}
	var list []rows
	for _, node := range r.Nodes {
		height := 1.0
		if all := g.Schedule.Cluster.Nodes[node].Capacity.Procs; r.Amounts.Procs > 0 && all > 0 {
			height = min(1, float64(r.Amounts.Procs)/float64(all))
		}
		list = append(list, rows{float64(node) + 1 - height, height})
	}
	for _, r := range together(list) {
		boxes = append(boxes, box{-1, x0, g.top + r.top*g.lane, x1 - x0, r.height * g.lane})
	}
	return boxes
}

// jobs draws each job's boxes with one title, and its name where it fits.
func (g *gantt) jobs() {
	for k := 0; k < len(g.boxes); {
		i := g.boxes[k].request
		end := k
		for end < len(g.boxes) && g.boxes[end].request == i {
			end++
		}
		kind := kindOf(g.At(i).By)
		fmt.Fprintf(g.out, "<g class=\"j u%d %s\"><title>%s</title>", g.colours.group[i], kind.class, g.tooltip(i))
		for _, b := range g.boxes[k:end] {
			thin := ""
			if b.width < 3 || b.height < 3 {
				thin = " class=\"t\"" // a line around it would cover it
			}
			fmt.Fprintf(g.out, "<rect%s x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>", thin, px(b.x), px(b.y), px(b.width),
				px(b.height))
			g.mark(kind.by, b.x, b.y, b.width, b.height)
			g.name(i, b)
		}
		g.out.WriteString("</g>\n")
		k = end
	}
}

// name writes who a box belongs to, as much as it has room for: along it, or upwards where it is narrow and tall.
func (g *gantt) name(i int, b box) {
	id, user := source.Plain(g.Request(i).ID), source.Plain(g.Request(i).User)
	if now := g.scale.x(g.Schedule.Now) + 2; b.x < now && b.x+b.width-now >= textLength(id) {
		b.x, b.width = now, b.x+b.width-now // not under the line of now
	}
	x, y := b.x+b.width/2, b.y+b.height/2
	switch {
	case b.height >= labelHeight && b.width >= textLength(id+" "+user):
		fmt.Fprintf(g.out, "<text x=\"%s\" y=\"%s\">%s</text>", px(x), px(y+4), svgText(id+" "+user))
	case b.height >= labelHeight && b.width >= textLength(id):
		fmt.Fprintf(g.out, "<text x=\"%s\" y=\"%s\">%s</text>", px(x), px(y+4), svgText(id))
	case b.width >= labelHeight && b.height >= textLength(id):
		fmt.Fprintf(g.out, "<text transform=\"translate(%s %s)rotate(-90)\">%s</text>", px(x+4), px(y), svgText(id))
	}
}

// textLength is how much room a text takes, about.
func textLength(s string) float64 { return charWidth*float64(utf8.RuneCountInString(s)) + 6 }

func shorten(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}

// labelWidth is the width of the longest label of a row, in characters.
func (g *gantt) labelWidth() int {
	width := 4
	for _, l := range g.labels() {
		width = max(width, utf8.RuneCountInString(l.text))
	}
	return width
}

// rowLabel names the nodes of one or several rows.
type rowLabel struct {
	node int // the first
	rows int
	text string
}

// labels names each node where there is room, else as many together as take a line.
func (g *gantt) labels() []rowLabel {
	nodes := g.Schedule.Cluster.Nodes
	step := 1
	if g.lane < labelHeight {
		step = int(labelHeight*1.6/g.lane) + 1
	}
	var list []rowLabel
	for first := 0; first < len(nodes); first += step {
		count := min(step, len(nodes)-first)
		names := make([]string, count)
		for k := range names {
			names[k] = source.Plain(nodes[first+k].Name)
		}
		text := names[0]
		if count > 1 {
			text = slurmtext.CompressHostlist(names)
		}
		list = append(list, rowLabel{first, count, shorten(text, 24)})
	}
	return list
}

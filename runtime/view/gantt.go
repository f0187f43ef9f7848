package view

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/backfill"
)

// The chart's measures, in pixels.
const (
	ganttWidth  = 1280
	ganttRight  = 16
	ganttTop    = 84 // above the rows: title, legend and time axis
	ganttFoot   = 40
	rowHeight   = 20   // of a node, where there is room
	chartHeight = 1040 // of all rows at most; rows of many nodes are thinner
	leastHeight = 120
	charWidth   = 6.1 // of the font at 10 pixels, about
	labelHeight = 11  // rows of this height and more have names and ids
)

// gantt is a chart in the making.
type gantt struct {
	*Plan
	out      *bufio.Writer
	from, to int64   // epoch seconds
	left     float64 // where the time axis begins
	lane     float64 // height of a node
	boxes    []box
	order    []int // requests in the order in which they are drawn
	unseen   int   // boxes left out because nobody could see them
}

// WriteGantt draws the plan as an SVG: nodes from top to bottom, time from left to right. Jobs that share a node
// share its row by their processors. The output depends on nothing but the plan.
func WriteGantt(w io.Writer, p *Plan) error {
	p.Schedule.Detail()
	g := &gantt{Plan: p, out: bufio.NewWriter(w)}
	nodes := max(1, len(p.Schedule.Cluster.Nodes))
	g.lane = min(rowHeight, chartHeight/float64(nodes))
	if float64(nodes)*g.lane < leastHeight {
		g.lane = leastHeight / float64(nodes)
	}
	if nodes == 1 {
		g.lane = 640 // a machine that is one pool: a picture of its processors
	}
	g.span()
	g.layout()
	g.left = 16 + charWidth*float64(g.labelWidth())
	g.thin()
	g.write()
	return g.out.Flush()
}

// span chooses the time shown: from a little before now to the last end, but not so far that one long job makes all
// others thin: what lies beyond twice the time of the last start is cut off.
func (g *gantt) span() {
	now := g.Schedule.Now
	last, end := now, now
	for i := range g.Schedule.Placements {
		at := g.at(i)
		if at.By == backfill.ByNone {
			continue
		}
		if at.By != backfill.ByRunning {
			last = max(last, at.Start)
		}
		if at.End < backfill.Forever {
			end = max(end, at.End)
		}
	}
	g.to = max(min(end, now+2*(last-now)+4*3600), now+600)
	g.from = now - (g.to-now)/40
}

func (g *gantt) x(at int64) float64 {
	at = max(g.from, min(g.to, at))
	return g.left + float64(at-g.from)/float64(g.to-g.from)*(ganttWidth-ganttRight-g.left)
}

func (g *gantt) bottom() float64 {
	return ganttTop + g.lane*float64(max(1, len(g.Schedule.Cluster.Nodes)))
}

// ganttKinds are the kinds of boxes with their colours: two shades of each, which neighbours take in turn.
var ganttKinds = []struct {
	by          backfill.By
	class, text string
	shades      [2]string
}{
	{backfill.ByRunning, "r", "running", [2]string{"#9aa5b1", "#b4bdc7"}},
	{backfill.ByMain, "m", "starts now", [2]string{"#3f9c5a", "#5fb478"}},
	{backfill.ByBackfill, "b", "backfilled", [2]string{"#e08e2b", "#eda955"}},
	{backfill.ByReservation, "v", "reserved", [2]string{"#3d78b8", "#6397cf"}},
	{backfill.ByEstimate, "e", "estimate", [2]string{"#c3d7ea", "#d8e5f2"}},
}

func (g *gantt) write() {
	height := g.bottom() + ganttFoot
	fmt.Fprintf(g.out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%s\" viewBox=\"0 0 %d %s\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"10\">\n",
		ganttWidth, px(height), ganttWidth, px(height))
	g.style()
	fmt.Fprintf(g.out, "<rect width=\"%d\" height=\"%s\" fill=\"#fff\"/>\n", ganttWidth, px(height))
	g.title()
	g.legend()
	g.rows()
	g.axis()
	g.reservations()
	g.jobs()
	x := px(g.x(g.Schedule.Now))
	fmt.Fprintf(g.out, "<path class=\"now\" d=\"M%s %dV%s\"/><text x=\"%s\" y=\"%s\" text-anchor=\"middle\" fill=\"#b3261e\">now</text>\n", x, ganttTop-4, px(g.bottom()+4), x, px(g.bottom()+14))
	g.foot()
	g.out.WriteString("</svg>\n")
}

func (g *gantt) style() {
	g.out.WriteString("<defs><pattern id=\"kept\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#fbeceb\"/><path d=\"M0 0V6\" stroke=\"#d98a84\" stroke-width=\"3\"/></pattern></defs>\n<style>")
	for _, k := range ganttKinds {
		for shade, colour := range k.shades {
			fmt.Fprintf(g.out, ".%s%d{fill:%s}", k.class, shade, colour)
		}
	}
	stroke := "0.6"
	if g.lane < 4 {
		stroke = "0"
	}
	fmt.Fprintf(g.out, ".j rect{stroke:#fff;stroke-width:%s}.j text{fill:#fff;pointer-events:none}.j.e0 text,.j.e1 text,.j.r1 text{fill:#333}.k{fill:url(#kept);stroke:#d98a84;stroke-width:.5}"+
		".d{fill:#e4e4e4}.g{stroke:#ddd;stroke-width:.5;fill:none}.now{stroke:#b3261e;stroke-width:1;stroke-dasharray:3 2;fill:none}.l{fill:#555}</style>\n", stroke)
}

func (g *gantt) title() {
	m := g.metrics()
	fmt.Fprintf(g.out, "<text x=\"16\" y=\"20\" font-size=\"14\" font-weight=\"bold\">Plan of %s at %s UTC</text>\n", svgText(g.Result.Program.Policy), utc(g.Schedule.Now, "2006-01-02 15:04:05"))
	jobs, nodes := len(g.Schedule.Requests), len(g.Schedule.Cluster.Nodes)
	line := fmt.Sprintf("%d %s on %d %s, planned as %s does", jobs, plural(jobs, "job", "jobs"), nodes, plural(nodes, "node", "nodes"), map[string]string{"maui": "Maui", "slurm": "slurmctld", "native": "the native planner"}[g.Planner])
	if m.ProcsUp > 0 {
		line += fmt.Sprintf("; %.0f%% of %d processors in use now", 100*m.UseNow, m.ProcsUp)
	}
	fmt.Fprintf(g.out, "<text x=\"16\" y=\"36\" class=\"l\">%s</text>\n", svgText(line))
}

// legend has the kinds that occur, with how many jobs are of each.
func (g *gantt) legend() {
	counts := map[backfill.By]int{}
	for i := range g.Schedule.Placements {
		counts[g.at(i).By]++
	}
	x := 16.0
	entry := func(class, text string) {
		fmt.Fprintf(g.out, "<rect class=\"%s\" x=\"%s\" y=\"44\" width=\"12\" height=\"10\"/><text x=\"%s\" y=\"53\">%s</text>", class, px(x), px(x+16), text)
		x += 16 + charWidth*float64(len(text)) + 14
	}
	for _, k := range ganttKinds {
		if n := counts[k.by]; n > 0 {
			entry(k.class+"0", fmt.Sprintf("%s (%d)", k.text, n))
		}
	}
	if slices.ContainsFunc(g.Schedule.Cluster.Reservations, func(r backfill.Reservation) bool { return r.Start < g.to && r.End > g.from }) {
		entry("k", "reservation")
	}
	if slices.ContainsFunc(g.Schedule.Cluster.Nodes, func(n backfill.Node) bool { return !n.Up }) {
		entry("d", "node not up")
	}
	g.out.WriteByte('\n')
}

// foot names the jobs that are not in the chart.
func (g *gantt) foot() {
	var ids []string
	for i := range g.Schedule.Placements {
		if at := g.at(i); at.By == backfill.ByNone || at.Start >= g.to {
			ids = append(ids, g.request(i).ID)
		}
	}
	if g.unseen > 0 {
		fmt.Fprintf(g.out, "<text x=\"%d\" y=\"%s\" class=\"l\" text-anchor=\"end\">%d boxes that are too small to be seen are left out</text>\n", ganttWidth-ganttRight, px(g.bottom()+32), g.unseen)
	}
	if len(ids) == 0 {
		return
	}
	more := ""
	if len(ids) > 20 {
		more = fmt.Sprintf(" and %d more", len(ids)-20)
		ids = ids[:20]
	}
	fmt.Fprintf(g.out, "<text x=\"16\" y=\"%s\" class=\"l\">not in the chart: %s%s</text>\n", px(g.bottom()+32), svgText(strings.Join(ids, ", ")), more)
}

func utc(at int64, layout string) string { return time.Unix(at, 0).UTC().Format(layout) }

// px writes a length with one decimal at most.
func px(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}

// svgText makes a name safe to stand in XML.
func svgText(s string) string { return html.EscapeString(strings.ToValidUTF8(printable(s), "\ufffd")) }

// labelWidth is the width of the longest label of a row, in characters.
func (g *gantt) labelWidth() int {
	width := 4
	for _, l := range g.labels() {
		width = max(width, len(l.text))
	}
	return min(width, 24)
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
		rows := min(step, len(nodes)-first)
		names := make([]string, rows)
		for k := range names {
			names[k] = printable(nodes[first+k].Name)
		}
		text := names[0]
		if rows > 1 {
			text = slurmtext.CompressHostlist(names)
		}
		if len(text) > 24 {
			text = text[:23] + "…"
		}
		list = append(list, rowLabel{first, rows, text})
	}
	return list
}

package gantt

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/report/form"
	"github.com/fairway-sched/fairway/runtime/report/plan"
)

// The chart's measures, in pixels.
const (
	ganttMargin = 16
	narrowChart = 1280
	wideChart   = 1680 // of more jobs than manyJobs
	manyJobs    = 100
	rowHeight   = 22   // of a node, where there is room
	chartHeight = 1040 // of all rows at most; rows of many nodes are thinner
	tallChart   = 1600 // where jobs share nodes
	leastHeight = 132
	asideHeight = 480 // of the jobs below the nodes, at most
	asideLane   = 16  // of one of them
	charWidth   = 6.2 // of the font, about
	labelHeight = 12  // rows of this height and more have names and ids
	lineHeight  = 16
)

// gantt is a chart in the making. From top to bottom it has a title, the legend, the time axis, the nodes, the jobs
// that are beside the nodes, and what the chart does not show.
type gantt struct {
	*plan.Plan
	out     *bufio.Writer
	sum     plan.PlanMetrics
	scale   timeScale
	colours colouring
	width   float64
	legend  [][]legendEntry // line by line
	top     float64         // of the rows
	lane    float64         // height of a node

	boxes     []box
	trimmed   map[int]part // when a request is drawn, if not at all of its time
	aside     []int        // requests that are drawn below the nodes
	asideTop  float64      // of their first lane
	asideLane float64
	bottom    float64 // of the last box
	unseen    int     // boxes too small to be seen
}

// WriteGantt draws the plan as an SVG: nodes from top to bottom, time from left to right. Jobs that share a node
// share its row by their processors. The output depends on nothing but the plan.
func WriteGantt(w io.Writer, p *plan.Plan) error {
	g := newGantt(p)
	g.out = bufio.NewWriter(w)
	g.write()
	return g.out.Flush()
}

// newGantt gives everything in the chart its place.
func newGantt(p *plan.Plan) *gantt {
	p.Schedule.Detail()
	g := &gantt{Plan: p, sum: p.Metrics(), width: narrowChart}
	if len(p.Schedule.Requests) > manyJobs {
		g.width = wideChart
	}
	g.lane = g.laneHeight()
	g.colours = g.colour()
	left := ganttMargin + 4 + charWidth*float64(g.labelWidth())
	g.scale = g.chooseScale(left, g.width-ganttMargin)
	g.legend = g.legendLines()
	g.top = 46 + lineHeight*float64(len(g.legend)) + 34
	g.layout()
	return g
}

// laneHeight is a row's: as much as a node needs for its label, and where jobs share nodes for theirs.
func (g *gantt) laneHeight() float64 {
	var tasks []int64 // how many lines a row would need for a job's part of it
	for i := range g.Schedule.Requests {
		for _, s := range g.At(i).Nodes {
			if g.At(i).By != backfill.ByNone {
				tasks = append(tasks, g.capacity(s.Node)/g.procsOn(i, s))
			}
		}
	}
	nodes := float64(g.rowCount())
	lines := float64(quantile(tasks, 0.8))
	most := float64(chartHeight)
	if lines > 1 {
		most = tallChart
	}
	return max(min(max(rowHeight, (labelHeight+1)*lines), most/nodes, 640), leastHeight/nodes)
}

func (g *gantt) rowCount() int { return max(1, len(g.Schedule.Cluster.Nodes)) }

// floor is where the rows end.
func (g *gantt) floor() float64 { return g.top + g.lane*float64(g.rowCount()) }

func (g *gantt) write() {
	notes := g.notes()
	height := g.bottom + 28 + lineHeight*float64(len(notes))
	fmt.Fprintf(g.out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\" "+
		"role=\"img\" aria-labelledby=\"title desc\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"11\">\n",
		px(g.width), px(height), px(g.width), px(height))
	fmt.Fprintf(g.out, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", svgText(g.headline()),
		svgText(g.description(notes)))
	g.style()
	fmt.Fprintf(g.out, "<rect class=\"paper\" width=\"%s\" height=\"%s\"/>\n", px(g.width), px(height))
	fmt.Fprintf(g.out, "<text x=\"%d\" y=\"20\" font-size=\"15\" font-weight=\"bold\">%s</text>\n", ganttMargin,
		svgText(g.headline()))
	fmt.Fprintf(g.out, "<text x=\"%d\" y=\"37\" class=\"dim\">%s</text>\n", ganttMargin, svgText(g.subtitle()))
	g.drawLegend()
	g.axis()
	g.rows()
	g.reservations()
	g.jobs()
	g.outlines()
	x := px(g.scale.x(g.Schedule.Now))
	fmt.Fprintf(g.out, "<path class=\"now\" d=\"M%s %sV%s\"/><text class=\"nowtext\" x=\"%s\" y=\"%s\">now</text>\n", x,
		px(g.top-4), px(g.bottom+4), x, px(g.bottom+14))
	for k, line := range notes {
		fmt.Fprintf(g.out, "<text x=\"%d\" y=\"%s\" class=\"dim\">%s</text>\n", ganttMargin,
			px(g.bottom+30+lineHeight*float64(k)), svgText(line))
	}
	g.out.WriteString("</svg>\n")
}

func (g *gantt) headline() string {
	return fmt.Sprintf("Plan of %s at %s %s", g.Result.Program.Policy, g.Moment(g.Schedule.Now), g.Zone())
}

func (g *gantt) subtitle() string {
	jobs, nodes := len(g.Schedule.Requests), len(g.Schedule.Cluster.Nodes)
	line := fmt.Sprintf("%d %s on %d %s, planned as %s does", jobs, form.Plural(jobs, "job", "jobs"), nodes,
		form.Plural(nodes, "node", "nodes"), map[string]string{"maui": "Maui", "slurm": "slurmctld",
			"native": "the native planner"}[g.Planner])
	if g.sum.ProcsUp > 0 {
		line += fmt.Sprintf("; %.0f%% of %d processors in use now", 100*g.sum.UseNow, g.sum.ProcsUp)
	}
	if g.sum.LastStart > 0 {
		line += fmt.Sprintf("; the last job starts at %s", g.Moment(g.sum.LastStart))
	}
	return line
}

// description says in words what the chart shows, to those who do not see it.
func (g *gantt) description(notes []string) string {
	parts := []string{g.subtitle()}
	for _, line := range g.legend {
		for _, e := range line {
			parts = append(parts, e.text)
		}
	}
	return strings.Join(append(parts, notes...), "; ") + ". Rows are nodes, time runs from left to right."
}

// namedJobs bounds how many ids a note lists.
const namedJobs = 16

// notes say what the chart does not show, and what is drawn elsewhere than on its nodes.
func (g *gantt) notes() []string {
	var without, later []string
	for i := range g.Schedule.Placements {
		switch at := g.At(i); {
		case at.By == backfill.ByNone:
			without = append(without, g.Request(i).ID)
		case at.Start >= g.scale.to:
			later = append(later, g.Request(i).ID)
		}
	}
	var lines []string
	if d := g.scale.density(); d > 1 {
		lines = append(lines, fmt.Sprintf("the shaded part of the chart, from %s on, has "+
			"%.1f times as much time on the same width", g.Moment(g.scale.middle), d))
	}
	if len(later) > 0 {
		lines = append(lines, fmt.Sprintf("%d %s after the end of the chart, %s: %s", len(later),
			form.Plural(len(later), "job starts", "jobs start"), g.Moment(g.scale.to), someOf(later)))
	}
	if len(without) > 0 {
		lines = append(lines, fmt.Sprintf("%d %s no time: %s", len(without),
			form.Plural(len(without), "job has", "jobs have"), someOf(without)))
	}
	if g.unseen > 0 {
		lines = append(lines, fmt.Sprintf("%d %s too small or too many to be seen %s left out", g.unseen,
			form.Plural(g.unseen, "box that is", "boxes that are"), form.Plural(g.unseen, "is", "are")))
	}
	return lines
}

// someOf lists the first ids.
func someOf(ids []string) string {
	if len(ids) <= namedJobs {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:namedJobs], ", "), len(ids)-namedJobs)
}

// tooltip says what somebody wants to know of a box under the pointer.
func (g *gantt) tooltip(i int) string {
	r, at := g.Request(i), g.At(i)
	who := r.User
	if r.Account != "" {
		who += " (" + r.Account + ")"
	}
	lines := []string{
		fmt.Sprintf("job %s, %s", r.ID, who),
		fmt.Sprintf("%s for %s", g.Asks(i), g.TimeText(i)),
		g.Moment(at.Start) + " to " + g.Moment(at.End),
		kindOf(at.By).text,
	}
	if nodes := g.HostList(i); nodes != "" {
		lines = append(lines, "on "+nodes)
	}
	if at.Start > g.Schedule.Now {
		lines[3] += ", in " + form.SpanText(at.Start-g.Schedule.Now)
		if waits := g.WaitsInShort(i); waits != "" {
			lines = append(lines, "waits for "+waits)
		}
	}
	for k := range lines {
		lines[k] = svgText(lines[k])
	}
	return strings.Join(lines, "\n")
}

// px writes a length, to a hundredth.
func px(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// svgText makes a name safe in XML.
func svgText(s string) string { return html.EscapeString(source.Plain(s)) }

// anyReservation reports one within the time shown.
func (g *gantt) anyReservation() bool {
	return slices.ContainsFunc(g.Schedule.Cluster.Reservations,
		func(r backfill.Reservation) bool { return r.Start < g.scale.to && r.End > g.scale.from })
}

package view

import (
	"fmt"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
)

// rows draws labels and lines of the nodes, and greys those that are not up.
func (g *gantt) rows() {
	right := px(ganttWidth - ganttRight)
	for node := range g.Schedule.Cluster.Nodes {
		if n := &g.Schedule.Cluster.Nodes[node]; !n.Up {
			fmt.Fprintf(g.out, "<rect class=\"d\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>%s: %s</title></rect>\n", px(g.left), px(ganttTop+float64(node)*g.lane),
				px(ganttWidth-ganttRight-g.left), px(g.lane), svgText(n.Name), svgText(n.State))
		}
	}
	for _, l := range g.labels() {
		y := ganttTop + float64(l.node)*g.lane
		middle := y + float64(l.rows)*g.lane/2
		fmt.Fprintf(g.out, "<path class=\"g\" d=\"M%s %sH%s\"/><text x=\"%s\" y=\"%s\" text-anchor=\"end\">%s</text>\n", px(g.left), px(y), right, px(g.left-5), px(middle+3.5), svgText(l.text))
	}
	fmt.Fprintf(g.out, "<path class=\"g\" d=\"M%s %sH%s\"/>\n", px(g.left), px(g.bottom()), right)
}

// tickSteps are the distances of ticks, in seconds.
var tickSteps = []int64{60, 120, 300, 600, 900, 1800, 3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86400, 2 * 86400, 7 * 86400, 14 * 86400, 28 * 86400, 91 * 86400, 364 * 86400}

// axis draws ticks at round times of UTC, and the day where one begins.
func (g *gantt) axis() {
	step := tickSteps[len(tickSteps)-1]
	for _, s := range tickSteps {
		if (g.to-g.from)/s <= 14 {
			step = s
			break
		}
	}
	day, free := "", 0.0 // from where there is room for the next day
	for at := (g.from/step + 1) * step; at <= g.to; at += step {
		x := px(g.x(at))
		fmt.Fprintf(g.out, "<path class=\"g\" d=\"M%s %dV%s\"/>", x, ganttTop-4, px(g.bottom()))
		if step < 86400 {
			fmt.Fprintf(g.out, "<text x=\"%s\" y=\"%d\" text-anchor=\"middle\">%s</text>", x, ganttTop-7, utc(at, "15:04"))
		}
		half := charWidth * 7.2 // of a day's label
		if today := utc(at, "Mon 2006-01-02"); today != day && g.x(at) >= free {
			day, free = today, g.x(at)+2*half
			fmt.Fprintf(g.out, "<text x=\"%s\" y=\"%d\" text-anchor=\"middle\" class=\"l\">%s</text>", px(min(g.x(at), ganttWidth-half)), ganttTop-18, day)
		}
		g.out.WriteByte('\n')
	}
}

// reservations draws what is kept, nodes that stand beside each other as one.
func (g *gantt) reservations() {
	for k := range g.Schedule.Cluster.Reservations {
		r := &g.Schedule.Cluster.Reservations[k]
		if r.Start >= g.to || r.End <= g.from {
			continue
		}
		var list []box
		for _, node := range r.Nodes {
			height := 1.0
			if all := g.Schedule.Cluster.Nodes[node].Capacity.Procs; r.Amounts.Procs > 0 && all > 0 {
				height = min(1, float64(r.Amounts.Procs)/float64(all))
			}
			list = append(list, box{-1, float64(node) + 1 - height, height})
		}
		x, end := g.x(r.Start), "no end"
		if r.End < backfill.Forever {
			end = utc(r.End, "2006-01-02 15:04:05")
		}
		fmt.Fprintf(g.out, "<g><title>reservation %s\n%s to %s</title>", svgText(r.Name), utc(r.Start, "2006-01-02 15:04:05"), end)
		for _, b := range together(list) {
			y, width, height := ganttTop+b.top*g.lane, g.x(r.End)-x, b.height*g.lane
			fmt.Fprintf(g.out, "<rect class=\"k\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>", px(x), px(y), px(width), px(height))
			if height >= labelHeight && width > charWidth*float64(len(r.Name))+6 {
				fmt.Fprintf(g.out, "<text x=\"%s\" y=\"%s\" fill=\"#8c2f28\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\">%s</text>", px(x+4), px(y+height/2+3.5), svgText(r.Name))
			}
		}
		g.out.WriteString("</g>\n")
	}
}

// jobs draws each job's boxes with one title, and its id where it fits.
func (g *gantt) jobs() {
	shade := map[string]int{}
	for k := 0; k < len(g.boxes); {
		i := g.boxes[k].request
		end := k
		for end < len(g.boxes) && g.boxes[end].request == i {
			end++
		}
		r, at := g.request(i), g.at(i)
		class := ""
		for _, kind := range ganttKinds {
			if kind.by == at.By {
				class = fmt.Sprint(kind.class, shade[kind.class]%2)
				shade[kind.class]++
			}
		}
		x := g.x(at.Start)
		width := max(g.x(at.End)-x, 0.5)
		fmt.Fprintf(g.out, "<g class=\"j %s\"><title>%s</title>", class, svgText2(g.tooltip(i)))
		for _, b := range g.boxes[k:end] {
			y, height := ganttTop+b.top*g.lane, b.height*g.lane
			fmt.Fprintf(g.out, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>", px(x), px(y), px(width), px2(height))
			if height >= labelHeight && width >= charWidth*float64(len(r.ID))+4 {
				fmt.Fprintf(g.out, "<text x=\"%s\" y=\"%s\" text-anchor=\"middle\">%s</text>", px(x+width/2), px(y+height/2+3.5), svgText(r.ID))
			}
		}
		g.out.WriteString("</g>\n")
		k = end
	}
}

// px2 is px for heights, which may be thinner than a tenth.
func px2(v float64) string {
	if v < 1 {
		return fmt.Sprintf("%.3g", v)
	}
	return px(v)
}

// tooltip says what somebody wants to know of a box under the pointer.
func (g *gantt) tooltip(i int) []string {
	r, at := g.request(i), g.at(i)
	lines := []string{
		fmt.Sprintf("job %s, %s", r.ID, r.User),
		fmt.Sprintf("%s for %s", g.asks(i), walltimeText(r.WalltimeSeconds)),
		utc(at.Start, "2006-01-02 15:04:05") + " to " + utc(min(at.End, g.Schedule.Now+100*365*86400), "2006-01-02 15:04:05"),
		string(at.By),
	}
	if nodes := g.hostList(i); nodes != "" {
		lines = append(lines, nodes)
	}
	if at.Start > g.Schedule.Now {
		lines = append(lines, "in "+engine.MauiSpan(at.Start-g.Schedule.Now))
	}
	return lines
}

// svgText2 joins the lines of a title.
func svgText2(lines []string) string {
	out := ""
	for k, l := range lines {
		if k > 0 {
			out += "\n"
		}
		out += svgText(l)
	}
	return out
}

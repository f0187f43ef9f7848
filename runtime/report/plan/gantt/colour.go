package gantt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// rgb is a colour.
type rgb [3]float64

func (c rgb) String() string {
	return fmt.Sprintf("#%02x%02x%02x", int(c[0]+0.5), int(c[1]+0.5), int(c[2]+0.5))
}

// over is a colour laid over another one, so much of it.
func (c rgb) over(paper rgb, share float64) (out rgb) {
	for k := range c {
		out[k] = share*c[k] + (1-share)*paper[k]
	}
	return out
}

// ink is what can be read on a colour.
func (c rgb) ink() string {
	if 0.299*c[0]+0.587*c[1]+0.114*c[2] > 135 {
		return "#111"
	}
	return "#fff"
}

// hues are the colours of the largest groups of jobs; the last is that of all others. They can be told apart without
// red and green.
var hues = [...]rgb{{0x2f, 0x6f, 0xb5}, {0xd8, 0x81, 0x1b}, {0x2f, 0x93, 0x63}, {0x8a, 0x5b, 0xb3}, {0x22, 0x9d, 0xb0},
	{0xc8, 0x5c, 0x93}, {0x8b, 0x64, 0x42}, {0x9a, 0x9a, 0x28}, {0x84, 0x8c, 0x96}}

const others = len(hues) - 1

// ganttKind is how far a job's start is certain, with how strong its colour is.
type ganttKind struct {
	by          backfill.By
	class, text string
	share       float64
}

var ganttKinds = []ganttKind{
	{backfill.ByRunning, "r", "running", 1},
	{backfill.ByMain, "m", "starts now", 1},
	{backfill.ByBackfill, "b", "starts now by backfill", 1},
	{backfill.ByReservation, "v", "starts later, with a reservation", 0.62},
	{backfill.ByEstimate, "e", "starts later, an estimate", 0.32},
}

func kindOf(by backfill.By) ganttKind {
	for _, k := range ganttKinds {
		if k.by == by {
			return k
		}
	}
	return ganttKind{text: "without a time"}
}

// colouring says whose jobs have which colour.
type colouring struct {
	by     string    // user, account or partition; "" if all jobs have one colour
	names  []string  // of the groups that have a colour of their own, the largest first
	counts []int     // their jobs
	rest   int       // groups that have the colour of others
	jobs   int       // their jobs
	group  []int     // by request: its hue
	used   [][5]bool // by hue: which kinds occur
}

// colour groups the jobs in the chart by the first of user, account and partition that has at most as many values as
// there are colours, else by the first that has several.
func (g *gantt) colour() colouring {
	names := []struct {
		word string
		of   func(r *backfill.Request) string
	}{
		{"user", func(r *backfill.Request) string { return r.User }},
		{"account", func(r *backfill.Request) string { return r.Account }},
		{g.Result.Facts.Partitions.Word(), func(r *backfill.Request) string { return r.Class }},
	}
	c := colouring{group: make([]int, len(g.Schedule.Requests)), used: make([][5]bool, len(hues))}
	var sizes map[string]int
	var of func(r *backfill.Request) string
	for _, few := range []bool{true, false} {
		for _, n := range names {
			found := map[string]int{}
			for i := range g.Schedule.Requests {
				if g.At(i).By != backfill.ByNone {
					found[n.of(g.Request(i))]++
				}
			}
			if of == nil && len(found) > 1 && (len(found) <= others || !few) {
				c.by, sizes, of = n.word, found, n.of
			}
		}
	}
	hue := map[string]int{}
	for _, name := range sorted(sizes) {
		if name == "" || len(c.names) == others {
			hue[name] = others
			c.rest++
			c.jobs += sizes[name]
			continue
		}
		hue[name] = len(c.names)
		c.names, c.counts = append(c.names, name), append(c.counts, sizes[name])
	}
	for i := range g.Schedule.Requests {
		if of != nil {
			c.group[i] = hue[of(g.Request(i))]
		}
		for k, kind := range ganttKinds {
			c.used[c.group[i]][k] = c.used[c.group[i]][k] || kind.by == g.At(i).By
		}
	}
	return c
}

// sorted lists names by how often they occur, those that do equally often by themselves.
func sorted(sizes map[string]int) []string {
	list := make([]string, 0, len(sizes))
	for name := range sizes {
		list = append(list, name)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(sizes[b], sizes[a]), strings.Compare(a, b)) })
	return list
}

// theme are the colours of everything but jobs.
type theme struct {
	paper                                               rgb
	text, dim, grid, down, far, kept, keptLine, nowLine string
}

var (
	lightTheme = theme{rgb{255, 255, 255}, "#1a1d21", "#59616b", "#d9dde2", "#d5d8dc", "#f2f1ec", "#f8dedb", "#b5392f",
		"#c00"}
	darkTheme = theme{rgb{0x16, 0x19, 0x1e}, "#e6e9ed", "#a3abb5", "#3a4048", "#33383f", "#20252c", "#47211e", "#e5776d",
		"#ff6b5e"}
)

// style writes the style sheet: light, and dark where the reader's system is.
func (g *gantt) style() {
	hatch := func(id, class, size string) string {
		return fmt.Sprintf("<pattern id=\"%s\" width=\"%s\" height=\"%s\" patternUnits=\"userSpaceOnUse\" "+
			"patternTransform=\"rotate(45)\"><path class=\"%s\" d=\"M0 0V%s\"/></pattern>", id, size, size, class, size)
	}
	fmt.Fprintf(g.out, "<defs>%s%s</defs>\n<style>\n", hatch("hatch", "keptline", "7"), hatch("stripes", "stripe", "6"))
	g.out.WriteString("text{pointer-events:none}.mid,.nowtext,.j " +
		"text{text-anchor:middle}.grid,.rule,.bend,.now,.outline{fill:none}" +
		".rule{stroke-width:1;stroke-opacity:.4;pointer-events:none}.grid{stroke-width:.5}" +
		".bend{stroke-width:1;stroke-dasharray:5 3}" +
		".now{stroke-width:1.5;stroke-dasharray:4 2}.outline{stroke-width:1;stroke-dasharray:3 " +
		"2}.keptline{stroke-width:2}.stripe{stroke-width:2.4;stroke-opacity:.4}.edge,.outline,.over{pointer-events:none}" +
		".over{fill:url(#stripes)}.hatch{fill:url(#hatch)}\n")
	g.themeRules(lightTheme)
	g.out.WriteString("@media (prefers-color-scheme:dark){\n")
	g.themeRules(darkTheme)
	g.out.WriteString("}\n</style>\n")
}

func (g *gantt) themeRules(t theme) {
	fmt.Fprintf(g.out, ".paper{fill:%s}text{fill:%s}.dim{fill:%s}.grid{stroke:%s}.down{fill:%s}.far{fill:%s}"+
		".kept{fill:%s}.keptline,.outline{stroke:%s}.keptname{fill:%s}.now{stroke:%s}.nowtext{fill:%s}.bend{stroke:%s}"+
		".stripe{stroke:%s}.rule{stroke:%s}.edge{fill:%s}.j rect{stroke:%s;stroke-width:.7}.j .t{stroke:none}\n",
		t.paper, t.text, t.dim, t.grid, t.down, t.far, t.kept, t.keptLine, t.keptLine, t.nowLine, t.nowLine, t.dim, t.paper,
		t.dim, t.text, t.paper)
	for hue := range hues {
		for k, kind := range ganttKinds {
			if g.colours.used[hue][k] || hue == others {
				fill := hues[hue].over(t.paper, kind.share)
				fmt.Fprintf(g.out, ".u%d.%s{fill:%s}.u%d.%s text{fill:%s}\n", hue, kind.class, fill, hue, kind.class, fill.ink())
			}
		}
		if hue < len(g.colours.names) {
			fmt.Fprintf(g.out, ".u%d.s{fill:%s}\n", hue, hues[hue])
		}
	}
}

package gantt

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/report/plan"
)

// box is a rectangle of a job, in pixels. Boxes do not lie over each other.
type box struct {
	request             int
	x, y, width, height float64
}

// rows is a range of rows, or parts of rows, in nodes from above.
type rows struct{ top, height float64 }

// part is a range of the processors of a node.
type part struct{ from, to int64 }

// layout gives each job its place in the rows of its nodes: a job that is alone on a node has the whole row; those
// that share it get processors of it, from above, for as long as they last. What the nodes have no room for is aside.
func (g *gantt) layout() {
	fit, aside := g.fitting()
	g.aside = aside
	spans := make([][]plan.Span, len(g.Schedule.Cluster.Nodes))
	for _, i := range fit {
		from, to := g.during(i)
		for _, s := range g.At(i).Nodes {
			spans[s.Node] = append(spans[s.Node], plan.Span{From: from, To: to, Procs: g.procsOn(i, s), Request: i})
		}
	}
	places := make([][]rows, len(g.Schedule.Requests))
	for node := range spans {
		capacity := g.capacity(int32(node))
		slices.SortStableFunc(spans[node], func(a, b plan.Span) int {
			return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.Procs, a.Procs))
		})
		var busy []held
		for _, s := range spans[node] {
			busy = slices.DeleteFunc(busy, func(h held) bool { return h.until <= s.From })
			for _, f := range freeParts(busy, capacity, s.Procs) {
				busy = append(busy, held{f, s.To})
				places[s.Request] = append(places[s.Request],
					rows{float64(node) + float64(f.from)/float64(capacity), float64(f.to-f.from) / float64(capacity)})
			}
		}
	}
	slices.Sort(fit)
	for _, i := range fit {
		for _, r := range together(places[i]) {
			g.add(i, g.top+r.top*g.lane, g.top+(r.top+r.height)*g.lane)
		}
	}
	g.bottom = g.floor()
	g.layoutAside()
	g.thin()
}

// add draws a job's box between two heights. Edges are rounded, not lengths, so that boxes side by side stay so.
func (g *gantt) add(i int, y0, y1 float64) {
	from, to := g.during(i)
	x0, x1 := round(g.scale.x(from)), round(g.scale.x(to))
	y0, y1 = round(y0), round(y1)
	if x1 <= x0 || y1 <= y0 {
		g.unseen++
		return
	}
	g.boxes = append(g.boxes, box{i, x0, y0, x1 - x0, y1 - y0})
}

func round(v float64) float64 { return math.Round(v*100) / 100 }

// during is when a job runs, as far as it is drawn.
func (g *gantt) during(i int) (from, to int64) {
	if s, ok := g.trimmed[i]; ok {
		return s.from, s.to
	}
	at := g.At(i)
	return at.Start, max(at.End, at.Start+1)
}

func (g *gantt) capacity(node int32) int64 {
	return max(1, g.Schedule.Cluster.Nodes[node].Capacity.Procs)
}

// procsOn is how many processors of a node a job takes.
func (g *gantt) procsOn(i int, s backfill.Share) int64 {
	r, node := g.Request(i), &g.Schedule.Cluster.Nodes[s.Node]
	if r.Sharing == backfill.SingleJob || node.Sharing == backfill.SingleJob {
		return g.capacity(s.Node)
	}
	return max(1, min(s.ProcsOf(r.PerTask.Procs), node.Capacity.Procs))
}

// held is a part of a node that is taken until some time.
type held struct {
	part
	until int64
}

// freeParts are the first processors that are free, together if there are enough in one place.
func freeParts(busy []held, capacity, procs int64) []part {
	taken := make([]part, len(busy))
	for k, h := range busy {
		taken[k] = h.part
	}
	slices.SortFunc(taken, func(a, b part) int { return cmp.Compare(a.from, b.from) })
	var free []part
	at := int64(0)
	for _, t := range append(taken, part{capacity, capacity}) {
		if t.from > at {
			free = append(free, part{at, t.from})
		}
		at = max(at, t.to)
	}
	for _, f := range free {
		if f.to-f.from >= procs {
			return []part{{f.from, f.from + procs}}
		}
	}
	var list []part
	for _, f := range free {
		if n := min(procs, f.to-f.from); n > 0 {
			list = append(list, part{f.from, f.from + n})
			procs -= n
		}
	}
	return list
}

// together joins rows of a job that touch: whole nodes beside each other are one box.
func together(list []rows) []rows {
	slices.SortFunc(list, func(a, b rows) int { return cmp.Compare(a.top, b.top) })
	var out []rows
	for _, r := range list {
		if n := len(out) - 1; n >= 0 && r.top-(out[n].top+out[n].height) < 1e-9 {
			out[n].height = max(out[n].height, r.top+r.height-out[n].top)
			continue
		}
		out = append(out, r)
	}
	return out
}

// layoutAside puts the jobs without room on their nodes below the nodes, one to a lane at a time.
func (g *gantt) layoutAside() {
	if len(g.aside) == 0 {
		return
	}
	slices.SortStableFunc(g.aside, func(a, b int) int { return cmp.Compare(g.At(a).Start, g.At(b).Start) })
	const most = asideHeight / 3 // lanes
	var until []int64            // by lane
	lanes := make([]int, len(g.aside))
	for k, i := range g.aside {
		from, to := g.during(i)
		lane := slices.IndexFunc(until, func(end int64) bool { return end <= from })
		if lane < 0 && len(until) < most {
			lane = len(until)
			until = append(until, 0)
		}
		if lanes[k] = lane; lane >= 0 {
			until[lane] = to
		}
	}
	g.asideTop = g.floor() + 2*lineHeight
	g.asideLane = min(asideLane, asideHeight/float64(len(until)))
	for k, i := range g.aside {
		if lanes[k] < 0 {
			g.unseen++
			continue
		}
		y := g.asideTop + g.asideLane*float64(lanes[k])
		g.add(i, y, y+g.asideLane)
	}
	g.bottom = g.asideTop + g.asideLane*float64(len(until))
}

// maxBoxes bounds the size of a chart: more than that no program shows at ease.
const maxBoxes = 60000

// thin leaves out the smallest boxes of a plan that has too many, by the pixels that they cover.
func (g *gantt) thin() {
	if len(g.boxes) <= maxBoxes {
		return
	}
	areas := make([]float64, len(g.boxes))
	for k, b := range g.boxes {
		areas[k] = b.width * b.height
	}
	least := slices.Clone(areas)
	slices.Sort(least)
	bound, kept := least[len(least)-maxBoxes], g.boxes[:0]
	for k, b := range g.boxes {
		if areas[k] >= bound && len(kept) < maxBoxes {
			kept = append(kept, b)
		}
	}
	g.unseen += len(areas) - len(kept)
	g.boxes = kept
}

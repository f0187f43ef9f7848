package view

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// box is a part of a job or reservation: so many lanes of processors of some nodes, during its time. Top and height
// are in nodes.
type box struct {
	request     int
	top, height float64
}

// part is a range of the processors of a node.
type part struct{ from, to int64 }

// layout gives each job its place in the rows of its nodes: a job that is alone on a node has the whole row; those
// that share it get processors of it, from above, for as long as they last.
func (g *gantt) layout() {
	spans := make([][]span, len(g.Schedule.Cluster.Nodes))
	for i := range g.Schedule.Requests {
		at := g.at(i)
		if at.By == backfill.ByNone || at.Start >= g.to {
			continue
		}
		g.order = append(g.order, i)
		for _, s := range at.Nodes {
			spans[s.Node] = append(spans[s.Node], span{from: at.Start, to: max(at.End, at.Start+1), procs: g.procsOn(i, s), request: i})
		}
	}
	perRequest := map[int][]box{}
	for node := range spans {
		capacity := max(1, g.Schedule.Cluster.Nodes[node].Capacity.Procs)
		list := spans[node]
		slices.SortStableFunc(list, func(a, b span) int {
			return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.procs, a.procs))
		})
		var busy []held
		for _, s := range list {
			busy = slices.DeleteFunc(busy, func(h held) bool { return h.until <= s.from })
			for _, f := range freeParts(busy, capacity, s.procs) {
				busy = append(busy, held{f, s.to})
				perRequest[s.request] = append(perRequest[s.request], box{s.request, float64(node) + float64(f.from)/float64(capacity), float64(f.to-f.from) / float64(capacity)})
			}
		}
	}
	for _, i := range g.order {
		g.boxes = append(g.boxes, together(perRequest[i])...)
	}
}

// held is a part of a node that is taken until some time.
type held struct {
	part
	until int64
}

// procsOn is how many processors of a node a job takes.
func (g *gantt) procsOn(i int, s backfill.Share) int64 {
	r, node := g.request(i), &g.Schedule.Cluster.Nodes[s.Node]
	if r.Sharing == backfill.SingleJob || node.Sharing == backfill.SingleJob {
		return max(1, node.Capacity.Procs)
	}
	return max(1, min(s.Tasks*r.PerTask.Procs, node.Capacity.Procs))
}

// freeParts are the first processors that are free, together if there are enough in one place. If the node is
// overfull, which estimates can make it, what is missing lies over others.
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
		n := min(procs, f.to-f.from)
		if n > 0 {
			list = append(list, part{f.from, f.from + n})
			procs -= n
		}
	}
	if len(list) == 0 {
		list = append(list, part{0, min(procs, capacity)})
	}
	return list
}

// together joins boxes of a job that touch: whole nodes beside each other are one box.
func together(list []box) []box {
	slices.SortFunc(list, func(a, b box) int { return cmp.Compare(a.top, b.top) })
	var out []box
	for _, b := range list {
		if n := len(out) - 1; n >= 0 && b.top-(out[n].top+out[n].height) < 1e-9 {
			out[n].height = max(out[n].height, b.top+b.height-out[n].top)
			continue
		}
		out = append(out, b)
	}
	return out
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
		at := g.at(b.request)
		areas[k] = (g.x(at.End) - g.x(at.Start)) * b.height * g.lane
	}
	least := slices.Clone(areas)
	slices.Sort(least)
	bound, kept := least[len(least)-maxBoxes], g.boxes[:0]
	for k, b := range g.boxes {
		if areas[k] >= bound && len(kept) < maxBoxes {
			kept = append(kept, b)
		}
	}
	g.unseen = len(areas) - len(kept)
	g.boxes = kept
}

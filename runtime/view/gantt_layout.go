package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
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
// that share it get processors of it, from above, for as long as they last. What the nodes have no room for stands aside.
func (g *gantt) layout() {
	fit, aside := g.fitting()
	g.aside = aside
	spans := make([][]span, len(g.Schedule.Cluster.Nodes))
	for _, i := range fit {
		from, to := g.during(i)
		for _, s := range g.at(i).Nodes {
			spans[s.Node] = append(spans[s.Node], span{from: from, to: to, procs: g.procsOn(i, s), request: i})
		}
	}
	places := make([][]rows, len(g.Schedule.Requests))
	for node := range spans {
		capacity := g.capacity(int32(node))
		slices.SortStableFunc(spans[node], func(a, b span) int {
			return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.procs, a.procs))
		})
		var busy []held
		for _, s := range spans[node] {
			busy = slices.DeleteFunc(busy, func(h held) bool { return h.until <= s.from })
			for _, f := range freeParts(busy, capacity, s.procs) {
				busy = append(busy, held{f, s.to})
				places[s.request] = append(places[s.request], rows{float64(node) + float64(f.from)/float64(capacity), float64(f.to-f.from) / float64(capacity)})
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

// during is when a job runs.
func (g *gantt) during(i int) (from, to int64) {
	at := g.at(i)
	return at.Start, max(at.End, at.Start+1)
}

func (g *gantt) capacity(node int32) int64 {
	return max(1, g.Schedule.Cluster.Nodes[node].Capacity.Procs)
}

// fitting are the requests within the time shown that have room on their nodes, and the others: each estimate of Maui's
// is made without the others, a suspended job leaves its nodes to others, and of some jobs only the time is planned. What
// runs or is reserved has its room before estimates.
func (g *gantt) fitting() (fit, aside []int) {
	var order []int
	for i := range g.Schedule.Requests {
		if at := g.at(i); at.By != backfill.ByNone && at.Start < g.scale.to && max(at.End, at.Start+1) > g.scale.from {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.firmness(a), g.firmness(b)) })
	uses := make([]usage, len(g.Schedule.Cluster.Nodes))
	for _, i := range order {
		from, to := g.during(i)
		room := len(g.at(i).Nodes) > 0
		for _, s := range g.at(i).Nodes {
			room = room && uses[s.Node].most(from, to)+g.procsOn(i, s) <= g.capacity(s.Node)
		}
		if !room {
			aside = append(aside, i)
			continue
		}
		fit = append(fit, i)
		for _, s := range g.at(i).Nodes {
			uses[s.Node].add(from, to, g.procsOn(i, s))
		}
	}
	return fit, aside
}

func (g *gantt) firmness(i int) int {
	switch by := g.at(i).By; {
	case g.request(i).Suspended:
		return 4
	case by == backfill.ByRunning:
		return 0
	case by == backfill.ByEstimate:
		return 3
	case by == backfill.ByReservation:
		return 2
	}
	return 1
}

// procsOn is how many processors of a node a job takes.
func (g *gantt) procsOn(i int, s backfill.Share) int64 {
	r, node := g.request(i), &g.Schedule.Cluster.Nodes[s.Node]
	if r.Sharing == backfill.SingleJob || node.Sharing == backfill.SingleJob {
		return g.capacity(s.Node)
	}
	return max(1, min(s.Tasks*r.PerTask.Procs, node.Capacity.Procs))
}

// usage is how many processors of a node are in use, from each time on.
type usage struct {
	times []int64
	procs []int64
}

// at is the place of the step that begins at a time, which it makes if there is none.
func (u *usage) at(time int64) int {
	k, found := slices.BinarySearch(u.times, time)
	if !found {
		before := int64(0)
		if k > 0 {
			before = u.procs[k-1]
		}
		u.times, u.procs = slices.Insert(u.times, k, time), slices.Insert(u.procs, k, before)
	}
	return k
}

// most is the most in use at any time from one to another.
func (u *usage) most(from, to int64) (procs int64) {
	k, found := slices.BinarySearch(u.times, from)
	if !found && k > 0 {
		k--
	}
	for ; k < len(u.times) && u.times[k] < to; k++ {
		procs = max(procs, u.procs[k])
	}
	return procs
}

func (u *usage) add(from, to, procs int64) {
	begin := u.at(from)
	end := u.at(to)
	for k := begin; k < end; k++ {
		u.procs[k] += procs
	}
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
	slices.SortStableFunc(g.aside, func(a, b int) int { return cmp.Compare(g.at(a).Start, g.at(b).Start) })
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

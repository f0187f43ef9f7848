package replay

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// gantt is the machine over time: a rectangle for each job on the processors of each of its nodes.
type gantt struct {
	Begin, Span int64
	Procs       int64
	Boxes       []box
	Nodes       []ganttNode
	X           []chartTick
	Note        string
}

// box is a part of a job: processors side by side.
type box struct {
	From, Seconds int64
	At, Procs     int64
	Class         int
	Title         string
	area          int64
}

type ganttNode struct {
	Name string
	At   int64
}

// mostBoxes and mostNodes bound what a browser draws and a person can read.
const (
	mostBoxes = 6000
	mostNodes = 48
	ganttWide = 1000
	colours   = 8
)

// gantt lays the jobs on the processors of their nodes. Which of a node's processors a job had is not known: it gets
// the lowest that are free.
func (r *Report) gantt() *gantt {
	procs, first := r.nodeProcs()
	g := &gantt{Begin: r.Begin, Span: max(1, r.End-r.Begin)}
	for node, n := range procs {
		if len(procs) <= mostNodes && len(procs) > 1 {
			g.Nodes = append(g.Nodes, ganttNode{short(source.Plain(r.Nodes[node])), first[node]})
		}
		g.Procs += n
	}
	if g.Procs == 0 {
		return nil
	}
	lanes := make([][]lane, len(procs))
	for node, n := range procs {
		lanes[node] = []lane{{0, n, 0}}
	}
	for _, i := range r.byStart() {
		o := &r.Outcomes[i]
		tasks := int64(0)
		for _, share := range o.Nodes {
			tasks += share.Tasks
		}
		for _, share := range o.Nodes {
			want := max(1, o.Procs*share.Tasks/max(1, tasks))
			for _, part := range take(&lanes[share.Node], o.Start, o.End, want) {
				g.Boxes = append(g.Boxes, box{From: max(0, o.Start-r.Begin), Seconds: max(1, o.End-max(o.Start, r.Begin)),
					At: first[share.Node] + part.from, Procs: part.to - part.from, Class: colour(o), Title: r.boxTitle(o),
					area: (part.to - part.from) * (o.End - o.Start)})
			}
		}
	}
	if more := len(g.Boxes); more > mostBoxes {
		slices.SortStableFunc(g.Boxes, func(a, b box) int { return cmp.Compare(b.area, a.area) })
		g.Boxes = g.Boxes[:mostBoxes]
		g.Note = fmt.Sprintf("The %d largest parts of %d, by processors and time.", mostBoxes, more)
	}
	g.X = timeTicks(g.Begin, g.Span, 8, func(seconds int64) float64 {
		return ganttWide * float64(seconds) / float64(g.Span)
	})
	return g
}

// lane is processors side by side, and when they are free.
type lane struct{ from, to, free int64 }

// take takes the lowest processors that are free at a time. Where fewer are free than a job has, it gets those.
func take(lanes *[]lane, start, end, want int64) (parts []lane) {
	var after []lane
	add := func(l lane) {
		if n := len(after); n > 0 && after[n-1].to == l.from && (after[n-1].free == l.free ||
			after[n-1].free <= start && l.free <= start) {
			after[n-1].to, after[n-1].free = l.to, max(after[n-1].free, l.free)
			return
		}
		after = append(after, l)
	}
	for _, l := range *lanes {
		n := min(want, l.to-l.from)
		if l.free > start || n == 0 {
			add(l)
			continue
		}
		want -= n
		add(lane{l.from, l.from + n, end})
		if k := len(parts); k > 0 && parts[k-1].to == l.from {
			parts[k-1].to = l.from + n
		} else {
			parts = append(parts, lane{l.from, l.from + n, end})
		}
		if l.from+n < l.to {
			add(lane{l.from + n, l.to, l.free})
		}
	}
	*lanes = after
	return parts
}

// nodeProcs are the processors of each node, and where they begin among all. A node that no figure is known of has as
// many as its jobs ever had at a time.
func (r *Report) nodeProcs() (procs, first []int64) {
	type edge struct{ at, procs int64 }
	edges := make([][]edge, len(r.Nodes))
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		tasks := int64(0)
		for _, share := range o.Nodes {
			tasks += share.Tasks
		}
		for _, share := range o.Nodes {
			n := max(1, o.Procs*share.Tasks/max(1, tasks))
			edges[share.Node] = append(edges[share.Node], edge{o.Start, n}, edge{o.End, -n})
		}
	}
	procs, first = make([]int64, len(edges)), make([]int64, len(edges))
	for node, list := range edges {
		slices.SortFunc(list, func(a, b edge) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.procs, b.procs))
		})
		busy := int64(0)
		for _, e := range list {
			busy += e.procs
			procs[node] = max(procs[node], busy)
		}
		procs[node] = max(procs[node], 1)
	}
	if len(procs) == 1 {
		procs[0] = max(procs[0], r.Procs)
	}
	at := int64(0)
	for node, n := range procs {
		first[node] = at
		at += n
	}
	return procs, first
}

// byStart are the jobs that ran, in the order of their starts.
func (r *Report) byStart() (list []int) {
	for i := range r.Outcomes {
		if r.Outcomes[i].By != "" {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(r.Outcomes[a].Start, r.Outcomes[b].Start) })
	return list
}

// colour is that of a job's account, or else of its user.
func colour(o *replay.Outcome) int {
	h := fnv.New32a()
	h.Write([]byte(cmp.Or(o.Account, o.User)))
	return int(h.Sum32() % colours)
}

func (r *Report) boxTitle(o *replay.Outcome) string {
	how := "in its turn"
	switch o.By {
	case backfill.ByRunning:
		how = "ran already at the begin"
	case backfill.ByBackfill:
		how = "by backfill"
	}
	return fmt.Sprintf("job %s of %s: %d processors, %s to %s, waited %s, %s", source.Plain(o.ID), source.Plain(o.User),
		o.Procs, form.ClockText(o.Start), form.ClockText(o.End), form.SpanText(o.Wait()), how)
}

package gantt

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/plan"
)

// TestFreeParts: jobs on a node at one time never get the same processors while there are enough, and each gets as
// many as it asks for.
func TestFreeParts(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		capacity := rapid.Int64Range(1, 40).Draw(t, "capacity")
		var busy []held
		inUse := int64(0)
		for at := range rapid.Int64Range(1, 30).Draw(t, "jobs") {
			var still []held
			for _, h := range busy {
				if h.until > at {
					still = append(still, h)
				} else {
					inUse -= h.to - h.from
				}
			}
			busy = still
			if inUse == capacity {
				continue
			}
			procs := rapid.Int64Range(1, capacity-inUse).Draw(t, "procs")
			until := at + rapid.Int64Range(1, 8).Draw(t, "time")
			got := int64(0)
			for _, f := range freeParts(busy, capacity, procs) {
				for _, h := range busy {
					if f.from < h.to && h.from < f.to {
						t.Fatalf("%v lies over %v", f, h)
					}
				}
				if f.from < 0 || f.to > capacity || f.from >= f.to {
					t.Fatalf("part %v of %d", f, capacity)
				}
				got += f.to - f.from
				busy = append(busy, held{f, until})
			}
			if got != procs {
				t.Fatalf("%d of %d processors", got, procs)
			}
			inUse += procs
		}
	})
}

// ganttPlan is a plan that no planner made: its jobs may ask for more than their nodes have.
func ganttPlan(t *rapid.T) *plan.Plan {
	const now = 1700000000
	s := &backfill.Schedule{Now: now, Cluster: &backfill.Cluster{}}
	nodes := rapid.IntRange(0, 12).Draw(t, "nodes")
	for n := range nodes {
		s.Cluster.Nodes = append(s.Cluster.Nodes,
			backfill.Node{Name: fmt.Sprint("n", n), Up: n != 3,
				Capacity: backfill.Amounts{Procs: rapid.Int64Range(0, 8).Draw(t, "procs")}})
	}
	if rapid.Bool().Draw(t, "reserved") && nodes > 1 {
		start := now + rapid.Int64Range(-5000, 50000).Draw(t, "from")
		s.Cluster.Reservations = []backfill.Reservation{{Name: "r", Start: start, End: start + rapid.Int64Range(1, 9000).
			Draw(t, "for"), Nodes: []int32{0, 1}}}
	}
	kinds := []backfill.By{backfill.ByRunning, backfill.ByMain, backfill.ByBackfill, backfill.ByReservation,
		backfill.ByEstimate, backfill.ByNone}
	for j := range rapid.IntRange(0, 60).Draw(t, "jobs") {
		r := backfill.Request{Job: int32(j), Row: int32(j), ID: fmt.Sprint(j), User: fmt.Sprint("u", j%11),
			PerTask: backfill.Amounts{Procs: 1}, Suspended: rapid.IntRange(0, 20).Draw(t, "stopped") == 0}
		p := backfill.Placement{Job: int32(j), By: rapid.SampledFrom(kinds).Draw(t, "by")}
		switch p.By {
		case backfill.ByNone:
		case backfill.ByRunning:
			p.Start = now - rapid.Int64Range(0, 90000).Draw(t, "since")
		case backfill.ByMain, backfill.ByBackfill:
			p.Start = now
		default:
			p.Start = now + rapid.SampledFrom([]int64{10, 3600, 7200, 86400, 90 * 86400}).Draw(t, "in")
		}
		if p.By != backfill.ByNone {
			p.End = max(p.Start, now) + rapid.SampledFrom([]int64{0, 1, 60, 3600, 3601, 200000, backfill.Forever}).
				Draw(t, "long")
			for n := range nodes {
				if rapid.IntRange(0, 2).Draw(t, "on") == 0 {
					p.Nodes = append(p.Nodes, backfill.Share{Node: int32(n), Tasks: rapid.Int64Range(1, 6).Draw(t, "tasks")})
					r.Tasks += p.Nodes[len(p.Nodes)-1].Tasks
				}
			}
			r.WalltimeSeconds = p.End - p.Start
		}
		s.Requests, s.Placements = append(s.Requests, r), append(s.Placements, p)
	}
	return &plan.Plan{Schedule: s, Planner: "native", Result: resultOf(len(s.Requests))}
}

// resultOf is a result of so many jobs, each with a priority.
func resultOf(jobs int) *evaluation.Result {
	return &evaluation.Result{
		Program: &program.Program{Policy: "p"}, State: make([]evaluation.State, jobs), JobRow: make([]int32, jobs),
	}
}

// TestGanttLayout: whatever is planned, no box lies over another one, all are in the frame, and each job of the time
// shown is in the chart, on its nodes where they have room for it.
func TestGanttLayout(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		g := newGantt(ganttPlan(t))
		boxed := map[int]bool{}
		for k, b := range g.boxes {
			boxed[b.request] = true
			if b.width <= 0 || b.height <= 0 || b.x < g.scale.left-0.01 || b.x+b.width > g.scale.right+0.01 ||
				b.y < g.top-0.01 || b.y+b.height > g.bottom+0.01 {
				t.Fatalf("box %+v out of the frame of %g to %g and %g to %g", b, g.scale.left, g.scale.right, g.top, g.bottom)
			}
			for _, o := range g.boxes[:k] {
				if over := 0.005; b.x+over < o.x+o.width && o.x+over < b.x+b.width && b.y+over < o.y+o.height &&
					o.y+over < b.y+b.height {
					t.Fatalf("%+v lies over %+v", b, o)
				}
			}
		}
		missing := 0
		for i := range g.Schedule.Requests {
			if at := g.At(i); at.By != backfill.ByNone && at.Start < g.scale.to && at.End > g.scale.from && !boxed[i] {
				missing++
			}
		}
		if missing > g.unseen {
			t.Fatalf("%d jobs are missing, %d boxes are said to be", missing, g.unseen)
		}
		for k := 1; k <= 200; k++ {
			a, b := g.scale.from+(g.scale.to-g.scale.from)*int64(k-1)/200, g.scale.from+(g.scale.to-g.scale.from)*int64(k)/200
			if g.scale.x(a) > g.scale.x(b) {
				t.Fatalf("time runs backwards at %d", b)
			}
		}
	})
}

// TestGanttRoom: jobs that their nodes have room for are on them, whatever estimates claim the same processors.
func TestGanttRoom(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		p := ganttPlan(t)
		g := newGantt(p)
		var firm []int
		for i := range p.Schedule.Requests {
			if g.firmness(i) < 3 && len(p.At(i).Nodes) > 0 {
				firm = append(firm, i)
			}
		}
		over := func(node int32, at int64) bool {
			use := int64(0)
			for _, i := range firm {
				from, to := p.At(i).Start, max(p.At(i).End, p.At(i).Start+1) // as planned, also where the chart draws less
				for _, s := range p.At(i).Nodes {
					if s.Node == node && from <= at && at < to {
						use += g.procsOn(i, s)
					}
				}
			}
			return use > g.capacity(node)
		}
		for node := range p.Schedule.Cluster.Nodes {
			for _, i := range firm {
				if over(int32(node), p.At(i).Start) {
					return // then somebody has to go aside
				}
			}
		}
		for _, i := range g.aside {
			if g.firmness(i) < 3 && len(p.At(i).Nodes) > 0 {
				t.Fatalf("job %d has no place on its nodes", i)
			}
		}
	})
}

// TestGanttTexts: labels are within the picture, and those of the axis do not run into each other.
func TestGanttTexts(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		var out strings.Builder
		if err := WriteGantt(&out, ganttPlan(t)); err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Width float64 `xml:"width,attr"`
			Texts []struct {
				Class string  `xml:"class,attr"`
				X     float64 `xml:"x,attr"`
				Y     float64 `xml:"y,attr"`
				Text  string  `xml:",chardata"`
			} `xml:"text"`
		}
		if err := xml.Unmarshal([]byte(out.String()), &doc); err != nil {
			t.Fatal(err)
		}
		ends := map[string]float64{}
		for _, text := range doc.Texts {
			if !strings.HasPrefix(text.Class, "mid") {
				continue
			}
			half := charWidth * float64(len(text.Text)) / 2
			line := strconv.FormatFloat(text.Y, 'f', 1, 64)
			if text.X-half < ends[line] || text.X+half > doc.Width {
				t.Fatalf("%q at %g runs into its neighbour or the edge", text.Text, text.X)
			}
			ends[line] = text.X + half
		}
	})
}

func TestTogether(t *testing.T) {
	got := together([]rows{{2, 1}, {0, 1}, {1, 1}, {4, 0.5}})
	if len(got) != 2 || got[0].top != 0 || got[0].height != 3 || got[1].top != 4 {
		t.Error(got)
	}
}

// TestThin: a chart of very many boxes keeps the largest.
func TestThin(t *testing.T) {
	g := &gantt{}
	for k := range maxBoxes + 500 {
		g.boxes = append(g.boxes, box{0, 0, float64(k), 10, 1 + float64(k)/maxBoxes})
	}
	g.thin()
	if len(g.boxes) != maxBoxes || g.unseen != 500 || g.boxes[0].y != 500 {
		t.Error(len(g.boxes), g.unseen, g.boxes[0])
	}
}

// TestGanttSteps: jobs that lie over each other by less than a scheduler's step are on their node, each a little
// shorter; estimates that claim a node together are aside, all but one.
func TestGanttSteps(t *testing.T) {
	const now = 1700000000
	for _, c := range []struct {
		by           backfill.By
		start, aside int64
	}{{backfill.ByReservation, 3600, 0}, {backfill.ByReservation, 3550, 0}, {backfill.ByReservation, 2400, 1},
		{backfill.ByEstimate, 0, 1}} {
		s := &backfill.Schedule{Now: now,
			Cluster: &backfill.Cluster{Nodes: []backfill.Node{{Name: "n1", Up: true, Capacity: backfill.Amounts{Procs: 4}}}}}
		for j, from := range []int64{0, c.start} {
			s.Requests = append(s.Requests,
				backfill.Request{Job: int32(j), ID: fmt.Sprint(j), Tasks: 4, PerTask: backfill.Amounts{Procs: 1},
					WalltimeSeconds: 3600})
			s.Placements = append(s.Placements,
				backfill.Placement{Job: int32(j), By: c.by, Start: now + 60 + from, End: now + 60 + from + 3600,
					Nodes: []backfill.Share{{Node: 0, Tasks: 4}}})
		}
		g := newGantt(&plan.Plan{Schedule: s, Planner: "native", Result: resultOf(len(s.Requests))})
		if len(g.aside) != int(c.aside) || len(g.boxes) != 2 {
			t.Errorf("%s at %d: %d aside, %d boxes", c.by, c.start, len(g.aside), len(g.boxes))
		}
	}
}

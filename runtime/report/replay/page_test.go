package replay

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/replay"
)

// hostile is a made-up replay of users with hostile names, on nodes of 8 processors.
func hostile(n int) *Report {
	draw := rand.New(rand.NewPCG(22, 6))
	r := &replay.Result{Begin: 1_700_000_000, Procs: 32, Nodes: []string{"n1", `n2"><b>`, "n3", "n4"},
		Workload: &replay.Workload{Left: []replay.Left{{Why: "no id", IDs: []string{"<i>"}}}}}
	free := [4]int64{r.Begin, r.Begin, r.Begin, r.Begin}
	for i := range n {
		node := draw.IntN(4)
		o := replay.Outcome{Job: &replay.Job{ID: fmt.Sprint(i), Submit: r.Begin + int64(i)*60, Procs: 8,
			User: `<script>alert("x")</script>`, Account: []string{"a&b", "'q'"}[i%2], Partition: "</svg>"},
			By: backfill.ByMain, Nodes: []backfill.Share{{Node: int32(node), Tasks: 8}}}
		o.Start = max(free[node], o.Submit)
		o.End = o.Start + 1 + draw.Int64N(4000)
		free[node], r.End = o.End, max(r.End, o.End)
		r.Outcomes = append(r.Outcomes, o)
	}
	return &Report{Result: r, Measured: r.Measure(0), This: "site<b>.hcl"}
}

func written(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A page needs nothing else: no address, no file, and a policy that forbids what is not in it.
func TestPageIsSelfContained(t *testing.T) {
	text := written(t, hostile(50))
	if found := regexp.MustCompile(`(?i)https?:|//cdn|\bsrc=|@import|url\(|<link`).FindString(text); found != "" {
		t.Errorf("the page asks for something else: %s", found)
	}
	for _, want := range []string{`default-src 'none'`, `<html lang="en">`, `prefers-color-scheme: dark`, `@media print`,
		`<main>`, `id="busy"`, `id="queue"`, `id="shares"`, `id="waits"`, `id="gantt"`, `id="groups"`, `id="left"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %s", want)
		}
	}
}

// Names from outside are text, wherever they are.
func TestPageEscapes(t *testing.T) {
	text := written(t, hostile(50))
	for _, bad := range []string{`<script>alert`, `<b>`, `<i>`, `a&b`, `</svg>"`} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %s as it came", bad)
		}
	}
}

// TestGanttTwin: rectangles lie within their node and never on each other, and add up to what ran.
func TestGanttTwin(t *testing.T) {
	r := hostile(200)
	g := r.gantt()
	area, want := int64(0), int64(0)
	for i := range r.Outcomes {
		want += r.Outcomes[i].Procs * (r.Outcomes[i].End - r.Outcomes[i].Start)
	}
	for i, a := range g.Boxes {
		area += a.Procs * a.Seconds
		if a.At < 0 || a.At+a.Procs > g.Procs || a.At/8 != (a.At+a.Procs-1)/8 {
			t.Fatalf("%+v is not on a node", a)
		}
		for _, b := range g.Boxes[:i] {
			if a.From < b.From+b.Seconds && b.From < a.From+a.Seconds && a.At < b.At+b.Procs && b.At < a.At+a.Procs {
				t.Fatalf("%+v is on %+v", a, b)
			}
		}
	}
	if area != want {
		t.Errorf("the rectangles have %d processor seconds, the jobs %d", area, want)
	}
}

// A replay in which nothing started is a page all the same.
func TestPageOfNothing(t *testing.T) {
	r := &replay.Result{Begin: 1000, Workload: &replay.Workload{},
		Outcomes: []replay.Outcome{{Job: &replay.Job{ID: "1", Submit: 1000, Procs: 4}, Never: "too large"}}}
	if text := written(t, &Report{Result: r, Measured: r.Measure(0)}); strings.Contains(text, "NaN") {
		t.Errorf("the page has numbers that are none")
	}
}

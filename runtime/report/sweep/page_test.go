package sweep

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/sweep"
)

// made is a sweep of n choices whose names would be markup.
func made(n int) *Report {
	bound := 20.0
	m := &sweep.Manifest{FormatVersion: sweep.FormatVersion, Study: "<b>&\x1b[31m",
		Policies: []sweep.Policy{{Name: "<script>", Language: "maui", Params: []sweep.Range{{Name: "W"}}}},
		Sources:  []sweep.Source{{Name: "q", Kind: sweep.Snapshot, Zone: "UTC"}},
		Metrics: []sweep.Metric{{Name: "wait", Of: "wait_seconds.mean", AtMost: &bound},
			{Name: "<i>use", Of: "utilisation", High: true}, {Name: "unknown", Of: "jain.users", High: true}}}
	for i := range n {
		m.Points = append(m.Points, sweep.Point{Params: []sweep.Param{{Name: "W", Value: fmt.Sprint(i)}}})
	}
	m.Fill()
	var results []*sweep.Result
	for i := range m.Cells {
		results = append(results, &sweep.Result{Cell: m.Cells[i].ID, Policy: "<script>", Source: "q",
			All: sweep.Values{"wait_seconds.mean": float64(i), "utilisation": 0.5 + float64(i)/1000}})
	}
	return New(m, results)
}

// TestPage: texts of others are no markup, long lists are cut, and the front and the goals are drawn.
func TestPage(t *testing.T) {
	var b strings.Builder
	if err := WriteHTML(&b, made(700)); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, bad := range []string{"<script> W=", "<b>", "<i>use", "\x1b", "http:", "https:"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, good := range []string{"&lt;script&gt; W=0", "The first 500 of 700; -o csv has all.", `class="front"`,
		`class="bound"`,
		"21 choices meet all goals.", "W 0\n"} {
		if !strings.Contains(text, good) {
			t.Errorf("the page lacks %q", good)
		}
	}
	if n := strings.Count(text, "<circle"); n != 700 {
		t.Errorf("%d dots", n)
	}
}

// TestNothing: a sweep without any result is shown too.
func TestNothing(t *testing.T) {
	r := made(3)
	empty := New(r.Manifest, make([]*sweep.Result, 3))
	for _, f := range append(Formats, CellFormats...) {
		var b strings.Builder
		if err := f.Write(&b, empty); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

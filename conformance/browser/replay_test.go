//go:build browser

package browser_test

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// replayed is the page of a replay.
func replayed(t *testing.T, args ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "replay.html")
	out, err := exec.Command(binary, append([]string{"replay"}, append(args, "-o", "html="+name)...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return "file://" + name
}

// The page of a replay has its plots, the machine zooms and tables sort, in light, in dark and on a narrow screen.
func TestReplayPage(t *testing.T) {
	address := replayed(t, examples+"replay/maui.cfg", "-w", examples+"replay/week.swf",
		"-n", examples+"replay/nodes.json")
	p := newPage(t)
	for _, looks := range []string{"light", "dark"} {
		p.size(1300, 900, looks)
		p.open(address)
		p.picture("replay-" + looks)
		var ink, paper string
		p.run(&ink, `return getComputedStyle(document.body).color`)
		p.run(&paper, `return getComputedStyle(document.body).backgroundColor`)
		if ink == paper {
			t.Errorf("in %s ink and paper are %s", looks, ink)
		}
		var drawn int
		p.run(&drawn, `return [...document.querySelectorAll('.chart path')].filter(e => e.getTotalLength() > 100).length`)
		if drawn < 5 {
			t.Errorf("%d lines are drawn", drawn)
		}
		p.run(&drawn, `return [...document.querySelectorAll('#gantt rect')]
			.filter(e => e.getBoundingClientRect().width > 0).length`)
		if drawn < 120 {
			t.Errorf("%d jobs are on the machine", drawn)
		}
	}
	view := func() (v struct{ From, Span float64 }) {
		p.run(&v, `const b = document.getElementById('gantt').viewBox.baseVal; return {From: b.x, Span: b.width}`)
		return v
	}
	all := view()
	p.click(`[data-zoom="in"]`)
	half := view()
	if half.Span*2 != all.Span || half.From <= all.From {
		t.Errorf("zoomed in the machine shows %+v of %+v", half, all)
	}
	p.run(nil, `document.getElementById('gantt').focus()`)
	p.press(arrowRight, arrowRight)
	if right := view(); right.From <= half.From || right.From+right.Span > all.Span {
		t.Errorf("to the right of %+v the machine shows %+v", half, right)
	}
	p.click(`[data-zoom="all"]`)
	if again := view(); again != all {
		t.Errorf("the whole machine is %+v, it was %+v", again, all)
	}
	var jobs []string
	p.click(`#groups ~ .wide thead th:nth-child(3) button`)
	p.run(&jobs, `return [...document.querySelectorAll('#groups ~ .wide td:nth-child(3)')].map(e => e.textContent)`)
	if len(jobs) < 3 || jobs[0] != "3" || jobs[len(jobs)-1] != "120" {
		t.Errorf("sorted by jobs the groups have %q", jobs)
	}
	p.size(400, 800, "light")
	p.open(address)
	var wide float64
	p.run(&wide, `return document.documentElement.scrollWidth - document.documentElement.clientWidth`)
	if wide > 0 {
		t.Errorf("on a narrow screen the page is %v pixels too wide", wide)
	}
	p.picture("replay-narrow")
	p.quiet(address)
}

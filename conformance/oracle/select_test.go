package oracle

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestSelectByHand: queues small enough to walk through on paper. amy's jobs are older from 1 to 3.
func TestSelectByHand(t *testing.T) {
	const queue = `{"id": "1", "user": "amy", "procs": 4, "walltime_seconds": 100, "submit_time": 1699996400},
		{"id": "2", "user": "amy", "procs": 2, "walltime_seconds": 100, "submit_time": 1699998200},
		{"id": "3", "user": "amy", "procs": 1, "walltime_seconds": 100, "submit_time": 1699999400},
		{"id": "4", "user": "bob", "procs": 1, "walltime_seconds": 100, "submit_time": 1699999940}`
	for _, c := range []struct {
		name, cfg string
		started   []int
		want      string // per job its state and stored priority, in minutes of queue time
	}{
		{"no limit", "", nil, "eligible 60 eligible 30 eligible 10 eligible 1"},
		{"a job that starts counts against the soft number; nobody loses time", "USERCFG[amy] MAXJOB=1,2", []int{0},
			"running 60 blocked 30 blocked 10 eligible 1"},
		{"the hard idle number is the first jobs' and costs the others their time", "USERCFG[DEFAULT] MAXIJOB=1", nil,
			"eligible 60 blocked 1 blocked 1 eligible 1"},
		{"a job that alone is too large leaves room for the next", "USERCFG[amy] MAXPROC=2", nil,
			"blocked 1 eligible 30 eligible 10 eligible 1"},
		{"nobody loses time where it always accrues", "JOBPRIOACCRUALPOLICY ALWAYS\nUSERCFG[amy] MAXPROC=2", nil,
			"blocked 60 eligible 30 eligible 10 eligible 1"},
		{"processor-seconds", "USERCFG[amy] MAXPS=300", []int{1}, "blocked 1 running 30 eligible 10 eligible 1"},
		{"a cap is its own user's", "FSPOLICY DEDICATEDPS\nUSERCFG[amy] FSTARGET=1200^", nil,
			"blocked 60 eligible 30 eligible 10 eligible 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			unit, diags := lower.Parse(source.NewFile("maui.cfg", []byte(c.cfg+"\n")), lower.Maui, lower.Files{})
			p, more := lower.Lower([]lower.Unit{unit}, lower.Options{})
			if p == nil {
				t.Fatal(diags, more)
			}
			s := queueOf(t, queue)
			s.Usage = []snapshot.UsageWindow{{StartTime: s.Now - s.Now%43200, Total: 2000,
				Usage: map[string]map[string]float64{"user": {"amy": 900}}}}
			answer, err := Evaluate(p, s)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			selected := answer.Select(c.started)
			for job, state := range selected.State {
				got = append(got, state, strconv.FormatInt(selected.Stored[job], 10))
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("got %s\nwant %s", text, c.want)
			}
		})
	}
}

// TestWindowsByHand: the worked example of the manual's fairshare chapter, and what it is worth.
func TestWindowsByHand(t *testing.T) {
	unit, _ := lower.Parse(source.NewFile("maui.cfg",
		[]byte("FSPOLICY DEDICATEDPS\nFSINTERVAL 12:00:00\nFSDEPTH 4\nFSDECAY 0.5\nUSERCFG[john] "+
			"FSTARGET=25\nUSERCFG[DEFAULT] FSTARGET=10+\n")), lower.Maui, lower.Files{})
	p, diags := lower.Lower([]lower.Unit{unit}, lower.Options{})
	if p == nil {
		t.Fatal(diags)
	}
	s := queueOf(t, `{"id": "1", "user": "john"}`)
	used, total := []float64{60, 0, 10, 50}, []float64{110, 125, 100, 150}
	for k := range used {
		s.Usage = append(s.Usage, snapshot.UsageWindow{StartTime: s.Now - s.Now%43200 - int64(k)*43200, Total: total[k],
			Usage: map[string]map[string]float64{"user": {"john": used[k]}}})
	}
	w := (&queue{policy: p, snap: s}).windows()
	const percent = 68.75 / 216.25 * 100
	for _, c := range []struct {
		name           string
		percent, delta float64
	}{{"john", percent, 25 - percent}, {"mary", 0, 10}, {"", 0, 0}} {
		if got := w.percent("user", c.name); math.Abs(got-c.percent) > 1e-12 {
			t.Errorf("%q used %v %%, want %v", c.name, got, c.percent)
		}
		if got := w.delta("user", c.name); math.Abs(got-c.delta) > 1e-12 {
			t.Errorf("%q is worth %v, want %v", c.name, got, c.delta)
		}
	}
}

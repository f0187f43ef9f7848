package fairshare

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

func TestAccrue(t *testing.T) {
	amy, bob := Names{"amy", "phys", "acct1", "batch", "hi"}, Names{User: "bob"}
	for _, c := range []struct {
		name  string
		usage string
		job   RunningJob
		want  float64
	}{
		{"since the last iteration", DedicatedProcSeconds, RunningJob{Names: amy, Procs: 8, StartTime: 100}, 8 * 60},
		{"since its start", DedicatedProcSeconds, RunningJob{Names: amy, Procs: 8, StartTime: 990}, 8 * 10},
		{"just started", DedicatedProcSeconds, RunningJob{Names: amy, Procs: 8, StartTime: 1000}, 0},
		{"starts later", DedicatedProcSeconds, RunningJob{Names: amy, Procs: 8, StartTime: 1100}, 0},
		{"equivalents", DedicatedPESeconds, RunningJob{Names: amy, Procs: 8, ProcessorEquivalents: 10.5, StartTime: 0},
			10.5 * 60},
		{"utilised", UtilizedProcSeconds, RunningJob{Names: amy, Procs: 8, ProcessorEquivalents: 10.5, StartTime: 0}, 8 * 60},
		{"without other credentials", DedicatedProcSeconds, RunningJob{Names: bob, Procs: 1, StartTime: 0}, 60},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w snapshot.UsageWindow
			Accrue(&program.Windows{Usage: c.usage}, &w, []RunningJob{c.job}, 940, 1000)
			if w.Total != c.want {
				t.Errorf("total %v, want %v", w.Total, c.want)
			}
			for o, name := range c.job.Names {
				if got := w.Usage[Objects[o]][name]; name != "" && got != c.want {
					t.Errorf("%s %s: %v, want %v", Objects[o], name, got, c.want)
				}
				if name == "" && len(w.Usage[Objects[o]]) > 0 {
					t.Errorf("%s: %v, want none", Objects[o], w.Usage[Objects[o]])
				}
			}
		})
	}
}

func TestRoll(t *testing.T) {
	w := &program.Windows{IntervalSeconds: 100, Depth: 3}
	starts := func(list []snapshot.UsageWindow) (out []int64) {
		for _, u := range list {
			out = append(out, u.StartTime)
		}
		return out
	}
	for _, c := range []struct {
		name string
		have []int64
		now  int64
		want []int64
	}{
		{"nothing yet", nil, 1050, []int64{1000}},
		{"still the same", []int64{1000, 900, 800}, 1099, []int64{1000, 900, 800}},
		{"the next one", []int64{1000, 900, 800}, 1100, []int64{1100, 1000, 900}},
		{"long asleep", []int64{1000, 900, 800}, 1201, []int64{1200, 1000}},
		{"all too old", []int64{1000}, 5000, []int64{5000}},
		{"gaps and any order", []int64{800, 1000}, 1000, []int64{1000, 800}},
		{"from the future", []int64{1300, 1000}, 1050, []int64{1000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var have []snapshot.UsageWindow
			for _, s := range c.have {
				have = append(have, snapshot.UsageWindow{StartTime: s, Total: float64(s)})
			}
			got := Roll(w, have, c.now)
			if !slices.Equal(starts(got), c.want) {
				t.Errorf("got %v, want %v", starts(got), c.want)
			}
			for _, u := range got {
				if u.Total != float64(u.StartTime) && slices.Contains(c.have, u.StartTime) {
					t.Errorf("the window of %d lost its usage", u.StartTime)
				}
			}
		})
	}
}

func TestCloneIsDeep(t *testing.T) {
	windows := []snapshot.UsageWindow{{StartTime: 100, Total: 5, Usage: map[string]map[string]float64{"user": {"amy": 5}}}}
	Add(&Clone(windows)[0], Names{User: "amy"}, 7)
	if windows[0].Total != 5 || windows[0].Usage["user"]["amy"] != 5 {
		t.Errorf("adding to the copy changed the original: %+v", windows[0])
	}
}

func TestWithPassed(t *testing.T) {
	windows := []snapshot.UsageWindow{{
		Usage: map[string]map[string]float64{"user": {"amy": 5}},
		Passed: snapshot.PassedUsage{Total: 12,
			Usage: map[string]map[string]float64{"user": {"amy": 9, "bob": 7}, "account": {"a": 3}}},
	}, {Total: 4, Passed: snapshot.PassedUsage{Total: 99}}}
	got, counted := WithPassed(windows)
	if counted != 3 {
		t.Errorf("%d lines counted, want 3: bob, the account and a total", counted)
	}
	if !maps.Equal(got[0].Usage["user"], map[string]float64{"amy": 5, "bob": 7}) || got[0].Usage["account"]["a"] != 3 ||
		got[0].Total != 12 || got[1].Total != 4 {
		t.Errorf("got %+v", got)
	}
	if !reflect.DeepEqual(windows[0].Usage, map[string]map[string]float64{"user": {"amy": 5}}) {
		t.Errorf("the original changed: %+v", windows[0].Usage)
	}
}

package fairshare

import (
	"math"
	"testing"

	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestWorth: what 30 percent of all usage is worth under each kind of target.
func TestWorth(t *testing.T) {
	for _, c := range []struct {
		kind  string
		value float64
		ratio bool
		want  float64
	}{
		{"target", 40, false, 10}, {"target", 20, false, -10}, {"target", 40, true, 0.25}, {"target", 20, true, -0.5},
		{"floor", 40, false, 10}, {"floor", 20, false, 0}, {"floor", 40, true, 0.25}, {"floor", 20, true, 0},
		{"ceiling", 40, false, 0}, {"ceiling", 20, false, -10}, {"ceiling", 20, true, -0.5},
		{"cap", 1000, false, 0}, {"relative_cap", 20, false, 0}, {"relative_cap", 20, true, 0},
	} {
		w := worthOf(&program.Target{Kind: c.kind, Value: c.value}, c.ratio)
		if got := w.of(30); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s %v ratio %v: %v, want %v", c.kind, c.value, c.ratio, got, c.want)
		}
	}
}

// TestInheritance: whose target counts.
func TestInheritance(t *testing.T) {
	w := &program.Windows{IntervalSeconds: 100, Depth: 1, Decay: 1, Targets: []program.Target{
		{Object: "user", Name: "DEFAULT", Others: true, Kind: "floor", Value: 10},
		{Object: "user", Name: "amy", Kind: "target", Value: 20},
		{Object: "user", Name: "zero", Kind: "target", Value: 0},
		{Object: "user", Name: "minus", Kind: "target", Value: -1},
		{Object: "partition", Name: "DEFAULT", Kind: "target", Value: 30},
	}}
	s := EvaluateWindows(w, []snapshot.UsageWindow{{Total: 100, Usage: map[string]map[string]float64{"user": {"bob": 4}}}},
		50)
	for _, c := range []struct {
		object int
		name   string
		target int32
		delta  float64
	}{
		{User, "amy", 1, 20},
		{User, "bob", 0, 6},
		{User, "zero", 0, 10},
		{User, "minus", 0, 10},
		{User, "DEFAULT", 0, 10},
		{User, "unheard", 0, 10},
		{User, "", NoTarget, 0},
		{Partition, "DEFAULT", 4, 30},
		{Partition, "batch", NoTarget, 0},
		{QOS, "hi", NoTarget, 0},
	} {
		if got := s.Of(c.object, c.name); got.Target != c.target || got.Delta != c.delta {
			t.Errorf("%s %q: target %d delta %v, want %d and %v", Objects[c.object], c.name, got.Target, got.Delta, c.target,
				c.delta)
		}
	}
}

// TestCaps: the examples of the reference, and the edges.
func TestCaps(t *testing.T) {
	model := func(kind string, value float64, others bool) *program.Windows {
		return &program.Windows{IntervalSeconds: 100, Depth: 1, Decay: 1, Usage: DedicatedProcSeconds,
			Targets: []program.Target{{Object: "user", Name: map[bool]string{true: "DEFAULT", false: "amy"}[others],
				Others: others, Kind: kind, Value: value}}}
	}
	for _, c := range []struct {
		name        string
		w           *program.Windows
		used, total float64
		request     float64
		user        string
		want        bool
	}{
		{"cap reached exactly", model("cap", 1000, false), 400, 5000, 600, "amy", false},
		{"cap exceeded", model("cap", 1000, false), 400, 5000, 601, "amy", true},
		{"cap without any usage", model("cap", 1000, false), 0, 0, 1001, "amy", true},
		{"share reached exactly", model("relative_cap", 20, false), 400, 5000, 600, "amy", false},
		{"share exceeded", model("relative_cap", 20, false), 400, 5000, 601, "amy", true},
		{"share without any usage", model("relative_cap", 20, false), 0, 0, 1e9, "amy", false},
		{"negative cap", model("cap", -1, false), 0, 5000, 0, "amy", true},
		{"negative share", model("relative_cap", -5, false), 0, 5000, 0, "amy", true},
		{"another user", model("cap", 1, false), 0, 5000, 600, "bob", false},
		{"no user", model("cap", 1, false), 0, 5000, 600, "", false},
		{"DEFAULT's cap is not inherited", model("cap", 1, true), 0, 5000, 600, "amy", false},
		{"DEFAULT's own cap", model("cap", 1, true), 0, 5000, 600, "DEFAULT", true},
		{"a target is no cap", model("target", 1, false), 400, 5000, 600, "amy", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			usage := []snapshot.UsageWindow{{Total: c.total, Usage: map[string]map[string]float64{"user": {"amy": c.used}}}}
			v, over := EvaluateWindows(c.w, usage, 50).Cap(Names{User: c.user}, c.request)
			if over != c.want {
				t.Fatalf("over the cap: %v, want %v", over, c.want)
			}
			if over && (v.Object != "user" || v.Name != c.user || v.Request != c.request || v.Value != c.w.Targets[0].Value) {
				t.Errorf("violation %+v", v)
			}
		})
	}
}

func TestRequest(t *testing.T) {
	if got := Request(&program.Windows{Usage: DedicatedProcSeconds}, 8, 3600, 12.7); got != 8*3600 {
		t.Errorf("processor-seconds: %v", got)
	}
	if got := Request(&program.Windows{Usage: DedicatedPESeconds}, 8, 3600, 12.7); got != 12 {
		t.Errorf("equivalents: %v, want them cut and without time", got)
	}
}

// TestMissed is the star of diagnose -f, with the rows of the manual's example.
func TestMissed(t *testing.T) {
	for _, c := range []struct {
		kind           string
		value, percent float64
		want           bool
	}{
		{"target", 15, 13.25, false}, {"target", 15, 8.86, true}, {"target", 15, 30.26, true}, {"target", 30, 31.76, false},
		{"target", 30, 24.86, true},
		{"target", 10, 14.27, false}, {"target", 10, 15, false}, {"floor", 10, 9.9, true}, {"floor", 10, 10, false},
		{"floor", 10, 50, false},
		{"ceiling", 10, 10.1, true}, {"ceiling", 10, 10, false}, {"ceiling", 10, 1, false}, {"cap", 10, 100, false},
		{"relative_cap", 10, 100, false},
	} {
		if got := Missed(&program.Target{Kind: c.kind, Value: c.value}, c.percent); got != c.want {
			t.Errorf("%s %v at %v: %v, want %v", c.kind, c.value, c.percent, got, c.want)
		}
	}
}

package limit_test

import (
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
)

// TestUses: who fills a counter adds up to what is in use, and an override is known with what it
// stands in for.
func TestUses(t *testing.T) {
	p := &program.Program{Counting: cInts, Limits: []program.Limit{
		limited("user", "amy", "procs", limit.Active, 4, 8),
		limited("user", "DEFAULT", "jobs", limit.Idle, 1, 1),
		overriding(limited("qos", "hi", "procs", limit.Active, 2, 2)),
		limited("group", "none", "jobs", limit.Active, 3, 3),
		limited("", "", "walltime", limit.Job, none, none),
	}}
	g, diags := limit.New(p, lines(`amy g - c q  3 60
		bob g - c q  2 60
		amy g - c q  4 60
		amy g - c hi 1 60
		bob g - c hi 9 60`), limit.Options{Now: 100})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	all := []int32{0, 1, 2, 3, 4}
	g.AddActive(0)
	g.AddActive(1)
	g.AddActive(2)
	v, over := g.CheckActive(3, limit.Soft)
	if !over || v.Limit != 2 || v.InUse != 7 {
		t.Fatalf("job 3 meets %+v (%v)", v, over)
	}
	st, ok := g.StandingOf(3, &v)
	if !ok || st.InUse != 7 || st.Request != 1 || st.Soft != 2 {
		t.Errorf("the limit of job 3 stands at %+v (%v)", st, ok)
	}
	if got, want := g.Uses(3, &st, all[:3]),
		[]limit.Use{{Job: 0, Amount: 3}, {Job: 2, Amount: 4}}; !slices.Equal(got, want) {
		t.Errorf("the counter is used by %v, want %v", got, want)
	}
	if old, ok := g.Replaced(3, &st); !ok || old != 0 {
		t.Errorf("the override replaces limit %d (%v), want 0", old, ok)
	}
	v, over = g.CheckActive(4, limit.Hard)
	if st, ok = g.StandingOf(4, &v); !over || !ok {
		t.Fatalf("job 4 meets %+v (%v, %v)", v, over, ok)
	}
	if old, ok := g.Replaced(4, &st); ok {
		t.Errorf("bob has no limit, and yet the override replaces %d", old)
	}
	if _, ok := g.StandingOf(1, &limit.Violation{Limit: 0, Per: []string{"user"}, Counts: "procs",
		Phase: limit.Active}); ok {
		t.Error("amy's limit stands for bob")
	}
	if got, want := g.Unnamed(), []int{2, 3}; !slices.Equal(got, want) {
		t.Errorf("without a counter are %v, want %v", got, want)
	}
}

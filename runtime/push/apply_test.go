package push_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/push"
)

func TestApply(t *testing.T) {
	f := newFake()
	c, _, err := f.apply(t, plan())
	if got := f.site(); err != nil || got != planned || c != (push.Counts{Changed: 5}) {
		t.Fatalf("%s, %+v, %v", got, c, err)
	}
	sent := f.sent
	c, _, err = f.apply(t, plan())
	if err != nil || f.sent != sent || c != (push.Counts{Already: 5}) {
		t.Errorf("a second time %d commands are sent, %+v, %v", f.sent-sent, c, err)
	}
	if runs := push.Runs(f.journal(t)); len(runs) != 1 || !runs[0].Ended || runs[0].Changed != 5 {
		t.Errorf("the journal tells of %+v", runs)
	}
}

// undo takes the run back; the task that runs has what its array got, for it is told no more.
func undo(t *testing.T, f *fake, when string) {
	t.Helper()
	p, ok := push.Undo(f.journal(t), "r1")
	if !ok {
		return // it was killed before it began
	}
	p.Run = "r2"
	if _, dead, err := f.apply(t, p); dead || err != nil {
		t.Errorf("%s: undo: %v", when, err)
	}
	want := newFake().site()
	if got := f.site(); strings.Replace(got, "13=10", "13=1", 1) != want {
		t.Errorf("%s: undo leaves\n%s, not\n%s\n%s", when, got, want, f.log.Bytes())
	}
}

// TestKilled kills a run at each of its steps, in each way, and the run after it too: run once more, it ends in
// the same state, and can be taken back.
func TestKilled(t *testing.T) {
	whole := newFake()
	_, _, _ = whole.apply(t, plan())
	ways := []fault{before, midway, after}
	for first := 1; first <= whole.steps; first++ {
		for _, how := range ways {
			for second := 0; second <= whole.steps+6; second++ {
				again := ways[(first+second)%len(ways)]
				when := fmt.Sprintf("killed at step %d (%d), then at %d (%d)", first, how, second, again)
				f := newFake()
				f.fault = at(first, how)
				if _, dead, err := f.apply(t, plan()); !dead {
					t.Fatalf("%s: it lives: %v", when, err)
				}
				if second > 0 {
					f.steps, f.fault = 0, at(second, again)
					if _, _, err := f.apply(t, plan()); err != nil {
						t.Fatalf("%s: %v", when, err)
					}
				}
				f.fault = nil
				if _, _, err := f.apply(t, plan()); err != nil || f.site() != planned {
					t.Fatalf("%s, it ends with %s, %v\n%s", when, f.site(), err, f.log.Bytes())
				}
				undo(t, f, when)
			}
		}
	}
}

func at(step int, what fault) func(int) fault {
	return func(n int) fault {
		if n == step {
			return what
		}
		return none
	}
}

// TestBroken: commands that fail, print half or lie, and a journal that cannot be written, at each step.
func TestBroken(t *testing.T) {
	whole := newFake()
	_, _, _ = whole.apply(t, plan())
	for step := 1; step <= whole.steps; step++ {
		for _, what := range []fault{fails, halves, short, lies} {
			when := fmt.Sprintf("step %d goes wrong (%d)", step, what)
			f := newFake()
			f.fault = at(step, what)
			c, _, err := f.apply(t, plan())
			if err == nil && c.Missed == 0 && f.site() != planned {
				t.Errorf("%s: nothing is said, and %s", when, f.site())
			}
			f.fault = nil
			if _, _, err := f.apply(t, plan()); err != nil || f.site() != planned {
				t.Errorf("%s, it ends with %s, %v\n%s", when, f.site(), err, f.log.Bytes())
			}
			undo(t, f, when)
		}
	}
}

// TestNothingUnwritten: no command is sent of which the journal does not say so before.
func TestNothingUnwritten(t *testing.T) {
	f := newFake()
	f.fault = func(int) fault { return none }
	for step := 1; ; step++ {
		f = newFake()
		f.fault = at(step, before)
		_, dead, _ := f.apply(t, plan())
		intents := 0
		for _, e := range f.journal(t) {
			if e.Event == push.Intent {
				intents++
			}
		}
		if f.sent > intents {
			t.Fatalf("killed before step %d, %d commands are sent and %d are written down", step, f.sent, intents)
		}
		if !dead {
			return
		}
	}
}

func TestSince(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(map[string]*fakeJob)
		want   string // why job 1 is skipped
	}{
		{"started", func(j map[string]*fakeJob) { j["1"].state = "RUNNING" }, "it has started"},
		{"ended", func(j map[string]*fakeJob) { j["1"].state = "COMPLETED" }, "it has ended"},
		{"held", func(j map[string]*fakeJob) { j["1"].state = "HELD" }, "it is held by now"},
		{"gone", func(j map[string]*fakeJob) { delete(j, "1") }, "it has gone"},
		{"another", func(j map[string]*fakeJob) { j["1"].submit = 77 }, "its id is that of another job by now"},
		{"touched", func(j map[string]*fakeJob) { j["1"].site = -9 }, "somebody else has set it to -9 since"},
		{"direct", func(j map[string]*fakeJob) { j["1"].direct = true }, "its priority was set by hand, so that SiteFactor does nothing"},
	} {
		f := newFake()
		c.change(f.jobs)
		before := int64(0)
		if j := f.jobs["1"]; j != nil {
			before = j.site
		}
		counts, _, err := f.apply(t, plan())
		why := ""
		for _, e := range f.journal(t) {
			for _, s := range e.Skipped {
				why += s.Job + ": " + s.Why
			}
		}
		if err != nil || counts != (push.Counts{Changed: 4, Skipped: 1}) || why != "1: "+c.want {
			t.Errorf("%s: %+v, %q, %v", c.what, counts, why, err)
		}
		if j := f.jobs["1"]; j != nil && j.site != before {
			t.Errorf("%s: it is set to %d all the same", c.what, j.site)
		}
	}
}

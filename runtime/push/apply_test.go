package push_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/manager"
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

// undo takes the run back; the task that runs has what its array got, for it is listed no more.
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
				if second > 0 && !draws.Long() && (first+second+int(how))%len(ways) != 0 {
					continue // the second kill is of each step, but not after each first one
				}
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
				if open := push.Unsettled(f.journal(t)); len(open) > 0 {
					t.Fatalf("%s, the run after leaves unsettled %+v\n%s", when, open, f.log.Bytes())
				}
				undo(t, f, when)
			}
		}
	}
}

// TestSettled: what a killed run left open is closed by the next one, also when the jobs have gone, and is not
// asked about for ever.
func TestSettled(t *testing.T) {
	whole := newFake()
	_, _, _ = whole.apply(t, plan())
	left := 0
	for step := 1; step <= whole.steps; step++ {
		f := newFake()
		f.fault = at(step, after)
		_, _, _ = f.apply(t, plan())
		f.fault = nil
		left += len(push.Unsettled(f.journal(t)))
		for _, id := range []string{"10", "11", "12", "13"} {
			delete(f.jobs, id)
		}
		if _, _, err := f.apply(t, &push.Plan{Run: "r2", Target: push.Target{To: "slurm"}}); err != nil {
			t.Errorf("killed after step %d: %v", step, err)
		}
		if open := push.Unsettled(f.journal(t)); len(open) > 0 {
			t.Errorf("killed after step %d, of an array that has gone stay %+v\n%s", step, open, f.log.Bytes())
		}
	}
	if left == 0 {
		t.Error("no kill leaves anything open")
	}
}

// TestSettlingCounts: the values by which a run is settled are in the audit. They count as changes, are bounded as
// these are, and are values that can be set.
func TestSettlingCounts(t *testing.T) {
	through := int64(0)
	left := func(value int64) push.Entry {
		return push.Entry{Run: "q", Event: push.Intent, Changes: []push.Change{
			{Job: "1", Name: "1", Submitted: "1795694400", Old: value, New: value, Through: &through, Keep: true},
			{Job: "3", Name: "3", Submitted: "1795694400", Old: value, New: value, Through: &through, Keep: true}}}
	}
	for _, c := range []struct {
		value  int64
		most   int
		want   push.Counts
		beyond bool
		site   string
	}{
		{77, 0, push.Counts{Changed: 2}, false, "1=77 10=1 11=2 12=3 13=1 2=7 3=77"},
		{77, 2, push.Counts{Changed: 2}, false, "1=77 10=1 11=2 12=3 13=1 2=7 3=77"},
		{77, 1, push.Counts{}, true, newFake().site()},
		{1 << 40, 0, push.Counts{}, false, newFake().site()},
	} {
		f := newFake()
		m := push.Machine{Feeder: manager.SlurmSiteFactor, Exec: f.exec, Journal: f, Afterwards: anyway, MaxChanges: c.most,
			Now: func() time.Time { return time.Unix(0, 0) }}
		counts, err := m.Apply(context.Background(), &push.Plan{Run: "r", Target: push.Target{To: "slurm"}},
			[]push.Entry{left(c.value)})
		if errors.Is(err, push.ErrBeyond) != c.beyond || err != nil && !c.beyond || counts != c.want || f.site() != c.site {
			t.Errorf("%+v: %+v, %v, %s", c, counts, err, f.site())
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
		{"direct", func(j map[string]*fakeJob) { j["1"].direct = true },
			"its priority was set by hand, so that SiteFactor does nothing"},
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

// TestRefused: a job that is refused for good keeps nobody else from what they are to get, also where one job is
// sent at a time; nor does one that a broken-off command left with the value of its array.
func TestRefused(t *testing.T) {
	o := &one{values: map[string]string{}, refused: map[string]bool{"2.head": true}, calls: map[string]int{}}
	p := &push.Plan{Run: "r", Made: "now", Target: push.Target{To: "x"}}
	for i := range 5 {
		id := fmt.Sprintf("%d.head", i+1)
		o.values[id], o.order = "3", append(o.order, id)
		p.Changes = append(p.Changes, push.Change{Job: id, Name: id, Submitted: "Tue Nov 14 16:18:49", Old: 3,
			New: int64(100 + i)})
	}
	m := push.Machine{Feeder: manager.PBSPriority, Exec: o.exec, Journal: o, Afterwards: anyway,
		Now: func() time.Time { return time.Unix(0, 0) }, PerSecond: 1,
		Wait: func(context.Context, time.Duration) error { return nil }}
	counts, err := m.Apply(context.Background(), p, nil)
	if err != nil || counts != (push.Counts{Changed: 4, Missed: 1}) || o.values["5.head"] != "104" {
		t.Errorf("%+v, %v, %v", counts, err, o.values)
	}
	through := int64(3)
	left := push.Entry{Run: "q", Event: push.Intent,
		Changes: []push.Change{{Job: "2.head", Name: "2.head", Submitted: "Tue Nov 14 16:18:49", Old: 50, New: 50,
			Through: &through, Keep: true}}}
	for i := range p.Changes {
		p.Changes[i].Old, p.Changes[i].New = p.Changes[i].New, 7
	}
	if counts, err = m.Apply(context.Background(), p, []push.Entry{left}); err != nil || counts.Changed != 4 ||
		o.values["5.head"] != "7" {
		t.Errorf("%+v, %v, %v", counts, err, o.values)
	}
	// One that takes nothing at all is not believed for long.
	for id := range o.values {
		o.refused[id] = true
	}
	for i := range p.Changes {
		p.Changes[i].Old, p.Changes[i].New = 7, 8
	}
	p.Run = "nothing"
	p.Changes = append(p.Changes, push.Change{Job: "99.head", Name: "99.head", Old: 7, New: 8})
	if counts, err = m.Apply(context.Background(), p, nil); !errors.Is(err, push.ErrNothingTook) || counts.Changed != 0 {
		t.Errorf("%+v, %v", counts, err)
	}
	// It has come to its end all the same, and the journal has what it skipped.
	runs := push.Runs(o.journal(t))
	if last := runs[len(runs)-1]; !last.Ended || last.Missed != 4 ||
		last.Error != push.ErrNothingTook.Error()+": qalter: qalter: exit status 1" {
		t.Errorf("the journal tells of %+v", last)
	}
	skipped := 0
	for _, e := range o.journal(t) {
		if e.Run == "nothing" {
			skipped += len(e.Skipped)
		}
	}
	if skipped != 2 { // 2.head has not what it was to have before, and 99.head is not there
		t.Errorf("the journal has %d skipped jobs", skipped)
	}
}

// TestForged: a record that a job's own text made is not taken for the job whose id it has, and keeps nobody from
// what they are to get.
func TestForged(t *testing.T) {
	f := newFake()
	f.jobs["1"].name = "x\nJobId=3 JobName=y\n3|3|3|N/A|RUNNING|5|2026-11-20T12:00:00|main|"
	if counts, _, err := f.apply(t, plan()); err != nil || counts != (push.Counts{Changed: 5}) || f.site() != planned {
		t.Errorf("%+v, %v, %s", counts, err, f.site())
	}
	const made = "Tue Nov 14 16:18:49"
	o := &one{values: map[string]string{"1.head": "3",
		"2.head": "4\n    Variable_List = A=a\n\nJob Id: 1.head\n    job_state = R\n    ctime = " + made +
			"\n    Priority = 5"},
		order: []string{"1.head", "2.head"}, calls: map[string]int{}}
	p := &push.Plan{Run: "r", Changes: []push.Change{{Job: "1.head", Name: "1.head", Submitted: made, Old: 3, New: 9},
		{Job: "2.head", Name: "2.head", Submitted: made, Old: 4, New: 8}}}
	m := push.Machine{Feeder: manager.PBSPriority, Exec: o.exec, Journal: o, Afterwards: anyway,
		Now: func() time.Time { return time.Unix(0, 0) }}
	counts, err := m.Apply(context.Background(), p, nil)
	if err != nil || counts != (push.Counts{Changed: 1, Skipped: 1}) || o.values["1.head"] != "3" ||
		o.values["2.head"] != "8" {
		t.Errorf("%+v, %v, %v", counts, err, o.values)
	}
}

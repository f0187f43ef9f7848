package push_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/push"
)

// one is a resource manager whose commands are about one job at a time.
type one struct {
	values map[string]string
	order  []string
	calls  map[string]int // by program
	fake                  // the journal

	refused map[string]bool // jobs that keep what they have
	why     string
}

func (o *one) exec(_ context.Context, c manager.Call) ([]byte, error) {
	o.calls[c.Argv[0]]++
	job := c.Argv[len(c.Argv)-1]
	if _, ok := o.values[job]; !ok && c.Argv[0] != "qstat" {
		return nil, errors.New("no such job")
	}
	switch c.Argv[0] {
	case "checkjob":
		return fmt.Appendf(nil, "\nchecking job %s\n\nState: Idle\nSubmitTime: Tue Nov 14 16:18:49\nPE:  1.00  "+
			"StartPriority:  1  SystemPriority:  %s\n", job, o.values[job]), nil
	case "setspri":
		o.values[job] = c.Argv[1]
	case "qalter":
		if o.refused[job] {
			return nil, &manager.Complaint{Text: cmp.Or(o.why, "qalter: Unauthorized Request  "+job) + "\n",
				Err: errors.New("qalter: exit status 1")}
		}
		o.values[job] = c.Argv[2]
	case "qstat":
		var b strings.Builder
		for _, id := range o.order {
			fmt.Fprintf(&b, "Job Id: %s\n    job_state = Q\n    ctime = Tue Nov 14 16:18:49\n    Priority = %s\n\n", id,
				o.values[id])
		}
		return []byte(b.String()), nil
	}
	return nil, nil
}

// TestOneByOne: many jobs of Maui and PBS, one of which has gone; each is asked about no more often than it
// takes, before its batch and after it.
func TestOneByOne(t *testing.T) {
	for _, c := range []struct {
		feeder manager.Feeder
		asks   string
		most   int
	}{
		{manager.MauiSystemPriority, "checkjob", 2 * 45},
		{manager.PBSPriority, "qstat", 2},
	} {
		o := &one{values: map[string]string{}, calls: map[string]int{}}
		p := &push.Plan{Run: "r", Made: "now", Target: push.Target{To: "x"}}
		for i := range 45 {
			id := fmt.Sprintf("%d.head", i+1)
			o.values[id], o.order = "3", append(o.order, id)
			p.Changes = append(p.Changes, push.Change{Job: id, Name: id, Submitted: "Tue Nov 14 16:18:49", Old: 3,
				New: int64(100 + i)})
		}
		delete(o.values, "7.head")
		o.order = append(o.order[:6], o.order[7:]...)
		m := push.Machine{Feeder: c.feeder, Exec: o.exec, Journal: o, Afterwards: anyway,
			Now: func() time.Time { return time.Unix(0, 0) }}
		counts, err := m.Apply(context.Background(), p, nil)
		if err != nil || counts != (push.Counts{Changed: 44, Skipped: 1}) || o.values["45.head"] != "144" ||
			o.values["1.head"] != "100" {
			t.Errorf("%s: %+v, %v, %v", c.feeder.Kind(), counts, err, o.values)
		}
		if n := o.calls[c.asks]; n > c.most {
			t.Errorf("%s is run %d times, not %d", c.asks, n, c.most)
		}
	}
}

// TestRate: no more than a second's changes at once, and a wait between them.
func TestRate(t *testing.T) {
	o := &one{values: map[string]string{"1.head": "0", "2.head": "0", "3.head": "0"},
		order: []string{"1.head", "2.head", "3.head"}, calls: map[string]int{}}
	p := &push.Plan{Run: "r"}
	for _, id := range o.order {
		p.Changes = append(p.Changes, push.Change{Job: id, Name: id, Submitted: "Tue Nov 14 16:18:49", New: 9})
	}
	var waits []time.Duration
	m := push.Machine{Feeder: manager.PBSPriority, Exec: o.exec, Journal: o, Afterwards: anyway,
		Now: func() time.Time { return time.Unix(0, 0) }, PerSecond: 0.5,
		Wait: func(_ context.Context, d time.Duration) error {
			if waits = append(waits, d); len(waits) == 2 {
				return context.DeadlineExceeded
			}
			return nil
		}}
	counts, err := m.Apply(context.Background(), p, nil)
	if !errors.Is(err, context.DeadlineExceeded) || counts.Changed != 2 || fmt.Sprint(waits) != "[2s 2s]" ||
		o.values["3.head"] != "0" {
		t.Errorf("%+v, %v, waits %v, %v", counts, err, waits, o.values)
	}
}

// TestTimeIsUp: what was sent when the time was up is looked at, and nothing else.
func TestTimeIsUp(t *testing.T) {
	o := &one{values: map[string]string{}, calls: map[string]int{}}
	p := &push.Plan{Run: "r", Target: push.Target{To: "maui"}}
	for i := range 60 {
		id := fmt.Sprintf("%d.head", i+1)
		o.values[id] = "3"
		p.Changes = append(p.Changes, push.Change{Job: id, Name: id, Submitted: "Tue Nov 14 16:18:49", Old: 3,
			New: int64(100 + i)})
	}
	ctx, cancel := context.WithCancel(context.Background())
	m := push.Machine{Feeder: manager.MauiSystemPriority, Journal: o, Afterwards: anyway,
		Now: func() time.Time { return time.Unix(0, 0) },
		Exec: func(ctx context.Context, c manager.Call) ([]byte, error) {
			if ctx.Err() != nil {
				t.Errorf("%v is run although its time is up", c.Argv)
			}
			if o.calls["setspri"] == 10 {
				cancel()
			}
			return o.exec(ctx, c)
		}}
	counts, err := m.Apply(ctx, p, nil)
	if !errors.Is(err, context.Canceled) || counts != (push.Counts{Changed: 11}) || o.calls["checkjob"] != 20+20 {
		t.Errorf("%+v, %v, %v", counts, err, o.calls)
	}
	journal := o.journal(t)
	last := journal[len(journal)-1]
	if last.Event != push.Done || len(last.Unsent) != 9 || last.Missed != nil ||
		last.Error != "9 of 20 commands did not come to their end: context canceled" {
		t.Errorf("the journal ends with %+v", last)
	}
	if runs := push.Runs(journal); len(runs) != 1 || runs[0].Ended || runs[0].Missed != 0 {
		t.Errorf("the journal tells of %+v", runs)
	}
}

// TestTimeIsUpAtOnce: a command that the time ends has changed nothing, which is no refusal. What it may have left is
// looked at by the next run.
func TestTimeIsUpAtOnce(t *testing.T) {
	f := newFake()
	ctx, cancel := context.WithCancel(context.Background())
	m := push.Machine{Feeder: manager.SlurmSiteFactor, Journal: f, Afterwards: anyway,
		Now: func() time.Time { return time.Unix(0, 0) },
		Exec: func(ctx context.Context, c manager.Call) ([]byte, error) {
			if c.Input != nil {
				cancel()
				return nil, ctx.Err()
			}
			return f.exec(ctx, c)
		}}
	counts, err := m.Apply(ctx, plan(), nil)
	if !errors.Is(err, context.Canceled) || errors.Is(err, push.ErrNothingTook) || counts != (push.Counts{}) {
		t.Errorf("%+v, %v", counts, err)
	}
	journal := f.journal(t)
	if open := push.Unsettled(journal); len(open) == 0 || journal[len(journal)-1].Event == push.End {
		t.Errorf("unsettled are %+v\n%s", open, f.log.Bytes())
	}
	m.Exec = f.exec
	if _, err = m.Apply(context.Background(), plan(), journal); err != nil || f.site() != planned {
		t.Errorf("%v, %s", err, f.site())
	}
}

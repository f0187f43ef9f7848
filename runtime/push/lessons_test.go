package push_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/push"
)

const tooLarge = "Requested partition configuration not available now"

// large is a Slurm of which jobs are larger than their partition, at the top of the queue.
type large struct {
	*fake
	why string // what scontrol says of them
}

func (l *large) exec(ctx context.Context, c manager.Call) ([]byte, error) {
	if c.Argv[0] != "scontrol" {
		return l.fake.exec(ctx, c)
	}
	var complaint strings.Builder
	var input []string
	for line := range strings.Lines(string(c.Input)) {
		var id string
		_, _ = fmt.Sscanf(line, "update JobId=%s", &id)
		if strings.HasPrefix(l.jobs[id].name, "large") {
			if l.why != "" {
				fmt.Fprintf(&complaint, "%s for job %s\n", l.why, id)
			}
			continue
		}
		input = append(input, line)
	}
	l.sent++
	err := l.update(input)
	if complaint.Len() > 0 {
		err = &manager.Complaint{Text: complaint.String(), Err: errors.New("exit status 1")}
	}
	return nil, err
}

// newLarge has jobs that are too large, and others behind them.
func newLarge(tooLargeJobs, others int) (*large, *push.Plan) {
	l := &large{&fake{jobs: map[string]*fakeJob{}}, tooLarge}
	p := &push.Plan{Run: "r1", Made: "now", Target: push.Target{To: "slurm"}}
	for i := range tooLargeJobs + others {
		id := fmt.Sprint(1000 + i)
		l.jobs[id] = &fakeJob{state: "PENDING", own: 10}
		if i < tooLargeJobs {
			l.jobs[id].name = "large"
		}
		p.Changes = append(p.Changes, push.Change{Job: id, Name: id, Submitted: "1795694400", New: 5, Asks: "900 processors"})
	}
	return l, p
}

func (l *large) run(t *testing.T, p *push.Plan, rate float64, now time.Time) (push.Counts, error) {
	t.Helper()
	m := push.Machine{Feeder: manager.SlurmSiteFactor, Exec: l.exec, Journal: l, Afterwards: anyway, PerSecond: rate, Now: func() time.Time { return now },
		Wait: func(context.Context, time.Duration) error { return nil }}
	return m.Apply(context.Background(), p, l.journal(t))
}

// TestStarved: jobs of one user that are refused, as many as a batch takes or a second's, keep no other from its value
// and do not fail the run. They are tried again once they ask for something else, or after a day.
func TestStarved(t *testing.T) {
	now := time.Unix(1795694400, 0)
	for _, c := range []struct {
		tooLarge, others int
		rate             float64
	}{{1, 1, 0}, {2, 5, 2}, {510, 664, 0}, {60, 3, 1}} {
		l, p := newLarge(c.tooLarge, c.others)
		counts, err := l.run(t, p, c.rate, now)
		if err != nil || counts != (push.Counts{Changed: c.others, Refused: c.tooLarge}) {
			t.Fatalf("%+v: %+v, %v", c, counts, err)
		}
		sent := l.sent
		p.Run = "r2"
		if counts, err = l.run(t, p, c.rate, now.Add(time.Hour)); err != nil || counts != (push.Counts{Already: c.others, Skipped: c.tooLarge}) || l.sent != sent {
			t.Errorf("%+v: the next run: %+v, %v, %d commands", c, counts, err, l.sent-sent)
		}
		p.Run, p.Changes[0].Asks = "r3", "1 processor"
		if counts, err = l.run(t, p, c.rate, now.Add(2*time.Hour)); err != nil || counts.Refused != 1 {
			t.Errorf("%+v: one that asks for something else: %+v, %v", c, counts, err)
		}
		for id := range l.jobs {
			l.jobs[id].name = ""
		}
		p.Run = "r4"
		if counts, err = l.run(t, p, c.rate, now.Add(27*time.Hour)); err != nil || counts.Changed != c.tooLarge {
			t.Errorf("%+v: the day after: %+v, %v", c, counts, err)
		}
		if known := push.Learn(l.journal(t), now.Add(27*time.Hour)); len(known) != 0 {
			t.Errorf("%+v: what took is remembered as refused: %d jobs", c, len(known))
		}
	}
}

// TestWhoIsRefused: what is said of whoever asks, or by nobody, is no refusal of a job; nothing is learnt of it.
func TestWhoIsRefused(t *testing.T) {
	now := time.Unix(1795694400, 0)
	for _, why := range []string{"Access/permission denied", "Unexpected message received", "Unable to contact slurm controller (connect failure)"} {
		l, p := newLarge(1010, 0)
		l.why = why
		counts, err := l.run(t, p, 0, now)
		if !errors.Is(err, push.ErrNothingTook) || counts.Changed != 0 || counts.Refused != 0 || l.sent != 1 || len(push.Learn(l.journal(t), now)) != 0 {
			t.Errorf("%s: %+v, %v, %d commands", why, counts, err, l.sent)
		}
	}
	// A few that are denied, one by one, are passed.
	l, p := newLarge(3, 4)
	l.why = "Access/permission denied"
	if counts, err := l.run(t, p, 1, now); err != nil || counts != (push.Counts{Changed: 4, Missed: 3}) {
		t.Errorf("%+v, %v", counts, err)
	}
}

// TestSilent: a job that keeps its value without a word, where others change, is let be after three runs.
func TestSilent(t *testing.T) {
	now := time.Unix(1795694400, 0)
	l, p := newLarge(1, 4)
	l.why = ""
	for run := range 5 {
		p.Run = fmt.Sprint("r", run)
		for i := range p.Changes {
			p.Changes[i].Old, p.Changes[i].New = l.jobs[p.Changes[i].Job].site, int64(5+run)
		}
		want := push.Counts{Changed: 4, Missed: 1}
		if run >= 3 {
			want = push.Counts{Changed: 4, Skipped: 1}
		}
		if counts, err := l.run(t, p, 0, now); err != nil || counts != want {
			t.Errorf("run %d: %+v, %v", run, counts, err)
		}
	}
}

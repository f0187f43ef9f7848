package push_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// newLarge has jobs that are too large, and others after them.
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
	m := push.Machine{Feeder: manager.SlurmSiteFactor, Exec: l.exec, Journal: l, Afterwards: anyway, PerSecond: rate,
		Now:  func() time.Time { return now },
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
		if counts, err = l.run(t, p, c.rate, now.Add(time.Hour)); err != nil ||
			counts != (push.Counts{Already: c.others, Skipped: c.tooLarge}) || l.sent != sent {
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

// TestWhoIsRefused: an error about the caller, or without an answer, refuses no job; nothing is learnt from it.
func TestWhoIsRefused(t *testing.T) {
	now := time.Unix(1795694400, 0)
	for _, why := range []string{"Access/permission denied", "Unexpected message received",
		"Unable to contact slurm controller (connect failure)"} {
		l, p := newLarge(1010, 0)
		l.why = why
		counts, err := l.run(t, p, 0, now)
		if !errors.Is(err, push.ErrNothingTook) || counts.Changed != 0 || counts.Refused != 0 || l.sent != 1 ||
			learnt(push.Learn(l.journal(t), now), p) {
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

// learnt reports a job of a plan that is not tried again.
func learnt(known push.Lessons, p *push.Plan) bool {
	return slices.ContainsFunc(p.Changes, func(c push.Change) bool { return known.Refuses(c) != "" })
}

// again makes a plan that changes all jobs once more.
func (l *large) again(p *push.Plan, run int) {
	p.Run = fmt.Sprint("r", run)
	for i := range p.Changes {
		p.Changes[i].Old, p.Changes[i].New = l.jobs[p.Changes[i].Job].site, int64(5+run)
	}
}

// TestUnsure: a job that keeps its value without a word or for a reason that is not known, where others change, is let
// be after three runs and an hour. What passes, and what the controller or whoever runs this is to blame for, never
// is.
func TestUnsure(t *testing.T) {
	now := time.Unix(1795694400, 0)
	for _, c := range []struct {
		why    string
		missed int // of a run in the first hour
		later  int // and after it
	}{
		{"", 1, 0}, {"Something new", 1, 0},
		{"Job can not be altered now, try again later", 0, 0}, {"Requested nodes are busy", 0, 0},
		{"Unable to contact slurm controller (connect failure)", 1, 1},
		{"Slurm temporarily unable to accept job, sleeping and retrying", 1, 1},
		{"Socket timed out on send/recv operation", 1, 1}, {"Access/permission denied", 1, 1},
		{"Rate limit exceeded, please retry later", 1, 1},
	} {
		l, p := newLarge(1, 4)
		l.why = c.why
		for run := range 30 {
			l.again(p, run)
			at := now.Add(time.Duration(run) * 6 * time.Minute)
			missed := c.missed
			if at.Sub(now) > time.Hour {
				missed = c.later
			}
			want := push.Counts{Changed: 4, Missed: missed}
			switch {
			case c.missed == 0:
				want.Refused = 1
			case missed == 0:
				want.Skipped = 1
			}
			if counts, err := l.run(t, p, 0, at); err != nil || counts != want {
				t.Fatalf("%q, run %d: %+v, %v", c.why, run, counts, err)
			}
		}
	}
}

// TestHung: a controller that takes some changes and then hangs or dies fails each run, however many there are. What
// it did not come to is no refusal.
func TestHung(t *testing.T) {
	now := time.Unix(1795694400, 0)
	for what, failure := range map[string]error{
		"hangs":     errors.New("no answer within 1m0s; --timeout says how long to wait"),
		"is killed": errors.New("signal: killed"),
		"says another word": &manager.Complaint{Text: "scontrol: error: slurm_receive_msg\n",
			Err: errors.New("exit status 1")},
		"says nothing": &manager.Complaint{Err: errors.New("exit status 1")},
		"gives up": &manager.Complaint{Text: tooLarge +
			" for job 1000\nUnable to contact slurm controller (connect failure) for job 1001\n",
			Err: errors.New("exit status 1")},
	} {
		l, p := newLarge(0, 5)
		if what == "gives up" {
			l.jobs["1000"].name = "large"
		}
		for run := range 40 {
			l.again(p, run)
			m := push.Machine{Feeder: manager.SlurmSiteFactor, Journal: l, Afterwards: anyway,
				Now: func() time.Time { return now.Add(time.Duration(run) * time.Hour) },
				Exec: func(ctx context.Context, c manager.Call) ([]byte, error) {
					if c.Argv[0] != "scontrol" {
						return l.exec(ctx, c)
					}
					lines := strings.SplitAfter(string(c.Input), "\n")
					_ = l.update(lines[len(lines)-3 : len(lines)-1]) // an order of its own
					return nil, failure
				}}
			if counts, err := m.Apply(context.Background(), p, l.journal(t)); err == nil && counts.Missed < 2 {
				t.Fatalf("%s, run %d: %+v, %v", what, run, counts, err)
			}
		}
	}
}

// TestAllRefused: where every change of several users' jobs is refused, whatever the words are, the run fails, and
// these jobs are tried again for an hour; those of one user may be so for good.
func TestAllRefused(t *testing.T) {
	now := time.Unix(1795694400, 0)
	for _, why := range []string{tooLarge, "Requested nodes are busy"} {
		l, p := newLarge(4, 0)
		l.why = why
		for i := range p.Changes {
			p.Changes[i].User = []string{"ana", "bo"}[i%2]
		}
		for run := range 9 {
			l.again(p, run)
			counts, err := l.run(t, p, 0, now.Add(time.Duration(run)*5*time.Minute))
			if !errors.Is(err, push.ErrAllRefused) || counts != (push.Counts{Refused: 4}) ||
				!strings.HasSuffix(err.Error(), why+" (job 1000)") {
				t.Fatalf("%s, run %d: %+v, %v", why, run, counts, err)
			}
		}
		for i := range p.Changes {
			p.Changes[i].User = "ana"
		}
		p.Run = "one"
		if counts, err := l.run(t, p, 0, now); err != nil || counts != (push.Counts{Refused: 4}) {
			t.Errorf("%s, of one user: %+v, %v", why, counts, err)
		}
		if learnt(push.Learn(l.journal(t), now), p) != (why == tooLarge) {
			t.Errorf("%s, of one user: what is learnt is wrong", why)
		}
	}
	// What others' jobs show to be the job's own is learnt.
	l, p := newLarge(2, 1)
	for i := range p.Changes {
		p.Changes[i].User = []string{"ana", "bo", "cleo"}[i]
	}
	if counts, err := l.run(t, p, 0, now); err != nil || counts != (push.Counts{Changed: 1, Refused: 2}) ||
		!learnt(push.Learn(l.journal(t), now), p) {
		t.Errorf("beside one that took: %+v, %v", counts, err)
	}
}

// TestForgedWords: jobs of one user that get the resource manager to say what a failing one says keep no other job from
// its value, and they are tried after the others.
func TestForgedWords(t *testing.T) {
	now := time.Unix(1795694400, 0)
	l, p := newLarge(200, 3)
	l.why = "Unable to contact slurm controller"
	for i := range p.Changes {
		p.Changes[i].User = "mallory"
		if i >= 200 {
			p.Changes[i].User = "ana"
		}
	}
	if counts, err := l.run(t, p, 60, now); err != nil || counts != (push.Counts{Changed: 3, Missed: 200}) {
		t.Errorf("%+v, %v", counts, err)
	}
}

// TestAllGone: a list that has none of several users' jobs after they were changed is no answer; one user's may all
// have gone.
func TestAllGone(t *testing.T) {
	now := time.Unix(1795694400, 0)
	for _, users := range []int{1, 2} {
		l, p := newLarge(0, 4)
		for i := range p.Changes {
			p.Changes[i].User = fmt.Sprint("u", i%users)
		}
		m := push.Machine{Feeder: manager.SlurmSiteFactor, Journal: l, Afterwards: anyway,
			Now: func() time.Time { return now },
			Exec: func(ctx context.Context, c manager.Call) ([]byte, error) {
				if c.Argv[0] == "scontrol" {
					clear(l.jobs)
					l.jobs["1"] = &fakeJob{state: "PENDING", own: 3}
					return nil, nil
				}
				return l.exec(ctx, c)
			}}
		counts, err := m.Apply(context.Background(), p, nil)
		if errors.Is(err, push.ErrNothingTook) != (users > 1) || counts != (push.Counts{Skipped: 4}) {
			t.Errorf("of %d users: %+v, %v", users, counts, err)
		}
	}
}

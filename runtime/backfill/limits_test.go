package backfill

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/runtime/program"
)

// oneByOne are limits on how many jobs of a user run in a partition at a time, which try each second; and the gate that asks the
// same for now.
type oneByOne struct {
	most  int
	spans []limitedSpan
	users map[int32]*Request
}

type limitedSpan struct {
	user, partition string
	from, to        int64
}

func (l *oneByOne) full(user, partition string, at int64) bool {
	n := 0
	for _, s := range l.spans {
		if s.user == user && s.partition == partition && s.from <= at && at < s.to {
			n++
		}
	}
	return n >= l.most
}

func (l *oneByOne) Expect(*Request, string, int64) {}

func (l *oneByOne) Never(*Request, string) string { return "" }

func (l *oneByOne) First(r *Request, partition string, after, before, seconds int64) (int64, bool) {
	for at := after; at < min(before, now+1000); at++ {
		ok := true
		for s := at; s < at+seconds && ok; s++ {
			ok = !l.full(r.User, partition, s)
		}
		if ok {
			return at, true
		}
	}
	return 0, false
}

func (l *oneByOne) Add(r *Request, partition string, from, to int64) {
	l.spans = append(l.spans, limitedSpan{r.User, partition, from, to})
}

func (l *oneByOne) Waits(r *Request, partition string, after, start, seconds int64) []Wait {
	at, ok := l.First(r, partition, after, Forever, seconds)
	if !ok || at <= after || at > start {
		return nil
	}
	return []Wait{{Kind: WaitLimit, Job: -1, Name: "most", Until: at, Limit: "most of " + r.User}}
}

func (l *oneByOne) Check(job int32) string {
	for _, partition := range l.users[job].Partitions {
		if !l.full(l.users[job].User, partition, now) {
			return ""
		}
	}
	return "most"
}

func (l *oneByOne) Start(int32) {}

// limitedTwin plans on one node in each of two partitions, second by second.
type limitedTwin struct {
	oneByOne
	procs int64
	taken map[string][]int64 // by second from now on
}

func (w *limitedTwin) take(partition string, from, to, procs int64) {
	for at := from; at < to; at++ {
		w.taken[partition][at-now] += procs
	}
}

// first is the first second from now on, and before another, at which a partition has room and limits let the job run.
func (w *limitedTwin) first(r *Request, before int64) (start int64, partition string, ok bool) {
	for at := int64(now); at < before; at++ {
		for _, partition := range r.Partitions {
			fits := true
			for s := at; s < at+r.WalltimeSeconds && fits; s++ {
				fits = w.taken[partition][s-now]+r.Tasks <= w.procs && !w.full(r.User, partition, s)
			}
			if fits {
				return at, partition, true
			}
		}
	}
	return 0, "", false
}

func (w *limitedTwin) place(r *Request, start int64, partition string) {
	w.Add(r, partition, start, start+r.WalltimeSeconds)
	w.take(partition, start, start+r.WalltimeSeconds, r.Tasks)
}

// TestLimitsOverTime: a plan under limits that planned ends free is the one that is made by trying each second for each job, in the
// order considered; and whoever a limit keeps waiting says so.
func TestLimitsOverTime(t *testing.T) {
	stopped, named := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		const procs, horizon = 6, 1000
		c := &Cluster{}
		for _, name := range []string{"a", "b"} {
			c.Nodes = append(c.Nodes, Node{Name: name, Up: true, Capacity: Amounts{Procs: procs}, Partitions: []string{name}})
			c.Partitions = append(c.Partitions, Partition{Name: name, Up: true})
		}
		most := rapid.IntRange(1, 3).Draw(t, "most")
		fast := &oneByOne{most: most, users: map[int32]*Request{}}
		slow := &limitedTwin{oneByOne: oneByOne{most: most, users: map[int32]*Request{}}, procs: procs, taken: map[string][]int64{"a": make([]int64, horizon), "b": make([]int64, horizon)}}
		var requests []Request
		running, waiting := rapid.IntRange(0, 3).Draw(t, "running"), rapid.IntRange(4, 12).Draw(t, "waiting")
		for i := range running + waiting {
			r := Request{Job: int32(i), ID: fmt.Sprint(i), User: rapid.SampledFrom([]string{"ann", "bob"}).Draw(t, "user"), Tasks: rapid.Int64Range(1, 3).Draw(t, "tasks"),
				PerTask: Amounts{Procs: 1}, WalltimeSeconds: rapid.Int64Range(1, 20).Draw(t, "seconds")}
			r.Partitions = rapid.SampledFrom([][]string{{"a"}, {"b"}, {"a", "b"}, {"b", "a"}}).Draw(t, "partitions")
			if i < running {
				r.Tasks, r.Partitions, r.Running, r.Start, r.End = 1, r.Partitions[:1], true, now-5, now+rapid.Int64Range(1, 20).Draw(t, "end")
				r.Allocated = []Share{{Node: int32(slices.Index([]string{"a", "b"}, r.Partitions[0])), Tasks: 1}}
				fast.Add(&r, r.Partitions[0], now, r.End)
				slow.Add(&r, r.Partitions[0], now, r.End)
				slow.take(r.Partitions[0], now, r.End, 1)
			}
			requests = append(requests, r)
		}
		for i := range requests {
			fast.users[requests[i].Job], slow.users[requests[i].Job] = &requests[i], &requests[i]
		}
		settings := &program.NativePlan{Algorithm: "firstfit", ReservationDepth: rapid.SampledFrom([]int64{0, program.Unlimited}).Draw(t, "depth")}
		s, err := PlanWatched(c, requests, settings, fast, fast, now, nil)
		if err != nil {
			t.Fatal(err)
		}
		var later []int
		starts, places := make([]int64, len(requests)), make([]string, len(requests))
		place := func(i int, before int64) bool {
			start, partition, ok := slow.first(&requests[i], before)
			if ok {
				starts[i], places[i] = start, partition
				slow.place(&requests[i], start, partition)
			}
			return ok
		}
		for i := running; i < len(requests); i++ {
			before := int64(now + 1)
			if settings.ReservationDepth != 0 {
				before = now + horizon/2
			}
			over := slow.Check(requests[i].Job) != ""
			if over {
				stopped++
			}
			if over || !place(i, before) {
				later = append(later, i)
			}
		}
		for _, i := range later {
			place(i, now+horizon/2)
		}
		for i := running; i < len(requests); i++ {
			p := &s.Placements[i]
			if p.By == ByNone || p.Start != starts[i] || p.Partition != places[i] {
				t.Fatalf("job %d: %s at %d in %q, tried one by one at %d in %q", i, p.By, p.Start, p.Partition, starts[i], places[i])
			}
			for _, w := range p.WaitsFor {
				if w.Kind == WaitLimit && (w.Until <= now || w.Until > p.Start) {
					t.Fatalf("job %d starts at %d and waits for a limit until %d", i, p.Start, w.Until)
				}
			}
			if p.Reason == "most" && slices.ContainsFunc(p.WaitsFor, func(w Wait) bool { return w.Kind == WaitLimit }) {
				named++
			}
		}
	})
	if stopped < 20 || named < 20 {
		t.Errorf("limits stopped %d jobs, and were named for %d", stopped, named)
	}
}

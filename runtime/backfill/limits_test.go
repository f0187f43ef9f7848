package backfill

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/program"
)

// oneByOne are limits on how many jobs of a user run in a partition at a time, which try each second; and the gate
// that asks the same for now.
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

func (w *limitedTwin) room(r *Request, partition string, at int64) bool {
	return w.taken[partition][at-now]+r.Tasks <= w.procs && !w.full(r.User, partition, at)
}

// least is how long a job runs at least.
func least(r *Request) int64 { return cmp.Or(r.WalltimeMinSeconds, r.WalltimeSeconds) }

// first is the first second from now on, and before another, at which a partition has room and limits let the job run.
func (w *limitedTwin) first(r *Request, before int64) (start int64, partition string, ok bool) {
	for at := int64(now); at < before; at++ {
		for _, partition := range r.Partitions {
			fits := true
			for s := at; s < at+least(r) && fits; s++ {
				fits = w.room(r, partition, s)
			}
			if fits {
				return at, partition, true
			}
		}
	}
	return 0, "", false
}

// place is the end of a job that starts so: it runs as long as there is room.
func (w *limitedTwin) place(r *Request, start int64, partition string) (end int64) {
	for end = start + least(r); end < start+r.WalltimeSeconds && w.room(r, partition, end); {
		end++
	}
	w.Add(r, partition, start, end)
	w.take(partition, start, end, r.Tasks)
	return end
}

// TestLimitsOverTime: a plan under limits that planned ends free is the one that is made by trying each second for
// each job, in the order considered; and whoever a limit keeps waiting says so.
func TestLimitsOverTime(t *testing.T) {
	stopped, named := 0, 0
	draws.Check(t, func(t *rapid.T) {
		const procs, horizon = 6, 1000
		c := &Cluster{}
		for _, name := range []string{"a", "b"} {
			c.Nodes = append(c.Nodes, Node{Name: name, Up: true, Capacity: Amounts{Procs: procs}, Partitions: []string{name}})
			c.Partitions = append(c.Partitions, Partition{Name: name, Up: true})
		}
		most := rapid.IntRange(1, 3).Draw(t, "most")
		fast := &oneByOne{most: most, users: map[int32]*Request{}}
		slow := &limitedTwin{oneByOne: oneByOne{most: most, users: map[int32]*Request{}}, procs: procs,
			taken: map[string][]int64{"a": make([]int64, horizon), "b": make([]int64, horizon)}}
		var requests []Request
		running, waiting := rapid.IntRange(0, 3).Draw(t, "running"), rapid.IntRange(4, 12).Draw(t, "waiting")
		for i := range running + waiting {
			r := Request{Job: int32(i), ID: fmt.Sprint(i), User: rapid.SampledFrom([]string{"ann", "bob"}).
				Draw(t, "user"), Tasks: rapid.Int64Range(1, 5).Draw(t, "tasks"),
				PerTask: Amounts{Procs: 1}, WalltimeSeconds: rapid.Int64Range(1, 20).Draw(t, "seconds")}
			r.Partitions = rapid.SampledFrom([][]string{{"a"}, {"b"}, {"a", "b"}, {"b", "a"}}).Draw(t, "partitions")
			if i >= running && rapid.Bool().Draw(t, "shorter") {
				r.WalltimeMinSeconds = rapid.Int64Range(1, r.WalltimeSeconds).Draw(t, "least")
			}
			if i < running {
				r.Tasks, r.Partitions, r.Running, r.Start, r.End = 1, r.Partitions[:1], true, now-5, now+rapid.Int64Range(1, 20).
					Draw(t, "end")
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
		settings := &program.NativePlan{Algorithm: "firstfit",
			ReservationDepth: rapid.SampledFrom([]int64{0, program.Unlimited}).Draw(t, "depth")}
		s, err := PlanWatched(c, requests, settings, fast, fast, now, nil)
		if err != nil {
			t.Fatal(err)
		}
		var later []int
		starts, ends, places := make([]int64, len(requests)), make([]int64, len(requests)), make([]string, len(requests))
		place := func(i int, before int64) bool {
			start, partition, ok := slow.first(&requests[i], before)
			if ok {
				starts[i], places[i] = start, partition
				ends[i] = slow.place(&requests[i], start, partition)
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
			if p.By == ByNone || p.Start != starts[i] || p.End != ends[i] || p.Partition != places[i] {
				t.Fatalf("job %d: %s at %d to %d in %q, tried one by one at %d to %d in %q", i, p.By, p.Start, p.End, p.Partition,
					starts[i], ends[i], places[i])
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

// TestLimitsBoundTheLength: a job that accepts less than its walltime runs until the planned start of one that a limit
// keeps from running beside it, though nodes are free for longer.
func TestLimitsBoundTheLength(t *testing.T) {
	c := &Cluster{Nodes: []Node{{Name: "a", Up: true, Capacity: Amounts{Procs: 6}, Partitions: []string{"a"}}},
		Partitions: []Partition{{Name: "a", Up: true}}}
	requests := make([]Request, 3)
	l := &oneByOne{most: 1, users: map[int32]*Request{}}
	for i := range requests {
		requests[i] = Request{Job: int32(i), ID: fmt.Sprint(i), User: "ann", Tasks: 1, PerTask: Amounts{Procs: 1},
			WalltimeSeconds: 10, Partitions: []string{"a"}}
		l.users[int32(i)] = &requests[i]
	}
	running, fixed, shorter := &requests[0], &requests[1], &requests[2]
	running.Running, running.Start, running.End, running.Allocated = true, now-5, now+10, []Share{{Node: 0, Tasks: 1}}
	fixed.Begin = now + 30
	shorter.WalltimeSeconds, shorter.WalltimeMinSeconds = 100, 5
	l.Add(running, "a", now, running.End)
	s, err := PlanWatched(c, requests, &program.NativePlan{Algorithm: "firstfit"}, l, l, now, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := s.Placements[2]; p.Start != now+10 || p.End != now+30 {
		t.Errorf("runs from %d to %d, not from %d to %d", p.Start, p.End, now+10, now+30)
	}
}

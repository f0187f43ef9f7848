package backfill

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/program"
)

func settings(t *rapid.T) *program.NativePlan {
	return &program.NativePlan{
		Algorithm:         rapid.SampledFrom([]string{"firstfit", "bestfit", "greedy", "none"}).Draw(t, "algorithm"),
		Metric:            rapid.SampledFrom([]string{"procs", "nodes", "proc_seconds", "seconds"}).Draw(t, "metric"),
		ReservationDepth:  rapid.SampledFrom([]int64{0, 1, 2, program.Unlimited}).Draw(t, "depth"),
		WindowSeconds:     rapid.SampledFrom([]int64{0, 0, 50}).Draw(t, "window"),
		ResolutionSeconds: rapid.SampledFrom([]int64{0, 0, 7}).Draw(t, "resolution"),
	}
}

func plan(t interface{ Fatal(...any) }, q queue, s *program.NativePlan) *Schedule {
	schedule, err := Plan(q.cluster, q.requests, s, nil, now)
	if err != nil {
		t.Fatal(err)
	}
	return schedule
}

// No node gives more than it has, at any time; nobody is where or with whom he must not be.
func TestNoNodeIsOvercommitted(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		q := queues(t, traits{whole: rapid.Bool().Draw(t, "whole nodes")})
		s := plan(t, q, settings(t))
		s.Detail()
		d := newDimensions(q.cluster, q.requests)
		type span struct {
			from, to int64
			amounts  []int64
			request  int
			private  bool
			alone    bool
		}
		spans := make([][]span, len(q.cluster.Nodes))
		for i, pl := range s.Placements {
			r := &s.Requests[i]
			if pl.By == ByNone {
				continue
			}
			if len(pl.Nodes) == 0 {
				t.Fatalf("job %d has a time and no nodes", i)
			}
			base, task := d.wants(r, false)
			for _, share := range pl.Nodes {
				node := &q.cluster.Nodes[share.Node]
				spans[share.Node] = append(spans[share.Node], span{max(pl.Start, now), pl.End, taken(base, task, share.Tasks), i,
					max(r.Sharing, node.Sharing) == SingleUser, max(r.Sharing, node.Sharing) == SingleJob})
			}
		}
		for n, list := range spans {
			capacity := d.capacity(&q.cluster.Nodes[n])
			for _, s := range list {
				at, used := s.from, make([]int64, d.count)
				for _, o := range list {
					if o.from > at || o.to <= at {
						continue
					}
					if o.request != s.request && (o.alone || s.alone) {
						t.Fatalf("jobs %d and %d are both on node %d at %d, one of which is to be alone", s.request, o.request, n, at)
					}
					if (o.private || s.private) && q.requests[o.request].User != q.requests[s.request].User {
						t.Fatalf("jobs %d and %d of two users are both on node %d at %d", s.request, o.request, n, at)
					}
					for i, a := range o.amounts {
						used[i] += a
					}
				}
				for i := range used {
					if used[i] > capacity[i] {
						t.Fatalf("node %d has %d of dimension %d in use at %d, of %d", n, used[i], i, at, capacity[i])
					}
				}
			}
		}
		q.respected(t, s)
	})
}

// respected checks what is asked of times and places, one placement at a time.
func (q *queue) respected(t *rapid.T, s *Schedule) {
	tools := map[int64]int64{}
	for i, pl := range s.Placements {
		r := &s.Requests[i]
		if pl.By == ByNone || pl.By == ByRunning {
			continue
		}
		fail := func(format string, args ...any) { t.Fatalf("job %d %+v: "+format, append([]any{i, pl}, args...)...) }
		if pl.Start < now || pl.Start < r.Begin || r.Deadline > 0 && pl.End > r.Deadline {
			fail("out of its time")
		}
		if seconds := pl.End - pl.Start; pl.End < Forever && r.WalltimeSeconds > 0 &&
			(seconds > r.WalltimeSeconds || seconds < r.WalltimeSeconds &&
				(r.WalltimeMinSeconds == 0 || seconds < r.WalltimeMinSeconds)) {
			fail("runs for %d", seconds)
		}
		for _, job := range r.After {
			if other := s.Placements[job]; other.By == ByNone || other.End > pl.Start && other.End > now {
				fail("before job %d has ended", job)
			}
		}
		tasks := int64(0)
		for _, share := range pl.Nodes {
			n := &q.cluster.Nodes[share.Node]
			tasks += share.Tasks
			if !n.Up && (n.UpTime == 0 || n.UpTime > pl.Start) {
				fail("on node %s, which is down", n.Name)
			}
			if slices.Contains(r.Excluded, share.Node) {
				fail("on node %s, which it excludes", n.Name)
			}
			if pl.Partition != "" && !slices.Contains(n.Partitions, pl.Partition) || len(r.Partitions) > 0 &&
				!slices.Contains(r.Partitions, pl.Partition) {
				fail("on node %s, which is not of its partition", n.Name)
			}
			for k := range q.cluster.Reservations {
				v := &q.cluster.Reservations[k]
				in := slices.Contains(v.Nodes, share.Node)
				if in && !v.admits(r) && v.Amounts.Procs == 0 && v.Start < pl.End && pl.Start < v.End {
					fail("on node %s in reservation %s", n.Name, v.Name)
				}
				if r.Reservation == v.Name && !in {
					fail("not on nodes of the reservation that it asked for")
				}
			}
			if r.Reservation != "" && !slices.ContainsFunc(q.cluster.Reservations, func(v Reservation) bool {
				return v.Name == r.Reservation && v.Start <= pl.Start && pl.End <= v.End
			}) {
				fail("not in the time of the reservation that it asked for")
			}
			if f := r.Features.Alternatives; len(f) > 0 && !r.Features.Counted() &&
				!slices.ContainsFunc(f, func(s FeatureSet) bool { return s.In(n.Features) }) {
				fail("on node %s without its features", n.Name)
			}
		}
		if r.Features.Counted() || r.Features.SameForAll {
			colours := map[string]int{}
			for _, share := range pl.Nodes {
				colours[fmt.Sprint(q.cluster.Nodes[share.Node].Features)]++
			}
			if r.Features.Counted() && (colours["[red]"] == 0 || colours["[blue]"] == 0) || r.Features.SameForAll &&
				len(colours) > 1 {
				fail("has nodes with features %v", colours)
			}
		}
		for _, h := range r.Hosts {
			if !slices.ContainsFunc(pl.Nodes, func(s Share) bool { return s.Node == h }) {
				fail("not on the node that it insists on")
			}
		}
		if int64(len(pl.Nodes)) < max(r.Nodes, 1) || tasks < r.Tasks || r.Nodes == 0 && r.NodesMax > 0 &&
			int64(len(pl.Nodes)) > r.NodesMax {
			fail("has %d nodes and %d tasks", len(pl.Nodes), tasks)
		}
		for at := pl.Start; at < min(pl.End, now+500); at++ {
			if tools[at] += r.Licenses["tool"]; tools[at] > q.cluster.Licenses["tool"] {
				fail("licences are gone at %d", at)
			}
		}
	}
}

// What is kept for a job does not move for those considered after it: without them it is the same.
func TestNoReservationIsDelayedByLaterJobs(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		q := queues(t, traits{whole: rapid.Bool().Draw(t, "whole nodes")})
		s := settings(t)
		all := plan(t, q, s)
		for i, pl := range all.Placements {
			if pl.By != ByReservation {
				continue
			}
			requests := slices.Clone(q.requests)
			for k := range requests[i+1:] {
				requests[i+1+k].After = []int32{-1} // unknown when these may
			}
			alone := plan(t, queue{q.cluster, requests}, s).Placements[i]
			if len(q.requests[i].After) == 0 && (alone.Start != pl.Start || alone.End != pl.End || alone.By != pl.By) {
				t.Fatalf("job %d is planned for %d with those after it, for %d without", i, pl.Start, alone.Start)
			}
		}
	})
}

// Whoever starts now or has a reservation keeps his time, and who starts now his nodes, when a job is added after him,
// whatever that asks for: which features it names does not matter to those before it. (On which nodes a job starts
// later depends on who starts before it, for any of its class will do.)
func TestAJobAtTheEndMovesNobody(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		q := queues(t, traits{whole: true, plain: true})
		for i := range q.cluster.Nodes {
			q.cluster.Nodes[i].Features = nil
			for _, f := range []string{"red", "blue", "big"} {
				if rapid.Bool().Draw(t, f) {
					q.cluster.Nodes[i].Features = append(q.cluster.Nodes[i].Features, f)
				}
			}
		}
		added := q.request(t, traits{plain: true})
		added.After = nil
		added.Features = Features{Alternatives: []FeatureSet{{All: []string{rapid.SampledFrom([]string{"red", "blue", "big"}).
			Draw(t, "asked")}}}}
		for i := range q.requests {
			q.requests[i].After = slices.DeleteFunc(q.requests[i].After, func(job int32) bool { return job >= added.Job })
		}
		s := settings(t)
		s.Algorithm = rapid.SampledFrom([]string{"firstfit", "none"}).Draw(t, "in order")
		before := plan(t, q, s).Placements
		after := plan(t, queue{q.cluster, append(slices.Clone(q.requests), added)}, s).Placements
		for i, a := range before {
			b := after[i]
			if a.By == ByNone || a.By == ByEstimate {
				continue
			}
			if a.Start != b.Start || a.End != b.End || a.By != b.By || a.Start == now && !slices.Equal(a.Nodes, b.Nodes) {
				t.Fatalf("job %d: %+v, with another at the end %+v", i, a, b)
			}
		}
	})
}

// The first job that gets a reservation does not get it later for others getting theirs too.
func TestConservativeKeepsTheFirstReservation(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		q := queues(t, traits{whole: rapid.Bool().Draw(t, "whole nodes")})
		first := func(depth int64) (int, int64) {
			for i, pl := range plan(t, q, &program.NativePlan{Algorithm: "firstfit", ReservationDepth: depth}).Placements {
				if pl.By == ByReservation {
					return i, pl.Start
				}
			}
			return -1, 0
		}
		job, start := first(1)
		kept, keptStart := first(program.Unlimited)
		if job != kept || keptStart > start {
			t.Fatalf("EASY keeps job %d its nodes from %d, conservative job %d from %d", job, start, kept, keptStart)
		}
	})
}

// Nodes in another order are the same cluster.
func TestTheOrderOfNodesMeansNothing(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		q := queues(t, traits{whole: rapid.Bool().Draw(t, "whole nodes")})
		s := settings(t)
		to := rapid.Permutation(indices(len(q.cluster.Nodes))).Draw(t, "order")
		moved := *q.cluster
		moved.Nodes = make([]Node, len(to))
		for old, at := range to {
			moved.Nodes[at] = q.cluster.Nodes[old]
		}
		move := func(list []int32) []int32 {
			var out []int32
			for _, n := range list {
				out = append(out, int32(to[n]))
			}
			return out
		}
		moved.Reservations = slices.Clone(moved.Reservations)
		for i := range moved.Reservations {
			moved.Reservations[i].Nodes = move(moved.Reservations[i].Nodes)
		}
		requests := slices.Clone(q.requests)
		for i := range requests {
			r := &requests[i]
			r.Hosts, r.Excluded = move(r.Hosts), move(r.Excluded)
			r.Allocated = slices.Clone(r.Allocated)
			for k := range r.Allocated {
				r.Allocated[k].Node = int32(to[r.Allocated[k].Node])
			}
		}
		here, there := plan(t, q, s), plan(t, queue{&moved, requests}, s)
		here.Detail()
		there.Detail()
		for i := range here.Placements {
			a, b := here.Placements[i], there.Placements[i]
			names := func(c *Cluster, pl Placement) (list []string) {
				for _, s := range pl.Nodes {
					list = append(list, fmt.Sprint(c.Nodes[s.Node].Name, " ", s.Tasks))
				}
				return list
			}
			if a.Start != b.Start || a.End != b.End || a.By != b.By || a.Reason != b.Reason || a.Never != b.Never ||
				!slices.Equal(names(q.cluster, a), names(&moved, b)) {
				t.Fatalf("job %d: %+v, with the nodes in another order %+v", i, a, b)
			}
		}
	})
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// A plan starts no goroutine of its own, and is the same whoever else makes one of the same input at the same time:
// nothing in the input is written to (which the race detector sees), and nothing is shared beside it.
func TestPlansAreTheSameOnAnyNumberOfGoroutines(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		q := queues(t, traits{})
		s := settings(t)
		want := plan(t, q, s)
		want.Detail()
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(rapid.IntRange(1, 4).Draw(t, "processors")))
		got := make([]*Schedule, rapid.IntRange(1, 6).Draw(t, "goroutines"))
		var group sync.WaitGroup
		for i := range got {
			group.Go(func() {
				got[i] = plan(t, q, s)
				got[i].Detail()
			})
		}
		group.Wait()
		for i := range got {
			if diff := cmp.Diff(want.Placements, got[i].Placements); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// What makes plans fast changes nothing: without bounds they are the same.
func TestBoundsChangeNoPlan(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		q := queues(t, traits{whole: rapid.Bool().Draw(t, "whole nodes")})
		s := settings(t)
		if diff := cmp.Diff(linear(t, q, s).Placements, plan(t, q, s).Placements); diff != "" {
			t.Fatal(diff)
		}
	})
}

// linear is Plan, scanning from now on for every job.
func linear(t interface{ Fatal(...any) }, q queue, s *program.NativePlan) *Schedule {
	p, err := newPlanner(q.cluster, q.requests, s, nil, now)
	if err != nil {
		t.Fatal(err)
	}
	p.linear = true
	return p.all((*planner).estimate)
}

// A smaller request that is offered starts no later than it was offered for.
func TestWhatIsOfferedIsKept(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		q := queues(t, traits{whole: rapid.Bool().Draw(t, "whole nodes")})
		s := &program.NativePlan{Algorithm: "firstfit", ReservationDepth: rapid.SampledFrom([]int64{1, 2, program.Unlimited}).
			Draw(t, "depth")}
		before := plan(t, q, s)
		at := rapid.IntRange(0, len(q.requests)-1).Draw(t, "job")
		offers, err := Sooner(before, q.requests[at].Job)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range offers {
			if pl := before.Placements[at]; pl.By != ByNone && o.Start >= pl.Start {
				t.Fatalf("an offer for %d, the job itself starts at %d", o.Start, pl.Start)
			}
			requests := slices.Clone(q.requests)
			r := &requests[at]
			r.Nodes, r.Tasks, r.WalltimeSeconds, r.WalltimeMinSeconds = o.Nodes, o.Tasks, o.WalltimeSeconds, 0
			if got := plan(t, queue{q.cluster, requests}, s).Placements[at]; got.By == ByNone || got.Start > o.Start {
				t.Fatalf("%+v was offered to job %d, it gets %+v", o, at, got)
			}
		}
	})
}

// What a job waits for is over when it starts, and has or keeps nodes that it gets.
func TestWaitsAreOverAtTheStart(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		q := queues(t, traits{whole: rapid.Bool().Draw(t, "whole nodes")})
		s := plan(t, q, settings(t))
		s.Detail()
		for i, pl := range s.Placements {
			if pl.By == ByNone && pl.Reason == "" || pl.By != ByNone && pl.Start > now && pl.Reason == "" {
				t.Fatalf("job %d waits for no reason: %+v", i, pl)
			}
			for _, w := range pl.WaitsFor {
				if pl.By != ByNone && w.Kind != WaitDependency && w.Until > pl.Start+7 {
					t.Fatalf("job %d starts at %d and waits for %+v", i, pl.Start, w)
				}
				if w.Kind == WaitRunning || w.Kind == WaitReserved {
					for _, n := range w.Nodes {
						if !slices.ContainsFunc(pl.Nodes, func(s Share) bool { return s.Node == n }) {
							t.Fatalf("job %d waits for node %d, which it does not get", i, n)
						}
					}
				}
			}
		}
	})
}

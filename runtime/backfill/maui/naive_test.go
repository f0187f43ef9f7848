package maui

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/program"
)

// A planner on a few nodes with jobs that come and go at times that never meet, and the same room counted second by
// second.

const horizon = 60

type machine struct {
	planner *Planner
	now     int64
}

// drawMachine makes a state: nodes, and parts of them that jobs have for a time.
func drawMachine(t *rapid.T) machine {
	const now = int64(1000)
	nodes := rapid.IntRange(1, 4).Draw(t, "nodes")
	in := Input{Cluster: &backfill.Cluster{}, Now: now, Runs: func(int32) bool { return false },
		Settings: &program.MauiPlan{
			Backfill: map[string]string{"": "FIRSTFIT"}, Reservations: "CURRENTHIGHEST",
			Buckets:    []program.ReservationBucket{{Depth: 1, QOS: []string{"[ALL]"}}},
			Allocation: map[string]string{"": "LASTAVAILABLE"}, Access: "SHARED", MultiNode: map[string]bool{"": true},
		}}
	for range nodes {
		in.Cluster.Nodes = append(in.Cluster.Nodes,
			backfill.Node{State: "Idle", Capacity: backfill.Amounts{Procs: rapid.Int64Range(1, 6).Draw(t, "procs"), MemMB: 8}})
	}
	holds := rapid.IntRange(0, 8).Draw(t, "holds")
	for job := range holds + 1 {
		in.Jobs = append(in.Jobs, Job{Request: backfill.Request{Job: int32(job), Tasks: rapid.Int64Range(1, 8).
			Draw(t, "tasks"),
			WalltimeSeconds: rapid.Int64Range(1, 20).
				Draw(t, "seconds"), PerTask: backfill.Amounts{Procs: 1, MemMB: rapid.Int64Range(0, 3).Draw(t, "mem")}}})
	}
	p := New(in)
	times := rapid.Permutation(spread(now)).Draw(t, "times")
	for job := range int32(holds) {
		n := &p.nodes[rapid.IntRange(0, nodes-1).Draw(t, "node")]
		a, b := times[2*job], times[2*job+1]
		start, end := min(a, b), max(a, b)
		room := many
		for at := start; at < end; at++ {
			room = min(room, naiveRoom(n, p, &p.jobs[job], at, at))
		}
		if tasks := rapid.Int64Range(0, 4).Draw(t, "part"); min(tasks, room) > 0 {
			p.take(n, job, start, end, min(tasks, room))
		}
	}
	if rapid.Bool().Draw(t, "standing") {
		a := now + 1 + 2*rapid.Int64Range(0, 12).Draw(t, "from")
		s := &standing{name: "for all", start: a, end: a + 2*rapid.Int64Range(1, 8).
			Draw(t, "long"), limit: rapid.Int64Range(1, 12).
			Draw(t, "limit"), admits: func(*Job) (affinity, bool) { return positive, true }}
		for i := range p.nodes {
			if p.anyStanding = true; i == 0 || rapid.Bool().Draw(t, "on it") {
				p.nodes[i].standing = append(p.nodes[i].standing, &piece{standing: s, whole: true})
			}
		}
	}
	return machine{p, now}
}

// spread are times that differ, one of them this moment.
func spread(now int64) []int64 {
	var list []int64
	for k := range int64(20) {
		list = append(list, now+k*2)
	}
	return list
}

// naiveRoom counts what is left of a node at a time for a job that begins at another.
func naiveRoom(n *node, p *Planner, j *Job, begin, at int64) int64 {
	for _, s := range n.standing {
		within := int64(0) // seconds that the job is in the reservation
		for second := begin; second < begin+j.WalltimeSeconds; second++ {
			if second >= s.start && second < s.end {
				within++
			}
		}
		if at >= s.start && at < s.end && within > s.limit {
			return 0
		}
	}
	left := amounts{procs: n.Capacity.Procs, mem: n.Capacity.MemMB}
	for _, h := range n.holds {
		if at >= h.start && at < h.end {
			left.add(p.demand(h.job), h.tasks, -1)
		}
	}
	return left.tasks(p.demand(j.Job))
}

// TestSpansAreTheRoom: at every second the spans of a node say what is left of it, or at least what the whole job
// needs.
func TestSpansAreTheRoom(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		m := drawMachine(t)
		p, j := m.planner, &m.planner.jobs[len(m.planner.jobs)-1]
		from := m.now + rapid.Int64Range(0, 45).Draw(t, "from")
		for i := range p.nodes {
			n := &p.nodes[i]
			spans := p.spans(n, j, p.demand(j.Job), from, nil)
			for at := from; at < m.now+horizon; at++ {
				want, got := naiveRoom(n, p, j, from, at), int64(-1)
				for _, s := range spans {
					if at >= s.start && at < s.end {
						got = s.tasks
					}
				}
				unseen := len(n.standing) > 0 && got >= j.Tasks && got < want // growth between pieces of a reservation
				if got != want && !unseen {
					t.Fatalf("node %d at %d: %d tasks, counted %d", i, at, got, want)
				}
			}
			for k := 1; k < len(spans); k++ {
				if spans[k].start != spans[k-1].end || spans[k].tasks == spans[k-1].tasks {
					t.Fatalf("spans do not follow each other: %v", spans)
				}
			}
		}
	})
}

// naiveGaps are the gaps of a node for a job that begins at a time, by counting seconds: from each stretch of equal
// room on as many as it takes to be longer than the stretch and the job.
func naiveGaps(m machine, n *node, j *Job, begin int64) (list []gap) {
	spans := m.planner.spans(n, j, m.planner.demand(j.Job), begin, nil)
	room := func(at int64) int64 {
		for _, s := range spans {
			if at >= s.start && at < s.end {
				return s.tasks
			}
		}
		return 0
	}
	const end = 3 * horizon // from when on nothing changes
	for at := m.now; at < m.now+end; {
		next := at + 1
		for next < m.now+end && room(next) == room(at) {
			next++
		}
		least, until := room(at), next
		for until < m.now+end && room(until) > 0 && until-at <= next-at+j.WalltimeSeconds {
			here := room(until)
			for until < m.now+end && room(until) == here {
				until++
			}
			least = min(least, here)
		}
		if until == m.now+end {
			until = m.now + 2*end
		}
		if least > 0 && until-at >= j.WalltimeSeconds {
			list = append(list, gap{from: at, to: until - j.WalltimeSeconds, tasks: least})
		}
		at = next
	}
	return list
}

// naiveRooms is how many tasks of a job nodes have room for at a time: at most, while the gaps of one node after the
// other begin and end, of the last node first; and what is of this moment alone goes last.
func naiveRooms(m machine, j *Job, at int64) (most int64) {
	nodes := make([][3]int64, len(m.planner.nodes)) // before, at and after the moment
	for i := range nodes {
		// What was there before is there for a job that begins now and for one that begins a second earlier: a reservation
		// may admit it from now on alone, or up to now.
		before := func(begin int64) (tasks int64) {
			for _, g := range naiveGaps(m, &m.planner.nodes[i], j, begin) {
				if at > m.now && g.from < at && g.to >= at {
					tasks = max(tasks, g.tasks)
				}
			}
			return tasks
		}
		nodes[i][0] = min(before(at-1), before(at))
		for _, g := range naiveGaps(m, &m.planner.nodes[i], j, at) {
			if g.from <= at && g.to == at {
				nodes[i][1] = max(nodes[i][1], g.tasks)
			}
			if g.from <= at && g.to > at {
				nodes[i][2] = max(nodes[i][2], g.tasks)
			}
		}
	}
	sum := int64(0)
	for _, n := range nodes {
		sum += n[0]
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		n := nodes[i]
		if n[1] > max(n[0], n[2]) {
			sum += n[1] - n[0]
		} else {
			sum += n[2] - n[0]
		}
		most = max(most, sum)
	}
	return most
}

// TestEarliestIsTheFirst: the time that is found is the first at which the gaps of nodes have room for all tasks
// (maui.md §9 P1).
func TestEarliestIsTheFirst(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		m := drawMachine(t)
		p, j := m.planner, &m.planner.jobs[len(m.planner.jobs)-1]
		first := int64(-1)
		for at := m.now; at < m.now+horizon && first < 0; at++ {
			if naiveRooms(m, j, at) >= j.Tasks {
				first = at
			}
		}
		at, _, nodes, ok := p.earliest(j, p.now)
		if ok != (first >= 0) || ok && at != first {
			t.Fatalf("found %d (%t), the first is %d", at, ok, first)
		}
		tasks := int64(0)
		for _, share := range nodes {
			tasks += share.Tasks
		}
		if ok && tasks != j.Tasks {
			t.Fatalf("%d of %d tasks", tasks, j.Tasks)
		}
	})
}

// TestReleaseLeavesNothing: a reservation that is made and released changes nothing.
func TestReleaseLeavesNothing(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		m := drawMachine(t)
		p, job := m.planner, int32(len(m.planner.jobs)-1)
		var before []timeline
		for i := range p.nodes {
			before = append(before, append(timeline(nil), p.nodes[i].profile...))
		}
		if !p.reserve(job, ByPriority, p.now) {
			return
		}
		p.release(job)
		for i := range p.nodes {
			after := p.nodes[i].profile
			if len(after) != len(before[i]) {
				t.Fatalf("node %d has %d steps, before %d", i, len(after), len(before[i]))
			}
			for k := range after {
				if after[k].at != before[i][k].at || !same(&after[k].free, &before[i][k].free) {
					t.Fatalf("node %d differs at %d", i, after[k].at)
				}
			}
		}
	})
}

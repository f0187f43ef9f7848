package backfill

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/program"
)

var easy = &program.NativePlan{Algorithm: "firstfit", ReservationDepth: 1}

// rack is a cluster of plain nodes, two of which have a feature and more memory.
func rack() *Cluster {
	c := &Cluster{Gres: []string{"gpu"}, Licenses: map[string]int64{"tool": 2}}
	for i, name := range []string{"n1", "n2", "n3", "n4"} {
		n := Node{Name: name, Up: true, Capacity: Amounts{Procs: 4, MemMB: 100}, Partitions: []string{"batch"}}
		if i < 2 {
			n.Features, n.Capacity.MemMB = []string{"big"}, 200
		}
		c.Nodes = append(c.Nodes, n)
	}
	c.Partitions = []Partition{{Name: "batch", Up: true, MaxTimeSeconds: 3600}, {Name: "shut"}}
	c.Reservations = []Reservation{{Name: "mine", Start: now, End: now + 100, Nodes: []int32{3},
		Admits: func(r *Request) bool { return r.User == "ann" }}}
	return c
}

// What can never run says which of its wishes is in the way.
func TestNever(t *testing.T) {
	for _, c := range []struct {
		want    string
		request Request
	}{
		{"it asks for 5 nodes, 4 are in the cluster", Request{Nodes: 5}},
		{"it asks for 3 nodes, 2 have big",
			Request{Nodes: 3, Features: Features{Alternatives: []FeatureSet{{All: []string{"big"}}}}}},
		{"it asks for 1 node, no node has 8 processors", Request{Nodes: 1, PerTask: Amounts{Procs: 8}}},
		{"it asks for 3 nodes, 2 have 1 processor, 150 MB of memory", Request{Nodes: 3, PerNode: Amounts{MemMB: 150}}},
		{"it asks for 1 node, no node has 1 processor, 1 gpu", Request{Nodes: 1, PerNode: Amounts{Gres: []int64{1}}}},
		{"it asks for 17 tasks, there is room for 16", Request{Tasks: 17}},
		{"it asks for 9 tasks, more than 2 nodes have room for", Request{Tasks: 9, NodesMax: 2}},
		{"there is no partition night", Request{Nodes: 1, Partitions: []string{"night"}}},
		{"its walltime of 02:00:00 is over the 01:00:00 that partition batch allows",
			Request{Nodes: 1, WalltimeSeconds: 7200, Partitions: []string{"batch"}}},
		{"it asks for 3 of licence tool, there are 2", Request{Nodes: 1, Licenses: map[string]int64{"tool": 3}}},
		{"there is no reservation yours", Request{Nodes: 1, Reservation: "yours"}},
		{"reservation mine does not admit it", Request{Nodes: 1, Reservation: "mine"}},
		{"its walltime of 00:03:20 is longer than what is left of reservation mine",
			Request{Nodes: 1, Reservation: "mine", User: "ann", WalltimeSeconds: 200}},
		{"it asks for 2 nodes, 1 is in reservation mine", Request{Nodes: 2, Reservation: "mine", User: "ann"}},
		{"its walltime of 00:00:50 does not end before its deadline",
			Request{Nodes: 1, WalltimeSeconds: 50, Deadline: now + 49}},
		{"it names a node which there is not", Request{Nodes: 1, Hosts: []int32{9}}},
		{"the nodes that it insists on cannot take it: n4",
			Request{Nodes: 1, Hosts: []int32{3}, PerNode: Amounts{MemMB: 150}}},
		{"it asks for 4 nodes, 3 are not excluded by it", Request{Nodes: 4, Excluded: []int32{0}}},
		{"it waits for jobs that wait for it", Request{Nodes: 1, After: []int32{7}}},
		{"and too few nodes have the features",
			Request{Nodes: 4, Features: Features{Alternatives: []FeatureSet{{All: []string{"big"}, Count: 3}}}}},
	} {
		r := c.request
		r.Job, r.ID = 7, "7"
		if r.WalltimeSeconds == 0 {
			r.WalltimeSeconds = 10
		}
		pl := plan(t, queue{rack(), []Request{r}}, easy).Placements[0]
		if !strings.Contains(pl.Never, c.want) || pl.By != ByNone || pl.Reason != ReasonNever {
			t.Errorf("%+v: %q at %d (%s), want %q", r, pl.Never, pl.Start, pl.Reason, c.want)
		}
	}
}

// Why a job waits that could run.
func TestReasons(t *testing.T) {
	full := Request{Job: 1, User: "bob", Nodes: 4, PerTask: Amounts{Procs: 4}, WalltimeSeconds: 10}
	for _, c := range []struct {
		name, want string
		by         By
		start      int64
		requests   []Request
	}{
		{"first in line", ReasonResources, ByReservation, now + 100, []Request{full}},
		{"behind another", ReasonPriority, ByEstimate, now + 110, []Request{full, {Job: 2, Nodes: 4, WalltimeSeconds: 10}}},
		{"begins later", ReasonBegin, ByEstimate, now + 200,
			[]Request{{Job: 1, Nodes: 1, WalltimeSeconds: 10, Begin: now + 200}}},
		{"after another", ReasonDependency, ByEstimate, now + 10,
			[]Request{{Job: 1, Nodes: 1, WalltimeSeconds: 10}, {Job: 2, Nodes: 1, WalltimeSeconds: 10, After: []int32{1}}}},
		{"after nobody known", ReasonDependency, ByNone, 0,
			[]Request{{Job: 2, Nodes: 1, WalltimeSeconds: 10, After: []int32{1}}}},
		{"licences", ReasonLicense, ByReservation, now + 10,
			[]Request{{Job: 1, Nodes: 1, WalltimeSeconds: 10, Licenses: map[string]int64{"tool": 2}},
				{Job: 2, Nodes: 1, WalltimeSeconds: 10, Licenses: map[string]int64{"tool": 1}}}},
		{"tasks of an array", ReasonArray, ByReservation, now + 10,
			[]Request{{Job: 1, Array: 1, ArrayMax: 1, Nodes: 1, WalltimeSeconds: 10},
				{Job: 2, Array: 1, ArrayMax: 1, Nodes: 1, WalltimeSeconds: 10}}},
		{"a partition that is down", ReasonDown, ByNone, 0,
			[]Request{{Job: 1, Nodes: 1, WalltimeSeconds: 10, Partitions: []string{"shut"}}}},
	} {
		cluster := rack()
		cluster.Partitions[1].Nodes = []int32{0}
		last := len(c.requests) - 1
		pl := plan(t, queue{cluster, c.requests}, easy).Placements[last]
		if pl.Reason != c.want || pl.By != c.by || pl.Start != c.start || pl.Never != "" {
			t.Errorf("%s: %+v, want %s, %q at %d", c.name, pl, c.want, c.by, c.start)
		}
	}
	down := rack()
	down.Nodes[0].Up = false
	if pl := plan(t, queue{down, []Request{full}}, easy).Placements[0]; pl.Reason != ReasonNodes || pl.By != ByNone ||
		len(pl.WaitsFor) != 1 || pl.WaitsFor[0].Kind != WaitNodeState {
		t.Errorf("a node that is down: %+v", pl)
	}
	window := &program.NativePlan{Algorithm: "firstfit", ReservationDepth: program.Unlimited, WindowSeconds: 50}
	if pl := plan(t, queue{rack(), []Request{full}}, window).Placements[0]; pl.Reason != ReasonWindow || pl.By != ByNone {
		t.Errorf("beyond the window: %+v", pl)
	}
}

// Maui's manual, 8.2: BESTFIT starts the job with the best fit and repeats, GREEDY the best combination of
// jobs. Ten processors are idle until those of the first job are: 6 is the best fit and leaves room for
// none of the two with 5, which are worth more together.
func TestBackfillAlgorithmsOfMauisManual(t *testing.T) {
	for algorithm, want := range map[string]string{"firstfit": "2 3", "bestfit": "4 2", "greedy": "3 5"} {
		c := &Cluster{}
		for range 14 {
			c.Nodes = append(c.Nodes, Node{Up: true, Capacity: Amounts{Procs: 1}})
		}
		running := Request{Job: 0, Start: 1, End: now + 100}
		for i := range int32(4) {
			running.Allocated = append(running.Allocated, Share{Node: i, Tasks: 1})
		}
		requests := []Request{running, {Job: 1, Tasks: 14, WalltimeSeconds: 10}}
		for job, tasks := range map[int32]int64{2: 2, 3: 5, 4: 6, 5: 5} {
			requests = append(requests, Request{Job: job, Tasks: tasks, WalltimeSeconds: 100})
		}
		sortByJob(requests)
		var started []string
		for _, job := range plan(t, queue{c, requests},
			&program.NativePlan{Algorithm: algorithm, Metric: "procs", ReservationDepth: 1}).Started {
			started = append(started, string('0'+rune(job)))
		}
		if got := strings.Join(started, " "); got != want {
			t.Errorf("%s starts %s, want %s", algorithm, got, want)
		}
	}
}

// limit stops all jobs of a user beyond so many.
type limit struct {
	left int
	jobs map[int32]bool
}

func (l *limit) Check(job int32) string {
	if l.left == 0 && l.jobs[job] {
		return "jobs"
	}
	return ""
}

func (l *limit) Start(job int32) {
	if l.jobs[job] {
		l.left--
	}
}

// Who is stopped by a limit holds up no other job, whatever the algorithm.
func TestLimitsAreAsked(t *testing.T) {
	for _, algorithm := range []string{"firstfit", "bestfit", "greedy", "none"} {
		requests := []Request{{Job: 0, Nodes: 1}, {Job: 1, Nodes: 1}, {Job: 2, Nodes: 1}}
		for i := range requests {
			requests[i].WalltimeSeconds = 10
		}
		s, err := Plan(rack(), requests, &program.NativePlan{Algorithm: algorithm},
			&limit{left: 1, jobs: map[int32]bool{0: true, 1: true}}, now)
		if err != nil {
			t.Fatal(err)
		}
		if pl := s.Placements[1]; pl.By != ByNone || pl.Reason != "jobs" || len(pl.WaitsFor) != 1 ||
			pl.WaitsFor[0].Kind != WaitLimit {
			t.Errorf("%s: over the limit: %+v", algorithm, pl)
		}
		if len(s.Started) != 2 || s.Started[0] != 0 || s.Started[1] != 2 {
			t.Errorf("%s starts %v", algorithm, s.Started)
		}
	}
}

// Whoever no longer wants a plan does not wait for the search of greedy.
func TestEndedGreedy(t *testing.T) {
	c := &Cluster{}
	for i := range 12 {
		c.Nodes = append(c.Nodes, Node{Name: fmt.Sprint(i), Up: true, Capacity: Amounts{Procs: 8}})
	}
	requests := []Request{{Job: 0, Nodes: 12, Tasks: 95, WalltimeSeconds: 100, Deadline: now + 1}} // never
	for i := range 60 {
		requests = append(requests, Request{Job: int32(i + 1), Nodes: int64(1 + i%3), Tasks: int64(3 + i*7%11),
			WalltimeSeconds: 1000})
	}
	asked := 0
	settings := &program.NativePlan{Algorithm: "greedy", Combinations: 1 << 50}
	_, err := PlanWatched(c, requests, settings, nil, nil, now, func(int, int) error {
		if asked++; asked == 5 {
			return context.Canceled
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || asked != 5 {
		t.Errorf("asked %d times, the plan ended with %v", asked, err)
	}
}

// Nothing at all, and numbers at their ends.
func TestEmptyAndEndless(t *testing.T) {
	endless := Request{Job: 1, Nodes: 1, WalltimeSeconds: 1<<63 - 1}
	if pl := plan(t, queue{&Cluster{}, []Request{endless}}, easy).Placements[0]; pl.Never == "" {
		t.Errorf("without nodes: %+v", pl)
	}
	if s := plan(t, queue{&Cluster{}, nil}, easy); len(s.Placements) != 0 {
		t.Errorf("without jobs: %+v", s)
	}
	s := plan(t, queue{rack(), []Request{endless,
		{Job: 2, Nodes: 4, PerTask: Amounts{Procs: 4}, WalltimeSeconds: 1<<63 - 1},
		{Job: 3, Nodes: 1 << 62, Tasks: 1<<63 - 1}}}, easy)
	if pl := s.Placements[0]; pl.Start != now+100 && pl.Start != now || pl.End != Forever {
		t.Errorf("without an end: %+v", pl)
	}
	if pl := s.Placements[1]; pl.By != ByNone || pl.Never != "" {
		t.Errorf("behind what has no end: %+v", pl)
	}
	if pl := s.Placements[2]; pl.Never == "" {
		t.Errorf("larger than everything: %+v", pl)
	}
	for _, bad := range []program.NativePlan{{Algorithm: "worstfit"}, {Metric: "luck"}} {
		if _, err := Plan(rack(), nil, &bad, nil, now); err == nil {
			t.Errorf("%+v is planned", bad)
		}
	}
	if _, err := Plan(nil, nil, easy, nil, now); err == nil {
		t.Error("no cluster is planned")
	}
	if _, err := Plan(rack(), nil, easy, nil, Forever); err == nil {
		t.Error("the end of time is planned")
	}
}

func sortByJob(requests []Request) {
	for i := range requests {
		for k := i; k > 0 && requests[k].Job < requests[k-1].Job; k-- {
			requests[k], requests[k-1] = requests[k-1], requests[k]
		}
	}
}

// Greedy looks at as many combinations of jobs as the policy says: with few of them it starts the largest job alone,
// with all of them the two that together make more of the machine.
func TestGreedyTries(t *testing.T) {
	cluster := rack()
	cluster.Nodes = append(cluster.Nodes, cluster.Nodes[0])
	requests := []Request{{Job: 1, Nodes: 1, Allocated: []Share{{Node: 4, Tasks: 1}}, Start: now - 1, End: now + 50,
		WalltimeSeconds: 51}}
	for job, nodes := range []int64{5, 3, 2, 2} { // the first cannot start, and ends the order
		requests = append(requests, Request{Job: int32(job + 2), User: "ann", Nodes: nodes, Sharing: SingleJob,
			WalltimeSeconds: 10})
	}
	for tries, want := range map[int64]string{1: "[3]", 0: "[4 5]", 100: "[4 5]"} {
		settings := &program.NativePlan{Algorithm: "greedy", Metric: "nodes", Combinations: tries}
		if got := fmt.Sprint(plan(t, queue{cluster, requests}, settings).Started); got != want {
			t.Errorf("%d tries start %s, want %s", tries, got, want)
		}
	}
}

// A job that wants so many nodes, and not so many tasks on each, is offered its tasks on fewer nodes.
func TestFewerNodesAreOffered(t *testing.T) {
	cluster, requests := rack(), []Request(nil)
	for job := range int32(2) {
		requests = append(requests, Request{Job: job, Nodes: 1, Tasks: 1, PerTask: Amounts{Procs: 4},
			Allocated: []Share{{Node: job, Tasks: 1}}, Start: now - 1, End: now + 50, WalltimeSeconds: 51})
	}
	cluster.Reservations = nil
	requests = append(requests, Request{Job: 2, Nodes: 4, Tasks: 6, PerTask: Amounts{Procs: 1}, WalltimeSeconds: 40},
		Request{Job: 3, Nodes: 4, Tasks: 6, PerTask: Amounts{Procs: 1}, WalltimeSeconds: 40, TasksPerNode: 2})
	s := plan(t, queue{cluster, requests}, easy)
	for job, want := range map[int32]string{2: "[{2 6 40 1000}]", 3: "[]"} {
		if got, err := Sooner(s, job); fmt.Sprint(got) != want || err != nil {
			t.Errorf("job %d is offered %v (%v), want %s", job, got, err, want)
		}
	}
}

package backfill

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// Jobs that use one thread of each core (--hint=nomultithread) are planned on cores of two threads as on as many cores
// of one.
func TestOneThreadOfEachCore(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		q, s := queues(t, traits{}), settings(t)
		single := plan(t, q, s)
		single.Detail()
		c := *q.cluster
		c.Nodes, c.Reservations = slices.Clone(c.Nodes), slices.Clone(c.Reservations)
		for i := range c.Nodes {
			c.Nodes[i].Capacity.Procs *= 2
			c.Nodes[i].ThreadsPerCore = 2
		}
		for i := range c.Reservations {
			c.Reservations[i].Amounts.Procs *= 2
		}
		requests := slices.Clone(q.requests)
		for i := range requests {
			requests[i].ThreadsPerCore = 1
		}
		double := plan(t, queue{&c, requests}, s)
		double.Detail()
		for i := range single.Placements {
			a, b := single.Placements[i], double.Placements[i]
			a.Never, b.Never = "", "" // which says processors
			for _, list := range [][]Share{a.Nodes, b.Nodes} {
				for k := range list {
					list[k] = Share{Node: list[k].Node} // the same nodes; what is on the last may differ
				}
			}
			if diff := cmp.Diff(a, b); diff != "" {
				t.Fatalf("job %d: %s", i, diff)
			}
		}
	})
}

// InCores: how many cores of two threads requests come to.
func TestInCores(t *testing.T) {
	for _, c := range []struct {
		name        string
		r           Request
		tasks, each int64
	}{
		{"one processor is a core", Request{Tasks: 1, PerTask: Amounts{Procs: 1}}, 1, 2},
		{"two tasks share one", Request{Tasks: 3, PerTask: Amounts{Procs: 1}}, 2, 2},
		{"three processors are two", Request{Tasks: 2, PerTask: Amounts{Procs: 3}}, 2, 4},
		{"one task to a core", Request{Tasks: 3, TasksPerCore: 1, PerTask: Amounts{Procs: 1}}, 3, 2},
		{"one thread of each", Request{Tasks: 1, ThreadsPerCore: 1, PerTask: Amounts{Procs: 3}}, 1, 6},
		{"a task on each node", Request{Tasks: 3, Nodes: 3, PerTask: Amounts{Procs: 1}}, 3, 2},
		{"nodes of its own", Request{Tasks: 3, Sharing: SingleJob, PerTask: Amounts{Procs: 1}}, 3, 1},
	} {
		r := c.r
		r.PerTask.Gres = []int64{1}
		r.InCores(2, true)
		if r.Tasks != c.tasks || r.PerTask.Procs != c.each {
			t.Errorf("%s: %d tasks of %d, want %d of %d", c.name, r.Tasks, r.PerTask.Procs, c.tasks, c.each)
		}
		if c.r.Tasks <= max(c.r.Nodes, 1) && r.PerTask.Gres[0] != 1 {
			t.Errorf("%s: a task has %d of a resource of which it asks for one", c.name, r.PerTask.Gres[0])
		}
	}
}

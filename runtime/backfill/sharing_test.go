package backfill

import "testing"

// Of jobs that fill more than half of a node some can share it all the same.
func TestLargeJobsShareNodesWithWhatFitsBeside(t *testing.T) {
	large := Request{Job: 1, ID: "1", Nodes: 1, Tasks: 1, PerTask: Amounts{Procs: 5, MemMB: 10}, WalltimeSeconds: 100}
	thrifty := large
	thrifty.Job, thrifty.PerTask = 2, Amounts{Procs: 3, MemMB: 60}
	roomy := large
	roomy.PerTask.MemMB = 70 // 3 + 5 processors, but 130 MB of 100
	runs := Request{Job: 3, ID: "3", Nodes: 1, Tasks: 1, PerTask: Amounts{Procs: 1}, Start: now - 10, End: now + 3600,
		Allocated: []Share{{Node: 0, Tasks: 1}}}
	wide := runs
	wide.Allocated = []Share{{Node: 0, Tasks: 1, Procs: 4}} // its tasks ask for less than it has
	part := Reservation{Name: "two", Start: now, End: now + 1000, Nodes: []int32{0}, Amounts: Amounts{Procs: 2}}
	most := part
	most.Amounts.Procs = 4
	for _, c := range []struct {
		name     string
		node     Node
		part     []Reservation
		requests []Request
		want     int64
	}{
		{"beside a running job", Node{}, nil, []Request{runs, large}, now},
		{"beside a running job that has more than its tasks ask for", Node{}, nil, []Request{wide, large}, now + 3600},
		{"beside jobs on a node for one at a time", Node{Sharing: SingleJob}, nil, []Request{runs, large}, now + 3600},
		{"beside a reservation", Node{}, []Reservation{part}, []Request{large}, now},
		{"beside a reservation of most", Node{}, []Reservation{most}, []Request{large}, now + 1000},
		{"beside what nobody knows", Node{Used: Amounts{Procs: 2}}, nil, []Request{large}, now},
		{"one for its processors, one for its memory", Node{}, nil, []Request{large, thrifty}, now},
		{"too much memory for both", Node{}, nil, []Request{roomy, thrifty}, now + 100},
	} {
		c.node.Name, c.node.Up, c.node.Capacity = "n1", true, Amounts{Procs: 8, MemMB: 100}
		s := plan(t, queue{&Cluster{Nodes: []Node{c.node}, Reservations: c.part}, c.requests}, easy)
		if pl := s.Placements[len(c.requests)-1]; pl.Start != c.want {
			t.Errorf("%s: starts at %d, want %d", c.name, pl.Start, c.want)
		}
	}
}

// Whoever wants a node alone has no room on one of which a part is reserved for others.
func TestAJobAloneDoesNotStartBesideAReservedPart(t *testing.T) {
	c := &Cluster{Nodes: []Node{{Name: "n1", Up: true, Capacity: Amounts{Procs: 8}}},
		Reservations: []Reservation{{Name: "two", Start: now, End: now + 1000, Nodes: []int32{0},
			Amounts: Amounts{Procs: 2}}}}
	alone := Request{Job: 1, ID: "1", Nodes: 1, Tasks: 1, PerTask: Amounts{Procs: 1}, WalltimeSeconds: 100,
		Sharing: SingleJob}
	small := alone
	small.Job, small.Sharing = 2, Shared
	if s := plan(t, queue{c, []Request{alone, small}}, easy); s.Placements[0].Start != now+1000 ||
		s.Placements[1].Start != now {
		t.Errorf("alone at %d, small at %d", s.Placements[0].Start, s.Placements[1].Start)
	}
}

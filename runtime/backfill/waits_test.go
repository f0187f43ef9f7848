package backfill

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fairway-sched/fairway/runtime/program"
)

// A reservation that begins after a job's nodes are free, and too early for it to be over by then, is what it waits
// for.
func TestReservationAfterTheLastHolder(t *testing.T) {
	c := &Cluster{Nodes: []Node{{Name: "n1", Up: true, Capacity: Amounts{Procs: 4}}},
		Reservations: []Reservation{{Name: "service", Start: now + 3000, End: now + 5000, Nodes: []int32{0}}}}
	runs := Request{Job: 0, ID: "1", Tasks: 1, Nodes: 1, PerTask: Amounts{Procs: 4}, WalltimeSeconds: 900, Start: now,
		End: now + 900, Running: true, Allocated: []Share{{Node: 0, Tasks: 1}}}
	for _, w := range []struct {
		seconds, start int64
		want           []string
	}{{3000, 5000, []string{"service", ""}}, {2101, 5000, []string{"service", ""}}, {2100, 900, []string{""}},
		{3001, 5000, []string{"service", ""}}} {
		waits := Request{Job: 1, ID: "2", Tasks: 1, Nodes: 1, PerTask: Amounts{Procs: 4}, WalltimeSeconds: w.seconds}
		s := plan(t, queue{c, []Request{runs, waits}},
			&program.NativePlan{Algorithm: "firstfit", ReservationDepth: program.Unlimited})
		s.Detail()
		var names []string
		for _, wait := range s.Placements[1].WaitsFor {
			names = append(names, wait.Name)
		}
		if diff := cmp.Diff(w.want, names); diff != "" || s.Placements[1].Start != now+w.start {
			t.Errorf("for %d seconds it starts in %d: %s", w.seconds, s.Placements[1].Start-now, diff)
		}
	}
}

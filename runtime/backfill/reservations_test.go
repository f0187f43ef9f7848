package backfill

import (
	"strings"
	"testing"
)

// daily is a cluster of two nodes that are in a reservation for 9 of 10 seconds, again and again.
func daily(admits func(*Request) bool, forEver bool) *Cluster {
	c := &Cluster{Nodes: []Node{{Name: "n1", Up: true, Capacity: Amounts{Procs: 1}},
		{Name: "n2", Up: true, Capacity: Amounts{Procs: 1}}}}
	c.Reservations = []Reservation{{Name: "other", Start: now, End: now + 1000},
		{Name: "day", Start: now - 5, End: now + 4, Nodes: []int32{0, 1}, Admits: admits}}
	c.repeat(3, 1, forEver)
	return c
}

// A reservation that comes again is found by its name, now or at its next time.
func TestReservationsAreFoundByName(t *testing.T) {
	c := daily(nil, true)
	c.Reservations = append(c.Reservations, c.Reservations[0])
	c.Reservations[len(c.Reservations)-1].Name = "tail"
	for _, want := range []struct {
		names string
		now   int64
		start int64
	}{{"day", now, now - 5}, {"day", now + 4, now + 5}, {"tail,day", now + 4, now}, {"day", now + 500, 0},
		{"none", now, 0}, {"", now, 0}} {
		at, start := c.Current(want.names, want.now), int64(0)
		if at >= 0 {
			start = c.Reservations[at].Start
		}
		if start != want.start {
			t.Errorf("%s at %d: the one of %d, want %d", want.names, want.now, start, want.start)
		}
	}
	if n := len(c.Named("day,other")); n != 5 {
		t.Errorf("%d reservations are called day or other, want 5", n)
	}
}

// Whoever asks for a reservation that comes again gets any of its times.
func TestAJobTakesAnyTimeOfItsReservation(t *testing.T) {
	c := daily(func(*Request) bool { return true }, true)
	job := func(seconds int64) Placement {
		r := Request{Job: 1, ID: "1", Nodes: 1, WalltimeSeconds: seconds, Reservation: "day"}
		return plan(t, queue{c, []Request{r}}, easy).Placements[0]
	}
	for seconds, want := range map[int64]int64{3: now, 4: now, 5: now + 5, 9: now + 5} {
		if pl := job(seconds); pl.Start != want {
			t.Errorf("%d seconds: %+v, want %d", seconds, pl, want)
		}
	}
	if pl := job(10); !strings.Contains(pl.Never, "longer than what is left of reservation day") {
		t.Errorf("10 seconds: %+v", pl)
	}
}

// What is longer than every time between the times of a reservation can never run; it is not put after the last one
// that happens to be written down.
func TestAJobThatReservationsNeverLeaveRoomFor(t *testing.T) {
	for _, c := range []struct {
		forEver bool
		nodes   int64
		seconds int64
		never   string
		start   int64
	}{
		{true, 2, 1, "", now + 4},
		{true, 2, 2, "its walltime of 00:00:02 is over the 00:00:01 for which reservation day leaves enough nodes free at " +
			"a time", 0},
		{false, 2, 2, "", now + 34},
	} {
		r := Request{Job: 1, ID: "1", Nodes: c.nodes, WalltimeSeconds: c.seconds}
		if pl := plan(t, queue{daily(nil, c.forEver), []Request{r}}, easy).Placements[0]; pl.Never != c.never ||
			pl.Start != c.start {
			t.Errorf("%+v: %+v", c, pl)
		}
	}
	// In time before the first one, but others are there until then.
	late := daily(nil, true)
	for i := range late.Reservations[1:] {
		late.Reservations[1+i].Start += 30
		late.Reservations[1+i].End += 30
	}
	first := Request{Job: 1, ID: "1", Nodes: 2, WalltimeSeconds: 20}
	second := first
	second.Job = 2
	s := plan(t, queue{late, []Request{first, second}}, easy)
	if pl := s.Placements[1]; pl.By != ByNone || pl.Reason != ReasonWindow || len(pl.WaitsFor) != 1 ||
		pl.WaitsFor[0].Name != "day" {
		t.Errorf("%+v", pl)
	}
	late.Reservations = []Reservation{{Name: "shut", Start: now, End: Forever, Nodes: []int32{0}},
		{Name: "closed", Start: now, End: Forever, Nodes: []int32{1}}}
	if pl := plan(t, queue{late, []Request{first}},
		easy).Placements[0]; pl.Never != "reservations closed and shut keep nodes that it needs for ever" {
		t.Errorf("%+v", pl)
	}
}

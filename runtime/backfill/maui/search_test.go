package maui_test

import (
	"testing"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/maui"
)

// TestSearch: when a job can begin on a node of four processors, by the rules of maui.md §9.
func TestSearch(t *testing.T) {
	const now = int64(1_700_000_000)
	type part struct{ from, to, tasks int64 } // of the node, from now on
	for _, c := range []struct {
		what           string
		runs, reserved []part
		used           int64            // processors that are in use without a job that says so
		slots          map[string]int64 // by class
		tasks, seconds int64
		want           int64
	}{
		{what: "an empty node", tasks: 4, seconds: 100},
		{what: "P1: a gap exactly as long as the job", runs: []part{{0, 100, 4}}, reserved: []part{{200, 300, 4}}, tasks: 4,
			seconds: 100, want: 100},
		{what: "P1: a gap one second shorter", runs: []part{{0, 100, 4}}, reserved: []part{{200, 300, 4}}, tasks: 4,
			seconds: 101, want: 300},
		{what: "P1: a stretch is judged with those after it", runs: []part{{0, 100, 4}}, reserved: []part{{1000, 1100, 1}},
			tasks: 4, seconds: 100, want: 1100},
		{what: "P1: as far as the stretch and the job are long", runs: []part{{0, 100, 4}},
			reserved: []part{{300, 2000, 1}, {1500, 2000, 2}}, tasks: 3, seconds: 100, want: 100},
		{what: "P3: others take no slots of a class", runs: []part{{0, 100, 2}}, slots: map[string]int64{"batch": 2},
			tasks: 2, seconds: 100},
		{what: "P3: one job has no more than there are", slots: map[string]int64{"batch": 2}, tasks: 3, seconds: 100,
			want: -1},
		{what: "P4: growth is not seen where a reservation begins and the whole job has room", runs: []part{{0, 100, 3}},
			reserved: []part{{100, 200, 2}}, tasks: 1, seconds: 100},
		{what: "P4: but where it has not", runs: []part{{0, 100, 3}}, reserved: []part{{100, 200, 1}}, tasks: 3, seconds: 100,
			want: 100},
		{what: "P29: what no job has may be there at the next iteration", used: 4, tasks: 4, seconds: 100, want: 30},
		{what: "P29: where a job runs only what it has counts", used: 4, runs: []part{{0, 100, 1}}, tasks: 3, seconds: 50},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := settings()
			s.Reservations, s.PollSeconds = "HIGHEST", 30
			node := backfill.Node{Name: "n", State: "Running", Up: true, Capacity: backfill.Amounts{Procs: 4},
				Used: backfill.Amounts{Procs: c.used}, Classes: c.slots}
			in := maui.Input{Cluster: &backfill.Cluster{Nodes: []backfill.Node{node}}, Now: now, Settings: s, Kept: &maui.Kept{}}
			add := func(tasks, seconds int64) *maui.Job {
				in.Jobs = append(in.Jobs, maui.Job{Request: backfill.Request{Job: int32(len(in.Jobs)), Class: "batch", Tasks: tasks,
					PerTask: backfill.Amounts{Procs: 1}, WalltimeSeconds: seconds}})
				return &in.Jobs[len(in.Jobs)-1]
			}
			for _, r := range c.runs {
				j := add(r.tasks, r.to-r.from)
				j.Start, j.End, j.Allocated = now+r.from, now+r.to, []backfill.Share{{Node: 0, Tasks: r.tasks}}
			}
			for _, r := range c.reserved {
				j := add(r.tasks, r.to-r.from)
				in.Kept.Reservations = append(in.Kept.Reservations,
					maui.Reservation{Job: j.Job, Start: now + r.from, End: now + r.to,
						Nodes: []backfill.Share{{Node: 0, Tasks: r.tasks}}})
			}
			in.Runs = func(job int32) bool { return int(job) < len(c.runs) }
			job := add(c.tasks, c.seconds).Job
			start, _, ok := maui.New(in).Alone(job)
			if start -= now; !ok {
				start = -1
			}
			if start != c.want {
				t.Errorf("it can begin at %d, want %d", start, c.want)
			}
		})
	}
}

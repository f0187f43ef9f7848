package maui_test

import (
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/maui"
)

// TestLicenses: on a machine with room for all, jobs start and are reserved for by the licences that they want of the
// three there are.
func TestLicenses(t *testing.T) {
	const now = int64(1_700_000_000)
	job := func(licences, seconds int64) maui.Job {
		return maui.Job{Request: backfill.Request{Tasks: 1, PerTask: backfill.Amounts{Procs: 1}, WalltimeSeconds: seconds,
			Licenses: map[string]int64{"tool": licences}}}
	}
	for _, c := range []struct {
		what     string
		change   func(in *maui.Input)
		jobs     []maui.Job
		starts   []int32
		reserved int64 // when the first that waits has its reservation, from now on; 0 is none
	}{
		{"enough for all", nil, []maui.Job{job(1, 100), job(2, 100)}, []int32{0, 1}, 0},
		{"the second waits for the end of the first", nil, []maui.Job{job(2, 100), job(2, 100)}, []int32{0}, 100},
		{"the reservation keeps licences", nil, []maui.Job{job(2, 100), job(3, 100), job(1, 150), job(1, 100)}, []int32{0, 3},
			100},
		{"one that runs has them", func(in *maui.Input) {
			in.Jobs[0].Start, in.Jobs[0].End, in.Jobs[0].Allocated = now-50, now+50, []backfill.Share{{Node: 0, Tasks: 1}}
			in.Runs = func(job int32) bool { return job == 0 }
		}, []maui.Job{job(2, 100), job(2, 100)}, nil, 50},
		{"a reservation keeps them from others", func(in *maui.Input) {
			in.Cluster.Reservations = []backfill.Reservation{{Name: "r", Start: now + 60, End: now + 80,
				Licenses: map[string]int64{"tool": 2}}}
		}, []maui.Job{job(2, 100), job(1, 100)}, []int32{1}, 80},
		{"but not from its own", func(in *maui.Input) {
			in.Cluster.Reservations = []backfill.Reservation{{Name: "r", Start: now + 60, End: now + 80,
				Licenses: map[string]int64{"tool": 2}, Admits: func(*backfill.Request) bool { return true }}}
		}, []maui.Job{job(2, 100), job(1, 100)}, []int32{0, 1}, 0},
		{"more than there are", nil, []maui.Job{job(4, 100), job(1, 100)}, []int32{1}, 0},
	} {
		t.Run(c.what, func(t *testing.T) {
			in := maui.Input{Cluster: &backfill.Cluster{Licenses: map[string]int64{"tool": 3}}, Now: now, Settings: settings(),
				Jobs: c.jobs, Runs: func(int32) bool { return false }}
			in.Cluster.Nodes = []backfill.Node{{Name: "n", State: "Idle", Up: true, Capacity: backfill.Amounts{Procs: 16}}}
			for k := range in.Jobs {
				in.Jobs[k].Job = int32(k)
			}
			if c.change != nil {
				c.change(&in)
			}
			p := maui.New(in)
			var starts []int32
			for _, s := range p.Iterate(newOpenQueue(len(in.Jobs), in.Runs)) {
				starts = append(starts, s.Job)
			}
			if slices.Sort(starts); !slices.Equal(starts, c.starts) {
				t.Errorf("%v start, want %v", starts, c.starts)
			}
			reserved := int64(0)
			for _, r := range p.Finish(nil).Reservations {
				if r.Job >= 0 {
					reserved = r.Start - now
					if at, _ := p.Reservation(r.Job); len(at.WaitsFor) != 1 || at.WaitsFor[0].Name != "tool" {
						t.Errorf("waits for %+v", at.WaitsFor)
					}
				}
			}
			if reserved != c.reserved {
				t.Errorf("reserved from %d on, want %d", reserved, c.reserved)
			}
		})
	}
}

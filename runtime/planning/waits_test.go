package planning

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// drawSchedule is a schedule in which any jobs overlap, with reservations.
func drawSchedule(draw *rand.Rand, jobs, nodes int) *backfill.Schedule {
	s := &backfill.Schedule{Now: 100, Cluster: &backfill.Cluster{Nodes: make([]backfill.Node, nodes)}}
	if draw.IntN(2) == 0 {
		s.Told = []backfill.Placement{}
	}
	kinds := []backfill.By{backfill.ByRunning, backfill.ByMain, backfill.ByReservation, backfill.ByEstimate,
		backfill.ByEstimate, backfill.ByNone}
	for k := range jobs {
		p := backfill.Placement{Job: int32(k), By: kinds[draw.IntN(len(kinds))]}
		if p.By != backfill.ByNone {
			p.Start = 95 + draw.Int64N(30)
			p.End = p.Start + 1 + draw.Int64N(9)
			for range draw.IntN(4) {
				p.Nodes = append(p.Nodes, backfill.Share{Node: draw.Int32N(int32(nodes))})
			}
		}
		if draw.IntN(8) == 0 {
			p.WaitsFor = []backfill.Wait{{Kind: backfill.WaitSetting, Job: -1, Name: "bf_window"}}
		}
		s.Placements = append(s.Placements, p)
		s.Requests = append(s.Requests, backfill.Request{Job: int32(k), ID: fmt.Sprint(k)})
	}
	for k := range draw.IntN(3) {
		start := 95 + draw.Int64N(30)
		s.Cluster.Reservations = append(s.Cluster.Reservations, backfill.Reservation{Name: fmt.Sprint("r", k), Start: start,
			End: start + draw.Int64N(9), Nodes: []int32{draw.Int32N(int32(nodes))}})
	}
	return s
}

// holderPlainly is the last to leave a node before a job starts: a placement, or a reservation after all of these; -1
// if there is none.
func holderPlainly(s *backfill.Schedule, i int, node int32) (last int) {
	last, until := -1, s.Now
	ask := func(who int, has bool, end int64) {
		if has && end <= s.Placements[i].Start && end > until {
			last, until = who, end
		}
	}
	for k := range s.Placements {
		p := &s.Placements[k]
		counts := p.By != backfill.ByNone && k != i
		if p.By == backfill.ByEstimate {
			counts = s.Told != nil && s.Placements[i].By == backfill.ByEstimate && k < i
		}
		ask(k, counts && slices.ContainsFunc(p.Nodes, func(n backfill.Share) bool { return n.Node == node }), p.End)
	}
	for k := range s.Cluster.Reservations {
		v := &s.Cluster.Reservations[k]
		ask(len(s.Placements)+k, slices.Contains(v.Nodes, node), v.End)
	}
	return last
}

// TestFillWaits: who leaves the nodes of a job last is found as by looking at all who have them.
func TestFillWaits(t *testing.T) {
	draw, found := rand.New(rand.NewPCG(20, 3)), 0
	for range 500 {
		s := drawSchedule(draw, 1+draw.IntN(25), 3)
		want := make([]map[string][]int32, len(s.Placements))
		for i := range s.Placements {
			p := &s.Placements[i]
			if want[i] = map[string][]int32{}; p.By == backfill.ByNone || p.By == backfill.ByRunning || p.Start <= s.Now {
				continue
			}
			for _, n := range p.Nodes {
				if who := holderPlainly(s, i, n.Node); who >= len(s.Placements) {
					name := s.Cluster.Reservations[who-len(s.Placements)].Name
					want[i][name] = append(want[i][name], n.Node)
				} else if who >= 0 {
					want[i][fmt.Sprint(who)] = append(want[i][fmt.Sprint(who)], n.Node)
				}
			}
		}
		FillWaits(s)
		for i := range s.Placements {
			got := map[string][]int32{}
			for _, w := range s.Placements[i].WaitsFor {
				switch {
				case w.Kind == backfill.WaitSetting:
				case w.Kind == backfill.WaitReservation:
					got[w.Name] = w.Nodes
				default:
					got[fmt.Sprint(w.Job)] = w.Nodes
				}
			}
			for who, nodes := range want[i] {
				slices.Sort(nodes)
				want[i][who] = slices.Compact(nodes)
				found++
			}
			if d := cmp.Diff(want[i], got); d != "" {
				t.Fatalf("job %d waits for (-plainly +found):\n%s", i, d)
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d jobs have nodes after others: the schedules show nothing", found)
	}
}

// cpu is the processor time of the process until now.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestFillWaitsGrows: of sixteen times as many jobs on one node it takes less than four times sixteen times as long. A
// look at all of them for each takes it further.
func TestFillWaitsGrows(t *testing.T) {
	least := func(jobs int) time.Duration {
		least := time.Duration(1 << 62)
		for range 3 {
			s := &backfill.Schedule{Now: 0, Cluster: &backfill.Cluster{Nodes: make([]backfill.Node, 1)},
				Told: []backfill.Placement{}, Requests: make([]backfill.Request, jobs)}
			for k := range jobs {
				s.Placements = append(s.Placements, backfill.Placement{By: backfill.ByEstimate, Start: int64(k + 1),
					End: int64(k + 2), Nodes: []backfill.Share{{}}})
			}
			begun := cpu()
			FillWaits(s)
			least = min(least, cpu()-begun)
		}
		return least
	}
	const few, times = 2000, 16
	if a, b := least(few), least(few*times); b > 4*times*a {
		t.Errorf("%d jobs take %v, %d jobs %v", few, a, few*times, b)
	}
}

package slurm_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/slurm"
	"github.com/fairway-sched/fairway/runtime/program"
)

func planned(t *rapid.T, plan func(*slurm.Input) (*backfill.Schedule, error), in *slurm.Input) *backfill.Schedule {
	s, err := plan(in)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPlainTwin: what is remembered, skipped and counted changes nothing.
func TestPlainTwin(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		in := queues(t)
		fast, plain := planned(t, slurm.Plan, in), planned(t, slurm.PlanPlainly, in)
		for k := range plain.Placements {
			if a, b := fast.Placements[k], plain.Placements[k]; !reflect.DeepEqual(a, b) {
				t.Fatalf("%s is planned as %+v, plainly as %+v", plain.Requests[k].ID, a, b)
			}
		}
		if fast.Tried != plain.Tried || fast.Stopped != plain.Stopped || !reflect.DeepEqual(fast.Started, plain.Started) {
			t.Fatalf("%d tried, stopped %q, started %v; plainly %d, %q, %v", fast.Tried, fast.Stopped, fast.Started, plain.Tried,
				plain.Stopped, plain.Started)
		}
	})
}

// TestPlanIsFunction: a plan depends on nothing but its input, also where several are made at once, and changes nothing
// of it.
func TestPlanIsFunction(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		in := queues(t)
		first := planned(t, slurm.Plan, in)
		var all sync.WaitGroup
		others := make([]*backfill.Schedule, 4)
		for k := range others {
			all.Go(func() {
				others[k], _ = slurm.Plan(&slurm.Input{Now: in.Now, Cycle: in.Cycle, Cluster: in.Cluster, Settings: in.Settings,
					Running: in.Running, Waiting: in.Waiting, Entries: in.Entries})
			})
		}
		all.Wait()
		for _, other := range others {
			if !reflect.DeepEqual(first.Placements, other.Placements) || first.Tried != other.Tried {
				t.Fatal("the same input was planned in two ways")
			}
		}
	})
}

// TestNothingTwice: jobs that run or start have room beside each other on their nodes, and nodes are kept for
// one job at a time.
func TestNothingTwice(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		in := queues(t)
		s := planned(t, slurm.Plan, in)
		used, whole, jobs := make([]int64, len(in.Cluster.Nodes)), make([]bool, len(in.Cluster.Nodes)),
			make([]int, len(in.Cluster.Nodes))
		type span struct{ start, end int64 }
		kept := make([][]span, len(in.Cluster.Nodes))
		for k := range s.Placements {
			place, r := &s.Placements[k], &s.Requests[k]
			switch place.By {
			case backfill.ByRunning, backfill.ByMain, backfill.ByBackfill:
				for _, n := range place.Nodes {
					used[n.Node] += n.ProcsOf(r.PerTask.Procs)
					jobs[n.Node]++
					whole[n.Node] = whole[n.Node] || in.Settings.Linear || r.Sharing == backfill.SingleJob
					if place.By != backfill.ByRunning && !in.Cluster.Nodes[n.Node].Up {
						t.Fatalf("%s starts on node %d, which is down", r.ID, n.Node)
					}
				}
				for _, n := range place.Nodes {
					if place.By != backfill.ByRunning {
						fitsAt(t, in, s, n.Node, place.Start)
					}
				}
				if n := int64(len(place.Nodes)); place.By != backfill.ByRunning && n < r.Nodes {
					t.Fatalf("%s starts on %d nodes, and asked for %d", r.ID, n, r.Nodes)
				}
			case backfill.ByReservation:
				slot := in.Settings.ResolutionSeconds
				if place.End-place.Start < slot {
					continue // slurmctld asks about no slot, and keeps one
				}
				mine := span{place.Start / slot * slot, max(place.End/slot*slot, place.Start/slot*slot+slot)}
				for _, n := range place.Nodes {
					for _, o := range kept[n.Node] {
						if mine.start < o.end && o.start < mine.end {
							t.Fatalf("node %d is kept for %s from %d to %d, and for another job from %d to %d", n.Node, r.ID, mine.start,
								mine.end, o.start, o.end)
						}
					}
					kept[n.Node] = append(kept[n.Node], mine)
				}
			}
		}
		for i := range used {
			if used[i] > in.Cluster.Nodes[i].Capacity.Procs || whole[i] && jobs[i] > 1 {
				t.Fatalf("node %d has %d jobs with %d processors", i, jobs[i], used[i])
			}
		}
	})
}

// TestPlainTwinOfLargeQueues is TestPlainTwin where most jobs find nothing.
func TestPlainTwinOfLargeQueues(t *testing.T) {
	for _, kind := range []struct{ alone, linear bool }{{true, false}, {false, false}, {true, true}} {
		for _, version := range []int{2205, 2411, 2511} {
			in := busy(64, 2000, kind.alone)
			in.Settings.Version, in.Settings.Linear = version, kind.linear
			fast, _ := slurm.Plan(in)
			plain, _ := slurm.PlanPlainly(in)
			for k := range plain.Placements {
				if a, b := fast.Placements[k], plain.Placements[k]; !reflect.DeepEqual(a, b) {
					t.Fatalf("%d, %s is planned as %+v, plainly as %+v", version, plain.Requests[k].ID, a, b)
				}
			}
			if fast.Tried != plain.Tried {
				t.Errorf("%d tried, plainly %d", fast.Tried, plain.Tried)
			}
		}
	}
}

// TestReservedNodes: a job of no reservation that starts now or has an estimate has ended when a reservation of its
// nodes begins. Where slurmctld keeps nodes for one all the same, it is reported to be delayed.
func TestReservedNodes(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		in := queues(t)
		s := planned(t, slurm.Plan, in)
		for k := range s.Placements {
			place, r := &s.Placements[k], &s.Requests[k]
			switch place.By {
			case backfill.ByMain, backfill.ByBackfill, backfill.ByEstimate, backfill.ByReservation:
			default:
				continue
			}
			if r.Reservation != "" {
				continue
			}
			for i := range in.Cluster.Reservations {
				v := &in.Cluster.Reservations[i]
				for _, n := range place.Nodes {
					if slices.Contains(v.Nodes, n.Node) && place.Start < v.End && v.Start < place.End && !delayed(place, v) {
						t.Fatalf("%s runs from %d to %d on node %d, which is reserved from %d to %d", r.ID, place.Start, place.End,
							n.Node, v.Start, v.End)
					}
				}
			}
		}
	})
}

// delayed reports a reservation that a plan is reported to run into.
func delayed(place *backfill.Placement, v *backfill.Reservation) bool {
	return place.By == backfill.ByReservation && slices.ContainsFunc(place.WaitsFor, func(w backfill.Wait) bool {
		return w.Kind == backfill.WaitOverrun && w.Name == v.Name && w.From <= v.Start
	})
}

// TestEndedPlan: whoever no longer wants a plan gets none, whichever pass is being made, and does not wait for the
// rest of it.
func TestEndedPlan(t *testing.T) {
	for name, pass := range map[string]func(*program.SlurmPlan){
		"main pass":        func(s *program.SlurmPlan) { s.Main, s.Backfill = true, false },
		"backfill":         func(s *program.SlurmPlan) { s.Main, s.Backfill = false, true },
		"after the passes": func(s *program.SlurmPlan) { s.Main, s.Backfill = false, false },
		"builtin": func(s *program.SlurmPlan) {
			s.Main, s.Backfill, s.Builtin, s.BuiltinTests = false, false, true,
				2000
		},
	} {
		in := busy(8, 2000, true)
		pass(in.Settings)
		asked := &impatient{Context: context.Background(), left: 2}
		in.Context = asked
		if _, err := slurm.Plan(in); !errors.Is(err, context.Canceled) || asked.left != 0 {
			t.Errorf("%s: the plan ended with %v, %d questions early", name, err, asked.left)
		}
	}
}

// TestProgress: each step of a plan says how far it is, one after the other, and never goes back.
func TestProgress(t *testing.T) {
	in := busy(8, 2000, true)
	in.Settings.Tests = 600 // the others get their starts after the cycle
	var steps []string
	last := 0
	in.Progress = func(step string, done, total int) {
		if len(steps) == 0 || steps[len(steps)-1] != step {
			steps, last = append(steps, step), 0
		}
		if done < last || done > total {
			t.Errorf("%s: %d of %d, after %d", step, done, total, last)
		}
		last = done
	}
	if _, err := slurm.Plan(in); err != nil {
		t.Fatal(err)
	}
	want := []string{"main pass", "backfill cycle", "reservations in the way", "later starts", "what jobs wait for"}
	if !slices.Equal(steps, want) {
		t.Errorf("the steps are %q", steps)
	}
}

// impatient no longer wants a plan once it has been asked a few times.
type impatient struct {
	context.Context
	left int
}

func (c *impatient) Err() error {
	if c.left == 0 {
		return context.Canceled
	}
	if c.left--; c.left == 0 {
		return context.Canceled
	}
	return nil
}

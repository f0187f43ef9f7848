package slurm_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/slurm"
	"github.com/fairway-sched/fairway/runtime/program"
)

// TestEstimatesFit: whoever is placed after the cycle has room beside all others on his nodes, at every moment.
func TestEstimatesFit(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		in := queues(t)
		s := planned(t, slurm.Plan, in)
		for k := range s.Placements {
			place := &s.Placements[k]
			if place.By != backfill.ByEstimate {
				continue
			}
			if place.Start <= in.Now || place.Nodes == nil {
				t.Fatalf("%s is estimated to start at %d on %v", s.Requests[k].ID, place.Start, place.Nodes)
			}
			for _, n := range place.Nodes {
				if r := &s.Requests[k]; r.TasksPerNode > 0 && n.Tasks > r.TasksPerNode {
					t.Fatalf("%s has %d tasks on node %d, at most %d are to be on one", r.ID, n.Tasks, n.Node, r.TasksPerNode)
				}
				if !in.Cluster.Nodes[n.Node].Up {
					t.Fatalf("%s is placed on node %d, which is down", s.Requests[k].ID, n.Node)
				}
				for o := range s.Placements {
					if at := s.Placements[o].Start; o == k || at > place.Start && at < place.End {
						fitsAt(t, in, s, n.Node, max(at, place.Start))
					}
				}
			}
		}
	})
}

// fitsAt adds up what jobs have of a node at a time.
func fitsAt(t *rapid.T, in *slurm.Input, s *backfill.Schedule, node int32, at int64) {
	var has backfill.Amounts
	jobs, alone, gpus := 0, false, int64(0)
	private, users := false, map[string]bool{}
	for k := range s.Placements {
		place, r := &s.Placements[k], &s.Requests[k]
		if place.By == backfill.ByNone || place.Start > at || place.End <= at {
			continue
		}
		for _, n := range place.Nodes {
			if n.Node != node {
				continue
			}
			jobs++
			alone = alone || r.Sharing == backfill.SingleJob || in.Settings.Linear
			for i := range in.Cluster.Partitions {
				if part := &in.Cluster.Partitions[i]; part.Name == place.Partition {
					alone, private = alone || part.Sharing == backfill.SingleJob, private || part.Sharing == backfill.SingleUser
				}
			}
			users[r.User] = true
			has.Procs += n.ProcsOf(r.PerTask.Procs)
			if in.Settings.Memory && n.MemMB > 0 {
				has.MemMB += n.MemMB
			} else if in.Settings.Memory {
				has.MemMB += n.Tasks * r.PerTask.MemMB
			}
			if r.PerNode.Gres != nil {
				gpus += r.PerNode.Gres[0]
			}
			if r.PerTask.Gres != nil {
				gpus += n.Tasks * r.PerTask.Gres[0]
			}
		}
	}
	c := &in.Cluster.Nodes[node].Capacity
	if has.Procs > c.Procs || has.MemMB > c.MemMB || alone && jobs > 1 || private && len(users) > 1 || gpus > 0 &&
		gpus > c.Gres[0] {
		t.Fatalf("at %d node %d has %d jobs with %d processors, %d MB, %d GPUs", at, node, jobs, has.Procs, has.MemMB, gpus)
	}
}

// after is who has a time after the cycle, and by which setting it is not within.
func (s scene) after(t *testing.T) string {
	out, err := slurm.Plan(s.Input)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for k := range out.Placements {
		p := &out.Placements[k]
		if p.By == backfill.ByRunning || p.Start <= hour && p.By != backfill.ByNone {
			continue
		}
		text := fmt.Sprintf("%s:%s", out.Requests[k].ID, p.By)
		if p.By != backfill.ByNone {
			text += fmt.Sprintf(" +%ds", p.Start-hour)
		}
		for k, n := range p.Nodes {
			text += " ,"[min(k, 1):min(k, 1)+1] + fmt.Sprint(n.Node)
		}
		for _, w := range p.WaitsFor {
			if w.Kind != backfill.WaitRunning && w.Kind != backfill.WaitReserved {
				text += fmt.Sprintf(" %s %s", w.Kind, w.Name)
			}
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

func TestProjection(t *testing.T) {
	three := func(s scene) {
		s.run(30, 0)
		for range 3 {
			s.job(1, 10, nil)
		}
	}
	shared := func(r *backfill.Request, _ *slurm.Entry) { r.Sharing, r.Tasks = backfill.Shared, 3 }
	cases := []struct {
		name  string
		nodes int
		set   func(*program.SlurmPlan)
		fill  func(s scene)
		want  string
	}{
		{"jobs behind the bound follow each other", 1, func(p *program.SlurmPlan) { p.Tests = 1 }, three,
			"0:reservation +1800s 0; 1:estimate +2400s 0 setting bf_max_job_test=1; 2:estimate +3000s 0 setting " +
				"bf_max_job_test=1"},
		{"jobs behind the window follow each other", 1, func(p *program.SlurmPlan) { p.WindowSeconds = 1800 }, three,
			"0:estimate +1800s 0 setting bf_window=30; 1:estimate +2400s 0 setting bf_window=30; 2:estimate +3000s 0 setting " +
				"bf_window=30"},
		{"of a user", 1, func(p *program.SlurmPlan) { p.PerUser = 1 }, three,
			"0:reservation +1800s 0; 1:estimate +2400s 0 setting bf_max_job_user=1; 2:estimate +3000s 0 setting " +
				"bf_max_job_user=1"},
		{"of a partition", 1, func(p *program.SlurmPlan) { p.PerPartition = 2 }, three,
			"0:reservation +1800s 0; 1:reservation +2400s 0; 2:estimate +3000s 0 setting bf_max_job_part=2"},
		{"one that a reservation stands before", 1, func(p *program.SlurmPlan) { p.PartitionReserve = 1 }, three,
			"0:reservation +1800s 0; 1:estimate +2400s 0 setting bf_job_part_count_reserve=1; 2:estimate +3000s 0 setting " +
				"bf_job_part_count_reserve=1"},
		{"one too young for a reservation", 1, func(p *program.SlurmPlan) { p.MinAgeSeconds = 7200 }, three,
			"0:estimate +1800s 0 setting bf_min_age_reserve=7200; 1:estimate +2400s 0 setting bf_min_age_reserve=7200; " +
				"2:estimate +3000s 0 setting bf_min_age_reserve=7200"},
		{"after so many starts", 3, func(p *program.SlurmPlan) { p.Starts, p.Main = 1, false }, three,
			"1:estimate +1s 2 setting bf_max_job_start=1; 2:estimate +600s 1 setting bf_max_job_start=1"},
		{"tasks of an array", 1, func(p *program.SlurmPlan) { p.ArrayReservations = 2 }, func(s scene) {
			s.run(30, 0)
			s.job(1, 10, func(r *backfill.Request, _ *slurm.Entry) { r.Array, r.TaskIDs = 7, []int64{1, 2, 3} })
		}, "7_1:reservation +1800s 0; 7_2:reservation +2400s 0; 7_3:estimate +3000s 0 setting bf_max_job_array_resv=2"},
		{"what shares nodes does so later too", 1, func(p *program.SlurmPlan) { p.Tests = 1 }, func(s scene) {
			s.run(30, 0)
			s.job(1, 10, shared)
			s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) { shared(r, e); r.Tasks = 2 })
			s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) { shared(r, e); r.Tasks = 1 })
		}, "0:reservation +1800s 0; 1:estimate +2400s 0 setting bf_max_job_test=1; 2:estimate +1800s 0 setting " +
			"bf_max_job_test=1"},
		{"without backfill nobody is passed", 2, func(p *program.SlurmPlan) { p.Backfill = false }, func(s scene) {
			s.run(30, 0)
			s.job(2, 10, nil)
			s.job(1, 10, nil)
		}, "0:estimate +1800s 0,1 setting bf_interval=-1; 1:estimate +2400s 0 setting bf_interval=-1"},
		{"begin times and other jobs", 1, nil, func(s scene) {
			s.job(1, 10, nil)
			s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) { e.Later, r.After = true, []int32{100} })
			s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) { e.Later, r.Begin = true, hour+7200 })
			s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) { e.Later, r.After = true, []int32{102} })
		}, "1:estimate +600s 0 dependency ; 2:estimate +7200s 0 begin_time ; 3:estimate +7800s 0 dependency "},
		{"nodes that are down", 1, nil, func(s scene) {
			s.Cluster.Nodes[0].Up = false
			s.job(1, 10, nil)
		}, "0: node_state "},
	}
	for _, c := range cases {
		t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
			s := newScene(c.nodes, c.set)
			c.fill(s)
			if got := s.after(t); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

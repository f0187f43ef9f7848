package slurm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/slurm"
	"github.com/fairway-sched/fairway/runtime/program"
)

// scene is a cluster of nodes with 4 processors each in partition a, what runs there, and a queue.
type scene struct{ *slurm.Input }

// hour begins a slot.
const hour = 1_800_000_000

func newScene(nodes int, set func(*program.SlurmPlan)) scene {
	s := scene{&slurm.Input{Now: hour, Cluster: &backfill.Cluster{}, Settings: settings()}}
	s.Settings.Memory = false
	if set != nil {
		set(s.Settings)
	}
	p := backfill.Partition{Name: "a", Up: true}
	for i := range nodes {
		s.Cluster.Nodes = append(s.Cluster.Nodes,
			backfill.Node{Name: fmt.Sprintf("n%d", i), Up: true, Weight: 1, Features: []string{[]string{"x", "y"}[i%2]},
				Capacity: backfill.Amounts{Procs: 4, MemMB: 1000}})
		p.Nodes = append(p.Nodes, int32(i))
	}
	s.Cluster.Partitions = []backfill.Partition{p}
	return s
}

// run has a job on whole nodes for so many more minutes.
func (s scene) run(minutes int64, nodes ...int32) {
	r := backfill.Request{Job: int32(len(s.Running)), ID: "running", Nodes: int64(len(nodes)), Sharing: backfill.SingleJob,
		PerTask: backfill.Amounts{Procs: 1},
		Start:   hour - 600, End: hour + 60*minutes, Class: "a"}
	for _, n := range nodes {
		r.Allocated = append(r.Allocated, backfill.Share{Node: n, Tasks: 4})
	}
	s.Running = append(s.Running, r)
}

// job queues one for whole nodes, after the ones before. With part of it the caller changes the request.
func (s scene) job(nodes, minutes int64, change func(r *backfill.Request, e *slurm.Entry)) {
	k := int32(len(s.Waiting))
	r := backfill.Request{Job: 100 + k, Row: 100 + k, ID: fmt.Sprint(k), Nodes: nodes, NodesMax: nodes, Tasks: nodes,
		Sharing: backfill.SingleJob, PerTask: backfill.Amounts{Procs: 1},
		WalltimeSeconds: 60 * minutes, SubmitTime: hour - 3600, User: "u"}
	e := slurm.Entry{Request: k, Row: 100 + k, Priority: 1000 - int64(k)}
	if change != nil {
		change(&r, &e)
	}
	s.Waiting, s.Entries = append(s.Waiting, r), append(s.Entries, e)
}

func (s scene) String() string {
	out, err := slurm.Plan(s.Input)
	if err != nil {
		return err.Error()
	}
	var list []string
	for k := range out.Placements {
		p := &out.Told[k]
		if p.By == backfill.ByRunning {
			continue
		}
		text := out.Requests[k].ID + ":"
		switch {
		case p.By == backfill.ByMain, p.By == backfill.ByBackfill:
			text += fmt.Sprintf("%s for %d", p.By, (p.End-p.Start)/60)
		case p.Start > 0:
			text += fmt.Sprintf("%s +%ds", p.By, p.Start-hour)
		case p.Never != "":
			text += p.Never
		default:
			text += "-"
		}
		for k, n := range p.Nodes {
			text += " ,"[min(k, 1):min(k, 1)+1] + fmt.Sprint(n.Node)
		}
		if p.Reason != "" {
			text += " " + p.Reason
		}
		list = append(list, text)
	}
	if out.Stopped != "" {
		list = append(list, out.Stopped)
	}
	return strings.Join(list, "; ")
}

func TestRules(t *testing.T) {
	type settingsOf = func(*program.SlurmPlan)
	cases := []struct {
		name  string
		nodes int
		set   settingsOf
		fill  func(s scene)
		want  string
	}{
		{"the first job without nodes holds its partition up", 3, nil, func(s scene) {
			s.run(30, 0)
			s.job(1, 10, nil)
			s.job(3, 10, nil)
			s.job(1, 10, nil)
			s.job(1, 60, nil)
		}, "0:main for 10 1; 1:reservation +1800s 0,1,2 Resources; 2:backfill for 10 2; 3:reservation +2400s 1 Priority"},
		{"unless it is too young", 2, func(p *program.SlurmPlan) { p.MinAgeSeconds = 7200 }, func(s scene) {
			s.run(30, 0)
			s.job(2, 10, nil)
			s.job(1, 60, nil)
		}, "0:- Resources; 1:main for 60 1"},
		{"or too low", 2, func(p *program.SlurmPlan) { p.MinPriority = 5000 }, func(s scene) {
			s.run(30, 0)
			s.job(2, 10, nil)
			s.job(1, 60, func(r *backfill.Request, e *slurm.Entry) { e.Threshold = 1 })
		}, "0:- Resources; 1:main for 60 1"},
		{"what a job insists on is all it holds", 3, nil, func(s scene) {
			s.run(30, 0)
			s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) { r.Hosts = []int32{0} })
			s.job(1, 60, nil)
		}, "0:reservation +1800s 0 Resources; 1:main for 60 1"},
		{"a shorter time will do", 2, nil, func(s scene) {
			s.run(30, 0)
			s.job(2, 10, nil)
			s.job(1, 60, func(r *backfill.Request, e *slurm.Entry) { r.WalltimeMinSeconds = 600 })
		}, "0:reservation +1800s 0,1 Resources; 1:backfill for 10 1"},
		{"and is stretched in later versions", 2, func(p *program.SlurmPlan) { p.Version = 2511 }, func(s scene) {
			s.run(30, 0)
			s.job(2, 10, nil)
			s.job(1, 60, func(r *backfill.Request, e *slurm.Entry) { r.WalltimeMinSeconds = 600 })
		}, "0:reservation +1800s 0,1 Resources; 1:backfill for 30 1"},
		{"a deadline that cannot be met", 1, nil, func(s scene) {
			s.job(1, 60, func(r *backfill.Request, e *slurm.Entry) { r.Deadline = hour + 600 })
		}, "0:it cannot end before its deadline DeadLine"},
		{"nothing is kept for a QOS with NoReserve", 2, nil, func(s scene) {
			s.run(30, 0)
			s.job(2, 10, func(r *backfill.Request, e *slurm.Entry) { e.NoReserve = true })
			s.job(1, 60, nil)
		}, "0:estimate +1800s Resources; 1:backfill for 60 1"},
		{"licences", 2, nil, func(s scene) {
			s.Cluster.Licenses = map[string]int64{"l": 1}
			for range 2 {
				s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) { r.Licenses = map[string]int64{"l": 1} })
			}
			s.job(1, 10, nil)
		}, "0:main for 10 0; 1:- Licenses; 2:main for 10 1"},
		{"bf_licenses plans them", 2, func(p *program.SlurmPlan) { p.Licenses, p.RunningReserve = true, true },
			func(s scene) {
				s.Cluster.Licenses = map[string]int64{"l": 1}
				for range 2 {
					s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) { r.Licenses = map[string]int64{"l": 1} })
				}
				s.job(1, 9, nil)
			}, "0:main for 10 0; 1:reservation +600s 1 Licenses; 2:backfill for 9 1; bf_licenses"},
		{"an array's throttle", 3, nil, func(s scene) {
			s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) { r.Array, r.TaskIDs, r.ArrayMax = 7, []int64{1, 2, 3}, 2 })
			s.job(1, 10, nil)
		}, "7_3:- JobArrayTaskLimit; 7_1:main for 10 0; 7_2:main for 10 1; 1:main for 10 2"},
		{"features of some nodes", 6, nil, func(s scene) {
			s.job(3, 10, func(r *backfill.Request, e *slurm.Entry) {
				r.Features.Alternatives = []backfill.FeatureSet{{All: []string{"x"}, Count: 1}, {All: []string{"y"}, Count: 2}}
			})
		}, "0:main for 10 0,1,3"},
		{"one feature of all nodes", 6, nil, func(s scene) {
			s.run(30, 0)
			s.job(3, 10, func(r *backfill.Request, e *slurm.Entry) {
				r.Features = backfill.Features{SameForAll: true,
					Alternatives: []backfill.FeatureSet{{All: []string{"x"}}, {All: []string{"y"}}}}
			})
		}, "0:main for 10 1,3,5"},
		{"processors are kept by a reservation", 1, nil, func(s scene) {
			s.Cluster.Reservations = []backfill.Reservation{{Name: "r", Start: hour - 60, End: hour + 6000, Nodes: []int32{0},
				Amounts: backfill.Amounts{Procs: 2}, Admits: func(*backfill.Request) bool { return true }}}
			shared := func(name string) func(*backfill.Request, *slurm.Entry) {
				return func(r *backfill.Request, e *slurm.Entry) { r.Sharing, r.Tasks, r.Reservation = 0, 2, name }
			}
			s.job(1, 10, shared(""))
			s.job(1, 10, shared(""))
			s.job(1, 10, shared("r"))
			s.job(1, 10, shared("r"))
		}, "2:main for 10 0; 3:reservation +600s 0 Resources; 0:main for 10 0; 1:reservation +1200s 0 Resources"},
		{"generic resources of each task", 1, nil, func(s scene) {
			s.Cluster.Gres, s.Cluster.Nodes[0].Capacity.Gres = []string{"gpu"}, []int64{4}
			for range 2 {
				s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) { r.Sharing, r.Tasks, r.PerTask.Gres = 0, 2, []int64{2} })
			}
		}, "0:main for 10 0; 1:reservation +600s 0 Resources"},
		{"no end is a year", 1, nil, func(s scene) {
			for range 2 {
				s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) { r.WalltimeSeconds = backfill.Forever })
			}
		}, "0:main for 525600 0; 1:estimate +31536000s Resources"},
		{"nodes of one user", 1, nil, func(s scene) {
			open := s.Cluster.Partitions[0]
			open.Name, s.Cluster.Partitions[0].Sharing = "open", backfill.SingleUser
			s.Cluster.Partitions = append(s.Cluster.Partitions, open)
			for k, user := range []string{"u", "v", "v", "u", "u"} {
				s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) {
					r.Sharing, r.User, e.Partition = backfill.Shared, user, []int32{0, 0, 1, 1, 0}[k]
				})
			}
		}, "0:main for 10 0; 1:- Resources; 2:- Withdrawn; 3:backfill for 10 0; 4:backfill for 10 0"},
		{"bf_max_job_user", 1, func(p *program.SlurmPlan) { p.PerUser = 1 }, func(s scene) {
			s.run(30, 0)
			s.job(1, 10, nil)
			s.job(1, 10, nil)
			s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) { r.User = "v" })
		}, "0:reservation +1800s 0 Resources; 1:- Priority; 2:reservation +2400s 0 Priority"},
		{"bf_max_job_start", 3, func(p *program.SlurmPlan) { p.Starts = 1 }, func(s scene) {
			s.run(30, 0)
			s.job(3, 10, nil)
			s.job(1, 10, nil)
			s.job(1, 10, nil)
		}, "0:reservation +1800s 0,1,2 Resources; 1:backfill for 10 1; 2:- Priority; bf_max_job_start"},
		{"partition_job_depth", 2, func(p *program.SlurmPlan) { p.PartitionDepth, p.Backfill = 1, false }, func(s scene) {
			s.job(1, 10, nil)
			s.job(1, 10, nil)
		}, "0:main for 10 0; 1:- Priority"},
		{"ends are looked at in windows that grow", 4, nil, func(s scene) {
			s.run(10, 0)
			s.run(20, 1)
			s.run(21, 2)
			s.run(60, 3)
			s.job(2, 10, nil)
		}, "0:reservation +1260s 0,1 Resources"},
		{"in later versions what holds none of its nodes does not count", 4, func(p *program.SlurmPlan) { p.Version = 2511 },
			func(s scene) {
				s.run(10, 0)
				s.run(20, 1)
				s.run(21, 2)
				s.run(60, 3)
				s.job(2, 10, nil)
			}, "0:reservation +1200s 0,1 Resources"},
		{"sched/builtin estimates", 2, func(p *program.SlurmPlan) { p.Builtin, p.Backfill, p.BuiltinTests = true, false, 10 },
			func(s scene) {
				s.run(30, 0)
				s.job(2, 10, nil)
				s.job(1, 10, nil)
			}, "0:estimate +1800s Resources; 1:estimate +2400s Priority"},
		{"what can never be", 2, nil, func(s scene) {
			s.job(3, 10, nil)
			s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) {
				r.Features.Alternatives = []backfill.FeatureSet{{All: []string{"z"}}}
			})
			s.job(1, 10, func(r *backfill.Request, e *slurm.Entry) { r.Tasks, r.NodesMax = 9, 2 })
		}, "0:it asks for 3 nodes, and partition a has 2 Withdrawn; 1:it asks for 1 node with features that 0 of " +
			"partition a have Priority; 2:it asks for 9 processors, and partition a has 8 Priority"},
	}
	for _, c := range cases {
		t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
			s := newScene(c.nodes, c.set)
			c.fill(s)
			if got := strings.ReplaceAll(s.String(), slurm.Withdrawn, "Withdrawn"); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestWaits: a reservation says which jobs and reservations it waits for.
func TestWaits(t *testing.T) {
	s := newScene(2, nil)
	s.run(30, 0)
	s.job(2, 10, nil)
	s.job(2, 10, nil)
	out, err := slurm.Plan(s.Input)
	if err != nil {
		t.Fatal(err)
	}
	first, second := out.Placements[1].WaitsFor, out.Placements[2].WaitsFor
	if len(first) != 1 || first[0].Kind != backfill.WaitRunning || first[0].Job != 0 || first[0].Until != hour+1800 {
		t.Errorf("the first waits for %+v", first)
	}
	if len(second) == 0 || second[0].Kind != backfill.WaitReserved || second[0].Job != 100 || len(second[0].Nodes) != 2 {
		t.Errorf("the second waits for %+v", second)
	}
}

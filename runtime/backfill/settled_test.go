package backfill

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// Questions about a schedule have the same answers in any order, one after the other or each of a new plan.
func TestAnswersDoNotDependOnTheQuestionsBefore(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		q := queues(t, traits{whole: rapid.Bool().Draw(t, "whole nodes")})
		s := settings(t)
		type answer struct {
			Offers  []Offer
			Start   int64
			Where   string
			Answers bool
		}
		ask := func(of *Schedule, at int) (a answer) {
			var err error
			if a.Offers, err = Sooner(of, of.Requests[at].Job); err != nil {
				t.Fatal(err)
			}
			if by := of.Placements[at].By; by == ByNone || by == ByEstimate && of.Placements[at].Start > now {
				a.Start, a.Where, a.Answers = of.Earliest(at, now)
			}
			return a
		}
		all := plan(t, q, s)
		for at := range all.Requests {
			want := ask(plan(t, q, s), at)
			for range 2 { // the second time what was made ready is used once more, or made anew
				if diff := cmp.Diff(want, ask(all, at)); diff != "" {
					t.Fatalf("job %d: %s", at, diff)
				}
			}
		}
	})
}

// What is offered to a job, and when it would start by itself, counts what reserved jobs have: generic resources,
// licences, nodes alone because of the partition that they are placed in.
func TestReservedJobsKeepAllThatTheyHave(t *testing.T) {
	job := func(n int32, seconds int64) Request {
		return Request{Job: n, ID: string(rune('0' + n)), Tasks: 1, Nodes: 1, PerTask: Amounts{Procs: 1},
			WalltimeSeconds: seconds}
	}
	for name, change := range map[string]func(c *Cluster, r *Request){
		"gpus":     func(_ *Cluster, r *Request) { r.PerTask.Gres = []int64{1} },
		"gpu":      func(_ *Cluster, r *Request) { r.PerNode.Gres = []int64{1} },
		"licences": func(_ *Cluster, r *Request) { r.Licenses = map[string]int64{"tool": 1} },
		"alone":    func(_ *Cluster, r *Request) { r.Partitions = []string{"none", "single"} },
	} {
		c := &Cluster{Gres: []string{"gpu"}, Licenses: map[string]int64{"tool": 1},
			Nodes: []Node{{Name: "n1", Up: true, Capacity: Amounts{Procs: 8, Gres: []int64{1}}}},
			Partitions: []Partition{{Name: "none", Up: true}, {Name: "single", Up: true, Nodes: []int32{0}, Sharing: SingleJob},
				{Name: "any", Up: true, Nodes: []int32{0}}}}
		runs := job(1, 100)
		runs.Start, runs.End, runs.Allocated, runs.PerTask.Procs = now, now+100, []Share{{Node: 0, Tasks: 1}}, 8
		second, third := job(2, 100), job(3, 100)
		change(c, &second)
		change(c, &third)
		third.Partitions = []string{"any"}
		s := plan(t, queue{c, []Request{runs, second, third}}, easy)
		if start, _, ok := s.Earliest(2, now); start != now+200 || !ok || s.Placements[1].By != ByReservation {
			t.Errorf("%s: job 3 would start at %d, want %d", name, start, now+200)
		}
	}
}

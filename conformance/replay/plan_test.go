package replay_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/replay"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/planning"
)

// TestRecordedPlan compares what the planner does with what Maui did, in every iteration of the compact copies: which
// jobs start, in which order and on which nodes, which reservations are made for when and where, and how the queue
// stands after it. Nothing is given of what Maui decided; no case differs.
func TestRecordedPlan(t *testing.T) {
	c := compared{}
	for _, r := range recordedtest.Copies(t, "maui") {
		t.Run(r.Name, func(t *testing.T) { checkPlans(t, r, c) })
	}
	c.atLeast(t, map[string]int{"plans": 219, "starts": 680, "reservations": 200, "queue": 219})
}

// TestFullRecordedPlan does it with the full set.
func TestFullRecordedPlan(t *testing.T) {
	c := compared{}
	for _, r := range recordedtest.Full(t, "maui", `^(p|f|t|b|n|r|big)\d`) {
		t.Run(r.Name, func(t *testing.T) { checkPlans(t, r, c) })
	}
	c.atLeast(t, map[string]int{"plans": 219, "starts": 680, "reservations": 200, "queue": 219})
}

func checkPlans(t *testing.T, r recordedtest.Case, c compared) {
	played := recordedtest.OpenMaui(t, r.Name, r.Files)
	played.Plan = true
	for p, err := range played.Play() {
		if err != nil {
			t.Fatal(err)
		}
		t.Run(fmt.Sprintf("step%d", p.Index), func(t *testing.T) {
			c["plans"]++
			checkPlan(t, p, c)
			checkQueue(t, r.Name, p, c)
		})
	}
}

// checkPlan compares starts and reservations.
func checkPlan(t *testing.T, p *replay.Played, c compared) {
	t.Helper()
	s, err := engine.Plan(p.Result, planning.Options{})
	if err != nil {
		t.Fatal(err)
	}
	placed := map[string]*backfill.Placement{}
	ids := map[int32]string{}
	for i := range s.Placements {
		ids[s.Requests[i].Job] = s.Requests[i].ID
		placed[s.Requests[i].ID] = &s.Placements[i]
	}
	var got, want []string
	for _, job := range s.Started {
		got = append(got, ids[job]+" "+tasks(s, placed[ids[job]].Nodes))
	}
	for _, start := range p.Starts {
		c["starts"]++
		want = append(want, start.Job+" "+strings.Join(start.Tasks, " "))
	}
	equalLists(t, "starts", got, want)
	got, want = nil, nil
	for i := range s.Placements {
		if at := &s.Placements[i]; at.By == backfill.ByReservation {
			got = append(got, fmt.Sprintf("%s %d-%d %s", s.Requests[i].ID, at.Start-p.Now, at.End-p.Now, onNodes(s, at.Nodes)))
		}
	}
	for _, r := range s.Cluster.Reservations {
		got = append(got, fmt.Sprintf("%s %d-%d %d nodes", r.Name, r.Start-p.Now, r.End-p.Now, len(r.Nodes)))
	}
	for _, r := range p.Reserved {
		end := backfill.Forever
		if r.End != nil {
			end = *r.End
		}
		switch {
		case r.Type == "Job" && r.State == "I":
			var nodes []string
			for _, on := range p.OnNodes[r.ID] {
				nodes = append(nodes, fmt.Sprintf("%s:%d", on.Node, on.Tasks))
			}
			slices.Sort(nodes)
			want = append(want, fmt.Sprintf("%s %d-%d %s", r.ID, r.Start-p.Now, end-p.Now, strings.Join(nodes, " ")))
		case r.Type == "User":
			want = append(want, fmt.Sprintf("%s %d-%d %d nodes", r.ID, r.Start-p.Now, end-p.Now, r.Nodes))
		}
	}
	c["reservations"] += len(want)
	slices.Sort(got)
	slices.Sort(want)
	equalLists(t, "reservations", got, want)
}

// tasks names the node of each task.
func tasks(s *backfill.Schedule, shares []backfill.Share) string {
	var list []string
	for _, share := range shares {
		for range share.Tasks {
			list = append(list, s.Cluster.Nodes[share.Node].Name)
		}
	}
	return strings.Join(list, " ")
}

func onNodes(s *backfill.Schedule, shares []backfill.Share) string {
	var list []string
	for _, share := range shares {
		list = append(list, fmt.Sprintf("%s:%d", s.Cluster.Nodes[share.Node].Name, share.Tasks))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

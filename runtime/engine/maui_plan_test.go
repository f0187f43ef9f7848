package engine_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
)

// iteration is one look at a queue of a Maui policy that plans with what the one before left.
type iteration struct {
	after int64 // seconds
	jobs  []string
	want  string // who starts, and who has a reservation, in seconds after the first iteration
}

// TestMauiIterations: what Maui keeps from one iteration to the next is in the state file.
func TestMauiIterations(t *testing.T) {
	long := `"state":"running","procs":5,"walltime_seconds":7200,"start_time":1700000000,"allocated_hosts":["n1"]`
	first := `"procs":8,"user":"bob","queue_seconds":100`
	better := `"procs":8,"user":"eve","queue_seconds":100`
	small := `"procs":1,"queue_seconds":50`
	gone := strings.Replace(long, "running", "done", 1)
	for _, c := range []struct {
		what, config string
		iterations   []iteration
	}{
		{"a reservation is kept while its job waits", "RESERVATIONPOLICY HIGHEST\nUSERWEIGHT 1\nUSERCFG[eve] PRIORITY=1000",
			[]iteration{
				{0, []string{long, first}, "keeps 2@7200"}, {60, []string{long, first, better}, "keeps 3@10800 2@7200"},
				{120, []string{gone, first, better}, "starts 3 keeps 2@3720"}}},
		{"a reservation is the highest job's", "RESERVATIONPOLICY CURRENTHIGHEST\nUSERWEIGHT 1\nUSERCFG[eve] PRIORITY=1000",
			[]iteration{
				{0, []string{long, first}, "keeps 2@7200"}, {60, []string{long, first, better}, "keeps 3@7200"},
				{120, []string{gone, first, better}, "starts 3 keeps 2@3720"}}},
		{"a job for which there are no nodes is deferred, and looked at again", "DEFERTIME 0:10:00", []iteration{
			{0, []string{`"procs":2,"tasks":2,"nodes":2`, ``}, "starts 2 defers 1 until 600"},
			{300, []string{`"procs":2,"tasks":2,"nodes":2`}, "defers 1 until 600"},
			{900, []string{`"procs":2,"tasks":2,"nodes":2`}, "defers 1 until 1500"}}},
		{"what a job leaves is not kept from small jobs after one that is larger than the window",
			"BFCHUNKSIZE 8\nBFCHUNKDURATION 0:05:00",
			[]iteration{
				{0, []string{`"state":"running","procs":2,"walltime_seconds":7200,"start_time":1700000000,"allocated_hosts":["n1"]`,
					long}, ""},
				{60, []string{`"state":"running","procs":2,"walltime_seconds":7200,"start_time":1700000000,` +
					`"allocated_hosts":["n1"]`,
					gone, first, first, small}, "starts 5 keeps 3@7200"}}},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := policyOf(t, c.config)
			var state *checkpoint.Checkpoint
			for k, it := range c.iterations {
				r := run(t, p, queueOf(t, now+it.after, it.jobs...),
					evaluation.Options{Plan: true, KeepState: true, Previous: state})
				if got := told(t, r); got != it.want {
					t.Errorf("iteration %d: %q, want %q", k, got, it.want)
				}
				state = reread(t, r.Next(), now+it.after)
			}
		})
	}
}

func told(t *testing.T, r *evaluation.Result) string {
	t.Helper()
	s, err := engine.Plan(r, planning.Options{})
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]string{}
	for i := range s.Placements {
		switch p := &s.Placements[i]; p.By {
		case backfill.ByMain, backfill.ByBackfill:
			words["starts"] += " " + s.Requests[i].ID
		case backfill.ByReservation:
			words["keeps"] += fmt.Sprintf(" %s@%d", s.Requests[i].ID, p.Start-now)
		}
	}
	for i := range r.Next().Jobs {
		if until := r.Next().Jobs[i].DeferredUntil; until > 0 {
			words["defers"] += fmt.Sprintf(" %s until %d", r.Next().Jobs[i].ID, until-now)
		}
	}
	var list []string
	for _, word := range []string{"starts", "keeps", "defers"} {
		if words[word] != "" {
			list = append(list, word+words[word])
		}
	}
	return strings.Join(list, " ")
}

// reread is a state as it comes back from its file.
func reread(t *testing.T, c *checkpoint.Checkpoint, at int64) *checkpoint.Checkpoint {
	t.Helper()
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	back, diags := checkpoint.Read(source.NewFile("state.json", b.Bytes()), "maui", at)
	if len(diags) > 0 {
		t.Fatal(diags[0].Message)
	}
	return back
}

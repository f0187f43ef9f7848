package report_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/report/plan"
	"github.com/fairway-sched/fairway/runtime/report/plan/gantt"
)

// TestPlanOfCutJob: a job that got less than its limit is shown with what it got, and with the end of that.
func TestPlanOfCutJob(t *testing.T) {
	p := planned("")
	p.Schedule.Requests[2].WalltimeMinSeconds = 600
	p.Schedule.Placements[2].End = p.Schedule.Now + 600
	for _, c := range []struct{ name, text, want string }{
		{"table", planText(t, plan.WritePlanTable, p), "00:10:00 of 00:30:00"},
		{"why", planText(t, plan.WritePlanWhy, p), "job 3 (amy, 4 processors for 00:10:00 of 00:30:00) starts now"},
		{"csv", planText(t, plan.WritePlanCSV, p), "1800,1699998800,1700000000,1700000600,"},
		{"json", planText(t, plan.WritePlanJSON, p),
			`"walltime_seconds":1800,"submit_time":1699998800,"start":1700000000,"end":1700000600,`},
		{"gantt", planText(t, gantt.WriteGantt, p),
			"4 processors for 00:10:00 of 00:30:00\n2023-11-14 22:13:20 to 2023-11-14 22:23:20"},
	} {
		if !strings.Contains(c.text, c.want) {
			t.Errorf("%s: no %q in\n%s", c.name, c.want, c.text)
		}
	}
}

// TestPlanCountsAgree: the summary of the table counts as JSON does.
func TestPlanCountsAgree(t *testing.T) {
	p := planned("")
	var doc struct{ Metrics map[string]any }
	if err := json.Unmarshal([]byte(planText(t, plan.WritePlanJSON, p)), &doc); err != nil {
		t.Fatal(err)
	}
	m := func(name string) int { return int(doc.Metrics[name].(float64)) }
	want := fmt.Sprintf("%d running, %d waiting: %d start now (%d by backfill), %d with a reservation, %d with an "+
		"estimate, %d without a time (%d that can never run, %d held)\n",
		m("running"), m("waiting"), m("started"), m("backfilled"), m("reserved"), m("estimated"), m("without_time"),
		m("never"), m("held"))
	if text := planText(t, plan.WritePlanTable, p); !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// TestPlanOfManyJobs: smaller requests are looked for where few jobs are shown, and where they are not that is
// reported.
func TestPlanOfManyJobs(t *testing.T) {
	p := planned("")
	for len(p.Schedule.Requests) < 520 {
		p.Schedule.Requests = append(p.Schedule.Requests, p.Schedule.Requests[7])
		p.Schedule.Placements = append(p.Schedule.Placements,
			backfill.Placement{Job: 7, Reason: "never", Never: "it asks for too much"})
	}
	var doc struct {
		Jobs []struct {
			ID     string
			Sooner []any
		}
	}
	read := func() int {
		offers := 0
		if err := json.Unmarshal([]byte(planText(t, plan.WritePlanJSON, p)), &doc); err != nil {
			t.Fatal(err)
		}
		for _, j := range doc.Jobs {
			offers += len(j.Sooner)
		}
		return offers
	}
	if n := read(); n != 0 || !strings.Contains(planText(t, plan.WritePlanJSON, p), `"sooner":null`) {
		t.Errorf("%d smaller requests of a long queue", n)
	}
	const note = "smaller requests that would start sooner are looked for where at most 500 jobs are shown: name some " +
		"with --job, or a --limit\n"
	if text := planText(t, plan.WritePlanWhy, p); !strings.HasSuffix(text, note) ||
		strings.Contains(text, "it would start") {
		t.Errorf("a long queue ends with %q", text[max(0, len(text)-200):])
	}
	p.Jobs, p.Named = []int{4}, true
	if n := read(); n == 0 {
		t.Error("no smaller request of a job that is asked for")
	}
	if text := planText(t, plan.WritePlanWhy, p); strings.Contains(text, note) ||
		!strings.Contains(text, "it would start sooner\n    with 4 processors: now") {
		t.Error(text)
	}
}

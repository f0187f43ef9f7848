package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/plan"
	"github.com/fairway-sched/fairway/runtime/report/plan/gantt"
)

// planned is a plan with a job of each kind on six nodes, one of them down, and names that would break out of
// the text around them.
func planned(family string) *plan.Plan {
	const now = 1700000000
	jobs := table(map[schema.ColumnID][]any{
		"job.id":    {"1", "2", "3", "4", "5", "6", "7", "8", "9"},
		"job.name":  {"a", "simulation", "b", "c", "d", "e", "f", "g", "h"},
		"job.user":  {"amy", "bob", "amy", "<b>&\"eve\"\x1b[2J", "bob", "amy", "bob", "amy", "eve"},
		"job.procs": {4, 6, 4, 2, 8, 4, 4, 64, 4},
	})
	r := result(&program.Program{Policy: "pol<icy>", Family: family, Semantics: "observed"}, jobs, nil)
	r.Now = now
	copy(r.State, []evaluation.State{evaluation.Running, evaluation.Running, evaluation.Eligible, evaluation.Eligible,
		evaluation.Eligible,
		evaluation.Eligible, evaluation.Blocked, evaluation.Eligible, evaluation.Held})
	r.Reason[6], r.Reason[8] = "MaxJobsPerUser", "JobHeldUser"
	r = order(r, 2, 3, 4, 5, 6, 7)

	c := &backfill.Cluster{}
	for i, name := range []string{"n1", "n2", "n3", "n4", "n<5>", "n6"} {
		c.Nodes = append(c.Nodes, backfill.Node{Name: name, Capacity: backfill.Amounts{Procs: 4, MemMB: 1000}, Up: i != 5,
			State: map[bool]string{true: "idle", false: "down"}[i != 5]})
	}
	c.Reservations = []backfill.Reservation{
		{Name: "main&tenance", Start: now + 7200, End: now + 10800, Nodes: []int32{2, 3}, Maintenance: true},
		{Name: "course", Start: now + 3600, End: backfill.Forever, Nodes: []int32{4}, Amounts: backfill.Amounts{Procs: 2}},
	}
	text := func(id schema.ColumnID, job int) string { return jobs.Value(id, job).Str }
	s := &backfill.Schedule{Now: now, Cluster: c, Tried: 6, Stopped: "as many as BACKFILLDEPTH says"}
	add := func(job int, seconds int64, p backfill.Placement) {
		procs := jobs.Value("job.procs", job).Int
		request := backfill.Request{Job: int32(job), Row: int32(job), ID: text("job.id", job), User: text("job.user", job),
			Class: "batch", Priority: int64(100 - job),
			Tasks: procs, PerTask: backfill.Amounts{Procs: 1}, WalltimeSeconds: seconds, SubmitTime: now - 600*int64(job)}
		if p.By == backfill.ByRunning {
			request.Start, request.End, request.Allocated = p.Start, p.End, p.Nodes
		}
		p.Job = int32(job)
		s.Requests, s.Placements = append(s.Requests, request), append(s.Placements, p)
	}
	share := func(list ...int64) (out []backfill.Share) {
		for k := 0; k < len(list); k += 2 {
			out = append(out, backfill.Share{Node: int32(list[k]), Tasks: list[k+1]})
		}
		return out
	}
	add(0, 3600, backfill.Placement{Start: now - 600, End: now + 3000, By: backfill.ByRunning, Nodes: share(0, 4)})
	add(1, 7200, backfill.Placement{Start: now - 600, End: now + 6600, By: backfill.ByRunning, Nodes: share(1, 4, 2, 2)})
	add(2, 1800, backfill.Placement{Start: now, End: now + 1800, By: backfill.ByMain, Nodes: share(3, 4)})
	add(3, 900, backfill.Placement{Start: now, End: now + 900, By: backfill.ByBackfill, Nodes: share(2, 2)})
	add(4, 3600, backfill.Placement{Start: now + 6600, End: now + 10200, By: backfill.ByReservation, Reason: "resources",
		Nodes: share(0, 4, 1, 4), WaitsFor: []backfill.Wait{
			{Kind: backfill.WaitRunning, Job: 1, Nodes: []int32{1}, Until: now + 6600},
			{Kind: backfill.WaitRunning, Job: 0, Nodes: []int32{0}, Until: now + 3000}}})
	add(5, 86400, backfill.Placement{Start: now + 10800, End: now + 97200, By: backfill.ByEstimate, Reason: "priority",
		Nodes: share(3, 4), WaitsFor: []backfill.Wait{
			{Kind: backfill.WaitReservation, Job: -1, Name: "main&tenance", Nodes: []int32{2, 3}, Until: now + 10800},
			{Kind: backfill.WaitReserved, Job: 4, Until: now + 10200},
			{Kind: backfill.WaitLicense, Job: -1, Name: "matlab", Until: now + 3000},
			{Kind: backfill.WaitNodeState, Job: -1, Nodes: []int32{5}},
			{Kind: backfill.WaitBegin, Job: -1, Until: now + 60}, {Kind: backfill.WaitDependency, Job: 0, Until: now + 3000},
			{Kind: backfill.WaitDependency, Job: -1, Name: "afterok:99"}}})
	add(6, 3600, backfill.Placement{Reason: "MaxJobsPerUser",
		WaitsFor: []backfill.Wait{{Kind: backfill.WaitLimit, Job: -1, Name: "MaxJobsPerUser"}}})
	add(7, 3600, backfill.Placement{Reason: "never", Never: "it asks for 64 tasks, there is room for 20"})
	add(8, 3600, backfill.Placement{Reason: "JobHeldUser"})
	return &plan.Plan{Result: r, Schedule: s, Planner: "native"}
}

func planText(t *testing.T, write func(io.Writer, *plan.Plan) error, p *plan.Plan) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPlanGoldens(t *testing.T) {
	for _, c := range []struct {
		file  string
		write func(io.Writer, *plan.Plan) error
		edit  func(p *plan.Plan)
	}{
		{"table.txt", plan.WritePlanTable, nil},
		{"table-narrow.txt", plan.WritePlanTable, func(p *plan.Plan) { p.Width, p.Limit, p.Colour = 100, 3, true }},
		{"table-place.txt", plan.WritePlanTable,
			func(p *plan.Plan) { p.Jobs, p.Named, p.Place = []int{4}, true, time.FixedZone("CET", 3600) }},
		{"why.txt", plan.WritePlanWhy, nil},
		{"plan.json", plan.WritePlanJSON, nil},
		{"plan.jsonl", plan.WritePlanJSONLines, nil},
		{"plan.csv", plan.WritePlanCSV, nil},
		{"squeue-start.txt", plan.WriteSqueueStart, nil},
		{"showbf.txt", plan.WriteShowbf, nil},
		{"showstart.txt", plan.WriteShowstart, nil},
		{"gantt.svg", gantt.WriteGantt, nil},
	} {
		t.Run(c.file, func(t *testing.T) {
			p := planned("")
			if c.edit != nil {
				c.edit(p)
			}
			got := planText(t, c.write, p)
			if strings.Contains(got, "\x1b[2J") && c.file != "plan.csv" {
				t.Error("an escape sequence of a name got through")
			}
			golden(t, "plan/"+c.file, got)
		})
	}
}

// TestPlanJSONMatchesSchema checks the sample against the published schema.
func TestPlanJSONMatchesSchema(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal([]byte(plan.PlanSchema), &schema); err != nil {
		t.Fatal(err)
	}
	waits := planned("")
	for _, kind := range waitKinds(t) {
		place, job := &waits.Schedule.Placements[6], int32(-1)
		if kind == backfill.WaitRunning || kind == backfill.WaitReserved {
			job = 1
		}
		place.WaitsFor = append(place.WaitsFor,
			backfill.Wait{Kind: kind, Job: job, Name: "it", Nodes: []int32{0}, From: 1700000060, Until: 1700000120})
	}
	for name, p := range map[string]*plan.Plan{"plan": planned(""), "none": noPlan(), "waits": waits} {
		var doc any
		if err := json.Unmarshal([]byte(planText(t, plan.WritePlanJSON, p)), &doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, fault := range validate(schema, schema, doc, name) {
			t.Error(fault)
		}
	}
	job := schema["$defs"].(map[string]any)["job"].(map[string]any)
	for i, line := range strings.Split(strings.TrimSpace(planText(t, plan.WritePlanJSONLines, planned(""))), "\n") {
		var doc any
		if err := json.Unmarshal([]byte(line), &doc); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		for _, fault := range validate(schema, job, doc, fmt.Sprintf("line %d", i+1)) {
			t.Error(fault)
		}
	}
}

// waitKinds are all that the package declares.
func waitKinds(t *testing.T) (kinds []backfill.WaitKind) {
	file, err := parser.ParseFile(token.NewFileSet(), "../backfill/schedule.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			if of, ok := v.Type.(*ast.Ident); ok && of.Name == "WaitKind" {
				text, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				kinds = append(kinds, backfill.WaitKind(text))
			}
		}
		return true
	})
	if !slices.Contains(kinds, backfill.WaitSetting) {
		t.Fatalf("only these kinds are found: %q", kinds)
	}
	return kinds
}

// noPlan is the plan of an empty queue on no nodes.
func noPlan() *plan.Plan {
	r := result(&program.Program{Policy: "none", Semantics: "observed"}, table(nil), nil)
	return &plan.Plan{Result: r, Planner: "native",
		Schedule: &backfill.Schedule{Now: 1700000000, Cluster: &backfill.Cluster{}}}
}

// TestPlanOfNothing: every view shows an empty queue, and a failing writer is reported.
func TestPlanOfNothing(t *testing.T) {
	views := append(append([]plan.PlanView{}, plan.PlanViews...), plan.PlanFormats...)
	for _, v := range append(views, plan.PlanView{Name: "gantt", Write: gantt.WriteGantt}) {
		planText(t, v.Write, noPlan())
		if err := v.Write(broken{}, planned("")); !errors.Is(err, errBroken) {
			t.Errorf("%s: a write error is lost: %v", v.Name, err)
		}
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// TestGanttIsXML: hostile names do not break the chart, which is the same each time.
func TestGanttIsXML(t *testing.T) {
	svg := planText(t, gantt.WriteGantt, planned(""))
	if again := planText(t, gantt.WriteGantt, planned("")); again != svg {
		t.Error("the chart is not the same twice")
	}
	d, rects := xml.NewDecoder(strings.NewReader(svg)), 0
	for {
		part, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := part.(xml.StartElement); ok && e.Name.Local == "rect" {
			rects++
		}
	}
	if rects < 12 {
		t.Errorf("only %d boxes", rects)
	}
}

// TestPlanCSV: every record has every column.
func TestPlanCSV(t *testing.T) {
	records, err := csv.NewReader(strings.NewReader(planText(t, plan.WritePlanCSV, planned("")))).ReadAll()
	if err != nil || len(records) != 10 {
		t.Fatal(len(records), err)
	}
}

func TestFindPlanned(t *testing.T) {
	var diags diag.List
	p := planned("")
	if got := plan.FindPlanned(p, "4", &diags); len(got) != 1 || got[0] != 3 || len(diags) > 0 {
		t.Error(got, diags)
	}
	if got := plan.FindPlanned(p, "44", &diags); got != nil || len(diags) != 1 || diags[0].Code != "plan-unknown-job" {
		t.Error(got, diags)
	}
	if v := plan.FindPlan(plan.PlanViews, "showbff", &diags); v != nil || len(diags) != 2 {
		t.Error(v, diags)
	}
}

package plan

import (
	"cmp"
	_ "embed"
	"io"
	"math"
	"slices"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// plan.schema.json

// Plan is a planned queue with what it was planned from.
type Plan struct {
	Result   *evaluation.Result
	Schedule *backfill.Schedule
	Planner  string // native, maui or slurm
	Jobs     []int  // places in Schedule.Requests that are shown, in this order; nil is all
	Named    bool   // they were named one by one
	Sorted   bool   // their order is the reader's
	Filter   *eval.Filter
	Place    *time.Location
	Width    int  // columns of the terminal; 0 is unlimited
	Limit    int  // rows of a table; 0 shows all
	Colour   bool // ANSI escapes

	Spreadsheet bool // CSV: as Options.Spreadsheet

	Estimates map[string]Estimate // of waiting jobs, by id; nil if none are asked for

	byJob       map[int32]int // places of requests by Request.Job
	preemptions *preemption
}

// Estimate is when a job starts in 10, 50 and 90 of 100 draws of run times, in epoch seconds; 0 if it does not.
type Estimate struct{ P10, P50, P90 int64 }

// PlanView is one way to show a plan.
type PlanView struct {
	Name     string
	Doc      string
	Families []string // policies it can show; nil is any
	Whole    bool     // is about the whole plan, so that no jobs can be chosen
	Limits   bool     // shows no more than Plan.Limit by itself
	Write    func(w io.Writer, p *Plan) error
}

// PlanSchema describes what WritePlanJSON writes, as JSON Schema; its definition "job" is a line of JSON lines.
//
//go:embed plan.schema.json
var PlanSchema string

// PlanViews lists what `plan --view` offers.
var PlanViews = []PlanView{
	{Name: "native", Doc: "Waiting jobs by the time at which they start, where, and what they wait for.",
		Limits: true, Write: WritePlanTable},
	{Name: "why", Doc: "A paragraph for each waiting job: what it waits for, until when, and what smaller request " +
		"would start sooner.", Limits: true, Write: WritePlanWhy},
	{Name: "showbf", Doc: "As Maui's showbf prints it: what is free now, and for how long.", Whole: true,
		Write: WriteShowbf},
	{Name: "showstart", Doc: "As Maui's showstart prints it, for each waiting job: its earliest start around what runs " +
		"and is reserved.", Limits: true, Write: WriteShowstart},
	{Name: "squeue-start", Doc: "As Slurm's squeue --start prints it.", Write: WriteSqueueStart},
}

// PlanFormats lists what `plan -o` offers.
var PlanFormats = []PlanView{
	{Name: "csv", Doc: "One row for each job.", Write: WritePlanCSV},
	{Name: "json", Doc: "The whole plan, as plan.schema.json describes it.", Write: WritePlanJSON},
	{Name: "jsonl", Doc: "One job object on each line.", Write: WritePlanJSONLines},
	{Name: "prom", Doc: "The plan in numbers, for the textfile collector of Prometheus.", Whole: true,
		Write: WritePlanProm},
	{Name: "table", Doc: "The native view.", Limits: true, Write: WritePlanTable},
}

// FindPlan returns the view of that name; what is in the way is added to diags.
func FindPlan(list []PlanView, name string, diags *diag.List) *PlanView {
	return form.Named(list, func(v PlanView) string { return v.Name }, name, "view or format %q of a plan", diags)
}

// FindPlanned returns the places of the requests of a job: of an array those of all its tasks.
func FindPlanned(p *Plan, id string, diags *diag.List) []int {
	var found []int
	ids := make([]string, len(p.Schedule.Requests))
	for i := range p.Schedule.Requests {
		r := &p.Schedule.Requests[i]
		if ids[i] = r.ID; ids[i] == id || eval.JobText(p.Result, "job.id", int(r.Row)) == id {
			found = append(found, i)
		}
	}
	if found == nil {
		d := diags.Errorf("plan-unknown-job", source.Span{}, "no job %q is planned", id)
		d.Note("the plan has %d jobs that run or wait", len(ids))
		d.DidYouMean(source.Span{}, id, ids)
		d.Fix = nil
	}
	return found
}

// Limited is the plan of the first waiting jobs that are shown, for formats that do not look at Limit.
func (p *Plan) Limited() *Plan {
	if p.Limit == 0 {
		return p
	}
	first := *p
	jobs := p.waiting()
	first.Jobs = slices.Clone(jobs[:min(len(jobs), p.Limit)])
	return &first
}

// shown lists the places of the requests that the reader asked for.
func (p *Plan) shown() []int {
	if p.Jobs != nil {
		return p.Jobs
	}
	all := make([]int, len(p.Schedule.Requests))
	for i := range all {
		all[i] = i
	}
	return all
}

// waiting lists those of shown that do not run yet, the first to start first; those without a known time
// come last. Jobs that start together are in the order in which the scheduler considered them.
func (p *Plan) waiting() []int {
	list := slices.DeleteFunc(slices.Clone(p.shown()), func(i int) bool { return p.At(i).By == backfill.ByRunning })
	if !p.Sorted {
		slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(p.startRank(a), p.startRank(b)) })
	}
	return list
}

func (p *Plan) startRank(i int) int64 { return startRank(p.At(i)) }

func startRank(at *backfill.Placement) int64 {
	if at.By != backfill.ByNone {
		return at.Start
	}
	return math.MaxInt64
}

func (p *Plan) At(i int) *backfill.Placement    { return &p.Schedule.Placements[i] }
func (p *Plan) Request(i int) *backfill.Request { return &p.Schedule.Requests[i] }
func (p *Plan) state(i int) evaluation.State    { return p.Result.State[p.Request(i).Row] }

// place is the zone in which times are written.
func (p *Plan) Zone() *time.Location {
	if p.Place == nil {
		return time.UTC
	}
	return p.Place
}

// HostList names a request's nodes in short, in the order of their names.
func (p *Plan) HostList(i int) string {
	return p.hostsOf(p.detail(i).Nodes)
}

func (p *Plan) hostsOf(shares []backfill.Share) string {
	nodes := make([]int32, len(shares))
	for k, s := range shares {
		nodes[k] = s.Node
	}
	slices.Sort(nodes)
	return p.nodesOf(slices.Compact(nodes))
}

// places finds requests by Request.Job.
func (p *Plan) places() map[int32]int {
	if p.byJob == nil {
		p.byJob = make(map[int32]int, len(p.Schedule.Requests))
		for i := range p.Schedule.Requests {
			p.byJob[p.Schedule.Requests[i].Job] = i
		}
	}
	return p.byJob
}

// id is what a job is called, by Request.Job.
func (p *Plan) id(job int32) string { return source.Plain(p.jobID(job)) }

func (p *Plan) jobID(job int32) string {
	if i, ok := p.places()[job]; ok {
		return p.Schedule.Requests[i].ID
	}
	return eval.JobText(p.Result, "job.id", int(job))
}

// detail is a placement with its nodes and what it waits for, which are found out only where they are asked for.
func (p *Plan) detail(i int) backfill.Placement {
	p.Schedule.Detail()
	return p.Schedule.Placements[i]
}

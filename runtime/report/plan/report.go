package plan

import (
	"io"
	"iter"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/report/encode"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// WritePlanJSON writes the whole plan as one JSON document: running jobs, then the waiting ones in the order
// considered.
func WritePlanJSON(w io.Writer, p *Plan) error {
	m := p.Metrics()
	return encode.Write(w, struct {
		eval.Head
		Filter       *eval.Filter                `json:"filter,omitempty"`
		Planner      string                      `json:"planner"`
		Jobs         iter.Seq[*plannedJob]       `json:"jobs" form:"lines"`
		Reservations iter.Seq[reservationReport] `json:"reservations" form:"lines"`
		Metrics      *PlanMetrics                `json:"metrics"`
		Findings     []eval.Finding              `json:"findings"`
	}{eval.HeadOf(p.Result), p.Filter, p.Planner, p.reports(), slices.Values(p.reservations(p.Schedule.Now + m.Makespan)),
		&m,
		eval.FindingsOf(p.Result.Findings)})
}

// WritePlanJSONLines writes one job object on each line, in the order of WritePlanJSON.
func WritePlanJSONLines(w io.Writer, p *Plan) error {
	j := encode.New(w)
	for job := range p.reports() {
		j.Record(job)
	}
	return j.Close()
}

// plannedJob is one job of a plan. Times are epoch seconds.
type plannedJob struct {
	ID              string        `json:"id"`
	User            string        `json:"user"`
	Account         string        `json:"account"`
	QOS             string        `json:"qos"`
	Partition       string        `json:"partition"`
	State           string        `json:"state"`
	Priority        *int64        `json:"priority"`
	Procs           int64         `json:"procs"`
	WalltimeSeconds int64         `json:"walltime_seconds"`
	SubmitTime      *int64        `json:"submit_time"`
	Start           *int64        `json:"start"`
	End             *int64        `json:"end"`
	Nodes           []string      `json:"nodes"`
	Tasks           []int64       `json:"tasks"`
	PlacedIn        string        `json:"placed_in" form:"ornull"`
	By              string        `json:"by" form:"ornull"`
	Reason          string        `json:"reason" form:"ornull"`
	Never           string        `json:"never" form:"ornull"`
	WaitsFor        []waitReport  `json:"waits_for"`
	Preempts        any           `json:"preempts,omitempty"`     // the jobs it preempts, if any
	PreemptedBy     any           `json:"preempted_by,omitempty"` // of a running job that makes room
	PreemptMode     any           `json:"preempt_mode,omitempty"`
	Again           any           `json:"again,omitempty"`
	Restart         any           `json:"restart,omitempty"` // when it starts again by the plan, and where
	RestartNodes    any           `json:"restart_nodes,omitempty"`
	Sooner          []offerReport `json:"sooner" form:"ornull"` // null where none were looked for
	Estimate        any           `json:"estimate,omitempty"`   // of a waiting job, where estimates are asked for
}

// estimateReport is when a job starts in so many of 100 draws.
type estimateReport struct {
	P10 *int64 `json:"p10"`
	P50 *int64 `json:"p50"`
	P90 *int64 `json:"p90"`
}

// waitReport is one thing that a job waits for.
type waitReport struct {
	Kind  string   `json:"kind"`
	Job   *string  `json:"job"`
	Name  string   `json:"name" form:"ornull"`
	Nodes []string `json:"nodes"`
	Limit any      `json:"limit,omitempty"` // of limits
	From  any      `json:"from,omitempty"`  // of reservations that the start overruns
	Until *int64   `json:"until"`
}

// offerReport is a smaller request of a job that would start sooner.
type offerReport struct {
	Nodes           int64 `json:"nodes" form:"ornull"`
	Procs           int64 `json:"procs"`
	WalltimeSeconds int64 `json:"walltime_seconds"`
	Start           int64 `json:"start"`
}

type reservationReport struct {
	Name         string   `json:"name"`
	Start        *int64   `json:"start"`
	End          *int64   `json:"end"`
	Nodes        []string `json:"nodes"`
	ProcsPerNode *int64   `json:"procs_per_node"`
	Maintenance  bool     `json:"maintenance"`
}

func (p *Plan) reports() iter.Seq[*plannedJob] {
	offers := len(p.waiting()) <= p.mostOffers()
	return func(yield func(*plannedJob) bool) {
		for _, i := range p.shown() {
			if !yield(p.report(i, offers)) {
				return
			}
		}
	}
}

func (p *Plan) ReportsOf(places []int, offers bool) []*plannedJob {
	list := make([]*plannedJob, len(places))
	for k, i := range places {
		list[k] = p.report(i, offers)
	}
	return list
}

// report is one job; with offers smaller requests are looked for.
func (p *Plan) report(i int, offers bool) *plannedJob {
	r, at := p.Request(i), p.detail(i)
	x := &plannedJob{ID: r.ID, User: r.User, Account: r.Account, QOS: r.QOS, Partition: r.Class,
		State:    p.state(i).String(),
		Priority: encode.Some(r.Priority, !p.Result.JobFailed(int(r.Row))), Procs: r.Tasks * r.PerTask.Procs,
		WalltimeSeconds: r.WalltimeSeconds,
		SubmitTime:      encode.Some(r.SubmitTime, r.SubmitTime > 0),
		Start:           encode.Some(at.Start, at.By != backfill.ByNone),
		End:             encode.Some(at.End, at.By != backfill.ByNone && at.End < backfill.Forever),
		PlacedIn:        at.Partition, By: string(at.By), Reason: at.Reason, Never: at.Never}
	if e, there := p.Estimates[r.ID]; there && !r.Running {
		x.Estimate = estimateReport{encode.Some(e.P10, e.P10 > 0), encode.Some(e.P50, e.P50 > 0),
			encode.Some(e.P90, e.P90 > 0)}
	}
	for _, s := range at.Nodes {
		x.Nodes, x.Tasks = append(x.Nodes, p.Schedule.Cluster.Nodes[s.Node].Name), append(x.Tasks, s.Tasks)
	}
	for k := range at.WaitsFor {
		w := &at.WaitsFor[k]
		wait := waitReport{Kind: string(w.Kind), Name: w.Name, Nodes: p.namesOf(w.Nodes),
			Until: encode.Some(w.Until, w.Until > 0 && w.Until < backfill.Forever)}
		if w.Job >= 0 {
			id := p.jobID(w.Job)
			wait.Job = &id
		}
		switch w.Kind {
		case backfill.WaitLimit:
			wait.Limit = encode.OrNull(w.Limit)
		case backfill.WaitOverrun:
			wait.From = encode.Some(w.From, w.From < backfill.Forever)
		}
		x.WaitsFor = append(x.WaitsFor, wait)
	}
	if victims := p.victims(i); victims != nil {
		var ids []string
		for _, v := range victims {
			ids = append(ids, p.jobID(v.Job))
		}
		x.Preempts = ids
	}
	if v := p.preempted(i); v != nil {
		x.PreemptedBy, x.PreemptMode, x.Again = p.jobID(v.For), v.Mode, encode.Some(v.Back, v.Back > 0)
		if v.Restart > 0 {
			x.Restart, x.RestartNodes = v.Restart, p.namesOf(hostsOf(v.RestartNodes))
		}
	}
	if offers {
		x.Sooner = []offerReport{}
		for _, o := range p.offers(i) {
			x.Sooner = append(x.Sooner, offerReport{o.Nodes, o.Tasks * r.PerTask.Procs, o.WalltimeSeconds, o.Start})
		}
	}
	return x
}

func (p *Plan) namesOf(nodes []int32) []string {
	names := make([]string, len(nodes))
	for k, node := range nodes {
		names[k] = p.Schedule.Cluster.Nodes[node].Name
	}
	return names
}

// reservations lists the cluster's, each at each of its times until the last planned job has ended.
func (p *Plan) reservations(last int64) (list []reservationReport) {
	all := p.Schedule.Cluster.Reservations
	for i := range all {
		r := &all[i]
		if r.Start > last && i > 0 && all[i-1].Name == r.Name {
			continue
		}
		list = append(list, reservationReport{r.Name, encode.Some(r.Start, r.Start > 0),
			encode.Some(r.End, r.End < backfill.Forever), p.namesOf(r.Nodes),
			encode.Some(r.Amounts.Procs, r.Amounts.Procs > 0), r.Maintenance})
	}
	return list
}

// shownTasks bounds how many tasks of an array an explanation goes through.
const shownTasks = 3

// PlacesOf are the requests of a job: of an array's record the first of its tasks.
func (p *Plan) PlacesOf(job int) []int {
	var list []int
	for i := range p.Schedule.Requests {
		if int(p.Schedule.Requests[i].Row) == job && len(list) < shownTasks {
			list = append(list, i)
		}
	}
	return list
}

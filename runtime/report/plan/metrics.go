package plan

import (
	"cmp"
	"io"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/prom"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// PlanMetrics sum a plan up. Times are seconds; a mean or a share is NaN where there is nothing to divide by.
type PlanMetrics struct {
	Running     int     `json:"running"`
	WaitingJobs int     `json:"waiting"` // of Waiting, each array once
	Waiting     int     `json:"waiting_tasks"`
	Held        int     `json:"held"`   // of Without, as Failed and Never
	Failed      int     `json:"failed"` // without priority
	Started     int     `json:"started"`
	Backfilled  int     `json:"backfilled"` // of Started
	Reserved    int     `json:"reserved"`
	Estimated   int     `json:"estimated"`
	Without     int     `json:"without_time"`
	Never       int     `json:"never"` // that can never run
	Tried       int     `json:"tried"`
	Stopped     string  `json:"stopped" form:"ornull"`
	Makespan    int64   `json:"makespan_seconds"`         // from now to the last end of a job with a time
	LastStart   int64   `json:"last_start" form:"ornull"` // epoch
	MeanWait    float64 `json:"mean_wait_seconds"`        // from submission to start, of the waiting jobs with a time
	MeanDelay   float64 `json:"mean_delay_seconds"`
	ProcsUp     int64   `json:"procs_up"`
	UseNow      float64 `json:"utilisation_now"` // share of the processors in use once the jobs that start now run
	Utilisation float64 `json:"utilisation"`     // of the processors that are up, over the makespan

	Rejected int // that would be refused at submission: they do not wait
	Use      int64
}

// Metrics counts all jobs of the plan, whichever are shown.
func (p *Plan) Metrics() PlanMetrics {
	m := PlanMetrics{Tried: p.Schedule.Tried, Stopped: p.Schedule.Stopped}
	now := p.Schedule.Now
	end := now
	waits, waited, delay, timed := 0.0, 0, 0.0, 0
	jobs := map[int32]bool{}
	for i := range p.Schedule.Requests {
		r, at := p.Request(i), p.At(i)
		if at.By != backfill.ByRunning {
			if at.By == backfill.ByNone && p.state(i) == evaluation.Rejected {
				m.Rejected++
				continue
			}
			m.Waiting++
			jobs[r.Row] = true
		}
		switch at.By {
		case backfill.ByRunning:
			m.Running++
		case backfill.ByMain:
			m.Started++
		case backfill.ByBackfill:
			m.Started++
			m.Backfilled++
		case backfill.ByReservation:
			m.Reserved++
		case backfill.ByEstimate:
			m.Estimated++
		default:
			m.Without++
			if at.Never != "" {
				m.Never++
			}
			if p.state(i) == evaluation.Held {
				m.Held++
			} else if p.Result.JobFailed(int(p.Request(i).Row)) {
				m.Failed++
			}
		}
		if at.By == backfill.ByNone {
			continue
		}
		if at.End < backfill.Forever {
			end = max(end, at.End)
		}
		if at.By != backfill.ByRunning {
			m.LastStart = max(m.LastStart, at.Start)
			delay += float64(at.Start - now)
			timed++
			if r.SubmitTime > 0 && r.SubmitTime <= at.Start {
				waits += float64(at.Start - r.SubmitTime)
				waited++
			}
		}
	}
	m.WaitingJobs = len(jobs)
	m.Makespan = end - now
	m.MeanWait, m.MeanDelay = waits/float64(waited), delay/float64(timed)
	p.use(&m, end)
	return m
}

// procsHeld are the processors that no other job can have while a job runs: those of its tasks, and all of nodes that
// it has alone.
func (p *Plan) procsHeld(i int) (procs int64) {
	r, at := p.Request(i), p.detail(i)
	for _, s := range at.Nodes {
		if n := &p.Schedule.Cluster.Nodes[s.Node]; r.Sharing == backfill.SingleJob || n.Sharing == backfill.SingleJob {
			procs += n.Capacity.Procs
		} else {
			procs += s.ProcsOf(r.PerTask.Procs)
		}
	}
	if len(at.Nodes) == 0 {
		return r.Tasks * r.PerTask.Procs
	}
	return procs
}

// use adds up processors.
func (p *Plan) use(m *PlanMetrics, end int64) {
	now, area := p.Schedule.Now, 0.0
	for i := range p.Schedule.Cluster.Nodes {
		if n := &p.Schedule.Cluster.Nodes[i]; n.Up {
			m.ProcsUp += n.Capacity.Procs
		}
	}
	for i := range p.Schedule.Requests {
		r, at := p.Request(i), p.At(i)
		if at.By == backfill.ByNone || r.Suspended {
			continue
		}
		procs := p.procsHeld(i)
		start := at.Start
		if at.By == backfill.ByRunning {
			start = min(start, now) // whatever the clocks of two recordings say
		}
		if start <= now && (at.End > now || at.By == backfill.ByRunning && p.preempted(i) == nil) {
			m.Use += procs
		}
		if from, to := max(start, now), min(at.End, end); to > from {
			area += float64(procs) * float64(to-from)
		}
	}
	if p.Schedule.Told != nil {
		area -= p.twice(now, end)
	}
	m.Utilisation, m.UseNow = math.NaN(), math.NaN()
	if m.ProcsUp > 0 {
		m.UseNow = float64(m.Use) / float64(m.ProcsUp)
		if end > now {
			m.Utilisation = area / (float64(m.ProcsUp) * float64(end-now))
		}
	}
}

// twice is what a scheduler that rounds times has given twice for a moment, in processor seconds: slurmctld keeps
// nodes in slots, so that a job may be planned to begin before the last second of the one before it.
func (p *Plan) twice(now, end int64) (area float64) {
	type change struct{ at, procs int64 }
	nodes := make([][]change, len(p.Schedule.Cluster.Nodes))
	for i := range p.Schedule.Requests {
		r, at := p.Request(i), p.At(i)
		if at.By == backfill.ByNone || r.Suspended {
			continue
		}
		for _, s := range at.Nodes {
			n := &p.Schedule.Cluster.Nodes[s.Node]
			procs := s.ProcsOf(r.PerTask.Procs)
			if r.Sharing == backfill.SingleJob || n.Sharing == backfill.SingleJob {
				procs = n.Capacity.Procs
			}
			if from, to := max(at.Start, now), min(at.End, end); to > from {
				nodes[s.Node] = append(nodes[s.Node], change{from, procs}, change{to, -procs})
			}
		}
	}
	for n, changes := range nodes {
		slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
		used := int64(0)
		for k, c := range changes {
			if over := used - p.Schedule.Cluster.Nodes[n].Capacity.Procs; k > 0 && over > 0 {
				area += float64(over) * float64(c.at-changes[k-1].at)
			}
			used += c.procs
		}
	}
	return area
}

// WritePlanProm writes a plan in numbers for Prometheus.
func WritePlanProm(w io.Writer, p *Plan) error {
	m, labels := p.Metrics(), eval.PromLabels(p.Result)
	jobs := prom.Metric{Name: "fairway_plan_jobs", Help: "Jobs of the plan by what starts them."}
	for _, s := range []struct {
		start string
		jobs  int
	}{{"running", m.Running}, {"main", m.Started - m.Backfilled}, {"backfill", m.Backfilled},
		{"reservation", m.Reserved}, {"estimate", m.Estimated}, {"none", m.Without}} {
		jobs.Add(float64(s.jobs), append(slices.Clone(labels), prom.Label{Name: "by", Value: s.start})...)
	}
	list := append(eval.QueueMetrics(p.Result, labels...), jobs)
	for _, n := range []struct {
		name, help string
		value      float64
	}{
		{"fairway_plan_jobs_never", "Waiting jobs that can never run as things are.", float64(m.Never)},
		{"fairway_plan_makespan_seconds", "Time until the last job with a time ends.", float64(m.Makespan)},
		{"fairway_plan_wait_seconds_mean", "Mean time from submission to the planned start.", m.MeanWait},
		{"fairway_plan_utilisation_ratio", "Share of the processors that are up which the plan uses, until its end.",
			m.Utilisation},
		{"fairway_plan_use_ratio", "Share of the processors that are up in use once the jobs that start now run.",
			m.UseNow},
	} {
		if !math.IsNaN(n.value) {
			list = append(list, prom.Of(n.name, n.help, n.value, labels...))
		}
	}
	return prom.Write(w, list)
}

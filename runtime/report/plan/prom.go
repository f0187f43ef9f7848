package plan

import (
	"io"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/prom"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

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

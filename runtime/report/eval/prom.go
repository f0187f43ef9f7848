package eval

import (
	"io"
	"maps"
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/prom"
)

// WriteProm writes the queue in numbers for Prometheus. Single jobs are not among them: they come and go, and
// each would be a series of its own for good.
func WriteProm(w io.Writer, r *evaluation.Result, _ Options) error {
	return prom.Write(w, QueueMetrics(r, PromLabels(r)...))
}

// PromLabels tell the numbers of several policies and clusters apart.
func PromLabels(r *evaluation.Result) []prom.Label {
	labels := []prom.Label{{Name: "policy", Value: r.Program.Policy}}
	if r.Snapshot != nil && r.Snapshot.Cluster != "" {
		labels = append(labels, prom.Label{Name: "cluster", Value: r.Snapshot.Cluster})
	}
	return labels
}

// QueueMetrics are what there is to count of an evaluated queue.
func QueueMetrics(r *evaluation.Result, labels ...prom.Label) []prom.Metric {
	with := func(name, value string) []prom.Label {
		return append(slices.Clone(labels), prom.Label{Name: name, Value: value})
	}
	jobs := prom.Metric{Name: "fairway_jobs", Help: "Jobs of the snapshot by where they are."}
	count := r.Count()
	for _, of := range []struct {
		n     int
		state evaluation.State
	}{
		{count.Running, evaluation.Running}, {count.Eligible, evaluation.Eligible},
		{count.Blocked, evaluation.Blocked}, {count.Held, evaluation.Held},
	} {
		jobs.Add(float64(of.n), with("state", of.state.String())...)
	}
	rejected := prom.Metric{Name: "fairway_rejected_records",
		Help: "Records of the snapshot that could not be read, by the format of their file."}
	bad := map[string]int{}
	if r.Snapshot != nil {
		for _, s := range r.Snapshot.Sources {
			bad[s.Format] += s.Bad
		}
	}
	for _, format := range slices.Sorted(maps.Keys(bad)) {
		rejected.Add(float64(bad[format]), with("format", format)...)
	}
	findings := prom.Metric{Name: "fairway_findings",
		Help: "What there is to say of policy and snapshot, by severity; fairway lint prints it."}
	severities := map[diag.Severity]int{}
	for _, d := range r.Findings {
		severities[d.Severity]++
	}
	for _, s := range []diag.Severity{diag.Error, diag.Warning, diag.Info} {
		findings.Add(float64(severities[s]), with("severity", s.String())...)
	}
	failed := prom.Of("fairway_jobs_without_priority", "Jobs for which an expression of the policy failed.",
		float64(count.Failed), labels...)
	list := []prom.Metric{jobs, failed, rejected, findings}
	if r.Now > 0 {
		list = append(list, prom.Of("fairway_snapshot_timestamp_seconds", "When the snapshot was taken.", float64(r.Now),
			labels...))
	}
	return list
}

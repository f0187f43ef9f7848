package push

import (
	"slices"
	"time"

	"github.com/fairway-sched/fairway/runtime/prom"
)

// Report is what became of a run, as far as it came.
type Report struct {
	Name         string // of the run in its configuration; what tells its metrics from those of other runs
	Began, Ended time.Time
	Every        time.Duration // how often it is started, 0 if not given
	Exit         int
	Kind         string        // why it failed, one of Kinds; "" if it did not
	Behind       time.Duration // by how much the clock of the snapshot is behind the last run; 0 if it is not
	Missing      int           // commands of the snapshot that failed and could be done without

	Plan   *Plan         // nil if it did not come so far
	Policy string        // of the plan
	Counts *Counts       // nil if nothing was to be sent
	Queue  []prom.Metric // what there is to say of the queue, with the label of Label
}

// Kinds are the ways in which a run fails.
var Kinds = []string{"refused", "input", "usage", "io", "deadline", "clock", "interrupted"}

// Label is what all metrics of a run of this name carry. Others, such as the cluster, are known only once the
// snapshot has been read, and a run that fails before would then count as another series.
func Label(name string) prom.Label { return prom.Label{Name: "run", Value: name} }

const lastSuccess = "fairway_last_success_timestamp_seconds"

// Metrics are the numbers of a run. before is what the run before wrote: the time of the last success stays.
func (r *Report) Metrics(before string) []prom.Metric {
	label := Label(r.Name)
	one := func(name, help string, value float64) prom.Metric { return prom.Of(name, help, value, label) }
	success := prom.Metric{Name: lastSuccess, Help: "When a run last ended with exit code 0."}
	if r.Exit == 0 {
		success.Add(seconds(r.Ended), label)
	} else if at, ok := prom.Find(before, lastSuccess, label); ok {
		success.Add(at, label)
	}
	failures := prom.Metric{Name: "fairway_run_errors",
		Help: "1 for the kind of error that ended the last run, 0 for the others."}
	for _, kind := range Kinds {
		value := 0.0
		if kind == r.Kind {
			value = 1
		}
		failures.Add(value, label, prom.Label{Name: "kind", Value: kind})
	}
	list := []prom.Metric{
		success,
		one("fairway_last_run_timestamp_seconds", "When the last run ended, whether well or not.", seconds(r.Ended)),
		one("fairway_run_duration_seconds", "How long the last run took.", r.Ended.Sub(r.Began).Seconds()),
		one("fairway_run_exit_code", "Exit code of the last run: 0 is success; fairway help push has the others.",
			float64(r.Exit)),
		failures,
		one("fairway_missing_outputs", "Commands for the snapshot that failed and could be done without.",
			float64(r.Missing)),
	}
	list = append(list, one("fairway_clock_behind_seconds",
		"How far the clock of the snapshot is behind that of the last run, 0 if it is not.", r.Behind.Seconds()))
	if r.Every > 0 {
		list = append(list, one("fairway_run_interval_seconds", "How often the run is to be started.", r.Every.Seconds()))
	}
	return slices.Concat(list, r.planned(label), r.Queue)
}

// planned are the numbers of a plan and of what became of it.
func (r *Report) planned(label prom.Label) []prom.Metric {
	if r.Plan == nil {
		return nil
	}
	changes := prom.Metric{Name: "fairway_changes",
		Help: "Jobs of the last run: planned to change, changed, changed already, skipped, refused by the resource " +
			"manager now or before, and failed: those that got the command and have not the value."}
	add := func(outcome string, n int) {
		changes.Add(float64(n), label, prom.Label{Name: "outcome", Value: outcome})
	}
	add("planned", len(r.Plan.Changes))
	add("unchanged", r.Plan.Right)
	add("not_planned", len(r.Plan.Skipped)-r.Plan.Refused)
	refused := r.Plan.Refused
	if c := r.Counts; c != nil {
		add("changed", c.Changed)
		add("already", c.Already)
		add("skipped", c.Skipped)
		add("failed", c.Missed)
		refused += c.Refused
	}
	add("refused", refused)
	info := prom.Of("fairway_run_info", "1; the labels say what was pushed, and where to.", 1, label,
		prom.Label{Name: "policy", Value: r.Policy}, prom.Label{Name: "cluster", Value: r.Plan.Target.Cluster},
		prom.Label{Name: "to", Value: r.Plan.Target.To}, prom.Label{Name: "by", Value: r.Plan.Target.By})
	return []prom.Metric{changes, info}
}

// LockedOut are the metrics of a run that found another one at work. They are in a file of their own: that of
// the results belongs to the run that holds the lock.
func LockedOut(name string, at time.Time) []prom.Metric {
	return []prom.Metric{prom.Of("fairway_last_locked_out_timestamp_seconds",
		"When a run last found another one at work and did nothing.", seconds(at), Label(name))}
}

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

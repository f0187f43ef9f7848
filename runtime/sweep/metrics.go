package sweep

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/replay"
)

// QueueMetrics are figures of an evaluated snapshot. With a plan it also has those of a replay that follow from starts.
var QueueMetrics = []replay.Metric{
	{Name: "rank_mean", Unit: "places", Goal: replay.Less, Doc: "Mean place in the queue, 1 being first."},
	{Name: "eligible", Unit: "jobs", Goal: replay.More, Doc: "Jobs that may start."},
	{Name: "blocked", Unit: "jobs", Goal: replay.Less, Doc: "Jobs that limits or holds keep waiting."},
	{Name: "starts_now", Unit: "jobs", Goal: replay.More, Doc: "Jobs that start at once, of a snapshot with a plan."},
}

// Metrics are the figures of all cells, in the order of results.
func Metrics() []replay.Metric { return slices.Concat(replay.Metrics, QueueMetrics) }

// Find is a figure by its name; nil if there is none.
func Find(name string) *replay.Metric {
	all := Metrics()
	if i := slices.IndexFunc(all, func(m replay.Metric) bool { return m.Name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// Values are figures by name; those that are unknown are left out.
type Values map[string]float64

// set keeps a figure unless it is unknown.
func (v Values) set(name string, x float64) {
	if !math.IsNaN(x) && !math.IsInf(x, 0) {
		v[name] = x
	}
}

// measured are the figures of a replay.
func measured(m *replay.Measured) (all Values, groups []Group) {
	for i := range m.Groups {
		g := &m.Groups[i]
		groups = append(groups, Group{g.Kind, g.Name, valuesOf(g.Figures)})
	}
	return valuesOf(m.All), groups
}

func valuesOf(f replay.Figures) Values {
	v := Values{}
	for i := range f {
		v.set(replay.Metrics[i].Name, f[i])
	}
	return v
}

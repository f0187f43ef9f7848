package oracle

import (
	"math"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// windows are Maui's fairshare by its formulas: files of usage by name, older ones decayed.
type windows struct {
	model *ir.Fairshare
	now   int64
	files []snapshot.UsageWindow
}

// windows is the model in force; nil where nothing is counted.
func (q *queue) windows() *windows {
	for i := range q.policy.Fairshare {
		f := &q.policy.Fairshare[i]
		if f.Model == "windows" && f.Setting("usage").Value.Str != "" {
			return &windows{f, q.snap.Now, q.snap.Usage}
		}
	}
	return nil
}

// decayed is what a quantity of the windows comes to: the current one counts in full, the k-th
// before it decay^k. A window that was not recorded is empty.
func (w *windows) decayed(quantity func(snapshot.UsageWindow) float64) float64 {
	interval, decay := w.model.Setting("interval").Value.Int, w.model.Setting("decay").Value.Double
	of := func(k int64) float64 {
		for _, f := range w.files {
			if f.StartTime == w.now-w.now%interval-k*interval {
				return quantity(f)
			}
		}
		return 0
	}
	older := 0.0
	for k := int64(1); k < w.model.Setting("depth").Value.Int; k++ {
		older += float64(math.Pow(decay, float64(k)) * of(k))
	}
	return older + of(0)
}

func (w *windows) total() float64 {
	return w.decayed(func(f snapshot.UsageWindow) float64 { return f.Total })
}

func (w *windows) used(object, name string) float64 {
	return w.decayed(func(f snapshot.UsageWindow) float64 { return f.Usage[object][name] })
}

func (w *windows) percent(object, name string) float64 {
	if total := w.total(); total > 0 && name != "" {
		return w.used(object, name) / total * 100
	}
	return 0
}

// target is a credential's own if it is above 0, else what is reported of all others.
func (w *windows) target(object, name string) *ir.Target {
	var own, others *ir.Target
	for i := range w.model.Targets {
		switch t := &w.model.Targets[i]; {
		case t.Object != object || t.Value <= 0:
		case t.Name == name:
			own = t
		case t.Others:
			others = t
		}
	}
	if own != nil {
		return own
	}
	return others
}

// delta is what fairshare is worth to a job of the credential.
func (w *windows) delta(object, name string) float64 {
	t := w.target(object, name)
	if t == nil || name == "" || w.total() <= 0 {
		return 0
	}
	d := t.Value - w.percent(object, name)
	if w.model.Setting("ratio").Value.Int != 0 {
		d = 1 - w.percent(object, name)/t.Value
	}
	switch {
	case t.Kind == "target", t.Kind == "floor" && d > 0, t.Kind == "ceiling" && d < 0:
		return d
	}
	return 0
}

// capped: one of the job's credentials has a cap of its own that the job would exceed.
func (w *windows) capped(job cells) bool {
	need := float64(job["job.procs"].Int) * float64(job["job.walltime_seconds"].Int)
	if w.model.Setting("usage").Value.Str == "dedicated_pe_seconds" {
		need = math.Trunc(job["job.processor_equivalents"].Double)
	}
	for _, t := range w.model.Targets {
		name := job.text(schema.ColumnID("job." + t.Object))
		if t.Name != name || name == "" {
			continue
		}
		after := w.used(t.Object, name) + need
		switch {
		case t.Kind == "cap" && after > t.Value:
			return true
		case t.Kind == "relative_cap" && w.total() > 0 && 100*after/w.total() > t.Value:
			return true
		}
	}
	return false
}

// share is what the windows say of a credential; ok is false for other columns.
func (q *queue) share(id schema.ColumnID, name string) (v schema.Value, ok bool) {
	w := q.windows()
	if w == nil {
		w = &windows{model: &ir.Fairshare{}} // every factor is 0
	}
	switch id.Name() {
	case "fairshare_percent":
		return schema.DoubleValue(w.percent(id.Object(), name)), true
	case "fairshare_delta":
		return schema.DoubleValue(w.delta(id.Object(), name)), true
	case "fairshare_target":
		if t := w.target(id.Object(), name); t != nil && name != "" {
			return schema.DoubleValue(t.Value), true
		}
		return schema.Value{}, true
	}
	return schema.Value{}, false
}

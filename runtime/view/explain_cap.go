package view

import (
	"fmt"
	"math"

	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/program"
)

// overCap explains a fairshare cap: what counts is decayed usage, and the whole of what the job
// asks for.
func (x *explainedBlock) overCap(r *engine.Result) {
	v, w := x.Cap, r.Program.Windows
	t := &w.Targets[v.Target]
	x.source = program.Source{Name: t.Source, Span: t.Span}
	unit := "processor-seconds"
	if w.Usage == fairshare.DedicatedPESeconds {
		unit = "seconds of processor equivalents"
	}
	who := whose(r, []string{v.Object}, []string{v.Name})
	need := fmt.Sprintf("with a cap of %s or more", exact(v.Usage+v.Request))
	room := v.Value - v.Request
	if t.Kind == "relative_cap" {
		x.what = fmt.Sprintf("fairshare cap%s: %s used + %s of this job are %s percent of all usage, more than %s", who, brief(v.Usage), brief(v.Request), brief(v.Percent), exact(v.Value))
		need = fmt.Sprintf("with a cap of %s percent or more", exact(math.Ceil(v.Percent*100)/100))
		room = math.Inf(-1)
		if r.Windows != nil {
			room = v.Value/100*r.Windows.Total - v.Request
		}
	} else {
		x.what = fmt.Sprintf("fairshare cap%s: %s used + %s of this job > %s %s", who, exact(v.Usage), exact(v.Request), exact(v.Value), unit)
	}
	x.details = append(x.details, setText(x.source))
	switch {
	case room < 0 && t.Kind != "relative_cap":
		x.unblock = append(x.unblock, fmt.Sprintf("if the job asks for %s %s or less", exact(v.Value), unit))
	case t.Kind == "relative_cap":
		x.unblock = append(x.unblock, "when others have used more, or it has used less"+decaysText(r))
	default:
		x.unblock = append(x.unblock, fmt.Sprintf("when usage falls from %s to %s%s", exact(v.Usage), exact(room), decaysText(r)))
	}
	x.unblock = append(x.unblock, need)
}

// decaysText says when the next window begins, which makes all usage so far count less.
func decaysText(r *engine.Result) string {
	if r.Windows == nil || len(r.Windows.Windows) == 0 {
		return ""
	}
	return ": usage decays next at " + clockText(r.Windows.Windows[0].StartTime+r.Windows.Model.IntervalSeconds)
}

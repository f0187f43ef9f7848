package explain

import (
	"fmt"
	"math"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/encode"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// overCap explains a fairshare cap: what counts is decayed usage, and the whole of what the job
// asks for.
func (x *explainedBlock) overCap(r *evaluation.Result) {
	v, w := x.Cap, r.Program.Windows
	t := &w.Targets[v.Target]
	unit := "processor-seconds"
	if w.Usage == fairshare.DedicatedPESeconds {
		unit = "seconds of processor equivalents"
	}
	who := whose(r, []string{v.Object}, []string{v.Name})
	x.cap = adviceOnCap(r, t)
	x.cap.work(v)
	x.cap.Most = encode.Some(int64(x.cap.most), x.cap.most >= 1)
	if t.Kind == "relative_cap" {
		x.What = fmt.Sprintf("fairshare cap%s: %s used + %s of this job are %s percent of all usage, more than %s",
			who, form.Brief(v.Usage), form.Brief(v.Request), form.Brief(v.Percent), form.Exact(v.Value))
		x.Passes = append(x.Passes, "when others have used more, or it has used less"+decaysText(r))
	} else {
		x.What = fmt.Sprintf("fairshare cap%s: %s used + %s of this job > %s %s", who, form.Exact(v.Usage),
			form.Exact(v.Request), form.Exact(v.Value), unit)
		if room := v.Value - v.Request; room >= 0 {
			x.Passes = append(x.Passes, fmt.Sprintf("when usage falls from %s to %s%s", form.Exact(v.Usage),
				form.Exact(room),
				decaysText(r)))
		}
	}
	x.Details = append(x.Details, setText(x.source))
	if x.cap.most >= 1 {
		if w.Usage == fairshare.DedicatedPESeconds {
			unit = "processor equivalents" // which is what the cap adds for the job
		}
		x.Passes = append(x.Passes, fmt.Sprintf("if the job asks for %s %s or less", form.Exact(x.cap.most), unit))
	}
	least := form.Exact(x.cap.Least)
	if t.Kind == "relative_cap" {
		least += " percent"
	}
	x.Passes = append(x.Passes, "with at least "+least+" for this cap")
}

// capAdvice is what would let a job pass a fairshare cap, each by itself.
type capAdvice struct {
	relative bool
	total    float64 // of all usage; for relative caps

	Least float64 `json:"least_cap"`    // the cap with which it passes now
	Most  *int64  `json:"most_request"` // the request with which it passes now, if any
	most  float64
}

func adviceOnCap(r *evaluation.Result, t *program.Target) *capAdvice {
	a := &capAdvice{relative: t.Kind == "relative_cap"}
	if a.relative && r.Windows != nil {
		a.total = r.Windows.Total
	}
	return a
}

// work finds the numbers: whole requests, and percent with two decimals.
func (a *capAdvice) work(v *fairshare.Violation) {
	if !a.relative {
		a.Least = v.Usage + v.Request
		for a.most = math.Floor(v.Value - v.Usage); a.most >= 1 && v.Usage+a.most > v.Value; a.most-- {
		}
		return
	}
	a.Least = math.Ceil(v.Percent*100) / 100
	if a.total > 0 {
		for a.most = math.Floor(v.Value/100*a.total - v.Usage); a.most >= 1 &&
			100*(v.Usage+a.most)/a.total > v.Value; a.most-- {
		}
	}
}

// decaysText says when the next window begins, which makes all usage so far count less.
func decaysText(r *evaluation.Result) string {
	if r.Windows == nil || len(r.Windows.Windows) == 0 {
		return ""
	}
	return ": usage decays next at " + form.ClockText(r.Windows.Windows[0].StartTime+r.Windows.Model.IntervalSeconds)
}

package explain

import (
	"fmt"
	"math"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/encode"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// finish says how a row's score became its priority.
type finish struct {
	Rule   string      `json:"rule"`                   // failed, override, floor, ceiling, bound, or the rounding
	Name   string      `json:"override" form:"ornull"` // of the override
	Source source.Span `json:"source"`
	text   string      // for people, after "the score N, " unless it failed
}

// finishOf reads the finish off the result: an override is marked there; else
// the priority is the rounded score, or is above or below it because of a bound.
func finishOf(r *evaluation.Result, row int) finish {
	if r.Failed.Get(row) {
		return finish{Rule: "failed", text: "no score, because an expression failed"}
	}
	for k, marked := range r.Overridden {
		if o := r.Program.Overrides[k]; marked.Get(row) {
			return finish{Rule: "override", Name: o.Name, text: "replaced by " + o.Name + sentence(o.Doc),
				Source: o.Span}
		}
	}
	rounded, priority := rounded(r.Score[row], r.Program.Rounding), float64(r.Priority[row])
	unmarked := r.Overridden == nil && len(r.Program.Overrides) > 0
	switch {
	case priority == rounded:
		return finish{Rule: roundingName(r.Program.Rounding), text: roundingWord(r.Program.Rounding, r.Score[row])}
	case unmarked:
		return finish{Rule: "bound", text: "moved by a bound or an override"}
	case priority > rounded:
		return finish{Rule: "floor", text: "raised to the floor"}
	}
	return finish{Rule: "ceiling", text: "lowered to the ceiling"}
}

func sentence(doc string) string {
	if doc == "" {
		return ""
	}
	return ": " + doc
}

// rounded is the score as an integer, before bounds.
func rounded(score float64, rounding string) float64 {
	switch rounding {
	case "floor":
		return math.Floor(score)
	case "nearest":
		return math.Round(score)
	}
	return math.Trunc(score)
}

func roundingName(rounding string) string {
	if rounding == "" {
		return "truncate"
	}
	return rounding
}

func roundingWord(rounding string, score float64) string {
	switch {
	case score == math.Trunc(score):
		return "as it is"
	case rounding == "floor":
		return "rounded down"
	case rounding == "nearest":
		return "rounded to nearest"
	}
	return "truncated"
}

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

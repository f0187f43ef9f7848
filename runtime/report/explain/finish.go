package explain

import (
	"math"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
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

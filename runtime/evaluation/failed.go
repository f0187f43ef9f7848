package evaluation

import (
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
)

// Loss is a failure that costs rows their priority.
type Loss struct {
	Rows    column.Bitmap
	Message string
	Span    source.Span
}

// FailedBecause is why a job has no priority, and the place of the expression.
func (r *Result) FailedBecause(job int) (message string, span source.Span) {
	row := int(r.JobRow[job])
	for _, l := range r.Losses {
		if l.Rows.Get(row) {
			return l.Message, l.Span
		}
	}
	return NoPriority, source.Span{}
}

// NoPriority is the reason of a job whose place among the others is unknown: it would pass every limit on
// those before it. No scheduler knows of such jobs.
const NoPriority = "has no priority, as an expression failed for it"

package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
)

// mostLines bounds the lines that a folded finding lists.
const mostLines = 8

// Fold makes one finding of those that say the same again of a file, with the lines of the others: of each key that has
// an old name, say, or of all partitions without a time limit. The page of a code says whether it is such a one.
func Fold(list diag.List) diag.List {
	type kind struct {
		code, text string
		file       *source.File
		severity   diag.Severity
	}
	first := map[kind]*diag.Diagnostic{}
	lines := map[*diag.Diagnostic][]int{}
	var kept diag.List
	for _, d := range list {
		p := pages.Of(d.Code)
		if p == nil || p.Fold == "" || d.Span.IsZero() {
			kept = append(kept, d)
			continue
		}
		k := kind{code: d.Code, file: d.Span.File, severity: d.Severity}
		if p.Fold == "key" {
			k.text = strings.ToLower(d.Span.Text())
		}
		if one := first[k]; one != nil {
			lines[one] = append(lines[one], d.Span.Position().Line)
			continue
		}
		again := *d // the caller's stays as it is
		again.Notes = slices.Clone(d.Notes)
		first[k] = &again
		kept = append(kept, &again)
	}
	for d, more := range lines {
		d.Note("%s", alsoOn(more))
	}
	return kept
}

// alsoOn lists lines.
func alsoOn(lines []int) string {
	n := len(lines)
	lines = slices.Compact(slices.Clone(lines))
	var list []string
	for _, l := range lines[:min(len(lines), mostLines)] {
		list = append(list, fmt.Sprint(l))
	}
	where := strings.Join(list, ", ")
	if len(lines) > mostLines {
		where += ", …"
	}
	what, of := fmt.Sprintf("%d more times", n), "lines"
	if n == 1 {
		what = "once more"
	}
	if len(lines) == 1 {
		of = "line"
	}
	return fmt.Sprintf("it is so %s: %s %s", what, of, where)
}

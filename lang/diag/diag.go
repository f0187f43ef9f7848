// Package diag holds what Fairway tells its user about an input: a stable
// code, a place, what is wrong, why, and what to type instead.
//
// Mistakes of the user are Diagnostics and are collected, never returned one
// at a time; Go errors are for I/O. A parser that finds a mistake reports it
// and goes on.
package diag

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// Severity orders diagnostics; only warnings and infos can be silenced.
type Severity int

// Error stops the command; Warning and Info do not.
const (
	Error Severity = iota
	Warning
	Info
)

func (s Severity) String() string { return [...]string{"error", "warning", "info"}[s] }

// Note is advice, or another place that contributed.
type Note struct {
	Span source.Span
	Text string
}

// Fix is an edit that mends the fault: replace Span by NewText.
type Fix struct {
	Span    source.Span
	NewText string
}

// Shown is the new text without the passwords of the file.
func (f *Fix) Shown() string { return f.Span.File.Hide(f.NewText) }

// Diagnostic is one finding. Message is one sentence in lower case without a
// full stop; the first note says why or what to type instead.
type Diagnostic struct {
	Code     string
	Severity Severity
	Span     source.Span
	Message  string
	Notes    []Note
	Fix      *Fix
}

// told is a text of a diagnostic. Whatever it quotes of its file, and wherever it is printed, it has no password of it.
func told(span source.Span, format string, args []any) string {
	return span.File.Hide(fmt.Sprintf(format, args...))
}

// Note appends advice and returns the diagnostic, so that calls chain. On nil, which a
// reporter that does not repeat itself returns, this and its siblings do nothing.
func (d *Diagnostic) Note(format string, args ...any) *Diagnostic {
	if d == nil {
		return nil
	}
	d.Notes = append(d.Notes, Note{Text: told(d.Span, format, args)})
	return d
}

// NoteAt appends a note with a place.
func (d *Diagnostic) NoteAt(span source.Span, format string, args ...any) *Diagnostic {
	if d == nil {
		return nil
	}
	d.Notes = append(d.Notes, Note{Span: span, Text: span.File.Hide(told(d.Span, format, args))})
	return d
}

// Suggest sets the fix "type newText here".
func (d *Diagnostic) Suggest(span source.Span, newText string) *Diagnostic {
	if d == nil {
		return nil
	}
	d.Fix = &Fix{Span: span, NewText: newText}
	return d
}

// DidYouMean notes the candidate nearest to word, if one is near, and offers it
// as the fix for span.
func (d *Diagnostic) DidYouMean(span source.Span, word string, candidates []string) *Diagnostic {
	if d == nil {
		return nil // before the search, which takes its time
	}
	if near := Nearest(word, candidates); near != "" {
		d.Note("did you mean %q?", near)
		d.Suggest(span, near)
	}
	return d
}

// List collects diagnostics.
type List []*Diagnostic

// Add appends a diagnostic and returns it for chaining. The folder pages must have a page of the code.
func (l *List) Add(sev Severity, code string, span source.Span, format string, args ...any) *Diagnostic {
	d := &Diagnostic{Code: code, Severity: sev, Span: span, Message: told(span, format, args)}
	*l = append(*l, d)
	return d
}

// Errorf adds an error.
func (l *List) Errorf(code string, span source.Span, format string, args ...any) *Diagnostic {
	return l.Add(Error, code, span, format, args...)
}

// Warnf adds a warning.
func (l *List) Warnf(code string, span source.Span, format string, args ...any) *Diagnostic {
	return l.Add(Warning, code, span, format, args...)
}

// Infof adds an info.
func (l *List) Infof(code string, span source.Span, format string, args ...any) *Diagnostic {
	return l.Add(Info, code, span, format, args...)
}

// HasErrors reports whether any diagnostic is an error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d *Diagnostic) bool { return d.Severity == Error })
}

// Sort orders by file name, place, severity and code; equal ones keep their order.
func (l List) Sort() {
	name := func(d *Diagnostic) string {
		if d.Span.File == nil {
			return ""
		}
		return d.Span.File.Name
	}
	slices.SortStableFunc(l, func(a, b *Diagnostic) int {
		if c := strings.Compare(name(a), name(b)); c != 0 {
			return c
		}
		if a.Span.Start != b.Span.Start {
			return int(a.Span.Start) - int(b.Span.Start)
		}
		if a.Severity != b.Severity {
			return int(a.Severity) - int(b.Severity)
		}
		return strings.Compare(a.Code, b.Code)
	})
}

// Nearest returns the candidate closest to word, or "". Case does not count; one
// letter in three may be wrong, but at most three, and with more than one wrong the
// first must be right: typing errors look so, other words do not.
func Nearest(word string, candidates []string) string {
	w := strings.ToLower(word)
	limit := min(3, len(w)/3)
	best, bestDist := "", limit+1
	for _, c := range candidates {
		lc := strings.ToLower(c)
		if lc == "" || len(w) == 0 {
			continue
		}
		most := bestDist - 1
		if lc[0] != w[0] {
			most = min(most, 1)
		}
		if d := editDistance(w, lc, most); d <= most {
			best, bestDist = c, d
		}
	}
	return best
}

// editDistance is the optimal string alignment distance (insert, delete,
// replace, swap neighbours); anything above limit may be returned as limit+1.
func editDistance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	width := len(b) + 1
	rows := make([]int, 3*width)
	before, prev, cur := rows[:width], rows[width:2*width], rows[2*width:]
	for j := range prev {
		prev[j] = j
	}
	least := 0 // of the row before
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		above := least
		if least = slices.Min(cur); min(above, least) > limit {
			return limit + 1 // no row below has less than the two above it
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}

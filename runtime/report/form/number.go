package form

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// Brief writes a number for people: whole from 1,000 on, else four digits.
func Brief(f float64) string {
	a := math.Abs(f)
	switch {
	case math.IsNaN(f):
		return "unknown"
	case math.IsInf(f, 0):
		return CsvNumber(f)
	case a >= 1000 || f == math.Trunc(f):
		return strconv.FormatFloat(f+0, 'f', 0, 64)
	}
	g := strconv.FormatFloat(f, 'g', 4, 64)
	if v, err := strconv.ParseFloat(g, 64); err == nil {
		g = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return g
}

// Exact writes a number for people who check a sum: all its digits.
func Exact(f float64) string {
	switch a := math.Abs(f); {
	case math.IsNaN(f):
		return "unknown"
	case a != 0 && (a < 1e-6 || a >= 1e21) || math.IsInf(f, 0):
		return CsvNumber(f)
	}
	return strconv.FormatFloat(f+0, 'f', -1, 64)
}

// Signed is brief with a sign always.
func Signed(f float64) string {
	if f > 0 {
		return "+" + Brief(f)
	}
	return Brief(f)
}

// CsvText writes a text of the input or the policy into a cell. With spreadsheet, an apostrophe comes before what
// spreadsheets calculate: text that begins with = + - @, or their wide forms (OWASP, "CSV Injection"). Numbers
// are not text.
func CsvText(spreadsheet bool) func(string) string {
	return func(text string) string {
		text = source.Plain(text)
		if spreadsheet && strings.IndexAny(strings.TrimSpace(text), "=+-@＝＋－＠") == 0 {
			return "'" + text
		}
		return text
	}
}

// CsvNumber is the shortest decimal that reads back as f; a negative zero is 0.
func CsvNumber(f float64) string {
	switch {
	case math.IsNaN(f):
		return ""
	case math.IsInf(f, 0):
		if f > 0 {
			return "inf"
		}
		return "-inf"
	}
	return strconv.FormatFloat(f+0, 'g', -1, 64)
}

// SpanText is a time between two moments in the views that are our own: 00:20:00, 1-12:00:00.
func SpanText(seconds int64) string { return slurmtext.FormatTime(seconds) }

func ClockText(epoch int64) string { return time.Unix(epoch, 0).UTC().Format("2006-01-02 15:04:05Z") }

func Plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func Joined(words []string) string { return strings.Join(words, ", ") }

// Named finds what has a name; that there is none is added to diags, as "there is no KIND".
func Named[T any](list []T, nameOf func(T) string, name, kind string, diags *diag.List) *T {
	names := make([]string, len(list))
	for i := range list {
		if names[i] = nameOf(list[i]); names[i] == name {
			return &list[i]
		}
	}
	d := diags.Errorf("view-unknown", source.Span{}, "there is no "+kind, name)
	d.Note("there are: %s", Joined(names))
	d.DidYouMean(source.Span{}, name, names)
	d.Fix = nil // the word is on the command line, not in a file
	return nil
}

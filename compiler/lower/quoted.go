package lower

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// wordPlace narrows a place to the string literal of a word in it: an attribute may be
// a list of several.
func wordPlace(span source.Span, word string) source.Span {
	literal := strconv.Quote(word)
	at := strings.Index(span.Text(), literal)
	if at < 0 {
		return span
	}
	return span.Sub(at, at+len(literal))
}

// didYouMean offers the nearest word, as a literal where one is in the file.
func didYouMean(d *diag.Diagnostic, word string, candidates []string) {
	near := diag.Nearest(word, candidates)
	if near == "" {
		return
	}
	d.Note("did you mean %q?", near)
	if d.Span.Text() == strconv.Quote(word) {
		near = strconv.Quote(near)
	}
	d.Suggest(d.Span, near)
}

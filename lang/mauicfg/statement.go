package mauicfg

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// Maui copies into fixed buffers and cuts silently what does not fit:
// 64 and 1024 bytes, the last one for the NUL that ends a text.
const (
	maxName  = 63   // characters of a name, an index or an element
	maxValue = 1023 // characters of the value of a line
)

// word is one token of a value, as Maui sees it.
type word struct {
	text   string
	span   source.Span
	quoted source.Span // a quoted text with blanks; Maui sees this word only
}

// statement is a setting line after Maui's clean-up of its buffer
// (MCfgAdjustBuffer): comments cut, continuations joined, early = blanked.
type statement struct {
	line   *Line
	name   word
	index  word // text without quotes; zero span if the line has none
	words  []word
	raw    string
	span   source.Span // the value
	noted  bool        // a comment follows; its # remains as one more word
	cut    source.Span // what the length limit drops
	lost   source.Span // an = in the value that Maui blanks
	joined source.Span // a comment sign that sticks to the value before it
}

// newStatement cleans up one setting line.
func newStatement(line *Line) *statement {
	st := &statement{line: line, name: word{text: line.Name.Text, span: line.Name.Span}}
	if line.Index.Kind == Index {
		st.index = word{text: unquote(line.Index.Text), span: line.Index.Span}
	}
	length := 0
	var last TokenKind
	for _, t := range line.Tokens {
		switch t.Kind {
		case Space:
			length += len(t.Text)
		case Continuation:
			length++
		case Equals:
			if len(st.words) > 0 && st.lost.IsZero() {
				st.lost = t.Span
			}
			length++
		case Word:
			if len(st.words) == 0 {
				length = 0
			}
			st.add(t, &length)
		case Comment, Include:
			if last == Word && st.cut.IsZero() {
				st.joined = t.Span.Sub(0, 1)
				st.words[len(st.words)-1].text += "#"
			} else {
				st.noted = true
			}
		}
		last = t.Kind
	}
	if n := len(st.words); n > 0 {
		st.span = st.words[0].span
		st.span.End = st.words[n-1].span.End
		st.raw = joinWords(st.words)
	} else {
		st.span = st.name.span
	}
	return st
}

// add appends a word, as much of it as fits the line buffer.
func (st *statement) add(t Token, length *int) {
	w := word{text: t.Text, span: t.Span}
	if room := maxValue - *length; len(w.text) > room {
		room = max(room, 0)
		if st.cut.IsZero() {
			st.cut = w.span.Sub(room, len(w.text))
		}
		st.cut.End = w.span.End
		w = word{text: w.text[:room], span: w.span.Sub(0, room)}
	}
	*length += len(t.Text)
	if w.text != "" {
		st.words = append(st.words, w)
	}
}

// hasIndex also holds for empty brackets.
func (st *statement) hasIndex() bool { return !st.index.span.IsZero() }

// joinWords is the value as one text.
func joinWords(words []word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	return strings.Join(texts, " ")
}

// unquote drops quotes the way Maui does: all of them, wherever they are.
func unquote(s string) string {
	if !strings.ContainsAny(s, `'"`) {
		return s
	}
	return strings.NewReplacer("'", "", `"`, "").Replace(s)
}

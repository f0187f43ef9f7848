package mauicfg

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/source"
)

// phase is how far the scanner is in a line.
type phase int

const (
	lineStart phase = iota // nothing but white space so far
	inName                 // the name was read, and no blank after it: = separates everywhere
	gap                    // a blank came after the name: = separates until the value begins
	inValue                // = is part of the value
	inUnknown              // the line has no name
)

// scanner walks a text once, from its first byte to its last. Its tokens depend on the place in the
// line, because Maui's do: the = after a name is a blank, the = inside a value is not.
type scanner struct {
	file   *source.File
	text   string
	at     int
	phase  phase
	tokens []Token
}

// scan cuts a file into tokens; their texts joined are its text.
func scan(f *source.File) []Token {
	s := scanner{file: f, text: string(f.Text), tokens: make([]Token, 0, len(f.Text)/4)}
	for s.at < len(s.text) {
		s.step()
	}
	return s.tokens
}

// step emits at least one token, or moves the line to a later phase.
func (s *scanner) step() {
	switch c := s.text[s.at]; {
	case c == '\n':
		s.emit(Newline, 1)
		s.phase = lineStart
	case c == '#':
		s.comment()
	case c == '\\':
		// MCfgAdjustBuffer blanks the backslash and all white space after it.
		s.emit(Continuation, 1+run(s.text[s.at+1:], dialect.IsSpace))
		s.blank()
	case isBlank(c):
		s.emit(Space, run(s.text[s.at:], isBlank))
		s.blank()
	case s.phase == lineStart:
		s.head()
	case s.phase == inUnknown:
		s.emit(Unknown, run(s.text[s.at:], func(c byte) bool { return isWordByte(c) || c == ' ' || c == '\t' }))
	case c == '=' && s.phase != inValue:
		s.emit(Equals, 1)
	case s.phase == inName:
		s.emit(Word, run(s.text[s.at:], func(c byte) bool { return isWordByte(c) && c != '=' }))
	default:
		s.emit(Word, run(s.text[s.at:], isWordByte))
		s.phase = inValue
	}
}

// head reads what comes first in a line: NAME, NAME[index] or anything else.
func (s *scanner) head() {
	rest := s.text[s.at:]
	n := run(rest, func(c byte) bool { return isWordByte(c) && c != '=' && c != '[' })
	if !isName(rest[:n]) {
		s.phase = inUnknown
		return // step reads it
	}
	s.emit(Name, n)
	s.phase = inName
	if s.at == len(s.text) || s.text[s.at] != '[' {
		return
	}
	s.emit(Open, 1)
	if n := run(s.text[s.at:], func(c byte) bool { return isWordByte(c) && c != ']' }); n > 0 {
		s.emit(Index, n)
	}
	if s.at < len(s.text) && s.text[s.at] == ']' {
		s.emit(Close, 1)
	}
}

// comment reads to the end of the line. Backslashes in it mean nothing, and
// quotes before it do not protect it.
func (s *scanner) comment() {
	n := strings.IndexByte(s.text[s.at:], '\n')
	if n < 0 {
		n = len(s.text) - s.at
	}
	kind := Comment
	if includeTarget(s.text[s.at:s.at+n]) != "" {
		kind = Include
	}
	s.emit(kind, n)
}

// blank notes white space: the first one after a name ends the stretch in which
// every = separates.
func (s *scanner) blank() {
	if s.phase == inName {
		s.phase = gap
	}
}

// emit cuts the next n bytes off as a token.
func (s *scanner) emit(kind TokenKind, n int) {
	s.tokens = append(s.tokens, Token{kind, s.text[s.at : s.at+n],
		source.Span{File: s.file, Start: int32(s.at), End: int32(s.at + n)}})
	s.at += n
}

// includeTarget is the file an #INCLUDE comment names, or "".
func includeTarget(comment string) string {
	rest, ok := strings.CutPrefix(comment, "#INCLUDE")
	if !ok || rest == "" || !isBlank(rest[0]) {
		return ""
	}
	if f := strings.Fields(rest); len(f) > 0 {
		return f[0]
	}
	return ""
}

// run counts the leading bytes of s that are in the class.
func run(s string, in func(byte) bool) int {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

// isBlank holds for what Maui sees as a blank inside a line: everything outside
// printable ASCII, so also each byte of a UTF-8 letter.
func isBlank(c byte) bool { return c != '\n' && (c <= ' ' || c >= 0x7f) }

// isWordByte holds for what a value may consist of.
func isWordByte(c byte) bool { return c > ' ' && c < 0x7f && c != '#' && c != '\\' }

// isName holds for text that could be a parameter of some scheduler. Maui itself
// only compares with its table, so this merely sorts out headings and prose.
func isName(s string) bool {
	for i := range len(s) {
		if !(dialect.IsLetter(s[i]) || i > 0 && (isDigit(s[i]) || s[i] == '_')) {
			return false
		}
	}
	return s != ""
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// TokenKind says what part of a line a token is.
type TokenKind int

// The token kinds. Together they cover every byte of a file.
const (
	Newline      TokenKind = iota + 1
	Space                  // blanks, and every byte C's isprint refuses: Maui turns them into blanks
	Continuation           // a backslash and the white space it swallows, line ends included
	Comment                // from # to the end of the line
	Include                // a comment that is an #INCLUDE directive
	Name
	Open    // [ directly after the name
	Index   // text between the brackets
	Close   // ]
	Equals  // an = that Maui reads as a blank
	Word    // part of the value
	Unknown // text of a line that does not begin with a name
)

var tokenNames = [...]string{"", "Newline", "Space", "Continuation", "Comment", "Include", "Name", "Open", "Index",
	"Close", "Equals", "Word", "Unknown"}

// String names the kind in messages.
func (k TokenKind) String() string { return tokenNames[k] }

// Token is a piece of the text.
type Token struct {
	Kind TokenKind
	Text string
	Span source.Span
}

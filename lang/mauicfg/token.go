package mauicfg

import "github.com/fairway-sched/fairway/lang/source"

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

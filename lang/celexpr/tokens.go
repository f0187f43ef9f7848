package celexpr

import (
	"strings"
	"unicode/utf8"
)

// cel-go reports places as single offsets and syntax errors as ANTLR words
// them. Both are put right with a list of the tokens of the text: where a
// sub-expression begins and ends, and which token is no CEL.

type tokenKind uint8

const (
	tokenWord tokenKind = iota
	tokenNumber
	tokenString
	tokenOpenString // a string without its closing quote
	tokenOperator
	tokenOther
)

type token struct {
	kind       tokenKind
	start, end int // bytes
}

// Operators of two characters, CEL's own and those people bring from other languages.
var operatorPairs = []string{"&&", "||", "==", "!=", "<=", ">=", "<>", "**", ":=", "=~", "!~", "${", "++", "--"}

// tokenize splits CEL text; it never fails, what it cannot name is tokenOther.
func tokenize(text string) []token {
	var list []token
	for pos := 0; pos < len(text); {
		rest := text[pos:]
		kind, size := tokenOther, 0
		c := text[pos]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			pos++
			continue
		case strings.HasPrefix(rest, "//"):
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				pos += n
			} else {
				pos = len(text)
			}
			continue
		case stringPrefix(rest) >= 0:
			size, kind = scanString(rest)
		case isWordByte(c) && !isDigit(c):
			kind, size = tokenWord, span(rest, isWordByte)
		case isDigit(c) || c == '.' && len(rest) > 1 && isDigit(rest[1]):
			kind, size = tokenNumber, scanNumber(rest)
		case strings.IndexByte("&|=!<>+-*/%?:.,()[]{}^;$#@~`\\", c) >= 0:
			kind, size = tokenOperator, 1
			for _, pair := range operatorPairs {
				if strings.HasPrefix(rest, pair) {
					size = 2
				}
			}
		default:
			_, size = utf8.DecodeRuneInString(rest)
		}
		list = append(list, token{kind, pos, pos + size})
		pos += size
	}
	return list
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWordByte(c byte) bool {
	return c == '_' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// span is the length of the leading bytes that satisfy is.
func span(s string, is func(byte) bool) int {
	for i := range len(s) {
		if !is(s[i]) {
			return i
		}
	}
	return len(s)
}

// stringPrefix is the offset of the opening quote if s begins with a string
// such as r'…' or b"…", else -1.
func stringPrefix(s string) int {
	n := 0
	for n < len(s) && n < 2 && strings.IndexByte("rRbB", s[n]) >= 0 {
		n++
	}
	if n < len(s) && (s[n] == '"' || s[n] == '\'') {
		return n
	}
	return -1
}

// scanString follows CEL's string literals: raw with r, multi-line with three quotes.
func scanString(s string) (size int, kind tokenKind) {
	open := stringPrefix(s)
	raw := strings.ContainsAny(s[:open], "rR")
	quote := s[open : open+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(s[open:], triple) {
		quote = triple
	}
	for i := open + len(quote); i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], quote):
			return i + len(quote), tokenString
		case s[i] == '\\' && !raw:
			i++
		case s[i] == '\n' && len(quote) == 1:
			return i, tokenOpenString
		}
	}
	return len(s), tokenOpenString
}

// scanNumber follows CEL's numbers; a dot belongs to one only before a digit.
func scanNumber(s string) int {
	if strings.HasPrefix(s, "0x") {
		return 2 + span(s[2:], isWordByte)
	}
	n := span(s, isDigit)
	if n+1 < len(s) && s[n] == '.' && isDigit(s[n+1]) {
		n += 1 + span(s[n+1:], isDigit)
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		m := n + 1
		if m < len(s) && (s[m] == '+' || s[m] == '-') {
			m++
		}
		if digits := span(s[min(m, len(s)):], isDigit); digits > 0 {
			n = m + digits
		}
	}
	if n < len(s) && (s[n] == 'u' || s[n] == 'U') {
		n++
	}
	return n
}

package slurmconf

import (
	"bytes"

	"github.com/fairway-sched/fairway/lang/dialect"
)

// tokenKind says what part of a line a token is.
type tokenKind uint8

// Tokens of a slurm.conf. Their raw texts, trivia included, make up the whole
// file without gap or overlap, which is why printing needs nothing else.
const (
	tokenInclude tokenKind = iota + 1
	tokenPath
	tokenKey
	tokenOp
	tokenValue
	tokenJunk   // what does not fit the key=value expression, up to the line's end
	tokenEOL    // the end of a logical line; empty at the end of a file without newline
	tokenTrivia // blanks, comments, continuations
)

// token is the bytes [start, end) of the file, and for words the text that Slurm
// makes of them.
type token struct {
	kind       tokenKind
	start, end int32
	text       string
}

// lexed cuts a file into logical lines and those into tokens.
type lexed struct {
	file   []byte
	whole  string // the same; words of most lines are parts of it
	tokens []token
	pos    int
}

func newLexed(file []byte) *lexed { return &lexed{file: file, whole: string(file)} }

// next reads the logical line at pos; its tokens are added to those of earlier lines.
func (x *lexed) next() (l logicalLine, ok bool) {
	if x.pos >= len(x.file) {
		return l, false
	}
	l = nextLogicalLine(x.file, x.pos)
	x.line(&l)
	x.emit(tokenTrivia, l.eol)
	x.emitAlways(tokenEOL, l.end, "")
	return l, true
}

// emit makes the raw bytes up to end a token, if there are any.
func (x *lexed) emit(kind tokenKind, end int) {
	if end > x.pos {
		x.emitAlways(kind, end, "")
	}
}

func (x *lexed) emitAlways(kind tokenKind, end int, text string) {
	x.tokens = append(x.tokens, token{kind, int32(x.pos), int32(end), text})
	x.pos = end
}

// word emits text[i:j] of the line as a token; what comes before it is trivia.
func (x *lexed) word(l *logicalLine, kind tokenKind, i, j int, text string) {
	x.emit(tokenTrivia, l.rawAt(i))
	if end := l.rawEnd(j); end > x.pos {
		x.emitAlways(kind, end, text)
	}
}

// text is text[i:j] of the line as a string, without a copy where the line is
// in the file as it is read.
func (x *lexed) text(l *logicalLine, i, j int) string {
	if l.from == nil {
		return x.whole[l.start+i : l.start+j]
	}
	return string(l.text[i:j])
}

// line cuts one logical line into words. It follows parse_config.c: Include is
// a word in column 1 followed by a blank; everything else must match, again and
// again, blank* KEY blank* OP? "=" blank* VALUE (blank | end).
func (x *lexed) line(l *logicalLine) {
	text := l.text
	i := 0
	if len(text) > 7 && bytes.EqualFold(text[:7], []byte("include")) && dialect.IsSpace(text[7]) {
		x.word(l, tokenInclude, 0, 7, "Include")
		i = skipBlanks(text, 7)
		j := skipWord(text, i)
		if j > i {
			x.word(l, tokenPath, i, j, x.text(l, i, j))
		}
		i = j
	} else {
		for {
			p, ok := matchPair(text, skipBlanks(text, i))
			if !ok {
				break
			}
			x.word(l, tokenKey, p.key, p.keyEnd, x.text(l, p.key, p.keyEnd))
			x.word(l, tokenOp, p.op, p.opEnd, x.text(l, p.op, p.opEnd))
			x.word(l, tokenValue, p.value, p.valueEnd, x.text(l, p.value+p.quote, p.valueEnd-p.quote))
			i = p.valueEnd
		}
	}
	if i = skipBlanks(text, i); i < len(text) {
		x.word(l, tokenJunk, i, len(text)-trailingBlanks(text), "")
	}
}

// pairMatch holds positions in a logical line's text; quote is 1 if the value's
// quotes are not part of it.
type pairMatch struct{ key, keyEnd, op, opEnd, value, valueEnd, quote int }

// matchPair is the key=value expression of parse_config.c by hand. Where a
// quoted text is followed by something other than a blank, the expression's
// other alternative matches and the quotes stay in the value.
func matchPair(text []byte, i int) (m pairMatch, ok bool) {
	m.key = i
	for i < len(text) && isKeyByte(text[i]) {
		i++
	}
	m.keyEnd = i
	m.op = skipBlanks(text, i)
	i = m.op
	if i < len(text) && (text[i] == '-' || text[i] == '*' || text[i] == '+' || text[i] == '/') {
		i++
	}
	if m.keyEnd == m.key || i >= len(text) || text[i] != '=' {
		return m, false
	}
	m.opEnd = i + 1
	m.value = skipBlanks(text, m.opEnd)
	m.valueEnd = skipWord(text, m.value)
	if m.value < len(text) && text[m.value] == '"' {
		closing := bytes.IndexByte(text[m.value+1:], '"') + m.value + 1
		if closing > m.value && (closing+1 == len(text) || dialect.IsSpace(text[closing+1])) {
			m.valueEnd, m.quote = closing+1, 1
		}
	}
	return m, m.valueEnd > m.value
}

// isKeyByte: before 15.08 keys had letters and digits only, but no key of the
// tables has another byte, so the wider rule makes no difference.
func isKeyByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.'
}

func skipBlanks(text []byte, i int) int {
	for i < len(text) && dialect.IsSpace(text[i]) {
		i++
	}
	return i
}

func skipWord(text []byte, i int) int {
	for i < len(text) && !dialect.IsSpace(text[i]) {
		i++
	}
	return i
}

func trailingBlanks(text []byte) int {
	return len(text) - len(bytes.TrimRight(text, " \t\n\v\f\r"))
}

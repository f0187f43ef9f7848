package slurmconf

import (
	"bytes"
	"io"

	"github.com/alecthomas/participle/v2/lexer"
)

// Tokens of a slurm.conf. Their raw texts, Trivia included, make up the whole
// file without gap or overlap, which is why printing needs nothing else.
const (
	tokenInclude lexer.TokenType = iota + 1
	tokenPath
	tokenKey
	tokenOp
	tokenValue
	tokenJunk   // what does not fit the key=value expression, up to the line's end
	tokenEOL    // the end of a logical line; empty at the end of a file without newline
	tokenTrivia // blanks, comments, continuations
)

// lexerDefinition is the hand-written lexer in participle's clothes.
type lexerDefinition struct{}

func (lexerDefinition) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "Include": tokenInclude, "Path": tokenPath, "Key": tokenKey, "Op": tokenOp,
		"Value": tokenValue, "Junk": tokenJunk, "EOL": tokenEOL,
	}
}

func (lexerDefinition) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return &tokenStream{withoutTrivia(lexAll(text).tokens)}, nil
}

// tokenStream hands the grammar the tokens it knows, all but Trivia: participle
// would count elided tokens as part of what a token field captures.
type tokenStream struct{ tokens []lexer.Token }

func (s *tokenStream) Next() (lexer.Token, error) {
	if len(s.tokens) == 0 {
		return lexer.EOFToken(lexer.Position{}), nil
	}
	t := s.tokens[0]
	s.tokens = s.tokens[1:]
	return t, nil
}

// lexed is the file as tokens, with the logical lines they came from and the
// text that Slurm sees for each key, path and value (by raw offset).
type lexed struct {
	file   []byte
	tokens []lexer.Token
	lines  []*logicalLine
	cooked map[int]string
	pos    int
}

// withoutTrivia is what the grammar knows.
func withoutTrivia(tokens []lexer.Token) (rest []lexer.Token) {
	for _, t := range tokens {
		if t.Type != tokenTrivia {
			rest = append(rest, t)
		}
	}
	return rest
}

// byLine cuts the tokens the grammar knows into logical lines.
func (x *lexed) byLine() (lines [][]lexer.Token) {
	tokens := withoutTrivia(x.tokens)
	for start, i := 0, 0; i < len(tokens); i++ {
		if tokens[i].Type == tokenEOL {
			lines = append(lines, tokens[start:i+1])
			start = i + 1
		}
	}
	return lines
}

func lexAll(file []byte) *lexed {
	x := &lexed{file: file, cooked: map[int]string{}}
	for x.pos < len(file) {
		l := nextLogicalLine(file, x.pos)
		x.lines = append(x.lines, l)
		x.line(l)
		x.emit(tokenTrivia, l.eol)
		x.emitAlways(tokenEOL, l.end)
	}
	return x
}

// emit makes the raw bytes up to end a token, if there are any.
func (x *lexed) emit(t lexer.TokenType, end int) {
	if end > x.pos {
		x.emitAlways(t, end)
	}
}

func (x *lexed) emitAlways(t lexer.TokenType, end int) {
	x.tokens = append(x.tokens, lexer.Token{Type: t, Value: string(x.file[x.pos:end]), Pos: lexer.Position{Offset: x.pos}})
	x.pos = end
}

// word emits text[i:j] of the line as a token; what stands before it is trivia.
func (x *lexed) word(l *logicalLine, t lexer.TokenType, i, j int, cooked string) {
	x.emit(tokenTrivia, l.rawAt(i))
	x.cooked[x.pos] = cooked
	x.emit(t, l.rawEnd(j))
}

// line cuts one logical line into words. It follows parse_config.c: Include is
// a word in column 1 followed by a blank; everything else must match, again and
// again, blank* KEY blank* OP? "=" blank* VALUE (blank | end).
func (x *lexed) line(l *logicalLine) {
	text := l.text
	i := 0
	if len(text) > 7 && bytes.EqualFold(text[:7], []byte("include")) && isBlank(text[7]) {
		x.word(l, tokenInclude, 0, 7, "Include")
		i = skipBlanks(text, 7)
		j := skipWord(text, i)
		if j > i {
			x.word(l, tokenPath, i, j, string(text[i:j]))
		}
		i = j
	} else {
		for {
			p, ok := matchPair(text, skipBlanks(text, i))
			if !ok {
				break
			}
			x.word(l, tokenKey, p.key, p.keyEnd, string(text[p.key:p.keyEnd]))
			x.word(l, tokenOp, p.op, p.opEnd, string(text[p.op:p.opEnd]))
			x.word(l, tokenValue, p.value, p.valueEnd, p.text)
			i = p.valueEnd
		}
	}
	if i = skipBlanks(text, i); i < len(text) {
		x.word(l, tokenJunk, i, len(text)-trailingBlanks(text), "")
	}
}

// pairMatch holds positions in a logical line's text.
type pairMatch struct {
	key, keyEnd, op, opEnd, value, valueEnd int
	text                                    string // the value without its quotes
}

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
	if i < len(text) && bytes.IndexByte([]byte("-*+/"), text[i]) >= 0 {
		i++
	}
	if m.keyEnd == m.key || i >= len(text) || text[i] != '=' {
		return m, false
	}
	m.opEnd = i + 1
	m.value = skipBlanks(text, m.opEnd)
	m.valueEnd = skipWord(text, m.value)
	m.text = string(text[m.value:m.valueEnd])
	if m.value < len(text) && text[m.value] == '"' {
		closing := bytes.IndexByte(text[m.value+1:], '"') + m.value + 1
		if closing > m.value && (closing+1 == len(text) || isBlank(text[closing+1])) {
			m.valueEnd = closing + 1
			m.text = string(text[m.value+1 : closing])
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
	for i < len(text) && isBlank(text[i]) {
		i++
	}
	return i
}

func skipWord(text []byte, i int) int {
	for i < len(text) && !isBlank(text[i]) {
		i++
	}
	return i
}

func trailingBlanks(text []byte) int {
	return len(text) - len(bytes.TrimRight(text, " \t\n\v\f\r"))
}

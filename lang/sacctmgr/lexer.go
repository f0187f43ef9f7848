package sacctmgr

import (
	"bytes"
	"io"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/fairway-sched/fairway/lang/dialect"
)

// Tokens of a flat file. Their raw texts, Trivia included, make up the whole
// file without gap or overlap.
const (
	tokenObject lexer.TokenType = iota + 1 // Cluster, Parent, Account, User, QOS
	tokenDash
	tokenName
	tokenColon
	tokenKey
	tokenOp
	tokenValue
	tokenJunk // a line that is none of ours
	tokenEOL
	tokenTrivia // blanks and comments
)

type lexerDefinition struct{}

func (lexerDefinition) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "Object": tokenObject, "Dash": tokenDash, "Name": tokenName, "Colon": tokenColon,
		"Key": tokenKey, "Op": tokenOp, "Value": tokenValue, "Junk": tokenJunk, "EOL": tokenEOL,
	}
}

func (lexerDefinition) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return newStream(lexAll(text)), nil
}

// stream hands the grammar all tokens but Trivia.
type stream struct{ tokens []lexer.Token }

func newStream(all []lexer.Token) *stream {
	s := &stream{}
	for _, t := range all {
		if t.Type != tokenTrivia {
			s.tokens = append(s.tokens, t)
		}
	}
	return s
}

func (s *stream) Next() (lexer.Token, error) {
	if len(s.tokens) == 0 {
		return lexer.EOFToken(lexer.Position{}), nil
	}
	t := s.tokens[0]
	s.tokens = s.tokens[1:]
	return t, nil
}

// scanner cuts a file into tokens, line by line; a flat file has no
// continuation lines.
type scanner struct {
	file   []byte
	tokens []lexer.Token
	pos    int    // end of the last token
	object string // of the line
}

func lexAll(file []byte) []lexer.Token {
	s := &scanner{file: file}
	for s.pos < len(file) {
		stop, next := len(file), len(file)
		if i := bytes.IndexByte(file[s.pos:], '\n'); i >= 0 {
			stop, next = s.pos+i, s.pos+i+1
		}
		s.line(stop)
		s.emit(tokenTrivia, stop)
		s.put(tokenEOL, next)
	}
	return s.tokens
}

func (s *scanner) emit(t lexer.TokenType, end int) {
	if end > s.pos {
		s.put(t, end)
	}
}

func (s *scanner) put(t lexer.TokenType, end int) {
	s.tokens = append(s.tokens, lexer.Token{Type: t, Value: string(s.file[s.pos:end]),
		Pos: lexer.Position{Offset: s.pos}})
	s.pos = end
}

// word emits [i, j) as a token; what comes before it is trivia.
func (s *scanner) word(t lexer.TokenType, i, j int) {
	s.emit(tokenTrivia, i)
	s.emit(t, j)
}

// line cuts one line into its object, name and options. The object is what
// comes before the first " - ".
func (s *scanner) line(stop int) {
	i := s.skipBlanks(s.pos, stop)
	if i == stop || s.file[i] == '#' {
		return
	}
	j := i
	for j < stop && dialect.IsLetter(s.file[j]) {
		j++
	}
	dash := s.skipBlanks(j, stop)
	if j == i || dash == j || dash+1 >= stop || s.file[dash] != '-' || !dialect.IsSpace(s.file[dash+1]) {
		s.word(tokenJunk, i, s.trimBlanks(i, s.contentEnd(i, stop)))
		return
	}
	s.word(tokenObject, i, j)
	s.object = string(s.file[i:j])
	s.word(tokenDash, dash, dash+1)
	i = s.skipBlanks(dash+1, stop)
	j = s.valueEnd(i, stop, false)
	s.word(tokenName, i, s.trimBlanks(i, j))
	for j < stop && s.file[j] == ':' {
		s.word(tokenColon, j, j+1)
		j = s.option(s.skipBlanks(j+1, stop), stop)
	}
}

// option reads key, operator and value, any of which may be missing, and
// returns where the next colon is. Blanks around the parts are tolerated: they
// are common in files written by hand.
func (s *scanner) option(i, stop int) int {
	j := i
	for j < stop && (dialect.IsLetter(s.file[j]) || s.file[j] >= '0' && s.file[j] <= '9' || s.file[j] == '_') {
		j++
	}
	op := s.skipBlanks(j, stop)
	end := op
	if end < stop && (s.file[end] == '+' || s.file[end] == '-') {
		end++
	}
	if j == i || end >= stop || s.file[end] != '=' {
		j = s.valueEnd(i, stop, false)
		s.word(tokenValue, i, s.trimBlanks(i, j)) // an option without key
		return j
	}
	resources := holdsTRES(s.object, string(s.file[i:j]))
	s.word(tokenKey, i, j)
	s.word(tokenOp, op, end+1)
	i = s.skipBlanks(end+1, stop)
	j = s.valueEnd(i, stop, resources)
	s.word(tokenValue, i, s.trimBlanks(i, j))
	return j
}

// valueEnd finds the colon or comment that ends a value. Both quotes protect
// what is between them; a quote that is not closed runs to the line's end.
// In a list of resources the colon before a type ends nothing.
func (s *scanner) valueEnd(i, stop int, resources bool) int {
	quote := byte(0)
	for start := i; i < stop; i++ {
		switch c := s.file[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ':' && !(resources && s.isTyped(start, i, stop)):
			return i
		case c == '#' && i > start && dialect.IsSpace(s.file[i-1]) || c == '#' && i == start:
			return i
		}
	}
	return stop
}

// contentEnd is where a comment begins on a line that is none of ours.
func (s *scanner) contentEnd(i, stop int) int {
	for ; i < stop; i++ {
		if s.file[i] == '#' && dialect.IsSpace(s.file[i-1]) {
			return i
		}
	}
	return stop
}

func (s *scanner) skipBlanks(i, stop int) int {
	for i < stop && dialect.IsSpace(s.file[i]) {
		i++
	}
	return i
}

func (s *scanner) trimBlanks(i, j int) int {
	for j > i && dialect.IsSpace(s.file[j-1]) {
		j--
	}
	return j
}

package sacctmgr

import (
	"fmt"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/source"
)

// Word is a piece of a line.
type Word = dialect.Word

// bounds are above what the association tree of the largest site takes.
var bounds = dialect.Bounds{
	Prefix: "sacctmgr", Lines: 1 << 20,
	Instead: "no association tree is that large; give what `sacctmgr dump CLUSTER file=FILE` writes",
}

// File is the syntax tree of a flat file.
type File struct {
	Source *source.File
	Lines  []*Line // blank and comment lines included

	tokens  []lexer.Token
	refused bool // too large: Lines holds the text as one line that says nothing
	kept    int  // findings of the parser, which count towards dialect.MaxFindings
}

// Line is "Object - 'name':Key=value:…", or Junk, or neither.
type Line struct {
	Span    source.Span // without the line end
	Object  Word
	Name    Word
	Options []Option
	Junk    Word
}

// Option is one piece between colons. Key and Op are absent when there is no
// equals sign, Value when nothing follows it.
type Option struct {
	Key, Op, Value Word
}

// The grammar of one line over the lexer's tokens. It takes any line the lexer
// can make: one that is no object arrives as its Junk.
type lineNode struct {
	Object *objectNode  `parser:"( @@"`
	Junk   *lexer.Token `parser:"| @Junk )?"`
	End    lexer.Token  `parser:"@EOL"`
}

type objectNode struct {
	Object  lexer.Token   `parser:"@Object Dash"`
	Name    *lexer.Token  `parser:"@Name?"`
	Options []*optionNode `parser:"@@*"`
}

type optionNode struct {
	Colon lexer.Token  `parser:"@Colon"`
	Key   *lexer.Token `parser:"( @Key"`
	Op    *lexer.Token `parser:"@Op )?"`
	Value *lexer.Token `parser:"@Value?"`
}

// grammar is made when the first dump is read.
var grammar = sync.OnceValue(func() *participle.Parser[lineNode] {
	return participle.MustBuild[lineNode](participle.Lexer(lexerDefinition{}))
})

// parseTree builds the tree line by line, so that work stays linear in the text.
func parseTree(f *source.File) *File {
	if bounds.Exceeded(f) {
		return refuse(f)
	}
	file := &File{Source: f, tokens: lexAll(f.Text)}
	tokens := newStream(file.tokens).tokens
	for i, start := 0, 0; i < len(tokens); i++ {
		if end := tokens[i]; end.Type == tokenEOL {
			lineStart := 0
			if len(file.Lines) > 0 {
				before := tokens[start-1]
				lineStart = before.Pos.Offset + len(before.Value)
			}
			file.Lines = append(file.Lines, file.line(f.Span(lineStart, end.Pos.Offset), tokens[start:i+1]))
			start = i + 1
		}
	}
	return file
}

// line runs the grammar over one line. Empty options, as in "name::a=1:", are
// left out; a line of more options than there are is kept as Junk.
func (f *File) line(span source.Span, tokens []lexer.Token) *Line {
	l := &Line{Span: span}
	if len(tokens) > dialect.MaxLineTokens {
		l.Junk = Word{Span: span}
		return l
	}
	stream, err := lexer.Upgrade(&stream{tokens})
	if err != nil {
		panic(fmt.Sprintf("INVARIANT: a stream of tokens ends without an error: %v", err))
	}
	n, err := grammar().ParseFromLexer(stream)
	if err != nil {
		panic(fmt.Sprintf("INVARIANT: the grammar takes every line of the lexer: %v", err))
	}
	l.Junk = f.word(n.Junk)
	if n.Object == nil {
		return l
	}
	l.Object, l.Name = f.word(&n.Object.Object), f.word(n.Object.Name)
	for _, o := range n.Object.Options {
		if option := (Option{f.word(o.Key), f.word(o.Op), f.word(o.Value)}); option != (Option{}) {
			l.Options = append(l.Options, option)
		}
	}
	return l
}

func (f *File) word(t *lexer.Token) Word {
	if t == nil {
		return Word{}
	}
	return Word{Text: unquote(t.Value), Span: f.Source.Span(t.Pos.Offset, t.Pos.Offset+len(t.Value))}
}

// unquote takes the quotes around a whole word away.
func unquote(raw string) string {
	if n := len(raw); n >= 2 && (raw[0] == '\'' || raw[0] == '"') && strings.IndexByte(raw[1:], raw[0]) == n-2 {
		return raw[1 : n-1]
	}
	return raw
}

// Print writes the file back from its tokens: the same bytes, for any input.
func (f *File) Print() []byte {
	var b strings.Builder
	for _, t := range f.tokens {
		b.WriteString(t.Value)
	}
	return []byte(b.String())
}

// refuse is the tree of a file that is too large: it prints as it is and has no
// objects.
func refuse(f *source.File) *File {
	return &File{Source: f, tokens: []lexer.Token{{Type: tokenTrivia, Value: string(f.Text)}}, refused: true}
}

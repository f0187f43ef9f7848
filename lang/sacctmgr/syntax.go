package sacctmgr

import (
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/fairway-sched/fairway/lang/source"
)

// File is the syntax tree of a flat file.
type File struct {
	Source *source.File
	Lines  []*Line // blank and comment lines included

	tokens []lexer.Token
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

// Word is a piece of text without its quotes, and the raw bytes it came from.
type Word struct {
	Text string
	Span source.Span
}

// IsZero reports whether the word is absent.
func (w Word) IsZero() bool { return w.Span.IsZero() }

// The grammar over the lexer's tokens. It takes any token stream the lexer can
// make: a line that is no object arrives as its Junk.
type fileNode struct {
	Lines []*lineNode `parser:"@@*"`
}

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

var grammar = participle.MustBuild[fileNode](participle.Lexer(lexerDefinition{}))

// parseTree builds the tree. Empty options, as in "name::a=1:", are left out.
func parseTree(f *source.File) (*File, error) {
	file := &File{Source: f, tokens: lexAll(f.Text)}
	tokens, err := lexer.Upgrade(newStream(file.tokens))
	if err != nil {
		return nil, err
	}
	root, err := grammar.ParseFromLexer(tokens)
	if err != nil {
		return nil, err
	}
	start := 0
	for _, n := range root.Lines {
		l := &Line{Span: f.Span(start, n.End.Pos.Offset), Junk: file.word(n.Junk)}
		start = n.End.Pos.Offset + len(n.End.Value)
		if n.Object != nil {
			l.Object, l.Name = file.word(&n.Object.Object), file.word(n.Object.Name)
			for _, o := range n.Object.Options {
				if option := (Option{file.word(o.Key), file.word(o.Op), file.word(o.Value)}); option != (Option{}) {
					l.Options = append(l.Options, option)
				}
			}
		}
		file.Lines = append(file.Lines, l)
	}
	return file, nil
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

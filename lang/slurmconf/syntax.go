package slurmconf

import (
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/fairway-sched/fairway/lang/source"
)

// File is the syntax tree of one file.
type File struct {
	Source *source.File
	Lines  []*Line // one per logical line, blank ones included

	lexed *lexed
}

// Line is one logical line: an Include, pairs, or nothing; then possibly text
// that fits neither, which makes Slurm refuse the file.
type Line struct {
	Span    source.Span // the whole line with comments, without its line end
	Include *Include
	Pairs   []Pair
	Junk    Word

	logical *logicalLine
}

// Include is a line that takes in another file. Path is empty when missing.
type Include struct {
	Keyword Word
	Path    Word
}

// Pair is Key=Value. Slurm accepts +=, -=, *= and /= and takes all as =.
type Pair struct {
	Key, Op, Value Word
}

// Word is a piece of a line: its text as Slurm sees it (joined, un-escaped,
// without quotes) and the raw bytes it came from.
type Word struct {
	Text string
	Span source.Span
}

// IsZero reports whether the word is absent.
func (w Word) IsZero() bool { return w.Span.IsZero() }

// The grammar over the lexer's tokens. It takes any token stream the lexer can
// make: what is wrong in a line arrives as its Junk.
type fileNode struct {
	Lines []*lineNode `parser:"@@*"`
}

type lineNode struct {
	Include *includeNode `parser:"( @@"`
	Pairs   []*pairNode  `parser:"| @@+ )?"`
	Junk    *lexer.Token `parser:"@Junk?"`
	End     lexer.Token  `parser:"@EOL"`
}

type includeNode struct {
	Keyword lexer.Token  `parser:"@Include"`
	Path    *lexer.Token `parser:"@Path?"`
}

type pairNode struct {
	Key   lexer.Token `parser:"@Key"`
	Op    lexer.Token `parser:"@Op"`
	Value lexer.Token `parser:"@Value"`
}

var grammar = participle.MustBuild[fileNode](participle.Lexer(lexerDefinition{}))

// parseTree builds the tree.
func parseTree(f *source.File) (*File, error) {
	x := lexAll(f.Text)
	stream, err := lexer.Upgrade(x.stream())
	if err != nil {
		return nil, err
	}
	root, err := grammar.ParseFromLexer(stream)
	if err != nil {
		return nil, err
	}
	file := &File{Source: f, lexed: x}
	for i, n := range root.Lines {
		l := &Line{logical: x.lines[i], Span: f.Span(x.lines[i].start, x.lines[i].eol)}
		if n.Include != nil {
			l.Include = &Include{Keyword: file.word(&n.Include.Keyword), Path: file.word(n.Include.Path)}
		}
		for _, p := range n.Pairs {
			l.Pairs = append(l.Pairs, Pair{file.word(&p.Key), file.word(&p.Op), file.word(&p.Value)})
		}
		l.Junk = file.word(n.Junk)
		file.Lines = append(file.Lines, l)
	}
	return file, nil
}

func (f *File) word(t *lexer.Token) Word {
	if t == nil {
		return Word{}
	}
	return Word{Text: f.lexed.cooked[t.Pos.Offset], Span: f.Source.Span(t.Pos.Offset, t.Pos.Offset+len(t.Value))}
}

// Print writes the file back from its tokens: the same bytes, for any input.
func (f *File) Print() []byte {
	var b strings.Builder
	for _, t := range f.lexed.tokens {
		b.WriteString(t.Value)
	}
	return []byte(b.String())
}

package slurmconf

import (
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/fairway-sched/fairway/lang/source"
)

// File is the syntax tree of one file.
type File struct {
	Source *source.File
	Lines  []*Line // one per logical line, blank ones included

	lexed   *lexed
	refused bool // too large: Lines holds the text as one line that says nothing
	kept    int  // findings of the parser, which count towards maxFindings
}

// Line is one logical line: an Include, pairs, or nothing; then possibly text
// that fits neither, which makes Slurm refuse the file.
type Line struct {
	Span    source.Span // the whole line with comments, without its line end
	Include *Include
	Pairs   []Pair
	Junk    Word

	file     *File
	logical  *logicalLine
	overfull bool // more than maxLineTokens, so that all is Junk
}

// Include is a line that takes in another file. Path is empty when missing.
type Include struct {
	Keyword Word
	Path    Word

	reported bool // why it could not be read
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

// The grammar of one logical line over the lexer's tokens. What is wrong in a
// line arrives as its Junk.
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

var grammar = participle.MustBuild[lineNode](participle.Lexer(lexerDefinition{}))

// parseTree builds the tree, line by line: work stays linear in the text, and a
// line the grammar refuses cannot take its neighbours along.
func parseTree(f *source.File) *File {
	if isTooLarge(f) {
		return refuse(f)
	}
	x := lexAll(f.Text)
	file := &File{Source: f, lexed: x}
	for i, tokens := range x.byLine() {
		file.Lines = append(file.Lines, file.line(x.lines[i], tokens))
	}
	return file
}

// line runs the grammar over one logical line. It takes all that the lexer can
// make; but a line of more settings than any record has is kept as Junk.
func (f *File) line(logical *logicalLine, tokens []lexer.Token) *Line {
	l := &Line{file: f, logical: logical, Span: f.Source.Span(logical.start, logical.eol)}
	if len(tokens) > maxLineTokens {
		l.Junk, l.overfull = Word{Span: l.Span}, true
		return l
	}
	stream, err := lexer.Upgrade(&tokenStream{tokens})
	if err != nil {
		panic(fmt.Sprintf("INVARIANT: a stream of tokens ends without an error: %v", err))
	}
	n, err := grammar.ParseFromLexer(stream)
	if err != nil {
		panic(fmt.Sprintf("INVARIANT: the grammar takes every line of the lexer: %v", err))
	}
	if n.Include != nil {
		l.Include = &Include{Keyword: f.word(&n.Include.Keyword), Path: f.word(n.Include.Path)}
	}
	for _, p := range n.Pairs {
		l.Pairs = append(l.Pairs, Pair{f.word(&p.Key), f.word(&p.Op), f.word(&p.Value)})
	}
	l.Junk = f.word(n.Junk)
	return l
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

package slurmconf

import (
	"bytes"

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

// parseTree builds the tree, line by line: work stays linear in the text.
func parseTree(f *source.File) *File {
	if isTooLarge(f) {
		return refuse(f)
	}
	x := lexAll(f.Text)
	file := &File{Source: f, lexed: x, Lines: make([]*Line, len(x.lines))}
	lines := make([]Line, len(x.lines))
	for i := range lines {
		lines[i] = file.line(&x.lines[i], x.of(i))
		file.Lines[i] = &lines[i]
	}
	return file
}

// line reads the words of one logical line:
//
//	line = ( Include Path? | ( Key Op Value )* ) Junk? EOL
//
// It takes all that the lexer can make, which a grammar in the tests says too; but a
// line of more settings than any record has is kept as Junk.
func (f *File) line(logical *logicalLine, tokens []token) Line {
	l := Line{file: f, logical: logical, Span: f.Source.Span(logical.start, logical.eol)}
	pairs, words := 0, 0
	for i := range tokens {
		switch tokens[i].kind {
		case tokenKey:
			pairs++
			words++
		case tokenTrivia:
		default:
			words++
		}
	}
	if words > maxLineTokens {
		l.Junk, l.overfull = Word{Span: l.Span}, true
		return l
	}
	if pairs > 0 {
		l.Pairs = make([]Pair, 0, pairs)
	}
	for i := range tokens {
		w := Word{Text: tokens[i].text, Span: source.Span{File: f.Source, Start: tokens[i].start, End: tokens[i].end}}
		switch last := len(l.Pairs) - 1; tokens[i].kind {
		case tokenInclude:
			l.Include = &Include{Keyword: w}
		case tokenPath:
			l.Include.Path = w
		case tokenKey:
			l.Pairs = append(l.Pairs, Pair{Key: w})
		case tokenOp:
			l.Pairs[last].Op = w
		case tokenValue:
			l.Pairs[last].Value = w
		case tokenJunk:
			l.Junk = w
		}
	}
	return l
}

// Print writes the file back from its tokens: the same bytes, for any input.
func (f *File) Print() []byte {
	var b bytes.Buffer
	for _, t := range f.lexed.tokens {
		b.Write(f.lexed.file[t.start:t.end])
	}
	return b.Bytes()
}

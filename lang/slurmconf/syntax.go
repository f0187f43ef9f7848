package slurmconf

import (
	"bytes"

	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/source"
)

// Word is a piece of a line.
type Word = dialect.Word

// bounds are far above what the largest clusters have, whether they write their files by hand or by program.
var bounds = dialect.Bounds{
	Prefix: "slurm", Lines: 1 << 18, Instead: "no slurm.conf is that large; give the configuration, not a log or a dump",
}

// File is the syntax tree of one file.
type File struct {
	Source *source.File
	Lines  []*Line // one per logical line, blank ones included

	refused  bool   // too large: Lines holds the text as one line that says nothing
	template string // the kind of template; only its plain lines are there then
	kept     int    // findings of the parser, which count towards dialect.MaxFindings
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
	overfull bool // more than dialect.MaxLineTokens, so that all is Junk
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

// parseTree builds the tree, line by line: work stays linear in the text.
func parseTree(f *source.File) *File {
	if bounds.Exceeded(f) {
		return refuse(f)
	}
	n := bytes.Count(f.Text, []byte("\n")) + 1
	file := &File{Source: f, Lines: make([]*Line, 0, n)}
	lines, logical := make([]Line, 0, n), make([]logicalLine, 0, n)
	for x := newLexed(f.Text); ; x.tokens = x.tokens[:0] {
		l, ok := x.next()
		if !ok {
			return file
		}
		logical = append(logical, l) // never more than n, so that pointers stay
		lines = append(lines, file.line(&logical[len(logical)-1], x.tokens))
		file.Lines = append(file.Lines, &lines[len(lines)-1])
	}
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
	if words > dialect.MaxLineTokens {
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
	x := newLexed(f.Source.Text)
	for _, ok := x.next(); ok; _, ok = x.next() {
		for _, t := range x.tokens {
			b.Write(x.file[t.start:t.end])
		}
		x.tokens = x.tokens[:0]
	}
	return b.Bytes()
}

// refuse is the tree of a file that is too large: it prints as it is and has no
// settings.
func refuse(f *source.File) *File {
	n := len(f.Text)
	file := &File{Source: f, refused: true}
	start := f.Span(0, 0)
	file.Lines = []*Line{{file: file, Span: start, Junk: Word{Span: start}, logical: &logicalLine{end: n, eol: n}}}
	return file
}

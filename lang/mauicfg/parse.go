package mauicfg

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// LineKind says what a logical line is.
type LineKind int

// The kinds of lines.
const (
	Blank LineKind = iota
	CommentLine
	IncludeLine
	SettingLine
	UnrecognisedLine
)

// Line is one logical line: a physical line with its continuations.
type Line struct {
	Kind     LineKind
	Tokens   []Token     // all of it, in order
	Span     source.Span // without indentation, comment and line end
	Name     Token       // settings only
	Index    Token       // zero if there is no [index]
	Indented bool        // white space stands before the name
}

// File is the syntax tree of one text, and of the files it includes.
type File struct {
	Source   *source.File
	Lines    []Line
	Included []*File // in the order Maui appends them; set by Load
	Template string  // the marker, if the text is a template rather than a configuration

	refused bool // too large: Lines holds the text as one line that says nothing
	kept    int  // findings of the parser, which count towards maxFindings
}

// Parse reads any text. What is not a setting, a comment or blank becomes an
// unrecognised line with a diagnostic; the rest of the file is still read.
func Parse(f *source.File) (*File, diag.List) {
	diags := newFindings()
	file := parse(f, diags)
	file.kept = diags.Kept(f)
	return file, diags.List()
}

func parse(f *source.File, diags *diag.Bounded) *File {
	file := &File{Source: f}
	if isTooLarge(f) {
		diags.Errorf("maui-too-large", f.Span(0, 0), "the file has more than %d MB or %d lines", maxFileBytes>>20, maxFileLines).
			Note("no maui.cfg is that large; give the configuration, not a log or a dump")
		file.refused = true
		file.Lines = []Line{{Kind: UnrecognisedLine, Tokens: []Token{{Unknown, string(f.Text), f.Span(0, 0)}}, Span: f.Span(0, 0)}}
		return file
	}
	for _, tokens := range splitLines(scan(string(f.Text))) {
		file.Lines = append(file.Lines, newLine(f, tokens))
	}
	if marker, at := IsTemplate(f.Text); marker != "" {
		file.Template = marker
		diags.Errorf("maui-template", f.Span(at, at+len(marker)), "%q marks a template, not a maui.cfg", marker).
			Note("render the template first and give its output")
		return file
	}
	if at := bytes.IndexByte(f.Text, 0); at >= 0 {
		diags.Errorf("maui-not-text", f.Span(at, at+1), "the file holds a NUL byte, so it is not plain text").
			Note("Maui stops reading at a NUL byte; a file saved as UTF-16 must be saved as ASCII")
	}
	for i := range file.Lines {
		reportLine(&file.Lines[i], diags)
	}
	return file
}

// Print gives back the text, byte for byte; included files are not part of it.
func (file *File) Print() []byte {
	var b bytes.Buffer
	for i := range file.Lines {
		for _, t := range file.Lines[i].Tokens {
			b.WriteString(t.Text)
		}
	}
	return b.Bytes()
}

// splitLines cuts after each line end that no continuation swallowed.
func splitLines(tokens []lexer.Token) [][]lexer.Token {
	var lines [][]lexer.Token
	for len(tokens) > 0 {
		n := 1
		for n < len(tokens) && tokens[n-1].Type != lexer.TokenType(Newline) {
			n++
		}
		lines = append(lines, tokens[:n])
		tokens = tokens[n:]
	}
	return lines
}

// newLine runs the grammar over a line and keeps what later steps ask for. A line
// of more words than Maui would ever look at is kept as unrecognised.
func newLine(f *source.File, raw []lexer.Token) Line {
	token := func(t lexer.Token) Token {
		return Token{Kind: TokenKind(t.Type), Text: t.Value, Span: f.Span(t.Pos.Offset, t.Pos.Offset+len(t.Value))}
	}
	line := Line{Tokens: make([]Token, len(raw))}
	for i, t := range raw {
		line.Tokens[i] = token(t)
	}
	line.Span = textSpan(line.Tokens)
	if len(raw) > maxLineTokens {
		line.Kind = UnrecognisedLine
		return line
	}
	node, err := parseLine(raw)
	if err != nil {
		panic(fmt.Sprintf("INVARIANT: the grammar takes every line of the scanner: %v", err))
	}
	switch {
	case node.Setting != nil:
		line.Kind = SettingLine
		line.Name = token(node.Setting.Name)
		line.Indented = len(node.Indent) > 0
		if ix := node.Setting.Index; ix != nil {
			line.Index = Token{Kind: Index, Span: f.Span(ix.Open.Pos.Offset+1, ix.Open.Pos.Offset+1)}
			if len(ix.Text) > 0 {
				line.Index = token(ix.Text[0])
			}
		}
	case len(node.Unknown) > 0:
		line.Kind = UnrecognisedLine
	case len(node.Comment) > 0:
		line.Kind = CommentLine
		if TokenKind(node.Comment[0].Type) == Include {
			line.Kind = IncludeLine
		}
	}
	return line
}

// textSpan covers the tokens that are neither layout nor comment.
func textSpan(tokens []Token) source.Span {
	var span source.Span
	for _, t := range tokens {
		switch t.Kind {
		case Space, Continuation, Comment, Include, Newline:
			continue
		}
		if span.IsZero() {
			span = t.Span
		}
		span.End = t.Span.End
	}
	if span.IsZero() && len(tokens) > 0 {
		span = tokens[0].Span
	}
	return span
}

// reportLine notes what is odd about the text of a line, whatever it means.
func reportLine(line *Line, diags *diag.Bounded) {
	if line.Kind == UnrecognisedLine && hasKind(line.Tokens, Name) {
		diags.Warnf("maui-unrecognised-line", line.Span, "this line is too long to be a setting").
			Note("Maui reads the first %d characters of a value; split the line", maxValue)
		return
	}
	if line.Kind == UnrecognisedLine {
		d := diags.Warnf("maui-unrecognised-line", line.Span, "this line does not begin with a parameter name")
		if strings.HasPrefix(line.Span.Text(), "//") {
			d.Note("// is no comment to Maui; begin comments with #")
		} else {
			d.Note("a line is NAME VALUE or NAME[index] ATTRIBUTE=VALUE; begin comments with #")
		}
	}
	if line.Kind != SettingLine {
		return
	}
	for _, t := range line.Tokens {
		if t.Kind == Space && strings.ContainsFunc(t.Text, func(r rune) bool { return r > 0x7e || r < ' ' && !isWhite(byte(r)) }) {
			diags.Warnf("maui-unprintable", t.Span, "characters outside printable ASCII are blanks to Maui").
				Note("retype the text; a byte order mark or no-break space also hides the name it stands before")
			return
		}
	}
}

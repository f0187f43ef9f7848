package mauicfg

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/dialect"
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
	Indented bool        // white space comes before the name
}

// bounds are far above what any site writes.
var bounds = dialect.Bounds{
	Prefix: "maui", Lines: 1 << 18, Instead: "no maui.cfg is that large; give the configuration, not a log or a dump",
}

// File is the syntax tree of one text, and of the files it includes.
type File struct {
	Source   *source.File
	Lines    []Line
	Included []*File // in the order Maui appends them; set by Load
	Template string  // what kind of template, if the text is one; then only its plain lines are read

	refused bool // too large: Lines holds the text as one line that says nothing
	kept    int  // findings of the parser, which count towards dialect.MaxFindings
}

// Parse reads any text. What is not a setting, a comment or blank becomes an
// unrecognised line with a diagnostic; the rest of the file is still read.
func Parse(f *source.File) (*File, diag.List) {
	diags := bounds.Findings()
	file := parse(f, diags)
	file.kept = diags.Kept(f)
	return file, diags.List()
}

func parse(f *source.File, diags *diag.Bounded) *File {
	file := &File{Source: f}
	if bounds.Exceeded(f) {
		bounds.Report(f, diags)
		file.refused = true
		file.Lines = []Line{{Kind: UnrecognisedLine, Tokens: []Token{{Unknown, string(f.Text), f.Span(0, 0)}},
			Span: f.Span(0, 0)}}
		return file
	}
	for _, tokens := range splitLines(scan(f)) {
		file.Lines = append(file.Lines, newLine(tokens))
	}
	if at, kind := template(f.Text); kind != "" {
		file.Template = kind
		diags.Errorf("maui-template", f.Span(at[0], at[1]), "the file is a template (%s), not a maui.cfg", kind).
			Note("what is plain is read; the output of the template says more")
		for i := range file.Lines {
			if dialect.Templated([]byte(file.Lines[i].Span.Text())) {
				file.Lines[i].Kind = Blank
			}
		}
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
func splitLines(tokens []Token) [][]Token {
	var lines [][]Token
	for len(tokens) > 0 {
		n := 1
		for n < len(tokens) && tokens[n-1].Kind != Newline {
			n++
		}
		lines = append(lines, tokens[:n:n])
		tokens = tokens[n:]
	}
	return lines
}

// newLine says what the tokens of a line are, and keeps what later steps ask for:
//
//	line    = blank* ( setting | unknown )? comment? newline?
//	setting = NAME ( '[' index? ']'? )? ( blank | '=' | word )*
//
// A grammar in the tests says the same. A line of more words than Maui would ever look at is kept
// as unrecognised.
func newLine(tokens []Token) Line {
	line := Line{Tokens: tokens, Span: textSpan(tokens)}
	if len(tokens) > dialect.MaxLineTokens {
		line.Kind = UnrecognisedLine
		return line
	}
	first := 0
	for first < len(tokens) && (tokens[first].Kind == Space || tokens[first].Kind == Continuation) {
		first++
	}
	if first == len(tokens) {
		return line
	}
	switch tokens[first].Kind {
	case Name:
		line.Kind, line.Name, line.Indented = SettingLine, tokens[first], first > 0
		if rest := tokens[first+1:]; len(rest) > 0 && rest[0].Kind == Open {
			inside := source.Span{File: rest[0].Span.File, Start: rest[0].Span.End, End: rest[0].Span.End}
			line.Index = Token{Kind: Index, Span: inside}
			if len(rest) > 1 && rest[1].Kind == Index {
				line.Index = rest[1]
			}
		}
	case Unknown:
		line.Kind = UnrecognisedLine
	case Comment:
		line.Kind = CommentLine
	case Include:
		line.Kind = IncludeLine
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

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// reportLine notes what is odd about the text of a line, whatever it means.
func reportLine(line *Line, diags *diag.Bounded) {
	if line.Kind == UnrecognisedLine && hasKind(line.Tokens, Name) {
		diags.Warnf("maui-unrecognised-line", line.Span, "this line is too long to be a setting").
			Note("Maui reads the first %d characters of a value; split the line", maxValue)
		return
	}
	if line.Kind == UnrecognisedLine {
		if strings.HasPrefix(line.Span.Text(), "//") {
			diags.Warnf("maui-slash-comment", line.Span,
				"// begins no comment, Maui looks for a parameter's name in this line").
				Note("begin comments with #")
		} else {
			level := diag.Warning
			if !strings.ContainsFunc(line.Span.Text(), isWord) {
				level = diag.Info // a row of dashes, which sets nothing and means to set nothing
			}
			diags.Add(level, "maui-unrecognised-line", line.Span, "this line does not begin with a parameter name").
				Note("a line is NAME VALUE or NAME[index] ATTRIBUTE=VALUE; begin comments with #")
		}
	}
	if line.Kind != SettingLine {
		return
	}
	for _, t := range line.Tokens {
		if t.Kind == Space && t.Span.Start == 0 && strings.HasPrefix(t.Text, "\ufeff") {
			diags.Warnf("maui-unprintable", t.Span,
				"the file begins with a byte order mark, which hides the first setting from Maui").
				Note("save the file without it")
			return
		}
		hidden := func(r rune) bool { return r > 0x7e || r < ' ' && !dialect.IsSpace(byte(r)) }
		if t.Kind == Space && strings.ContainsFunc(t.Text, hidden) {
			diags.Warnf("maui-unprintable", t.Span, "characters outside printable ASCII are blanks to Maui").
				Note("retype the text; a byte order mark or no-break space also hides the name after it")
			return
		}
	}
}

package mauicfg

import (
	"io"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/source"
)

// The grammar of one logical line, as a parser generator reads it: the slow twin of newLine.
type lineNode struct {
	Indent  []lexer.Token `parser:"@(Space | Continuation)*"`
	Setting *settingNode  `parser:"( @@"`
	Unknown []lexer.Token `parser:"| @Unknown (@Unknown | @Space | @Continuation)* )?"`
	Comment []lexer.Token `parser:"@(Comment | Include)?"`
	End     []lexer.Token `parser:"@Newline?"`
}

type settingNode struct {
	Name  lexer.Token   `parser:"@Name"`
	Index *indexNode    `parser:"@@?"`
	Rest  []lexer.Token `parser:"@(Space | Continuation | Equals | Word)*"`
}

// indexNode has optional parts, because people forget the bracket.
type indexNode struct {
	Open  lexer.Token   `parser:"@Open"`
	Text  []lexer.Token `parser:"@Index?"`
	Close []lexer.Token `parser:"@Close?"`
}

var grammar = participle.MustBuild[lineNode](participle.Lexer(words{}))

// words hands one line's tokens to the grammar.
type words struct{ list []lexer.Token }

func (words) Symbols() map[string]lexer.TokenType {
	symbols := map[string]lexer.TokenType{"EOF": lexer.EOF}
	for k := Newline; k <= Unknown; k++ {
		symbols[k.String()] = lexer.TokenType(k)
	}
	return symbols
}

func (words) Lex(string, io.Reader) (lexer.Lexer, error) { return &words{}, nil }

func (w *words) Next() (lexer.Token, error) {
	if len(w.list) == 0 {
		return lexer.EOFToken(lexer.Position{}), nil
	}
	t := w.list[0]
	w.list = w.list[1:]
	return t, nil
}

// byGrammar reads one line's tokens with the grammar.
func byGrammar(t interface{ Fatal(...any) }, tokens []Token) Line {
	stream := &words{}
	for i, x := range tokens {
		stream.list = append(stream.list,
			lexer.Token{Type: lexer.TokenType(x.Kind), Value: "x", Pos: lexer.Position{Offset: i}})
	}
	peek, err := lexer.Upgrade(stream)
	if err != nil {
		t.Fatal(err)
	}
	n, err := grammar.ParseFromLexer(peek)
	if err != nil {
		t.Fatal("the grammar refuses a line of the scanner:", err)
	}
	l := Line{Span: textSpan(tokens)}
	switch {
	case n.Setting != nil:
		l.Kind, l.Name, l.Indented = SettingLine, tokens[n.Setting.Name.Pos.Offset], len(n.Indent) > 0
		if ix := n.Setting.Index; ix != nil {
			open := tokens[ix.Open.Pos.Offset].Span
			l.Index = Token{Kind: Index, Span: open.File.Span(int(open.End), int(open.End))}
			if len(ix.Text) > 0 {
				l.Index = tokens[ix.Text[0].Pos.Offset]
			}
		}
	case len(n.Unknown) > 0:
		l.Kind = UnrecognisedLine
	case len(n.Comment) > 0:
		l.Kind = CommentLine
		if tokens[n.Comment[0].Pos.Offset].Kind == Include {
			l.Kind = IncludeLine
		}
	}
	return l
}

// checkGrammar compares the lines of a text with the grammar's.
func checkGrammar(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
}, text string) {
	var printed strings.Builder
	for _, tokens := range splitLines(scan(source.NewFile("maui.cfg", []byte(text)))) {
		for _, x := range tokens {
			printed.WriteString(x.Text)
		}
		got, want := newLine(tokens), byGrammar(t, tokens)
		if got.Kind != want.Kind || got.Name != want.Name || got.Index != want.Index || got.Indented != want.Indented ||
			got.Span != want.Span {
			t.Fatalf("%q: got %+v, the grammar has %+v", text, got, want)
		}
	}
	if printed.String() != text {
		t.Fatalf("%q prints as %q", text, printed.String())
	}
}

// TestGrammar: the reader of lines takes what the grammar takes, of text that is made of the pieces
// that matter to the scanner.
func TestGrammar(t *testing.T) {
	pieces := []string{"A", "USERCFG", "[", "]", "x y", "=", " ", "\t", "\n", "\\\n", "\\", "#", "#INCLUDE f", "\"", "1",
		"\r\n",
		"//", "é", "\x00", "+="}
	draws.Check(t, func(r *rapid.T) {
		checkGrammar(r, strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 24).Draw(r, "pieces"), ""))
	})
}

// TestGrammarOfSites: the same for what sites run.
func TestGrammarOfSites(t *testing.T) {
	for _, path := range corpus(t) {
		checkGrammar(t, string(readFile(t, path)))
	}
}

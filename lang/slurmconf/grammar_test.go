package slurmconf

import (
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/source"
)

// The grammar of one logical line over the lexer's tokens, as a parser generator reads it: the slow
// twin of File.line.
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

var grammar = participle.MustBuild[lineNode](participle.Lexer(tokens{}))

// tokens hands one line's words to the grammar, all but trivia; the value is the number of the token.
type tokens struct{ list []lexer.Token }

func (tokens) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{"EOF": lexer.EOF, "Include": lexer.TokenType(tokenInclude),
		"Path": lexer.TokenType(tokenPath),
		"Key":  lexer.TokenType(tokenKey), "Op": lexer.TokenType(tokenOp), "Value": lexer.TokenType(tokenValue),
		"Junk": lexer.TokenType(tokenJunk), "EOL": lexer.TokenType(tokenEOL)}
}

func (t *tokens) Next() (lexer.Token, error) {
	if len(t.list) == 0 {
		return lexer.EOFToken(lexer.Position{}), nil
	}
	next := t.list[0]
	t.list = t.list[1:]
	return next, nil
}

func (tokens) Lex(string, io.Reader) (lexer.Lexer, error) {
	return &tokens{}, nil
}

// byGrammar reads one line's tokens with the grammar.
func byGrammar(t interface{ Fatal(...any) }, f *source.File, list []token) (l Line) {
	stream := &tokens{}
	for i, x := range list {
		if x.kind != tokenTrivia {
			stream.list = append(stream.list,
				lexer.Token{Type: lexer.TokenType(x.kind), Value: "x", Pos: lexer.Position{Offset: i}})
		}
	}
	peek, err := lexer.Upgrade(stream)
	if err != nil {
		t.Fatal(err)
	}
	n, err := grammar.ParseFromLexer(peek)
	if err != nil {
		t.Fatal("the grammar refuses a line of the lexer:", err)
	}
	word := func(x *lexer.Token) Word {
		if x == nil {
			return Word{}
		}
		from := list[x.Pos.Offset]
		return Word{Text: from.text, Span: f.Span(int(from.start), int(from.end))}
	}
	if n.Include != nil {
		l.Include = &Include{Keyword: word(&n.Include.Keyword), Path: word(n.Include.Path)}
	}
	for _, p := range n.Pairs {
		l.Pairs = append(l.Pairs, Pair{word(&p.Key), word(&p.Op), word(&p.Value)})
	}
	l.Junk = word(n.Junk)
	return l
}

// checkGrammar compares the tree with the grammar's: same words, same bytes of the file.
func checkGrammar(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
}, text string) {
	f := source.NewFile("slurm.conf", []byte(text))
	file := parseTree(f)
	if got := string(file.Print()); got != text {
		t.Fatalf("%q prints as %q", text, got)
	}
	x := newLexed(f.Text)
	for i, got := range file.Lines {
		x.tokens = nil
		if _, ok := x.next(); !ok {
			t.Fatalf("%q has %d lines", text, i)
		}
		want := byGrammar(t, f, x.tokens)
		if !reflect.DeepEqual(got.Include, want.Include) || !reflect.DeepEqual(got.Pairs, want.Pairs) ||
			got.Junk != want.Junk {
			t.Fatalf("%q, line %d: got %+v, the grammar has %+v", text, i, *got, want)
		}
	}
}

// TestGrammar: the reader of lines takes what the grammar takes, of text that is made of the pieces
// that matter to the lexer.
func TestGrammar(t *testing.T) {
	pieces := []string{"A", "NodeName", "=", "+=", " ", "\t", "\n", "\\\n", "\\", "#", "\"", "\"b c\"", "Include ",
		"include x", "1",
		"\r\n", "=x", "'", "é", "\x00"}
	draws.Check(t, func(r *rapid.T) {
		checkGrammar(r, strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 24).Draw(r, "pieces"), ""))
	})
}

// TestGrammarOfSites: the same for what sites run.
func TestGrammarOfSites(t *testing.T) {
	fsys := beside.Files(t)
	for _, name := range corpusFiles(t, fsys) {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		checkGrammar(t, string(text))
	}
}

// BenchmarkLines is what reading 900 nodes and 60 partitions costs by hand and with the grammar.
func BenchmarkLines(b *testing.B) {
	f := source.NewFile("slurm.conf", []byte(thousandLines()))
	b.Run("by hand", func(b *testing.B) {
		for b.Loop() {
			parseTree(f)
		}
	})
	b.Run("by grammar", func(b *testing.B) {
		for b.Loop() {
			x := newLexed(f.Text)
			for _, ok := x.next(); ok; _, ok = x.next() {
				byGrammar(b, f, x.tokens)
				x.tokens = x.tokens[:0]
			}
		}
	})
}

// TestLinesAreFast guards what makes reading fast: half of what was measured against the grammar is enough, so that a
// busy machine does not fail it.
func TestLinesAreFast(t *testing.T) {
	if !draws.Long() {
		t.Skip("FAIRWAY_LONG is not set")
	}
	f := source.NewFile("slurm.conf", []byte(thousandLines()))
	byHand, grammarly := time.Hour, time.Hour
	for range 5 {
		begun := time.Now()
		parseTree(f)
		between := time.Now()
		x := newLexed(f.Text)
		for _, ok := x.next(); ok; _, ok = x.next() {
			byGrammar(t, f, x.tokens)
			x.tokens = x.tokens[:0]
		}
		byHand, grammarly = min(byHand, between.Sub(begun)), min(grammarly, time.Since(between))
	}
	ratio := float64(grammarly) / float64(byHand)
	t.Logf("%v, by the grammar %v: %.0f times as long", byHand, grammarly, ratio)
	const least = 20
	if ratio < least {
		t.Errorf("the grammar takes %.1f times as long, and took twice %d", ratio, least)
	}
}

// thousandLines is a slurm.conf as a program writes it for a large cluster: 40 settings, 900 nodes, 60 partitions.
func thousandLines() string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "PriorityWeightAge=%d\n", i)
	}
	for i := range 900 {
		fmt.Fprintf(&b, "NodeName=n%04d CPUs=64 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=256000 Gres=gpu:4 "+
			"Feature=rome,ib Weight=%d State=UNKNOWN\n", i, i%7+1)
	}
	for i := range 60 {
		fmt.Fprintf(&b, "PartitionName=p%02d Nodes=n[%04d-%04d] Default=NO MaxTime=7-00:00:00 DefaultTime=01:00:00 "+
			"PriorityTier=%d "+
			"PriorityJobFactor=%d State=UP AllowAccounts=a%d,b%d\n", i, i*15, i*15+14, i%5+1, i, i, i)
	}
	return b.String()
}

// TestVerbatim: a line that is in the file as it is read is the line that the general way makes
// of it.
func TestVerbatim(t *testing.T) {
	draws.Check(t, func(r *rapid.T) {
		text := []byte(rapid.StringOfN(rapid.SampledFrom([]rune("a=# \\\n\t")), 0, 20, -1).Draw(r, "text"))
		for pos := 0; pos < len(text); {
			l := nextLogicalLine(text, pos)
			if l.from == nil {
				general := logicalLine{start: l.start}
				general.unescape(text, l.start, l.start+len(l.text))
				if string(general.text) != string(l.text) {
					r.Fatalf("%q: %q is read as %q", text, general.text, l.text)
				}
				for i := range l.text {
					if general.rawAt(i) != l.rawAt(i) || general.rawEnd(i+1) != l.rawEnd(i+1) {
						r.Fatalf("%q: byte %d stands elsewhere", text, i)
					}
				}
			}
			pos = l.end
		}
	})
}

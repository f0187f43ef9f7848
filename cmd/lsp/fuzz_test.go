package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/fairway-sched/fairway/compiler/editor"
)

// pieces are what the fuzzer types: what the readers look for, and what editors count in a way of their own.
var pieces = []string{"", "\n", "\r\n", "\r", "\t", " ", "#", "\\\n", "=", ",", "'", `"`, "[", "]", "{", "}", "(", ")",
	":", "é", "🐢", "\u202e", "\x00", "\xff", "NodeName=", "PartitionName=p Nodes=", "n[1-9]", "Account - 'a'",
	"Parent - 'root'",
	"USERCFG[x] ", "QDEF=", "policy \"p\" {\n", "factor = \"", "job.", "param.", "define.", "<<-CEL\n", "CEL\n", "math.",
	"SchedulerParameters=bf_", "Include x.conf", "params = {", "7-0", "UNLIMITED", "job.account == 'a' ", "${",
	"limit \"x\" { "}

// texts are the files of the scripts, by name and text.
func texts(t testing.TB) (list [][2]string) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			if file.Name != "script" && file.Name != "answers" {
				list = append(list, [2]string{file.Name, string(file.Data)})
			}
		}
	}
	return append(list, [2]string{"slurm.conf", ""}, [2]string{"x.txt", "hello"}, [2]string{"gres.conf", "Name=gpu\n"})
}

// FuzzRequests sends random documents, edits and places through every request. No answer fails, the server's text stays
// that of the editor, and every place is in the text.
func FuzzRequests(f *testing.F) {
	for i, one := range texts(f) {
		f.Add(uint64(i), one[0], one[1])
	}
	f.Fuzz(func(t *testing.T, seed uint64, name, text string) {
		if len(text) > 20_000 || !utf8.ValidString(name) || strings.Contains(name, "/") {
			return
		}
		typeAnything(t, seed, name, text, 2)
	})
}

// TestTyping does the same from many seeds.
func TestTyping(t *testing.T) {
	seeds := uint64(4)
	if os.Getenv("FAIRWAY_LONG") != "" {
		seeds = 30
	}
	for _, one := range texts(t) {
		for seed := range seeds {
			typeAnything(t, seed, one[0], one[1], 6)
		}
	}
}

func typeAnything(t *testing.T, seed uint64, name, text string, changes int) {
	text = strings.ToValidUTF8(text, "\ufffd") // as JSON has it
	s := newSession(Options{Disk: fstest.MapFS{
		"etc/slurm/slurm.conf": {Data: []byte("ClusterName=c\nPartitionName=p Nodes=n1\nInclude x.conf\n")},
		"etc/slurm/assoc.cfg":  {Data: []byte("Cluster - 'c'\nParent - 'root'\nAccount - 'a'\n")},
	}})
	s.stopped = true // no lint of its own: it is asked for here
	random := rand.New(rand.NewPCG(seed, 1))
	typist := &typist{t: t, s: s, random: random, path: folder + name, text: utf16.Encode([]rune(text))}
	ids := slices.Sorted(maps.Keys(editor.LanguageIDs()))
	id := append(ids, "plaintext", "")[random.IntN(len(ids)+2)]
	typist.do("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uriOf(typist.path),
		"languageId": id, "version": 1, "text": text}})
	for range changes {
		typist.change()
		typist.askAll()
	}
	s.newCheck(s.work.Document(typist.path)).Run()
}

// typist is an editor that types anything.
type typist struct {
	t      *testing.T
	s      *session
	random *rand.Rand
	path   string
	text   []uint16
}

func (y *typist) do(method string, params any) json.RawMessage {
	data, err := json.Marshal(params)
	if err != nil {
		y.t.Fatal(err)
	}
	result, err := y.s.answer(method, data)
	if err != nil {
		if strings.Contains(err.Error(), " failed: ") {
			y.t.Fatal(err)
		}
		return nil
	}
	if data, err = json.Marshal(result); err != nil {
		y.t.Fatal(err)
	}
	return data
}

// place is anywhere, also where there is no text.
func (y *typist) place() position {
	if y.random.IntN(20) == 0 {
		return position{y.random.IntN(2000) - 100, y.random.IntN(2000) - 100}
	}
	c := client{text: map[string][]uint16{"": y.text}}
	return c.position("", y.random.IntN(len(y.text)+1))
}

// change types a piece over a part of the text, and looks whether the server has the same text.
func (y *typist) change() {
	var changes []any
	for range 1 + y.random.IntN(3) {
		start := y.random.IntN(len(y.text) + 1)
		end := min(len(y.text), start+y.random.IntN(8))
		for start > 0 && start < len(y.text) && !y.between(start) {
			start--
		}
		for end > 0 && end < len(y.text) && !y.between(end) {
			end++
		}
		c := client{text: map[string][]uint16{"": y.text}}
		piece := strings.ToValidUTF8(pieces[y.random.IntN(len(pieces))], "\ufffd")
		changes = append(changes, map[string]any{"text": piece,
			"range": textRange{c.position("", start), c.position("", end)}})
		y.text = slices.Concat(y.text[:start], utf16.Encode([]rune(piece)), y.text[end:])
	}
	y.do("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uriOf(y.path), "version": 2},
		"contentChanges": changes})
	if got, want := string(y.s.work.Document(y.path).File.Text), string(utf16.Decode(y.text)); got != want {
		y.t.Fatalf("the server has %q, the editor %q", got, want)
	}
}

// between reports a place that an editor may name: not within a character or a line end.
func (y *typist) between(i int) bool {
	surrogate := utf16.IsSurrogate(rune(y.text[i-1])) && utf16.IsSurrogate(rune(y.text[i])) && y.text[i] >= 0xdc00
	return !surrogate && (y.text[i-1] != '\r' || y.text[i] != '\n')
}

// askAll sends every request of the table, and looks whether what comes back fits the text.
func (y *typist) askAll() {
	d := y.s.work.Document(y.path)
	for _, method := range slices.Sorted(maps.Keys(requests())) {
		if method == "textDocument/codeAction" && y.random.IntN(4) > 0 { // it lints, which takes most of the time
			continue
		}
		if method == "shutdown" || method == "exit" || strings.HasPrefix(method, "textDocument/did") {
			continue
		}
		at := y.place()
		result := y.do(method, map[string]any{"textDocument": textDocument{uriOf(y.path)}, "position": at,
			"range": textRange{at, y.place()}, "newName": "other",
			"context": map[string]any{"includeDeclaration": true, "only": []string{"source", "quickfix"}[:y.random.IntN(3)]}})
		var any any
		if err := json.Unmarshal(result, &any); len(result) > 0 && err != nil {
			y.t.Fatal(err)
		}
		y.inside(method, any)
	}
	for _, e := range d.Format() {
		y.fits(e.Range, "formatting")
	}
}

// inside looks for ranges in an answer, each of which is in the text; those of other files are not looked at.
func (y *typist) inside(method string, v any) {
	switch x := v.(type) {
	case []any:
		for _, one := range x {
			y.inside(method, one)
		}
	case map[string]any:
		if uri, ok := x["uri"].(string); ok && uri != uriOf(y.path) {
			return
		}
		for key, one := range x {
			if strings.HasPrefix(key, "file:") && key != uriOf(y.path) {
				continue
			}
			y.inside(method, one)
		}
		if start, ok := x["start"].(map[string]any); ok {
			end := x["end"].(map[string]any)
			number := func(m map[string]any, key string) int { return int(m[key].(float64)) }
			y.fits(editor.Range{Start: editor.Position{Line: number(start, "line"), Column: number(start, "character")},
				End: editor.Position{Line: number(end, "line"), Column: number(end, "character")}}, method)
		}
	}
}

func (y *typist) fits(r editor.Range, method string) {
	d := y.s.work.Document(y.path)
	for _, p := range []editor.Position{r.Start, r.End} {
		if d.Position(d.Offset(p)) != p {
			y.t.Fatalf("%s: %v is no place of the text", method, p)
		}
	}
	if d.Offset(r.End) < d.Offset(r.Start) {
		y.t.Fatalf("%s: %v ends before it begins", method, r)
	}
}

// FuzzStream sends random bytes: a session ends, and says why where they are no protocol.
func FuzzStream(f *testing.F) {
	for _, text := range []string{"", "\r\n", "Content-Length: 2\r\n\r\n{}", "content-length:4\n\nnull",
		"Content-Length: 99\r\n\r\n{}", "Content-Length: -1\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n",
		"Content-Type: x\r\nContent-Length: 1\r\n\r\n[",
		"GET / HTTP/1.1\r\n\r\n", "Content-Length: 46\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}",
		"Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(_ *testing.T, text []byte) {
		_ = Serve(context.Background(), bytes.NewReader(text), io.Discard, Options{Disk: fstest.MapFS{}})
	})
}

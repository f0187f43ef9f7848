package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf16"

	"github.com/sourcegraph/jsonrpc2"
	"golang.org/x/tools/txtar"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/editor"
)

// client is an editor: it keeps its own texts, as lists of UTF-16 units, and sends what changes in them.
type client struct {
	t    testing.TB
	conn *jsonrpc2.Conn
	end  chan error

	text    map[string][]uint16
	version map[string]int

	sync.Mutex
	news  *sync.Cond
	found map[string]publishDiagnostics
	shown []string // messages
}

const folder = "/etc/slurm/"

// start runs a server over pipes, on a disk with these files.
func start(t testing.TB, files map[string]string) *client {
	disk := fstest.MapFS{}
	for name, text := range files {
		disk[strings.TrimPrefix(folder, "/")+name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return connect(t, disk)
}

func connect(t testing.TB, disk fs.FS) *client {
	c := &client{t: t, text: map[string][]uint16{}, version: map[string]int{}, end: make(chan error, 1),
		found: map[string]publishDiagnostics{}}
	c.news = sync.NewCond(&c.Mutex)
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	go func() {
		err := Serve(context.Background(), toServer, fromServer, Options{Version: "test", Disk: disk,
			Queue: editor.Queue{Observe: func(text string, in compiler.Input) string {
				return fmt.Sprintf("%q beside %d files", text, len(in.Files))
			}}})
		_ = fromServer.Close()
		c.end <- err
	}()
	stream := jsonrpc2.NewBufferedStream(pipes{toClient, fromClient}, jsonrpc2.VSCodeObjectCodec{})
	c.conn = jsonrpc2.NewConn(context.Background(), stream, handlerFunc(c.told), jsonrpc2.SetLogger(silent{}))
	t.Cleanup(func() { _ = c.conn.Close() })
	c.call("initialize", map[string]any{"capabilities": map[string]any{}}, nil)
	c.notify("initialized", map[string]any{})
	return c
}

type pipes struct {
	io.Reader
	io.WriteCloser
}

func (c *client) told(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) {
	c.Lock()
	defer c.Unlock()
	switch req.Method {
	case "textDocument/publishDiagnostics":
		var p publishDiagnostics
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			c.t.Error(err)
		}
		c.found[p.URI] = p
	case "window/showMessage":
		c.shown = append(c.shown, string(*req.Params))
	}
	c.news.Broadcast()
}

func (c *client) call(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return c.conn.Call(ctx, method, params, result)
}

func (c *client) notify(method string, params any) {
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) open(name, language, text string) {
	c.text[name] = utf16.Encode([]rune(text))
	c.version[name] = 1
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uriOf(folder + name),
		"languageId": language, "version": 1, "text": text}})
}

// replace types new in the place of units of the text.
func (c *client) replace(name string, start, end int, text string) {
	change := map[string]any{"range": textRange{c.position(name, start), c.position(name, end)}, "text": text}
	old := c.text[name]
	c.text[name] = slices.Concat(old[:start], utf16.Encode([]rune(text)), old[end:])
	c.version[name]++
	c.notify("textDocument/didChange", map[string]any{"contentChanges": []any{change},
		"textDocument": map[string]any{"uri": uriOf(folder + name), "version": c.version[name]}})
}

// position is where a unit is, by the protocol's lines.
func (c *client) position(name string, unit int) (p position) {
	text := c.text[name]
	for i := range unit {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			p = position{p.Line + 1, 0}
		} else {
			p.Character++
		}
	}
	return p
}

// unit is the opposite of position.
func (c *client) unit(name string, p position) int {
	for i := range c.text[name] {
		if c.position(name, i) == p {
			return i
		}
	}
	return len(c.text[name])
}

// find is the first place of a text; a bar in it is the cursor, which else is at its beginning.
func (c *client) find(name, anchor string) int {
	before, after, _ := strings.Cut(strings.ReplaceAll(anchor, `\n`, "\n"), "|")
	text := string(utf16.Decode(c.text[name]))
	at := strings.Index(text, before+after)
	if at < 0 {
		c.t.Fatalf("%s has no %q", name, anchor)
	}
	return len(utf16.Encode([]rune(text[:at+len(before)])))
}

func (c *client) about(name string, at int) map[string]any {
	return map[string]any{"textDocument": textDocument{uriOf(folder + name)}, "position": c.position(name, at)}
}

// part is the text of a range.
func (c *client) part(name string, r textRange) string {
	start, end := c.unit(name, r.Start), c.unit(name, r.End)
	if start > end {
		return fmt.Sprintf("BACKWARDS %v", r)
	}
	return string(utf16.Decode(c.text[name][start:end]))
}

// findings waits for those of the text as it is now.
func (c *client) findings(name string) []diagnostic {
	late := time.AfterFunc(time.Minute, func() { c.t.Error("no findings of " + name); c.news.Broadcast() })
	defer late.Stop()
	c.Lock()
	defer c.Unlock()
	for !c.t.Failed() {
		p, ok := c.found[uriOf(folder+name)]
		if ok && (c.version[name] == 0 || p.Version != nil && int(*p.Version) == c.version[name]) {
			return p.Diagnostics
		}
		c.news.Wait()
	}
	return nil
}

// verbs are what a script may say: a verb, a file, and for most a place.
var verbs = map[string]func(c *client, w io.Writer, name, rest string){
	"open": func(c *client, _ io.Writer, name, language string) {
		disk := c.text[name]
		c.open(name, language, string(utf16.Decode(disk)))
	},
	"type": func(c *client, _ io.Writer, name, rest string) {
		anchor, text, _ := strings.Cut(rest, " => ")
		at := c.find(name, anchor)
		c.replace(name, at, at, strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(text))
	},
	"delete": func(c *client, _ io.Writer, name, text string) {
		at := c.find(name, text)
		c.replace(name, at, at+len(utf16.Encode([]rune(text))), "")
	},
	"text": func(c *client, w io.Writer, name, _ string) { fmt.Fprintln(w, string(utf16.Decode(c.text[name]))) },
	"findings": func(c *client, w io.Writer, name, _ string) {
		for _, d := range c.findings(name) {
			fmt.Fprintf(w, "%d:%d %q %d %s: %s\n", d.Range.Start.Line, d.Range.Start.Character, c.part(name, d.Range),
				d.Severity, d.Code, strings.ReplaceAll(d.Message, "\n", " / "))
			for _, r := range d.Related {
				fmt.Fprintf(w, "  %s %d:%d %s\n", r.Location.URI, r.Location.Range.Start.Line, r.Location.Range.Start.Character,
					r.Message)
			}
		}
	},
	"hover": func(c *client, w io.Writer, name, anchor string) {
		var h *hover
		c.must("textDocument/hover", c.about(name, c.find(name, anchor)), &h)
		if h != nil {
			fmt.Fprintf(w, "%q\n%s\n", c.part(name, h.Range), h.Contents.Value)
		}
	},
	"complete": func(c *client, w io.Writer, name, rest string) {
		anchor, prefix, _ := strings.Cut(rest, " => ")
		var list completionList
		c.must("textDocument/completion", c.about(name, c.find(name, anchor)), &list)
		for _, i := range list.Items {
			if strings.HasPrefix(i.Label, prefix) {
				fmt.Fprintf(w, "%s (%s) writes %q for %q\n", i.Label, i.Detail, i.TextEdit.NewText,
					c.part(name, i.TextEdit.Range))
			}
		}
	},
	"definition": placesOf("textDocument/definition"),
	"references": placesOf("textDocument/references"),
	"rename": func(c *client, w io.Writer, name, rest string) {
		anchor, to, _ := strings.Cut(rest, " => ")
		p := c.about(name, c.find(name, anchor))
		var at prepareRename
		if err := c.call("textDocument/prepareRename", p, &at); err != nil {
			fmt.Fprintln(w, err)
			return
		}
		fmt.Fprintf(w, "of %q\n", at.Placeholder)
		p["newName"] = to
		var edit workspaceEdit
		if err := c.call("textDocument/rename", p, &edit); err != nil {
			fmt.Fprintln(w, err)
			return
		}
		c.apply(w, edit)
	},
	"symbols": func(c *client, w io.Writer, name, _ string) {
		var list []documentSymbol
		c.must("textDocument/documentSymbol", c.about(name, 0), &list)
		c.symbols(w, name, "", list)
	},
	"folds": func(c *client, w io.Writer, name, _ string) {
		var list []foldingRange
		c.must("textDocument/foldingRange", c.about(name, 0), &list)
		for _, f := range list {
			fmt.Fprintf(w, "%d-%d %s\n", f.StartLine, f.EndLine, f.Kind)
		}
	},
	"format": func(c *client, w io.Writer, name, _ string) {
		var list []textEdit
		c.must("textDocument/formatting", c.about(name, 0), &list)
		c.apply(w, workspaceEdit{map[string][]textEdit{uriOf(folder + name): list}})
	},
	"fixes": func(c *client, w io.Writer, name, anchor string) {
		p := c.about(name, 0)
		at := c.position(name, c.find(name, anchor))
		p["range"] = textRange{at, at}
		var list []codeAction
		c.must("textDocument/codeAction", p, &list)
		for _, a := range list {
			fmt.Fprintf(w, "%s: %s (%s)\n", a.Kind, a.Title, a.Diagnostics[0].Code)
		}
	},
	"fix": func(c *client, w io.Writer, name, anchor string) {
		p := c.about(name, 0)
		at := c.position(name, c.find(name, anchor))
		p["range"] = textRange{at, at}
		var list []codeAction
		c.must("textDocument/codeAction", p, &list)
		if len(list) == 0 {
			fmt.Fprintln(w, "no fix")
			return
		}
		c.apply(w, *list[0].Edit)
	},
	"fixall": func(c *client, w io.Writer, name, _ string) {
		p := c.about(name, 0)
		p["context"] = map[string]any{"only": []string{"source.fixAll"}}
		var list []codeAction
		c.must("textDocument/codeAction", p, &list)
		if len(list) == 0 {
			fmt.Fprintln(w, "no fix")
			return
		}
		c.apply(w, *list[0].Edit)
	},
	"hints": func(c *client, w io.Writer, name, _ string) {
		p := c.about(name, 0)
		p["range"] = textRange{End: c.position(name, len(c.text[name]))}
		var list []inlayHint
		c.must("textDocument/inlayHint", p, &list)
		for _, h := range list {
			line := textRange{position{h.Position.Line, 0}, h.Position}
			fmt.Fprintf(w, "%s <%s>\n", c.part(name, line), h.Label)
		}
	},
	"colours": func(c *client, w io.Writer, name, _ string) {
		var list semanticTokens
		c.must("textDocument/semanticTokens/full", c.about(name, 0), &list)
		at := position{}
		for i := 0; i+4 < len(list.Data); i += 5 {
			if list.Data[i] > 0 {
				at = position{at.Line + list.Data[i], 0}
			}
			at.Character += list.Data[i+1]
			fmt.Fprintf(w, "%q %s\n", c.part(name, textRange{at, position{at.Line, at.Character + list.Data[i+2]}}),
				colourName(list.Data[i+3]))
		}
	},
}

func placesOf(method string) func(c *client, w io.Writer, name, anchor string) {
	return func(c *client, w io.Writer, name, anchor string) {
		p := c.about(name, c.find(name, anchor))
		p["context"] = map[string]any{"includeDeclaration": true}
		var list []location
		c.must(method, p, &list)
		for _, l := range list {
			of := strings.TrimPrefix(pathOf(l.URI), folder)
			fmt.Fprintf(w, "%s:%d:%d %q\n", of, l.Range.Start.Line, l.Range.Start.Character, c.part(of, l.Range))
		}
	}
}

func (c *client) must(method string, params, result any) {
	if err := c.call(method, params, result); err != nil {
		c.t.Errorf("%s: %v", method, err)
	}
}

func (c *client) symbols(w io.Writer, name, indent string, list []documentSymbol) {
	for _, s := range list {
		fmt.Fprintf(w, "%s%s (%s) at %q\n", indent, s.Name, s.Detail, c.part(name, s.SelectionRange))
		c.symbols(w, name, indent+"  ", s.Children)
	}
}

// apply makes edits, from the last to the first, and prints the lines that they touch.
func (c *client) apply(w io.Writer, edit workspaceEdit) {
	for _, uri := range slices.Sorted(maps.Keys(edit.Changes)) {
		name := strings.TrimPrefix(pathOf(uri), folder)
		list := edit.Changes[uri]
		slices.SortFunc(list, func(a, b textEdit) int { return c.unit(name, b.Range.Start) - c.unit(name, a.Range.Start) })
		for _, e := range list {
			at := e.Range.Start
			fmt.Fprintf(w, "%s %d:%d %q becomes %q\n", name, at.Line, at.Character, c.part(name, e.Range), e.NewText)
			c.replace(name, c.unit(name, e.Range.Start), c.unit(name, e.Range.End), e.NewText)
		}
	}
}

// play runs the lines of a script and gives what comes out.
func play(t testing.TB, archive *txtar.Archive) string {
	files, script := map[string]string{}, ""
	for _, f := range archive.Files {
		switch f.Name {
		case "script":
			script = string(f.Data)
		case "answers":
		default:
			files[f.Name] = strings.NewReplacer("␍", "\r", "␉", "\t").Replace(string(f.Data))
		}
	}
	c := start(t, files)
	for name, text := range files {
		c.text[name] = utf16.Encode([]rune(text))
	}
	var out strings.Builder
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		verb, rest, _ := strings.Cut(line, " ")
		name, rest, _ := strings.Cut(rest, " ")
		do := verbs[verb]
		if do == nil {
			t.Fatalf("there is no verb %q", verb)
		}
		if !slices.Contains([]string{"open", "type", "delete"}, verb) {
			fmt.Fprintf(&out, "> %s\n", line)
		}
		do(c, &out, name, rest)
	}
	c.must("shutdown", nil, nil)
	c.notify("exit", nil)
	if err := <-c.end; err != nil {
		t.Error(err)
	}
	for _, text := range c.shown {
		t.Error(text)
	}
	return out.String()
}

// What weights decide is worked out after lint, and the editor is asked to fetch hints again; a text that has changed
// since has none of the old ones.
func TestWeights(t *testing.T) {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	end := make(chan error, 1)
	weigh := func(in compiler.Input) []editor.Weight {
		f := in.Files[0]
		at := strings.IndexByte(string(f.Text), '=') + 1
		return []editor.Weight{{At: f.Span(at, len(f.Text)-1), Text: "decides 3 of 4 ranks"}}
	}
	go func() {
		err := Serve(context.Background(), toServer, fromServer, Options{Disk: fstest.MapFS{}, Rest: time.Hour,
			Queue: editor.Queue{Weigh: weigh}})
		_ = fromServer.Close()
		end <- err
	}()
	c := &client{t: t, text: map[string][]uint16{}, version: map[string]int{}, found: map[string]publishDiagnostics{}}
	refresh := make(chan bool, 9)
	stream := jsonrpc2.NewBufferedStream(pipes{toClient, fromClient}, jsonrpc2.VSCodeObjectCodec{})
	c.conn = jsonrpc2.NewConn(context.Background(), stream,
		handlerFunc(func(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
			if req.Method == "workspace/inlayHint/refresh" {
				_ = conn.Reply(ctx, req.ID, nil)
				refresh <- true
			}
		}), jsonrpc2.SetLogger(silent{}))
	t.Cleanup(func() { _ = c.conn.Close() })
	c.must("initialize", map[string]any{"capabilities": map[string]any{"workspace": map[string]any{
		"inlayHint": map[string]any{"refreshSupport": true}}}}, nil)
	c.notify("initialized", map[string]any{})
	c.open("slurm.conf", "slurmconf", "PriorityWeightAge=7\n")
	hints := func() (list []inlayHint) {
		c.must("textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": uriOf(folder + "slurm.conf")},
			"range": textRange{position{0, 0}, position{9, 0}}}, &list)
		return list
	}
	select {
	case <-refresh:
	case <-time.After(time.Minute):
		t.Fatal("the editor is not asked to fetch hints")
	}
	if list := hints(); len(list) != 1 || list[0].Label != "decides 3 of 4 ranks" ||
		list[0].Position != (position{0, 19}) {
		t.Errorf("the hints are %+v", list)
	}
	c.replace("slurm.conf", 0, 0, "# ")
	if list := hints(); len(list) != 0 {
		t.Errorf("a changed text has the hints %+v", list)
	}
	c.must("shutdown", nil, nil)
	c.notify("exit", nil)
	if err := <-end; err != nil {
		t.Error(err)
	}
}

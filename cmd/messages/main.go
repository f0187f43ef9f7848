// Command messages lists what diagnostics say: each code with its messages and notes, as the source has them. It writes
// the table that `fairway doc messages` prints.
//
// In: the Go files below a folder. Out: a line for each text. Called by go generate.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag/pages"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: messages ROOT FILE")
		os.Exit(2)
	}
	text, err := collect(os.DirFS(os.Args[1]))
	if err == nil {
		err = os.WriteFile(os.Args[2], text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "messages:", err)
		os.Exit(1)
	}
}

// collect lists the texts of all Go files outside tests, by code.
func collect(root fs.FS) ([]byte, error) {
	c := &collector{texts: map[string][]*message{}, checks: map[string]string{}, names: map[string]string{}}
	for _, code := range pages.Codes() {
		c.texts[code] = nil
	}
	var files []*ast.File
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		base := filepath.Base(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "testdata" || base == "conformance"):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		files = append(files, file)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, look := range []func(ast.Node) bool{c.constants, c.rules} {
		for _, file := range files {
			ast.Inspect(file, look)
		}
	}
	for _, file := range files {
		for _, decl := range file.Decls {
			c.of(decl)
		}
	}
	return c.table(), nil
}

type collector struct {
	texts  map[string][]*message // by code, in the order of the source
	checks map[string]string     // functions of lint's rules, and the code of each
	names  map[string]string     // constants that are codes
}

// message is one text of a code, with the notes that are chained to it.
type message struct {
	text  string
	notes []string
}

// constants notes the names of codes.
func (c *collector) constants(n ast.Node) bool {
	spec, ok := n.(*ast.ValueSpec)
	if !ok {
		return true
	}
	for i, name := range spec.Names {
		if i < len(spec.Values) && c.known(c.constant(spec.Values[i])) {
			c.names[name.Name] = c.constant(spec.Values[i])
		}
	}
	return true
}

// rules notes the functions that tables of rules name beside a code.
func (c *collector) rules(n ast.Node) bool {
	lit, ok := n.(*ast.CompositeLit)
	if !ok {
		return true
	}
	code, check := "", ""
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if s := c.constant(e); c.known(s) {
			code = s
		}
		switch f := e.(type) {
		case *ast.Ident:
			check = f.Name
		case *ast.SelectorExpr:
			check = f.Sel.Name
		}
	}
	if code != "" && check != "" {
		c.checks[check] = code
	}
	return true
}

func (c *collector) known(code string) bool {
	_, ok := c.texts[code]
	return ok
}

// of lists what a declaration reports: calls with a code and a text, and notes that are chained to them. In the
// function of a rule a text without a code is of that rule.
func (c *collector) of(decl ast.Decl) {
	rule := ""
	if f, ok := decl.(*ast.FuncDecl); ok {
		rule = c.checks[f.Name.Name]
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if code, text := c.report(call, rule); code != "" {
			c.add(code, text)
		}
		of, note := c.noteOf(call)
		for ; of != nil; of = receiver(of) {
			if code, text := c.report(of, rule); code != "" {
				m := c.add(code, text)
				m.notes = slices.Insert(m.notes, 0, note) // of a chain the last call is met first
				break
			}
		}
		return true
	})
}

// report is the code and the text of a call that reports something.
func (c *collector) report(call *ast.CallExpr, rule string) (code, text string) {
	if name := called(call); name == "Note" || name == "NoteAt" || name == "failf" {
		return "", ""
	}
	for _, arg := range call.Args {
		s := c.constant(arg)
		switch {
		case code == "" && c.known(s):
			code = s
		case strings.Contains(s, " ") && text == "":
			text = s
		}
	}
	if code == "" && rule != "" && strings.Contains(strings.ToLower(called(call)), "report") {
		code = rule
	}
	if text == "" {
		return "", ""
	}
	return code, text
}

// noteOf is the call that a note is chained to.
func (c *collector) noteOf(call *ast.CallExpr) (of *ast.CallExpr, text string) {
	if name := called(call); name != "Note" && name != "NoteAt" {
		return nil, ""
	}
	for _, arg := range call.Args {
		if s := c.constant(arg); s != "" {
			return receiver(call), s
		}
	}
	return nil, ""
}

// receiver is the call whose result a method is called on.
func receiver(call *ast.CallExpr) *ast.CallExpr {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	of, _ := sel.X.(*ast.CallExpr)
	return of
}

func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// constant is the text of a literal or of several that are added up; what is computed in it is "…".
func (c *collector) constant(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return s
		}
	case *ast.Ident:
		return c.names[e.Name]
	case *ast.ParenExpr:
		return c.constant(e.X)
	case *ast.BinaryExpr:
		a, b := c.constant(e.X), c.constant(e.Y)
		switch {
		case e.Op != token.ADD || a+b == "":
			return ""
		case a == "":
			return "…" + b
		case b == "":
			return a + "…"
		}
		return a + b
	}
	return ""
}

// add finds the message of a code, or adds it.
func (c *collector) add(code, text string) *message {
	for _, m := range c.texts[code] {
		if m.text == text {
			return m
		}
	}
	m := &message{text: text}
	c.texts[code] = append(c.texts[code], m)
	return m
}

// table has a line for each code, below it one for each message, and below that one for each note. A code whose messages
// are made elsewhere has what its page says.
func (c *collector) table() []byte {
	var b bytes.Buffer
	line := func(depth int, text string) {
		b.WriteString(strings.Repeat("\t", depth) + strings.ReplaceAll(text, "\n", `\n`) + "\n")
	}
	for _, page := range pages.In("") {
		line(0, page.Code)
		if len(c.texts[page.Code]) == 0 {
			line(1, "("+page.What+")")
		}
		for _, m := range c.texts[page.Code] {
			line(1, m.text)
			seen := map[string]bool{}
			for _, note := range m.notes {
				if !seen[note] {
					line(2, note)
				}
				seen[note] = true
			}
		}
	}
	return b.Bytes()
}

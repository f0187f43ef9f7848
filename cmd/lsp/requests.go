package lsp

import (
	"encoding/json"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/fairway-sched/fairway/compiler/editor"
	"github.com/fairway-sched/fairway/compiler/lint/report"
	"github.com/fairway-sched/fairway/lang/diag"
)

// answer is one request: parameters in, result out.
type answer func(*session, json.RawMessage) (any, error)

// requests is the table of all messages that are understood.
func requests() map[string]answer {
	return map[string]answer{
		"initialize":  with((*session).initialize),
		"initialized": ignored,
		"shutdown":    with((*session).shutdown),
		"exit":        with((*session).exit),

		"textDocument/didOpen":            with((*session).didOpen),
		"textDocument/didChange":          with((*session).didChange),
		"textDocument/didSave":            with((*session).didSave),
		"textDocument/didClose":           with((*session).didClose),
		"workspace/didChangeWatchedFiles": with((*session).filesChanged),

		"textDocument/hover":               about((*session).hover),
		"textDocument/completion":          about((*session).completion),
		"textDocument/definition":          about((*session).definition),
		"textDocument/references":          about((*session).references),
		"textDocument/documentHighlight":   about((*session).highlight),
		"textDocument/prepareRename":       about((*session).prepareRename),
		"textDocument/rename":              about((*session).rename),
		"textDocument/documentSymbol":      about((*session).symbols),
		"textDocument/foldingRange":        about((*session).folding),
		"textDocument/formatting":          about((*session).formatting),
		"textDocument/codeAction":          about((*session).actions),
		"textDocument/inlayHint":           about((*session).hints),
		"textDocument/semanticTokens/full": about((*session).tokens),
	}
}

// capabilities are what the editor may ask for; the table above has an answer to each.
func capabilities() map[string]any {
	return map[string]any{
		"positionEncoding":           "utf-16",
		"textDocumentSync":           map[string]any{"openClose": true, "change": 2, "save": true},
		"hoverProvider":              true,
		"completionProvider":         map[string]any{"triggerCharacters": []string{"=", ",", ".", "[", "\""}},
		"definitionProvider":         true,
		"referencesProvider":         true,
		"documentHighlightProvider":  true,
		"renameProvider":             map[string]any{"prepareProvider": true},
		"documentSymbolProvider":     true,
		"foldingRangeProvider":       true,
		"documentFormattingProvider": true,
		"codeActionProvider":         map[string]any{"codeActionKinds": []string{"quickfix", fixAllKind}},
		"inlayHintProvider":          true,
		"semanticTokensProvider": map[string]any{"full": true,
			"legend": map[string]any{"tokenTypes": editor.ColourNames, "tokenModifiers": []string{}}},
	}
}

const fixAllKind = "source.fixAll.fairway"

// with reads the parameters of a request.
func with[P any](do func(*session, P) (any, error)) answer {
	return func(s *session, params json.RawMessage) (any, error) {
		var p P
		if len(params) > 0 {
			if err := json.Unmarshal(params, &p); err != nil {
				return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
			}
		}
		return do(s, p)
	}
}

// about is a request about a text; one that is unknown has no answer.
func about(do func(*session, *editor.Document, documentParams) (any, error)) answer {
	return with(func(s *session, p documentParams) (any, error) {
		d := s.work.Document(pathOf(p.TextDocument.URI))
		if d == nil {
			return nil, nil
		}
		return do(s, d, p)
	})
}

func ignored(*session, json.RawMessage) (any, error) { return nil, nil }

func (s *session) initialize(p initializeParams) (any, error) {
	r := initializeResult{Capabilities: capabilities()}
	r.ServerInfo.Name, r.ServerInfo.Version = "fairway", s.opt.Version
	s.refreshes = p.Capabilities.Workspace.InlayHint.RefreshSupport
	var given options
	if err := json.Unmarshal(p.Options, &given); err != nil {
		given = options{}
	}
	if name := given.Snapshot; name != "" && s.opt.Snapshot != nil {
		queue, err := s.opt.Snapshot(name)
		if err != nil {
			s.say("the snapshot cannot be read: " + err.Error())
		} else {
			s.work.Queue = queue
		}
	}
	return r, nil
}

func (s *session) shutdown(struct{}) (any, error) {
	s.shut = true
	return nil, nil
}

func (s *session) exit(struct{}) (any, error) {
	s.exited = true
	return nil, nil
}

func (s *session) didOpen(p didOpenParams) (any, error) {
	name := pathOf(p.TextDocument.URI)
	s.work.Open(name, p.TextDocument.LanguageID, p.TextDocument.Version, p.TextDocument.Text)
	s.touched(name, 0)
	return nil, nil
}

func (s *session) didChange(p didChangeParams) (any, error) {
	name := pathOf(p.TextDocument.URI)
	var edits []editor.Edit
	for _, c := range p.ContentChanges {
		if c.Range != nil {
			edits = append(edits, editor.Edit{Range: rangeOf(*c.Range), Text: c.Text})
			continue
		}
		s.work.Replace(name, p.TextDocument.Version, c.Text)
		edits = nil
	}
	s.work.Change(name, p.TextDocument.Version, edits)
	s.touched(name, s.opt.Rest)
	return nil, nil
}

func (s *session) didSave(p documentParams) (any, error) {
	s.touched(pathOf(p.TextDocument.URI), 0)
	return nil, nil
}

func (s *session) didClose(p documentParams) (any, error) {
	name := pathOf(p.TextDocument.URI)
	s.work.Close(name)
	s.rests(name)
	delete(s.checks, name)
	delete(s.published, name)
	s.send(name, nil)
	return nil, nil
}

// filesChanged lints what is open again: a file of the disk that it goes with has changed.
func (s *session) filesChanged(struct{}) (any, error) {
	for _, d := range s.work.Opened() {
		s.touched(d.Path, s.opt.Rest)
	}
	return nil, nil
}

func (s *session) hover(d *editor.Document, p documentParams) (any, error) {
	at := positionOf(p.Position)
	h := s.work.Hover(d, at)
	found := ""
	if c := s.checks[d.Path]; c != nil && slices.Contains(c.Group.All(), d) {
		found = c.Explain(d.Path, at)
	}
	switch {
	case h == nil && found == "":
		return nil, nil
	case h == nil:
		here := positioned(d.Position(d.Offset(at)))
		return hover{markup{"markdown", found}, textRange{here, here}}, nil
	case found != "":
		h.Text += "\n\n---\n\n" + found
	}
	return hover{markup{"markdown", h.Text}, ranged(h.Range)}, nil
}

// itemKinds are the protocol's numbers, by editor.ItemKind: property, value, reference, field, function, struct,
// keyword.
var itemKinds = []int{10, 12, 18, 5, 3, 22, 14}

func (s *session) completion(d *editor.Document, p documentParams) (any, error) {
	items, more := s.work.Complete(d, positionOf(p.Position))
	list := completionList{IsIncomplete: more, Items: []completionItem{}}
	for _, i := range items {
		item := completionItem{Label: i.Label, Kind: itemKinds[i.Kind], Detail: i.Detail, FilterText: i.Label,
			TextEdit: textEdit{ranged(i.Range), i.Insert}}
		if i.Insert == "" {
			item.TextEdit.NewText = i.Label
		}
		if i.Doc != "" {
			item.Documentation = &markup{"markdown", i.Doc}
		}
		list.Items = append(list.Items, item)
	}
	return list, nil
}

func (s *session) definition(d *editor.Document, p documentParams) (any, error) {
	return locations(s.work.Definition(d, positionOf(p.Position))), nil
}

func (s *session) references(d *editor.Document, p documentParams) (any, error) {
	return locations(s.work.References(d, positionOf(p.Position), p.Context.IncludeDeclaration)), nil
}

func (s *session) highlight(d *editor.Document, p documentParams) (any, error) {
	list := []documentHighlight{}
	for _, place := range s.work.Highlights(d, positionOf(p.Position)) {
		list = append(list, documentHighlight{ranged(place.Range)})
	}
	return list, nil
}

func (s *session) prepareRename(d *editor.Document, p documentParams) (any, error) {
	at, name, err := s.work.Renamable(d, positionOf(p.Position))
	if err != nil {
		return nil, invalid(err)
	}
	return prepareRename{ranged(at), name}, nil
}

func (s *session) rename(d *editor.Document, p documentParams) (any, error) {
	edits, err := s.work.Rename(d, positionOf(p.Position), p.NewName)
	if err != nil {
		return nil, invalid(err)
	}
	return changes(edits), nil
}

// invalid is a request that cannot be met, which the editor shows.
func invalid(err error) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
}

// symbolKinds are the protocol's numbers, by editor.SymbolKind: property, object, namespace, function.
var symbolKinds = []int{7, 19, 3, 12}

func (s *session) symbols(d *editor.Document, _ documentParams) (any, error) {
	return symbols(d, d.Symbols()), nil
}

func symbols(d *editor.Document, list []editor.Symbol) []documentSymbol {
	out := []documentSymbol{}
	for _, one := range list {
		if strings.TrimSpace(one.Name) == "" {
			continue // the protocol refuses it
		}
		out = append(out, documentSymbol{Name: one.Name, Detail: one.Detail, Kind: symbolKinds[one.Kind],
			Range: ranged(d.Span(one.Span)), SelectionRange: ranged(d.Span(one.Header)), Children: symbols(d, one.Inner)})
	}
	return out
}

func (s *session) folding(d *editor.Document, _ documentParams) (any, error) {
	list := []foldingRange{}
	for _, f := range d.Folds() {
		r := d.Span(f.Span)
		if r.End.Line <= r.Start.Line {
			continue
		}
		one := foldingRange{StartLine: r.Start.Line, EndLine: r.End.Line}
		if f.Comment {
			one.Kind = "comment"
		}
		list = append(list, one)
	}
	return list, nil
}

func (s *session) formatting(d *editor.Document, _ documentParams) (any, error) {
	return textEdits(d.Format()), nil
}

func (s *session) actions(d *editor.Document, p documentParams) (any, error) {
	list := []codeAction{}
	asked := func(kind string) bool {
		return slices.ContainsFunc(p.Context.Only, func(k string) bool {
			return k == kind || strings.HasPrefix(kind, k+".")
		})
	}
	c := s.checkOf(d)
	if c == nil {
		return list, nil
	}
	if asked(fixAllKind) {
		if edits := c.FixAll(); len(edits) > 0 {
			list = append(list, codeAction{Title: "mend all that changes no meaning", Kind: fixAllKind, Edit: changes(edits)})
		}
	}
	if len(p.Context.Only) > 0 && !asked("quickfix") {
		return list, nil
	}
	for _, a := range c.Actions(d.Path, rangeOf(p.Range)) {
		list = append(list, codeAction{Title: a.Title, Kind: "quickfix", Diagnostics: []diagnostic{s.diagnostic(a.Of)},
			IsPreferred: true, Edit: changes(a.Edits)})
	}
	return list, nil
}

// checkOf is the check of the text as it is: the last one, or one that is made now.
func (s *session) checkOf(d *editor.Document) *editor.Check {
	if c := s.checks[d.Path]; c != nil && slices.Contains(c.Group.All(), d) {
		return c
	}
	c := s.newCheck(d)
	if run(c) != nil {
		return nil
	}
	s.checks[d.Path] = c
	return c
}

func (s *session) hints(d *editor.Document, p documentParams) (any, error) {
	list := []inlayHint{}
	for _, h := range s.work.Hints(d, rangeOf(p.Range)) {
		list = append(list, inlayHint{Position: positioned(d.Position(h.At)), Label: h.Text, PaddingLeft: true})
	}
	return list, nil
}

// tokens writes the words as the protocol does: five numbers each, the place counted from the word before. A word of
// several lines is one for each.
func (s *session) tokens(d *editor.Document, _ documentParams) (any, error) {
	out := semanticTokens{Data: []int{}}
	last := editor.Position{}
	d.Colours(func(at editor.Position, length int, kind editor.ColourKind) {
		column := at.Column
		if at.Line == last.Line {
			column -= last.Column
		}
		out.Data = append(out.Data, at.Line-last.Line, column, length, int(kind), 0)
		last = at
	})
	return out, nil
}

// severities are the protocol's numbers: error, warning, information.
var severities = map[diag.Severity]int{diag.Error: 1, diag.Warning: 2, diag.Info: 3}

// diagnostic is a finding as editors show it: notes without a place are in its text.
func (s *session) diagnostic(f editor.Finding) diagnostic {
	d := diagnostic{Range: ranged(f.Range), Severity: severities[f.Severity], Code: f.Code,
		CodePage: codePage{report.RulePage(f.Code)}, Source: "fairway", Message: f.Message}
	for _, n := range f.Diagnostic.Notes {
		if n.Text != "" && n.Span.IsZero() {
			d.Message += "\n" + n.Text
		}
	}
	for _, n := range f.Notes {
		d.Related = append(d.Related, related{location{uriOf(n.Path), ranged(n.Range)}, n.Text})
	}
	return d
}

func changes(edits map[string][]editor.Edit) *workspaceEdit {
	w := &workspaceEdit{Changes: map[string][]textEdit{}}
	for name, list := range edits {
		w.Changes[uriOf(name)] = textEdits(list)
	}
	return w
}

func textEdits(list []editor.Edit) []textEdit {
	out := []textEdit{}
	for _, e := range list {
		out = append(out, textEdit{ranged(e.Range), e.Text})
	}
	return out
}

func locations(list []editor.Place) []location {
	out := []location{}
	for _, p := range list {
		out = append(out, location{uriOf(p.Path), ranged(p.Range)})
	}
	return out
}

func positionOf(p position) editor.Position {
	return editor.Position{Line: p.Line, Column: p.Character}
}

func rangeOf(r textRange) editor.Range {
	return editor.Range{Start: positionOf(r.Start), End: positionOf(r.End)}
}

func positioned(p editor.Position) position { return position{p.Line, p.Column} }

func ranged(r editor.Range) textRange { return textRange{positioned(r.Start), positioned(r.End)} }

// pathOf is the file of an address; a text that is in no file goes by its address.
func pathOf(uri string) string {
	if u, err := url.Parse(uri); err == nil && u.Scheme == "file" && path.IsAbs(u.Path) {
		return path.Clean(u.Path)
	}
	return uri
}

func uriOf(name string) string {
	if !path.IsAbs(name) {
		return name
	}
	return (&url.URL{Scheme: "file", Path: name}).String()
}

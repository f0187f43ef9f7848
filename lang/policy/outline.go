package policy

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Outline is a file as it is written, for editors: blocks, attributes and texts with their places, without what they
// come to. Of a text with mistakes it has what could be read.
type Outline struct {
	Blocks []OutlineBlock
	Words  []OutlineWord // comments, numbers and texts, in their order
}

// OutlineBlock is one block with what is in it.
type OutlineBlock struct {
	Doc        *BlockDoc // nil: there is no such block here
	Type       Text
	Labels     []Text // without their quotes
	Span       source.Span
	Attributes []OutlineAttribute
	Blocks     []OutlineBlock
}

// OutlineAttribute is one attribute.
type OutlineAttribute struct {
	Name    Text
	Doc     *AttrDoc // nil: the block has no such attribute
	Value   source.Span
	CEL     *CEL   // the expression, if it is one
	Entries []Text // the names of a map's entries
	Texts   []Text // literal texts in it, without their quotes
	Reads   []Text // what it reads, such as param.NAME: the place is that of the name
}

// WordKind is a kind of word.
type WordKind int

// The kinds of words that an outline lists.
const (
	CommentWord WordKind = iota
	NumberWord
	TextWord
)

// OutlineWord is one of them.
type OutlineWord struct {
	Kind WordKind
	Span source.Span
}

// OutlineOf reads the outline of a file.
func OutlineOf(f *source.File) (out Outline) {
	e := constantEvaluator(f, new(diag.List))
	tokens, ok := e.guard()
	if !ok {
		return out
	}
	out.Words = outlineWords(e, tokens)
	e.edits = oneLine(tokens)
	parsed, _ := hclsyntax.ParseConfig(applyEdits(f.Text, e.edits), f.Name, hcl.InitialPos)
	if parsed == nil {
		return out
	}
	out.Blocks = e.outlineBlocks(parsed.Body.(*hclsyntax.Body), topLevel)
	return out
}

func outlineWords(e *evaluator, tokens hclsyntax.Tokens) (list []OutlineWord) {
	kinds := map[hclsyntax.TokenType]WordKind{
		hclsyntax.TokenComment: CommentWord, hclsyntax.TokenNumberLit: NumberWord,
		hclsyntax.TokenQuotedLit: TextWord, hclsyntax.TokenStringLit: TextWord,
	}
	for _, t := range tokens {
		if kind, ok := kinds[t.Type]; ok {
			list = append(list, OutlineWord{kind, e.span(t.Range)})
		}
	}
	return list
}

func (e *evaluator) outlineBlocks(body *hclsyntax.Body, in *BlockDoc) (list []OutlineBlock) {
	for _, b := range body.Blocks {
		out := OutlineBlock{Type: Text{b.Type, e.span(b.TypeRange)}, Span: e.span(b.Range())}
		out.Span.End = max(out.Span.End, e.span(b.CloseBraceRange).End)
		if in != nil {
			out.Doc = in.child(b.Type)
		}
		for i, l := range b.Labels {
			out.Labels = append(out.Labels, Text{l, unquoted(e.span(b.LabelRanges[i]))})
		}
		for _, a := range sortedAttributes(b.Body) {
			out.Attributes = append(out.Attributes, e.outlineAttribute(a, out.Doc))
		}
		out.Blocks = e.outlineBlocks(b.Body, out.Doc)
		list = append(list, out)
	}
	return list
}

func (e *evaluator) outlineAttribute(a *hclsyntax.Attribute, in *BlockDoc) OutlineAttribute {
	out := OutlineAttribute{Name: Text{a.Name, e.span(a.NameRange)}, Value: e.span(a.Expr.Range())}
	if in != nil {
		out.Doc = in.attribute(a.Name)
	}
	if out.Doc != nil && out.Doc.Kind != Constant {
		if t, ok := a.Expr.(*hclsyntax.TemplateExpr); ok {
			quiet := *e
			quiet.diags = new(diag.List)
			s, _ := quiet.celText(a, t, nil)
			out.CEL = s.CEL
		}
	}
	if object, ok := a.Expr.(*hclsyntax.ObjectConsExpr); ok {
		for _, item := range object.Items {
			if key, diags := item.KeyExpr.Value(nil); !diags.HasErrors() {
				if name, fault := fromCty(key); fault == "" && name.Type == schema.String {
					out.Entries = append(out.Entries, Text{name.Str, unquoted(e.span(item.KeyExpr.Range()))})
				}
			}
		}
	}
	_ = hclsyntax.VisitAll(a.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
		switch x := n.(type) {
		case *hclsyntax.TemplateExpr:
			if v, diags := x.Value(nil); x.IsStringLiteral() && !diags.HasErrors() {
				out.Texts = append(out.Texts, Text{v.AsString(), unquoted(e.span(x.SrcRange))})
			}
		case *hclsyntax.ScopeTraversalExpr:
			if len(x.Traversal) > 1 {
				if step, ok := x.Traversal[1].(hcl.TraverseAttr); ok {
					at := e.span(step.SrcRange)
					at.Start = max(at.Start, at.End-int32(len(step.Name)))
					out.Reads = append(out.Reads, Text{x.Traversal.RootName() + "." + step.Name, at})
				}
			}
		}
		return nil
	})
	return out
}

// unquoted is a place without the quotes at its ends.
func unquoted(s source.Span) source.Span {
	if text := s.Text(); len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
		return s.Sub(1, len(text)-1)
	}
	return s
}

// Cursor is what is being typed at the end of a text.
type Cursor struct {
	Block     *BlockDoc // the block around; that of the file outside of all
	Attribute *AttrDoc  // whose value it is; nil where a block or an attribute begins
	Entry     bool      // the name of an entry in a map
	Label     bool      // a label of a block
	Text      string    // of a literal text or CEL, what has been typed of it; else the word
	IsText    bool
	Known     []string // attributes that the block has before
}

// CursorAt says what is being typed at the end of a text: the beginning of a file up to the cursor.
func CursorAt(text []byte) Cursor {
	e := constantEvaluator(source.NewFile("", text), new(diag.List))
	tokens, ok := e.guard()
	if !ok {
		return Cursor{}
	}
	s := cursorScan{stack: []cursorBlock{{doc: topLevel}}}
	for i := range tokens {
		s.token(tokens[i])
	}
	return s.cursor(text)
}

type cursorBlock struct {
	doc   *BlockDoc // nil: unknown
	known []string
}

type cursorScan struct {
	stack []cursorBlock
	words hclsyntax.Tokens // of the statement so far
	depth int              // brackets open in the value
	entry bool             // a map's entry begins
	open  *hclsyntax.Token // the text that is open
	from  int              // where its content begins
	last  hclsyntax.Token
}

func (s *cursorScan) token(t hclsyntax.Token) {
	if t.Type == hclsyntax.TokenEOF {
		return
	}
	s.last = t
	switch t.Type {
	case hclsyntax.TokenComment:
		if len(s.words) > 0 && s.depth == 0 {
			s.end()
		}
		return
	case hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
		s.open, s.from = &t, t.Range.End.Byte
	case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
		s.open = nil
	}
	if s.open != nil && t.Type != hclsyntax.TokenOQuote && t.Type != hclsyntax.TokenOHeredoc {
		return
	}
	value := s.value()
	switch t.Type {
	case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen:
		if !value && t.Type == hclsyntax.TokenOBrace {
			s.enter()
			return
		}
		s.depth++
		s.entry = t.Type == hclsyntax.TokenOBrace
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen:
		if s.depth > 0 {
			s.depth--
		} else if t.Type == hclsyntax.TokenCBrace {
			s.words = nil
			s.stack = s.stack[:max(1, len(s.stack)-1)]
			return
		}
	case hclsyntax.TokenNewline, hclsyntax.TokenComma:
		if s.depth == 0 {
			s.end()
			return
		}
		s.entry = true
	case hclsyntax.TokenEqual, hclsyntax.TokenColon:
		s.entry = false
	}
	s.words = append(s.words, t)
}

// value reports that the statement is past its equals sign.
func (s *cursorScan) value() bool {
	return slices.ContainsFunc(s.words, func(t hclsyntax.Token) bool { return t.Type == hclsyntax.TokenEqual })
}

// enter opens the block that the statement begins.
func (s *cursorScan) enter() {
	doc := (*BlockDoc)(nil)
	if in := s.stack[len(s.stack)-1].doc; in != nil && len(s.words) > 0 {
		doc = in.child(string(s.words[0].Bytes))
	}
	s.stack = append(s.stack, cursorBlock{doc: doc})
	s.words = nil
}

// end finishes a statement.
func (s *cursorScan) end() {
	if s.value() {
		in := &s.stack[len(s.stack)-1]
		in.known = append(in.known, string(s.words[0].Bytes))
	}
	s.words, s.depth, s.entry = nil, 0, false
}

func (s *cursorScan) cursor(text []byte) Cursor {
	in := s.stack[len(s.stack)-1]
	c := Cursor{Block: in.doc, Known: in.known}
	if s.last.Type == hclsyntax.TokenComment && s.last.Range.End.Byte == len(text) {
		return Cursor{} // within a comment, or right after one
	}
	if s.open != nil {
		c.IsText, c.Text = true, string(text[min(s.from, len(text)):])
	} else if s.last.Type == hclsyntax.TokenIdent && s.last.Range.End.Byte == len(text) {
		c.Text = string(s.last.Bytes)
	}
	if len(s.words) == 0 {
		return c
	}
	if !s.value() {
		c.Label = len(s.words) > 1 || c.Text == ""
		return c
	}
	if in.doc != nil {
		c.Attribute = in.doc.attribute(string(s.words[0].Bytes))
	}
	if c.Attribute == nil {
		return Cursor{Block: in.doc, Attribute: &AttrDoc{Name: string(s.words[0].Bytes)}, Text: c.Text, IsText: c.IsText}
	}
	c.Entry = s.depth > 0 && s.entry && c.Attribute.Type == Map
	return c
}

// ChildBlocks are the blocks that may be in another; those of the file for the block of CursorAt outside of all.
func ChildBlocks(in *BlockDoc) (list []*BlockDoc) {
	for _, id := range in.Blocks {
		if b := blockByID()[id]; b != nil {
			list = append(list, b)
		}
	}
	return list
}

package policy

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/fairway-sched/fairway/lang/source"
)

// plainReader reads text in which each line opens or closes a block, sets an attribute to a plain value, or is a comment: what
// convert writes, in hundreds of thousands of lines. It makes what HCL's own parser would, without its tokens, which take
// most of the time and memory. All other text is left to that parser.
type plainReader struct {
	text       []byte
	name       string
	at         int // the byte that is read next
	line, from int // the number of its line, and where that begins
	odd        bool
}

const (
	plainDepth = 100     // blocks within blocks
	plainLine  = 1 << 12 // bytes of a line
	plainDigit = 15
)

// plainBody is the body of such a file; false for other text.
func plainBody(f *source.File) (*hclsyntax.Body, bool) {
	p := &plainReader{text: f.Text, name: f.Name, line: 1}
	if len(f.Text) == 0 || f.Text[len(f.Text)-1] != '\n' {
		return nil, false
	}
	p.blanks()
	body := p.body(p.span(p.at, p.at), 0)
	return body, !p.odd
}

// span is the place of bytes of the line.
func (p *plainReader) span(start, end int) hcl.Range {
	at := func(i int) hcl.Pos { return hcl.Pos{Line: p.line, Column: i - p.from + 1, Byte: i} }
	return hcl.Range{Filename: p.name, Start: at(start), End: at(end)}
}

// body reads lines up to the brace that closes the block, or to the end of the file.
func (p *plainReader) body(open hcl.Range, depth int) *hclsyntax.Body {
	body := &hclsyntax.Body{Attributes: hclsyntax.Attributes{}, Blocks: hclsyntax.Blocks{}}
	closed := func(end hcl.Range) *hclsyntax.Body {
		body.SrcRange = hcl.RangeBetween(open, end)
		body.EndRange = hcl.Range{Filename: p.name, Start: end.End, End: end.End}
		return body
	}
	p.odd = p.odd || depth > plainDepth
	for !p.odd {
		p.blanks()
		switch c := p.next(); {
		case p.at == len(p.text) && depth == 0:
			return closed(p.span(p.at, p.at))
		case c == '#' || c == '\n':
		case c == '}' && depth > 0:
			p.at++
			return closed(p.span(p.at-1, p.at))
		default:
			p.item(body, depth)
		}
		p.endLine()
	}
	return body
}

// item reads an attribute or a block.
func (p *plainReader) item(body *hclsyntax.Body, depth int) {
	name, at := p.word()
	if p.next() == '=' {
		p.attribute(body, name, at)
		return
	}
	b := &hclsyntax.Block{Type: name, TypeRange: at}
	for p.next() == '"' {
		start := p.at
		label, _ := p.quoted()
		b.Labels, b.LabelRanges = append(b.Labels, label), append(b.LabelRanges, p.span(start, p.at))
		p.blanks()
	}
	b.OpenBraceRange = p.sign('{')
	p.blanks()
	switch p.next() {
	case '#', '\n':
		p.endLine()
		b.Body = p.body(b.OpenBraceRange, depth+1)
	case '}':
		b.Body = p.body(b.OpenBraceRange, depth+1)
	default:
		one := &hclsyntax.Body{Attributes: hclsyntax.Attributes{}}
		name, at := p.word()
		a := p.attribute(one, name, at)
		p.blanks()
		p.sign('}')
		if a != nil {
			one.SrcRange = a.SrcRange
			one.EndRange = hcl.Range{Filename: p.name, Start: a.SrcRange.End, End: a.SrcRange.End}
		}
		b.Body = one
	}
	b.CloseBraceRange = p.span(p.at-1, p.at)
	body.Blocks = append(body.Blocks, b)
}

// attribute reads what is set.
func (p *plainReader) attribute(body *hclsyntax.Body, name string, at hcl.Range) *hclsyntax.Attribute {
	a := &hclsyntax.Attribute{Name: name, NameRange: at, EqualsRange: p.sign('=')}
	p.blanks()
	if a.Expr = p.value(); p.odd || body.Attributes[name] != nil {
		p.odd = true
		return nil
	}
	a.SrcRange = hcl.RangeBetween(at, a.Expr.Range())
	body.Attributes[name] = a
	return a
}

// value reads a text, a number, a truth, a list of these on one line, or a map of one entry a line.
func (p *plainReader) value() hclsyntax.Expression {
	start := p.at
	switch c := p.next(); {
	case c == '[':
		return p.list()
	case c == '{':
		return p.entries()
	case c == '"':
		text, at := p.quoted()
		part := &hclsyntax.LiteralValueExpr{Val: cty.StringVal(text), SrcRange: at}
		return &hclsyntax.TemplateExpr{Parts: []hclsyntax.Expression{part}, SrcRange: p.span(start, p.at)}
	case c >= '0' && c <= '9':
		for p.next() >= '0' && p.next() <= '9' || p.next() == '.' {
			p.at++
		}
		n, err := cty.ParseNumberVal(string(p.text[start:p.at]))
		p.odd = p.odd || err != nil || p.at-start > plainDigit || p.text[p.at-1] == '.' || isWordByte(p.next())
		return &hclsyntax.LiteralValueExpr{Val: n, SrcRange: p.span(start, p.at)}
	}
	word, at := p.word()
	p.at = start + len(word)
	p.odd = p.odd || word != "true" && word != "false"
	return &hclsyntax.LiteralValueExpr{Val: cty.BoolVal(word == "true"), SrcRange: at}
}

// list reads a list on one line.
func (p *plainReader) list() hclsyntax.Expression {
	list := &hclsyntax.TupleConsExpr{OpenRange: p.sign('[')}
	p.blanks()
	for !p.odd && p.next() != ']' {
		if len(list.Exprs) > 0 {
			p.sign(',')
			p.blanks()
		}
		p.odd = p.odd || p.next() == '[' || p.next() == '{'
		list.Exprs = append(list.Exprs, p.value())
		p.blanks()
	}
	list.SrcRange = hcl.RangeBetween(list.OpenRange, p.sign(']'))
	return list
}

// entries reads a map with a line for each entry.
func (p *plainReader) entries() hclsyntax.Expression {
	object := &hclsyntax.ObjectConsExpr{OpenRange: p.sign('{')}
	p.blanks()
	p.odd = p.odd || p.next() != '\n' && p.next() != '#'
	for p.endLine(); !p.odd; p.endLine() {
		switch p.blanks(); p.next() {
		case '#', '\n':
		case '}':
			object.SrcRange = hcl.RangeBetween(object.OpenRange, p.sign('}'))
			return object
		default:
			object.Items = append(object.Items, p.entry())
		}
	}
	return object
}

// entry reads one entry of a map: its key is a word or a text.
func (p *plainReader) entry() (item hclsyntax.ObjectConsItem) {
	key := &hclsyntax.ObjectConsKeyExpr{}
	if p.next() == '"' {
		key.Wrapped = p.value()
		p.blanks()
	} else {
		name, at := p.word()
		p.odd = p.odd || slices.Contains([]string{"for", "true", "false", "null"}, name)
		key.Wrapped = &hclsyntax.ScopeTraversalExpr{
			Traversal: hcl.Traversal{hcl.TraverseRoot{Name: name, SrcRange: at}}, SrcRange: at,
		}
	}
	p.sign('=')
	p.blanks()
	p.odd = p.odd || p.next() == '{'
	return hclsyntax.ObjectConsItem{KeyExpr: key, ValueExpr: p.value()}
}

// next is the byte that is read next, a line's end at the end of the text.
func (p *plainReader) next() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return '\n'
}

func (p *plainReader) blanks() {
	for p.next() == ' ' || p.next() == '\t' {
		p.at++
	}
}

// sign reads one byte.
func (p *plainReader) sign(c byte) hcl.Range {
	if p.next() != c {
		p.odd = true
		return hcl.Range{}
	}
	p.at++
	return p.span(p.at-1, p.at)
}

// word reads a name, and the blanks after it.
func (p *plainReader) word() (string, hcl.Range) {
	start := p.at
	for isWordByte(p.next()) {
		p.at++
	}
	word, at := string(p.text[start:p.at]), p.span(start, p.at)
	p.odd = p.odd || word == "" || word[0] >= '0' && word[0] <= '9'
	p.blanks()
	return word, at
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// quoted reads a text in quotes, without escapes, templates and letters beyond ASCII; at is the place within the quotes.
func (p *plainReader) quoted() (text string, at hcl.Range) {
	p.sign('"')
	start := p.at
	for !p.odd && p.next() != '"' {
		c := p.next()
		p.odd = c < ' ' || c > '~' || c == '\\' || c == '$' || c == '%'
		p.at++
	}
	text, at = string(p.text[min(start, len(p.text)):min(p.at, len(p.text))]), p.span(start, p.at)
	p.odd = p.odd || text == ""
	p.sign('"')
	return text, at
}

// endLine goes to the next line, over a comment.
func (p *plainReader) endLine() {
	p.blanks()
	end := bytes.IndexByte(p.text[min(p.at, len(p.text)):], '\n')
	if end < 0 || p.next() != '#' && p.next() != '\n' || p.at+end-p.from > plainLine ||
		bytes.IndexByte(p.text[p.at:p.at+end], '\r') >= 0 || !utf8.Valid(p.text[p.at:p.at+end]) {
		p.odd = true
		return
	}
	p.at += end + 1
	p.line, p.from = p.line+1, p.at
}

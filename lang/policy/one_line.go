package policy

import (
	"bytes"
	"sort"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// HCL allows one attribute in a block written on one line, and no block. Limits
// read best as limit "procs" { soft = 64, hard = 128 }, so this file makes line
// breaks of what such a block separates by commas, and around inner blocks.
// Format writes the broken lines, which every HCL tool reads.

// edit puts a line break at a byte, in the place of cut (0 or 1) bytes. The
// edits before it have moved that byte by moved.
type edit struct{ at, cut, moved int }

// oneLine finds the edits for the blocks of a text.
func oneLine(tokens hclsyntax.Tokens) []edit {
	s := lineScanner{tokens: tokens}
	for s.pos < len(tokens) {
		s.body()
		s.pos++ // a closing brace too many: HCL reports it
	}
	sort.Slice(s.edits, func(i, j int) bool {
		a, b := s.edits[i], s.edits[j]
		return a.at < b.at || a.at == b.at && a.cut < b.cut
	})
	moved := 0
	for i := range s.edits {
		s.edits[i].moved = moved
		moved += 1 - s.edits[i].cut
	}
	return s.edits
}

// applyEdits returns the text with the line breaks.
func applyEdits(text []byte, edits []edit) []byte {
	if len(edits) == 0 {
		return text
	}
	var out bytes.Buffer
	from := 0
	for _, e := range edits {
		out.Write(text[from:e.at])
		out.WriteByte('\n')
		from = e.at + e.cut
	}
	out.Write(text[from:])
	return out.Bytes()
}

// originalOffset turns an offset into the edited text into one of the text as
// it was.
func originalOffset(edits []edit, offset int) int {
	i := sort.Search(len(edits), func(i int) bool { return edits[i].at+edits[i].moved >= offset })
	if i == 0 {
		return offset
	}
	last := edits[i-1]
	return offset - last.moved - 1 + last.cut
}

type lineScanner struct {
	tokens hclsyntax.Tokens
	pos    int
	edits  []edit
}

// body scans statements up to the closing brace or the end. It reports whether
// the body is on one line and must be broken.
func (s *lineScanner) body() (broken bool) {
	var commas []edit
	oneLine, inner := true, false
	for s.pos < len(s.tokens) {
		t := s.tokens[s.pos]
		switch t.Type {
		case hclsyntax.TokenCBrace, hclsyntax.TokenEOF:
			if oneLine && (len(commas) > 0 || inner) {
				s.edits = append(s.edits, commas...)
				return true
			}
			return false
		case hclsyntax.TokenNewline, hclsyntax.TokenComment:
			oneLine = false
			s.pos++
		case hclsyntax.TokenComma:
			commas = append(commas, edit{at: t.Range.Start.Byte, cut: 1})
			s.pos++
		default:
			inner = s.statement() || inner
		}
	}
	return false
}

// statement scans an attribute or a block, and reports whether it is a block.
func (s *lineScanner) statement() (block bool) {
	depth, attribute := 0, false
	start := s.pos
	for ; s.pos < len(s.tokens); s.pos++ {
		switch t := s.tokens[s.pos]; t.Type {
		case hclsyntax.TokenEqual:
			attribute = true
		case hclsyntax.TokenOBrace:
			if depth == 0 && !attribute && s.tokens[start].Type == hclsyntax.TokenIdent {
				return s.innerBody(t)
			}
			depth++
		case hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp,
			hclsyntax.TokenTemplateControl, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			depth++
		case hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenCQuote,
			hclsyntax.TokenCHeredoc:
			depth--
		case hclsyntax.TokenCBrace:
			if depth <= 0 {
				return false
			}
			depth--
		case hclsyntax.TokenComma, hclsyntax.TokenNewline, hclsyntax.TokenComment:
			if depth <= 0 {
				return false
			}
		case hclsyntax.TokenEOF:
			return false
		}
	}
	return false
}

// innerBody scans the body of a block and breaks the lines at its braces.
func (s *lineScanner) innerBody(open hclsyntax.Token) bool {
	s.pos++
	if s.body() {
		s.edits = append(s.edits, edit{at: open.Range.End.Byte})
		if s.pos < len(s.tokens) {
			s.edits = append(s.edits, edit{at: s.tokens[s.pos].Range.Start.Byte})
		}
	}
	s.pos++
	return true
}

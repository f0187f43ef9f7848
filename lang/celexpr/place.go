package celexpr

import (
	"sort"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"

	"github.com/fairway-sched/fairway/lang/source"
)

// text is the CEL text of one Source with what is needed to say where in the
// file something is. cel-go counts code points, files count bytes.
type text struct {
	src     Source
	cel     string
	tokens  []token
	pairs   map[int]int // index of a bracket token to that of its partner
	byteOf  []int       // byte offset of each code point, and the end
	offsets *ast.SourceInfo
	spliced map[int64]place // the nodes that defines brought
}

func newText(src Source) *text {
	t := &text{src: src, cel: src.CEL(), spliced: map[int64]place{}}
	t.tokens = tokenize(t.cel)
	t.pairs = matchBrackets(t.cel, t.tokens)
	for i := range t.cel {
		t.byteOf = append(t.byteOf, i)
	}
	t.byteOf = append(t.byteOf, len(t.cel))
	return t
}

// matchBrackets pairs brackets by position alone, so that it works on text
// that does not parse.
func matchBrackets(cel string, tokens []token) map[int]int {
	pairs, open := map[int]int{}, []int(nil)
	for i, tok := range tokens {
		if tok.kind != tokenOperator {
			continue
		}
		switch cel[tok.start] {
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			if len(open) > 0 {
				j := open[len(open)-1]
				open = open[:len(open)-1]
				pairs[i], pairs[j] = j, i
			}
		}
	}
	return pairs
}

// file is the place of the bytes [start, end) of the CEL text.
func (t *text) file(start, end int) source.Span {
	if t.src.Offsets == nil {
		return t.src.Span.Sub(start, end)
	}
	if t.src.Span.File == nil {
		return t.src.Span
	}
	last := len(t.src.Offsets) - 1
	return t.src.Span.File.Span(t.src.Offsets[min(start, last)], t.src.Offsets[min(end, last)])
}

// raw reports whether fixes can be typed into the file as they are: inside a
// literal with escapes, quotes and backslashes would need escaping again.
func (t *text) raw() bool { return t.src.Offsets == nil }

func (t *text) token(i int) string { return t.cel[t.tokens[i].start:t.tokens[i].end] }

func (t *text) tokenSpan(i int) source.Span { return t.file(t.tokens[i].start, t.tokens[i].end) }

// at converts an offset of cel-go's, in code points, to bytes.
func (t *text) at(codePoint int32) int {
	return t.byteOf[min(max(int(codePoint), 0), len(t.byteOf)-1)]
}

// tokenAt is the index of the token that covers or follows a byte offset.
func (t *text) tokenAt(offset int) int {
	return sort.Search(len(t.tokens), func(i int) bool { return t.tokens[i].end > offset })
}

// location is the token at a place of an error.
func (t *text) location(l common.Location) source.Span {
	offset := t.offsetOf(l)
	if i := t.tokenAt(offset); i < len(t.tokens) && t.tokens[i].start <= offset {
		return t.tokenSpan(i)
	}
	return t.file(offset, min(offset+1, len(t.cel)))
}

// offsetOf converts a place to bytes: line from 1, column in code points.
func (t *text) offsetOf(l common.Location) int {
	line, start := 1, 0
	for i := 0; i < len(t.cel) && line < l.Line(); i++ {
		if t.cel[i] == '\n' {
			line, start = line+1, i+1
		}
	}
	offset := start
	for n := 0; n < l.Column() && offset < len(t.cel) && t.cel[offset] != '\n'; n++ {
		offset++
		for offset < len(t.cel) && t.cel[offset]&0xC0 == 0x80 {
			offset++
		}
	}
	return offset
}

// nodeToken is the token cel-go gives as a node's place: an operator, the dot of a
// selection, the opening bracket of a call, the word or number itself.
func (t *text) nodeToken(id int64) (int, bool) {
	r, ok := t.offsets.GetOffsetRange(id)
	if !ok || len(t.tokens) == 0 {
		return 0, false
	}
	return min(t.tokenAt(t.at(r.Start)), len(t.tokens)-1), true
}

// bytes is the range of text a node was made from: the hull of the tokens of
// all nodes below it in the same text, widened until every bracket in it has its partner.
func (t *text) bytes(e ast.Expr) (start, end int) {
	home, _ := t.home(e.ID())
	return home.hull(func(visit func(int64)) {
		ast.PreOrderVisit(e, visitor{func(id int64) {
			if in, own := t.home(id); in == home {
				visit(own)
			}
		}})
	})
}

// hull is the range of the tokens of some nodes.
func (t *text) hull(nodes func(visit func(id int64))) (start, end int) {
	first, last := len(t.tokens), -1
	nodes(func(id int64) {
		i, ok := t.nodeToken(id)
		if !ok {
			return
		}
		first, last = min(first, i), max(last, i)
		switch t.token(i) {
		case ".": // object.column is one node by now, without a child for the object
			first, last = min(first, max(i-1, 0)), max(last, min(i+1, len(t.tokens)-1))
		case "(": // of a call: the name before it belongs to it, and job in job.tres("cpu")
			if i > 0 && t.tokens[i-1].kind == tokenWord {
				first = min(first, i-1)
			}
			if i > 2 && t.token(i-2) == "." {
				first = min(first, i-3)
			}
		case "-": // of a negative number, whose node begins at the sign
			last = max(last, min(i+1, len(t.tokens)-1))
		}
	})
	if last < 0 {
		return 0, len(t.cel)
	}
	// Each widening starts the search anew: it may have brought in another bracket.
	for i := first; i <= last; i++ {
		partner, ok := t.pairs[i]
		if !ok || partner >= first && partner <= last {
			continue
		}
		first, last = min(first, partner), max(last, partner)
		i = first - 1
	}
	return t.tokens[first].start, t.tokens[last].end
}

// span is the place of a node in the file.
func (t *text) span(e ast.Expr) source.Span {
	home, _ := t.home(e.ID())
	return home.file(t.bytes(e))
}

// of is the text of a node.
func (t *text) of(e ast.Expr) string {
	home, _ := t.home(e.ID())
	start, end := t.bytes(e)
	return home.cel[start:end]
}

type visitor struct{ visit func(id int64) }

func (v visitor) VisitExpr(e ast.Expr)           { v.visit(e.ID()) }
func (v visitor) VisitEntryExpr(e ast.EntryExpr) { v.visit(e.ID()) }

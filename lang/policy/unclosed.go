package policy

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// openBrace is a brace that is not closed yet, and the line that it is in.
type openBrace struct {
	brace hclsyntax.Token
	first hclsyntax.Token // of its line
	lines int             // further right that have begun in it: with none, it says nothing
}

// unclosed finds the block that lacks its closing brace, which HCL only notices at the end of the text: it takes the
// brace of an outer block for it. People see it by the indentation, and so does this: the first line that begins no
// further right than the block that it is in shows that the block should have ended before.
func unclosed(text []byte) (block openBrace, before *hclsyntax.Token) {
	tokens, _ := hclsyntax.LexConfig(text, "", hcl.InitialPos)
	var open []openBrace
	var first hclsyntax.Token
	line, heredoc := 0, false
	for i := range tokens {
		t := &tokens[i]
		begins := t.Range.Start.Line != line && !heredoc
		switch t.Type {
		case hclsyntax.TokenNewline, hclsyntax.TokenComment, hclsyntax.TokenEOF:
			continue
		case hclsyntax.TokenOHeredoc:
			heredoc = true
		case hclsyntax.TokenCHeredoc:
			heredoc, line = false, t.Range.End.Line
			continue
		}
		if begins {
			line, first = t.Range.Start.Line, *t
			if in := len(open) - 1; in >= 0 {
				column, of := t.Range.Start.Column, open[in].first.Range.Start.Column
				left := column < of || column == of && t.Type != hclsyntax.TokenCBrace
				if left && open[in].lines > 0 {
					return open[in], t
				}
				if !left {
					open[in].lines++
				}
			}
		}
		switch t.Type {
		case hclsyntax.TokenOBrace:
			open = append(open, openBrace{*t, first, 0})
		case hclsyntax.TokenCBrace:
			open = open[:max(len(open)-1, 0)]
		}
	}
	if len(open) == 0 {
		return openBrace{}, nil
	}
	return open[len(open)-1], nil
}

// unclosedAt reports whether a block without its closing brace is what HCL complains of: at the end of the text, or
// where another block begins within an object.
func (e *evaluator) unclosedAt(h *hcl.Diagnostic) bool {
	if h.Subject == nil || h.Summary == "Unclosed configuration block" {
		return h.Subject != nil
	}
	if h.Summary != "Missing key/value separator" {
		return false
	}
	_, before := unclosed(e.file.Text)
	return before != nil && before.Range.Start.Line == e.span(*h.Subject).Position().Line
}

// addUnclosed reports a block without its closing brace.
func (e *evaluator) addUnclosed(code string, span hcl.Range) {
	block, before := unclosed(e.file.Text)
	if block.brace.Bytes == nil {
		e.diags.Errorf(code, e.span(span), "a closing brace } is missing")
		return
	}
	from, to := block.first.Range.Start.Byte, block.brace.Range.End.Byte
	header := strings.TrimRight(string(e.file.Text[from:to]), " \t={")
	d := e.diags.Errorf(code, e.file.Span(from, to), "%s has no closing brace }", header)
	if before != nil {
		d.NoteAt(e.file.Span(before.Range.Start.Byte, before.Range.End.Byte),
			"by the indentation, the } is missing before this line")
	} else {
		d.Note("add } on a line of its own after the last line of the block")
	}
}

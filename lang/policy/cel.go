package policy

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fairway-sched/fairway/lang/schema"
)

// expression evaluates an attribute that takes CEL: a literal string is CEL,
// delivered as it stands; anything else is an HCL constant.
func (e *evaluator) expression(a *hclsyntax.Attribute, ad *AttrDoc, in *each) (Scalar, bool) {
	x := a.Expr
	for {
		p, ok := x.(*hclsyntax.ParenthesesExpr)
		if !ok {
			break
		}
		x = p.Expression
	}
	switch t := x.(type) {
	case *hclsyntax.TemplateExpr:
		return e.celText(a, t, in)
	case *hclsyntax.TemplateWrapExpr:
		e.reportInterpolation(a, t.Wrapped.Range())
		return Scalar{}, false
	}
	if ad.Kind == CELText || e.isBareCEL(x) {
		span := e.span(x.Range())
		e.diags.Errorf("policy-bare-cel", span, "%s is CEL and must be in quotes", a.Name).
			Note("what is not in quotes is evaluated once, before there are jobs").
			Suggest(span, quote(span.Text()))
		return Scalar{}, false
	}
	v, params, ok := e.eval(x, in)
	if !ok {
		return Scalar{}, false
	}
	if loose, fault := fromCty(v); fault == "" && loose.Type == schema.String {
		e.diags.Errorf("policy-computed-cel", e.span(x.Range()), "%s is CEL that an expression computes", a.Name).
			Note("write the CEL here, as a string or heredoc, so that it has a place; it can read param.NAME and " +
				"each.key itself")
		return Scalar{}, false
	}
	return e.typed(v, params, x, ad)
}

// isBareCEL reports whether an expression without quotes reads a column.
func (e *evaluator) isBareCEL(x hclsyntax.Expression) bool {
	return slices.ContainsFunc(x.Variables(), func(t hcl.Traversal) bool { return isCELRoot(t.RootName()) })
}

// reportInterpolation refuses ${…}: with it the text would no longer be the
// file's own bytes, and an error in it would have no place.
func (e *evaluator) reportInterpolation(a *hclsyntax.Attribute, at hcl.Range) {
	e.diags.Errorf("policy-cel-interpolation", e.span(at), "%s is CEL, which has no ${…}", a.Name).
		Note("CEL reads param.NAME, each.key and each.value by itself; declare a param for other constants")
}

// celText takes the text of a literal string or heredoc.
func (e *evaluator) celText(a *hclsyntax.Attribute, t *hclsyntax.TemplateExpr, in *each) (Scalar, bool) {
	for _, part := range t.Parts {
		if _, literal := part.(*hclsyntax.LiteralValueExpr); !literal {
			e.reportInterpolation(a, part.Range())
			return Scalar{}, false
		}
	}
	start, end := e.literalBytes(t)
	if start > end {
		return Scalar{}, false // no closing quote, which HCL has reported
	}
	raw := string(e.file.Text[start:end])
	quoted := e.isQuoted(t)
	text, offsets := unescape(raw, quoted)
	text, offsets, from, to := trim(text, offsets)
	if text == "" {
		e.diags.Errorf("policy-empty-cel", e.span(t.SrcRange), "the CEL of %s is empty", a.Name)
		return Scalar{}, false
	}
	c := &CEL{Text: text, Span: e.file.Span(start+from, start+to), Offsets: offsets}
	if in != nil {
		c.Each, c.EachParams = in.cel, in.params
	}
	return Scalar{CEL: c, Span: c.Span}, true
}

// literalBytes is the range of the literal without quotes or heredoc markers.
// HCL strips the indentation of a <<- heredoc from the value but not from the range, so the
// file's own bytes give text whose offsets are right on every line.
func (e *evaluator) literalBytes(t *hclsyntax.TemplateExpr) (start, end int) {
	whole := e.span(t.SrcRange)
	if e.isQuoted(t) {
		return int(whole.Start) + 1, int(whole.End) - 1
	}
	if len(t.Parts) == 0 {
		return int(whole.Start), int(whole.Start)
	}
	return int(e.span(t.Parts[0].Range()).Start), int(e.span(t.Parts[len(t.Parts)-1].Range()).End)
}

// isQuoted tells a string from a heredoc, which HCL parses to the same node.
func (e *evaluator) isQuoted(t *hclsyntax.TemplateExpr) bool {
	return strings.HasPrefix(e.span(t.SrcRange).Text(), `"`)
}

// unescape decodes the escapes of a literal as HCL does. Offsets, from each byte
// of the text to its first raw byte, are nil when there were none.
func unescape(raw string, quoted bool) (text string, offsets []int) {
	if !strings.ContainsAny(raw, "\\$%") {
		return raw, nil
	}
	var b strings.Builder
	escaped := false
	emit := func(s string, at int) {
		b.WriteString(s)
		for range len(s) {
			offsets = append(offsets, at)
		}
	}
	for i := 0; i < len(raw); {
		decoded, size := cutEscape(raw[i:], quoted)
		escaped = escaped || len(decoded) != size
		emit(decoded, i)
		i += size
	}
	if !escaped {
		return raw, nil
	}
	return b.String(), append(offsets, len(raw))
}

// cutEscape decodes the escape or the byte that the text begins with. HCL knows \n \r \t
// \" \\ \uNNNN \UNNNNNNNN in quotes, and $${ and %%{ in all templates.
func cutEscape(raw string, quoted bool) (decoded string, size int) {
	if strings.HasPrefix(raw, "$${") || strings.HasPrefix(raw, "%%{") {
		return raw[1:3], 3
	}
	if !quoted || raw[0] != '\\' || len(raw) < 2 {
		return raw[:1], 1
	}
	switch raw[1] {
	case 'n':
		return "\n", 2
	case 'r':
		return "\r", 2
	case 't':
		return "\t", 2
	case 'u', 'U':
		digits := map[byte]int{'u': 4, 'U': 8}[raw[1]]
		if len(raw) >= 2+digits {
			if r, err := strconv.ParseUint(raw[2:2+digits], 16, 32); err == nil {
				return string(utf8.AppendRune(nil, rune(r))), 2 + digits
			}
		}
		return raw[:1], 1
	}
	return raw[1:2], 2
}

// trim leaves white space at both ends out and says which raw bytes remain.
func trim(text string, offsets []int) (trimmed string, rest []int, from, to int) {
	const space = " \t\r\n"
	lead := len(text) - len(strings.TrimLeft(text, space))
	trimmed = strings.Trim(text, space)
	end := lead + len(trimmed)
	if offsets == nil {
		return trimmed, nil, lead, end
	}
	from, to = offsets[lead], offsets[end]
	for _, o := range offsets[lead : end+1] {
		rest = append(rest, o-from)
	}
	return trimmed, rest, from, to
}

// quote writes text as an HCL string.
func quote(text string) string {
	r := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "${", "$${", "%{", "%%{")
	return `"` + r.Replace(text) + `"`
}

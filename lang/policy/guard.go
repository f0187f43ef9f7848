package policy

import (
	"bytes"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

const (
	maxNesting   = 250   // brackets within brackets
	maxOperators = 2_000 // operators in one logical line, each of which may nest an expression
	maxExponent  = 400   // of a number literal; doubles end at 308
	maxFileBytes = 16 << 20
)

// guard refuses text on which the recursive parser or the big-number
// arithmetic of HCL would exhaust memory. It reads tokens only.
func (e *evaluator) guard() bool {
	if len(e.file.Text) > maxFileBytes {
		e.diags.Errorf("policy-too-large", e.file.Span(0, 0), "the file is larger than %d MB", maxFileBytes>>20)
		return false
	}
	tokens, _ := hclsyntax.LexConfig(e.file.Text, e.file.Name, hcl.InitialPos)
	depth, operators := 0, 0
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			depth++
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			depth = max(depth-1, 0)
		case hclsyntax.TokenBang, hclsyntax.TokenMinus, hclsyntax.TokenQuestion:
			operators++
		case hclsyntax.TokenNewline:
			operators = 0
		case hclsyntax.TokenNumberLit:
			if exponent(t.Bytes) > maxExponent {
				e.diags.Errorf("policy-too-large", e.span(t.Range), "the number is out of range")
				return false
			}
		}
		if depth > maxNesting || operators > maxOperators {
			e.diags.Errorf("policy-too-large", e.span(t.Range), "the expression is nested too deeply").
				Note("at most %d brackets may be open and %d operators stand in one line", maxNesting, maxOperators)
			return false
		}
	}
	return true
}

// exponent is the size of a number literal's exponent, without its sign.
func exponent(literal []byte) int {
	i := bytes.IndexAny(literal, "eE")
	if i < 0 {
		return 0
	}
	n, err := strconv.Atoi(string(bytes.TrimLeft(literal[i+1:], "+-")))
	if err != nil {
		return maxExponent + 1
	}
	return n
}

package policy

import (
	"bytes"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

const (
	maxNesting   = 250    // brackets within brackets
	maxOperators = 2_000  // operators in one logical line, each of which may nest an expression
	maxExponent  = 400    // of a number literal; doubles end at 308
	maxLines     = 20_000 // of a text; HCL joins them one by one, which takes the square of their number
	maxFileBytes = 16 << 20
	maxWords     = 4_000_000 // a word or a sign takes some 450 bytes until it is read
)

// fits refuses files that are too large, and what is no text.
func (e *evaluator) fits() bool {
	if len(e.file.Text) > maxFileBytes {
		e.diags.Errorf("policy-too-large", e.file.Span(0, 0), "the file is larger than %d MB", maxFileBytes>>20)
		return false
	}
	if at := bytes.IndexByte(e.file.Text, 0); at >= 0 {
		e.diags.Errorf("policy-not-text", e.file.Span(at, at+1), "the file has a NUL byte, so it is no text").
			Note("this is no policy file; name one, or write the text again")
		return false
	}
	if at := endOfWords(e.file.Text, maxWords); at >= 0 {
		e.diags.Errorf("policy-too-large", e.file.Span(at, at+1), "the file has more than %d words and signs", maxWords)
		return false
	}
	return true
}

// guard refuses text on which the recursive parser or the big-number
// arithmetic of HCL would exhaust memory. It reads tokens only, and returns them.
func (e *evaluator) guard() (tokens hclsyntax.Tokens, ok bool) {
	if !e.fits() {
		return nil, false
	}
	tokens, _ = hclsyntax.LexConfig(e.file.Text, e.file.Name, hcl.InitialPos)
	depth, operators, lines, joining := 0, 0, 0, 0
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp,
			hclsyntax.TokenTemplateControl, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			depth++
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd,
			hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			depth = max(depth-1, 0)
		case hclsyntax.TokenBang, hclsyntax.TokenMinus, hclsyntax.TokenQuestion:
			operators++
		case hclsyntax.TokenNewline:
			operators, lines = 0, 0
		case hclsyntax.TokenStringLit, hclsyntax.TokenQuotedLit:
			lines++
			if joining += lines; joining > maxLines*maxLines/2 {
				e.diags.Errorf("policy-too-large", e.span(t.Range), "the text has too many lines").
					Note("one may have about %d; a longer one is for a file of its own", maxLines)
				return nil, false
			}
		case hclsyntax.TokenNumberLit:
			if exponent(t.Bytes) > maxExponent {
				e.diags.Errorf("policy-too-large", e.span(t.Range), "the number is out of range")
				return nil, false
			}
		}
		if depth > maxNesting || operators > maxOperators {
			e.diags.Errorf("policy-too-large", e.span(t.Range), "the expression is nested too deeply").
				Note("one line may have at most %d open brackets and %d operators", maxNesting, maxOperators)
			return nil, false
		}
	}
	return tokens, true
}

// endOfWords is where the text has had as many words and signs as it may, -1 if it has fewer. What looks like
// letters, digits or blanks in a row counts as one.
func endOfWords(text []byte, most int) int {
	last := byte(0)
	for i, c := range text {
		if kind := wordKind(c); kind == 0 || kind != last {
			if last = kind; kind != ' ' {
				most--
			}
		}
		if most < 0 {
			return i
		}
	}
	return -1
}

// wordKind is a letter for the bytes of words, a blank for blanks, and 0 for what is a sign by itself.
func wordKind(c byte) byte {
	switch {
	case c == ' ' || c == '\t':
		return ' '
	case c >= 0x80, c == '_', c == '-', '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'z':
		return 'a'
	}
	return 0
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

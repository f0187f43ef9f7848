package policy

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fairway-sched/fairway/lang/source"
)

var paramMention = source.Pattern(`\bparam\s*(?:\.\s*(\w+)|\[\s*["']([^"']+)["']\s*\])`)

// celComment is what CEL ignores. What a literal holds that has two slashes is lost with it, and reads no
// parameter.
var celComment = source.Pattern(`//[^\n]*`)

// Mentions reports whether the policy's file reads one of the parameters anywhere: in an expression or a CEL text, but
// not in a comment or in a text that is shown.
func (p *Policy) Mentions(names []string) bool {
	return slices.ContainsFunc(paramMention().FindAllStringSubmatch(p.readText(), -1), func(m []string) bool {
		return slices.Contains(names, m[1]) || slices.Contains(names, m[2])
	})
}

// shownText are the attributes whose texts people read.
var shownText = []string{"doc", "reason"}

// readText is the file without comments and without the letters of texts that are shown; what such a text
// interpolates stays.
func (p *Policy) readText() string {
	tokens, _ := hclsyntax.LexConfig(p.file.Text, p.file.Name, hcl.InitialPos)
	var b strings.Builder
	shown, depth := false, 0
	for i, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenComment:
			b.WriteByte('\n')
			continue
		case hclsyntax.TokenIdent:
			b.WriteByte(' ') // tokens have lost the blanks between them
			if depth == 0 && i+1 < len(tokens) && tokens[i+1].Type == hclsyntax.TokenEqual {
				shown = slices.Contains(shownText, string(t.Bytes))
			}
		case hclsyntax.TokenTemplateInterp, hclsyntax.TokenOParen, hclsyntax.TokenOBrack:
			depth++
		case hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenCParen, hclsyntax.TokenCBrack:
			depth--
		case hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit:
			if shown && depth == 0 {
				continue
			}
			b.WriteString(celComment().ReplaceAllString(string(t.Bytes), ""))
			continue
		}
		b.Write(t.Bytes)
	}
	return b.String()
}

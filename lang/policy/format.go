package policy

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Format gives the text its canonical spacing and keeps comments. Blocks that
// hold several attributes on one line are broken into lines. It is idempotent;
// text too deeply nested to read comes back as it is.
func Format(src []byte) []byte {
	tokens, ok := constantEvaluator(source.NewFile("", src), new(diag.List)).guard()
	if !ok {
		return src
	}
	text := applyEdits(src, oneLine(tokens))
	for range maxFormatPasses {
		next := hclwrite.Format(text)
		if bytes.Equal(next, text) {
			break
		}
		text = next
	}
	return text
}

// maxFormatPasses: the library's spacing of faulty text may need a second look
// to settle.
const maxFormatPasses = 5

// Sniff says how sure it is, 0 to 100, that the text is the policy language:
// a policy or test block settles it, any other block of the language is a hint.
func Sniff(text []byte) int {
	best := 0
	for line := range bytes.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		rest = strings.TrimSpace(rest)
		opens := strings.HasPrefix(rest, `"`) && strings.Contains(rest, "{")
		switch {
		case (opens || strings.HasPrefix(rest, "{")) && topLevel.child(word) != nil:
			return 100
		case opens && isBlockWord(word):
			best = max(best, 60)
		case strings.HasPrefix(rest, "{") && isBlockWord(word):
			best = max(best, 30)
		}
	}
	return best
}

func isBlockWord(word string) bool {
	return slices.ContainsFunc(blockTable(), func(b *BlockDoc) bool { return b.Type == word })
}

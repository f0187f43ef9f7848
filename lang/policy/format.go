package policy

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
)

// Format gives the text its canonical spacing and keeps comments. It is
// idempotent, and text that cannot be parsed comes out as it is indented.
func Format(src []byte) []byte {
	return hclwrite.Format(src)
}

// Sniff says how sure it is, 0 to 100, that the text is the policy language.
func Sniff(text []byte) int {
	best := 0
	for line := range bytes.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		rest = strings.TrimSpace(rest)
		switch {
		case word == "" || strings.HasPrefix(word, "#") || strings.HasPrefix(word, "//"):
			continue
		case (word == "policy" || word == "test") && strings.HasPrefix(rest, `"`) && strings.Contains(rest, "{"):
			return 100
		case strings.HasPrefix(rest, `"`) && strings.HasSuffix(rest, "{"):
			best = max(best, 60)
		case strings.HasPrefix(rest, "{"):
			best = max(best, 30)
		}
	}
	return best
}

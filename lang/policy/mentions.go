package policy

import (
	"regexp"
	"slices"
)

var paramMention = regexp.MustCompile(`\bparam\s*(?:\.\s*(\w+)|\[\s*["']([^"']+)["']\s*\])`)

// Mentions reports whether the policy's file reads one of the parameters anywhere: in an
// expression, a CEL text or, since nothing is lost by it, a comment.
func (p *Policy) Mentions(names []string) bool {
	for _, m := range paramMention.FindAllSubmatch(p.file.Text, -1) {
		if slices.Contains(names, string(m[1])) || slices.Contains(names, string(m[2])) {
			return true
		}
	}
	return false
}

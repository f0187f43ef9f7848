package source

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first asked for: one command needs few of all there are.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

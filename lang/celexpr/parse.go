package celexpr

import (
	"sync"

	"github.com/google/cel-go/cel"
)

// parses keeps the trees of the texts that were parsed. A command compiles a library several times, as diff does
// of two configurations and convert of what it writes, and most of that time is the parser's.
var parses = parseCache{fresh: map[string]func() *cel.Ast{}}

// What is kept is bounded: a library has some hundred expressions of a few lines.
const (
	mostParses    = 2048
	mostParseText = 4096 // bytes of one text
)

// parseCache makes a tree of its own for each caller, because the passes after the parser change it.
type parseCache struct {
	sync.Mutex
	fresh map[string]func() *cel.Ast
}

// of is the tree of a text, or what is wrong with the text.
func (c *parseCache) of(env *cel.Env, text string) (*cel.Ast, *cel.Issues) {
	c.Lock()
	fresh := c.fresh[text]
	c.Unlock()
	if fresh != nil {
		return fresh(), nil
	}
	tree, issues := env.Parse(text)
	if issues.Err() != nil || len(text) > mostParseText {
		return tree, issues
	}
	kept, err := cel.AstToParsedExpr(tree)
	if err != nil {
		return tree, issues
	}
	source := tree.Source()
	c.Lock()
	defer c.Unlock()
	if len(c.fresh) == mostParses {
		clear(c.fresh)
	}
	c.fresh[text] = func() *cel.Ast { return cel.ParsedExprToAstWithSource(kept, source) }
	return tree, issues
}

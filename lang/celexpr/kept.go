package celexpr

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// compilations keeps what expressions without a finding were compiled to. A command lowers a library several times,
// as convert does of a site, of what it writes and of what it reads back; what the library says is in the same file
// each time, and most params have the same values.
var compilations = compiled{of: map[written][]kept{}}

// What is kept is bounded: places, and compilations of one place with other values.
const (
	mostPlaces = 2048
	mostKept   = 4
)

type compiled struct {
	sync.Mutex
	of map[written][]kept
}

// written is an expression in a file, and what its place wants of it.
type written struct {
	span  source.Span
	text  string
	scope Scope
	want  Want
}

// kept is a compilation and all constants that it was made with.
type kept struct {
	out        *Compiled
	params     []schema.Value
	documented []bool
	version    int64
	defines    string // "" if it reads none
}

// madeBy reports whether an environment has the same constants.
func (k *kept) madeBy(e *Env) bool {
	if k.version != e.version || k.defines != "" && k.defines != e.known {
		return false
	}
	for i, name := range k.out.Params {
		if !sameBits(k.params[i], e.params[name]) {
			return false
		}
	}
	for i, name := range k.out.Documented {
		if on, ok := e.documented[name]; !ok || on != k.documented[i] {
			return false
		}
	}
	return true
}

// sameBits reports one value, bit by bit.
func sameBits(a, b schema.Value) bool {
	return a.Type == b.Type && a.Int == b.Int && a.Str == b.Str && slices.Equal(a.List, b.List) &&
		math.Float64bits(a.Double) == math.Float64bits(b.Double)
}

// get is what was kept of an expression; nil if it has to be compiled.
func (c *compiled) get(e *Env, src Source, want Want) *Compiled {
	c.Lock()
	defer c.Unlock()
	for _, k := range c.of[written{src.Span, src.Text, src.Scope, want}] {
		if k.madeBy(e) {
			out := *k.out
			return &out
		}
	}
	return nil
}

// put keeps a compilation, unless it depends on something that cannot be compared.
func (c *compiled) put(e *Env, src Source, want Want, out *Compiled) {
	k := kept{out: out, version: e.version}
	if len(out.Defines) > 0 {
		if k.defines = e.known; k.defines == "" {
			return
		}
	}
	for _, name := range out.Params {
		k.params = append(k.params, e.params[name])
	}
	for _, name := range out.Documented {
		k.documented = append(k.documented, e.documented[name])
	}
	c.Lock()
	defer c.Unlock()
	at := written{src.Span, src.Text, src.Scope, want}
	list := c.of[at]
	if len(c.of) == mostPlaces {
		clear(c.of)
	}
	if len(list) == mostKept {
		list = slices.Delete(slices.Clone(list), 0, 1)
	}
	c.of[at] = append(list, k)
}

// knownBy says where defines are, in their order, so that two environments that say the same have the same defines.
// It is empty if one of them depends on more than its text.
func knownBy(list []Define) string {
	var b strings.Builder
	for _, d := range list {
		if d.Source.Each != nil {
			return ""
		}
		s := d.Source.Span
		fmt.Fprintf(&b, "%s %p %d %d %q\n", d.Name, s.File, s.Start, s.End, d.Source.Text)
	}
	return b.String()
}

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

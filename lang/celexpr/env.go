package celexpr

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/common/ast"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Score is the column an override of the finish reads: the sum of all
// components after floor and ceiling, a double.
const Score schema.ColumnID = "score"

// Options are the constants of one policy.
type Options struct {
	Params     map[string]schema.Value // param.NAME; an unknown Value is a param without a value
	Documented map[string]bool         // documented.NAME: the deviations of the policy's family
	Version    int64                   // version: the scheduler's as 2205, 0 if it has none
}

// Env compiles the expressions of one policy. It is immutable and may be used
// by several goroutines.
type Env struct {
	params     map[string]schema.Value
	documented map[string]bool
	version    int64
	defines    map[string]*define
	known      string // where the defines are; see knownBy
}

// NewEnv makes an environment; it is cheap.
func NewEnv(o Options) *Env {
	return &Env{params: maps.Clone(o.Params), documented: maps.Clone(o.Documented), version: o.Version}
}

// Scope says what the place of an expression may read.
type Scope uint8

// JobScope is everything about a job; CredentialScope, for weights and caps,
// leaves out the job's own columns; OverrideScope adds the score.
const (
	JobScope Scope = iota
	CredentialScope
	OverrideScope
)

// Source is one expression in a file.
type Source struct {
	Span    source.Span             // the raw bytes of the CEL text
	Text    string                  // the CEL text if it is not Span's raw bytes
	Offsets []int                   // with Text: the file offset of each of its bytes, and of its end
	Each    map[string]schema.Value // each.key and each.value
	Scope   Scope
}

// CEL is the text to compile.
func (s Source) CEL() string {
	if s.Offsets == nil && s.Text == "" {
		return s.Span.Text()
	}
	return s.Text
}

// Want is the type a place needs.
type Want uint8

// WantNumber is a double; an int is converted. WantFactor also takes a bool, as
// 1.0 and 0.0. WantValue is a value of any type, which is computed for one job at a time.
const (
	WantNumber Want = iota
	WantFactor
	WantBool
	WantString
	WantValue
)

func (w Want) String() string {
	return [...]string{"a number", "a number or a condition", "a condition (bool)", "a string",
		"a number, a string, a list of strings or a condition"}[w]
}

// result is the type of a compiled expression.
func (w Want) result() schema.Type {
	return [...]schema.Type{schema.Double, schema.Double, schema.Bool, schema.String, schema.String}[w]
}

// Compiled is a checked and lowered expression; folding it is a pass of the compiler.
type Compiled struct {
	Expr       *expr.Expr
	Params     []string // params it mentions, in order
	Documented []string // deviations it mentions, in order
	Defines    []string // defines it mentions, in order
	Text       string
}

// Compile checks one expression. The result is nil if it has no meaning; one
// that fails on every row is an error too, but has a result.
func (e *Env) Compile(src Source, want Want) (*Compiled, diag.List) {
	if out := compilations.get(e, src, want); out != nil && src.Each == nil {
		return out, nil
	}
	var list diag.List
	l, out := e.check(src, &list)
	if l == nil {
		return nil, list
	}
	lowered := l.result(want)
	if list.HasErrors() {
		return nil, list
	}
	out.Expr = lowered
	if reportFailing(expr.Fold(lowered), &list); len(list) == 0 && src.Each == nil {
		compilations.put(e, src, want, out)
	}
	return out, list
}

// check goes as far as the checked tree; nil means that the list says why not, or that a define it reads is at fault.
func (e *Env) check(src Source, list *diag.List) (*lowering, *Compiled) {
	l, n := e.parse(src, list)
	if l == nil {
		return nil, nil
	}
	return l, n.out
}

// parse is check with what the names pass found.
func (e *Env) parse(src Source, list *diag.List) (*lowering, *names) {
	t := newText(src)
	if !acceptable(t, list) {
		return nil, nil
	}
	base, err := baseEnv()
	if err != nil {
		panic(fmt.Sprintf("INVARIANT: the vocabulary makes a CEL environment: %v", err))
	}
	parsed, issues := parses.of(base, t.cel)
	if issues.Err() != nil {
		syntaxErrors(t, issues, list)
		return nil, nil
	}
	tree := parsed.NativeRep()
	t.offsets = tree.SourceInfo()
	n := &names{
		env: e, text: t, fac: ast.NewExprFactory(), nextID: ast.MaxID(tree), list: list, out: &Compiled{Text: t.cel},
		root: tree.Expr(), columns: map[string]schema.ColumnID{}, facts: map[int64]string{},
	}
	n.expr(n.root)
	if list.HasErrors() || n.broken {
		return nil, nil
	}
	checked, issues := base.Check(parsed)
	if issues.Err() != nil {
		checkErrors(t, n.root, issues, list)
		return nil, nil
	}
	return &lowering{base: base, text: t, ast: checked.NativeRep(), columns: n.columns, facts: n.facts, list: list}, n
}

// acceptable refuses what would make every later place wrong or confusing.
func acceptable(t *text, list *diag.List) bool {
	if strings.TrimSpace(t.cel) == "" {
		list.Errorf(codeSyntax, t.file(0, len(t.cel)), "the expression is empty")
		return false
	}
	for i, r := range t.cel {
		if r == utf8.RuneError && !strings.HasPrefix(t.cel[i:], "\uFFFD") {
			list.Errorf(codeSyntax, t.file(i, i+1), "the expression holds a byte that is not UTF-8")
			return false
		}
	}
	for i, tok := range t.tokens {
		if t.token(i) == "${" {
			list.Errorf(codeInterpolation, t.file(tok.start, tok.end), "${…} does not work inside an expression").
				Note("expressions see the policy's constants directly: write param.NAME, or each.key within for_each")
			return false
		}
	}
	return true
}

// reportFailing warns of constant parts that fail whenever they are reached,
// which is an error if the whole expression then has no value on any row.
func reportFailing(e *expr.Expr, list *diag.List) {
	severity := diag.Warning
	if expr.AlwaysFails(e) {
		severity = diag.Error
	}
	for _, f := range expr.Failing(e) {
		list.Add(severity, codeConstantFails, f.Expr.Span, "this always fails: %v", f.Err)
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// shortList joins the first few names.
func shortList(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + ", …"
}

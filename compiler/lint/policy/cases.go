package policy

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// cases decide what holds of conditions for every job by trying: a condition that compares numbers and words with
// constants
// comes out the same for all values between two neighbouring constants, so that one of each kind tells all. What
// is no such
// comparison counts as a word of its own that may be true, false or unknown.
type cases struct {
	conditions []*expr.Expr // over variables alone
	variables  map[schema.ColumnID]*variable
	order      []schema.ColumnID // of variables: the same in every run
	readers    map[schema.ColumnID]int
}

// variable is a column, or a part of a condition that stands for itself.
type variable struct {
	id        schema.ColumnID
	kind      schema.Type // Invalid: it is there or not, and more is not asked
	constants []float64
	words     []string
	known     bool // there is a value
}

// values are those of the variables in one case.
type values map[schema.ColumnID]schema.Value

func (v values) of(id schema.ColumnID) schema.Value { return v[id] }

// mostCases are those that are tried: a condition with more is not judged.
const mostCases = 1 << 13

func newCases(conditions ...*expr.Expr) *cases {
	c := &cases{variables: map[schema.ColumnID]*variable{}, readers: map[schema.ColumnID]int{}}
	for i, e := range conditions {
		c.conditions = append(c.conditions, c.condition(e))
		for _, id := range c.conditions[i].Columns() {
			c.readers[id]++
		}
	}
	return c
}

// related reports that two conditions share a variable.
func (c *cases) related() bool {
	for _, n := range c.readers {
		if n > 1 {
			return true
		}
	}
	return false
}

// holds reports a condition that is true in a case; one that fails is not.
func (c *cases) holds(i int, row values) bool {
	v, err := expr.Eval(c.conditions[i], row.of)
	return err == nil && v.Int != 0
}

// all reports that a test holds in every case; ok is false where there are too many.
func (c *cases) all(test func(*cases, values) bool) (holds, ok bool) {
	samples, n := make([][]schema.Value, len(c.order)), 1
	for i, id := range c.order {
		samples[i] = c.variables[id].samples()
		if n *= len(samples[i]); n > mostCases {
			return false, false
		}
	}
	row := values{}
	for k := range n {
		for i, id := range c.order {
			row[id] = samples[i][k%len(samples[i])]
			k /= len(samples[i])
		}
		if !test(c, row) {
			return false, true
		}
	}
	return true, true
}

// condition is e over variables.
func (c *cases) condition(e *expr.Expr) *expr.Expr {
	switch {
	case e.IsConst():
		return e
	case e.Op == expr.And, e.Op == expr.Or, e.Op == expr.Cond, e.Op == expr.Call && e.Func == "logical_not":
		out := *e
		out.Args = make([]*expr.Expr, len(e.Args))
		for i, a := range e.Args {
			out.Args[i] = c.condition(a)
		}
		return &out
	case e.Op == expr.Present:
		c.variable(e.Column, schema.Invalid)
		return e
	case e.Op == expr.Column:
		c.variable(e.Column, e.Type)
		return e
	case e.Op == expr.Opaque:
		if column, words, ok := wordTest(e); ok {
			v := c.variable(column, schema.String)
			v.words = append(v.words, words...)
			return e
		}
	case e.Op == expr.Call && len(e.Args) == 2 && comparison().MatchString(e.Func):
		if out := c.comparison(e); out != nil {
			return out
		}
	}
	return c.part(e)
}

// part replaces an expression that is not looked into.
func (c *cases) part(e *expr.Expr) *expr.Expr {
	id := schema.ColumnID("part " + textOf(e))
	c.variable(id, e.Type)
	return &expr.Expr{Op: expr.Column, Type: e.Type, Column: id, Span: e.Span}
}

func (c *cases) variable(id schema.ColumnID, kind schema.Type) *variable {
	v := c.variables[id]
	if v == nil {
		v = &variable{id: id}
		c.variables[id] = v
		c.order = append(c.order, id)
	}
	if kind != schema.Invalid {
		v.kind = kind
	}
	return v
}

var comparison = source.Pattern(`^(less|less_equals|greater|greater_equals|equals|not_equals)_(int64|double)$`)

// exact is the bound up to which a whole number is the same as a floating one.
const exact = 1 << 52

// comparison is one of a number with a constant, or with itself; nil if it is neither.
func (c *cases) comparison(e *expr.Expr) *expr.Expr {
	left, right := e.Args[0], e.Args[1]
	a, b := unconverted(left), unconverted(right)
	out := *e
	switch {
	case a.Type != schema.Int && a.Type != schema.Double || b.Type != schema.Int && b.Type != schema.Double:
		return nil
	case a.IsConst() == b.IsConst() && (a.IsConst() || textOf(a) != textOf(b)):
		return nil
	case a.IsConst():
		return c.against(&out, 1, a.Value.Number())
	case b.IsConst():
		return c.against(&out, 0, b.Value.Number())
	}
	out.Args = []*expr.Expr{c.number(left), c.number(right)}
	return &out
}

// against is the comparison with its number, the argument i, over a variable.
func (c *cases) against(out *expr.Expr, i int, limit float64) *expr.Expr {
	if math.IsNaN(limit) || math.Abs(limit) > exact {
		return nil
	}
	out.Args = slices.Clone(out.Args)
	out.Args[i] = c.number(out.Args[i])
	v := c.variables[unconverted(out.Args[i]).Column]
	v.constants = append(v.constants, limit)
	return out
}

// unconverted is a number without the conversion to a floating one.
func unconverted(e *expr.Expr) *expr.Expr {
	if e.Op == expr.Call && e.Func == "int64_to_double" {
		return e.Args[0]
	}
	return e
}

// number is an operand over a variable: its column, or what is computed, as one.
func (c *cases) number(e *expr.Expr) *expr.Expr {
	inner := unconverted(e)
	if inner.Op == expr.Column {
		c.variable(inner.Column, inner.Type)
	} else {
		inner = c.part(inner)
	}
	if unconverted(e) == e {
		return inner
	}
	out := *e
	out.Args = []*expr.Expr{inner}
	return &out
}

const quoted = `(?:'[^'\\]*'|"[^"\\]*")`

var (
	wordEquals = source.Pattern(`^(?:([a-z_]+\.[a-z_]+)\s*[=!]=\s*(` + quoted + `)|` +
		`(` + quoted + `)\s*[=!]=\s*([a-z_]+\.[a-z_]+))$`)
	wordIn    = source.Pattern(`^([a-z_]+\.[a-z_]+)\s+in\s+\[\s*(` + quoted + `(?:\s*,\s*` + quoted + `)*)\s*,?\s*\]$`)
	oneQuoted = source.Pattern(quoted)
)

// wordTest takes a comparison of a column with words apart. Tests of words are kept as their text: they are
// evaluated once for
// each word of the column.
func wordTest(e *expr.Expr) (column schema.ColumnID, words []string, ok bool) {
	if len(e.Args) != 1 || e.Args[0].Op != expr.Column || e.Args[0].Type != schema.String || e.Type != schema.Bool {
		return "", nil, false
	}
	text := strings.TrimSpace(e.Text)
	m := wordEquals().FindStringSubmatch(text)
	if m == nil {
		if m = wordIn().FindStringSubmatch(text); m == nil {
			return "", nil, false
		}
	}
	for _, part := range m[1:] {
		for _, q := range oneQuoted().FindAllString(part, -1) {
			words = append(words, q[1:len(q)-1])
		}
	}
	return e.Args[0].Column, words, true
}

// everyJobHas reports a column without which there is no job, or that is empty or 0 where nothing is given of it.
func (v *variable) everyJobHas() bool {
	if c := schema.Lookup(v.id); c != nil && v.id.Object() == "job" {
		return c.Absent != schema.AbsentUnknown || v.id == "job.procs"
	}
	return false
}

// samples are values of a variable: every value there may be is like one of them; the one
// without a type is
// the unknown.
func (v *variable) samples() (list []schema.Value) {
	if !v.known {
		list = append(list, schema.Value{})
	}
	switch v.kind {
	case schema.Bool:
		return append(list, schema.BoolValue(true), schema.BoolValue(false))
	case schema.String:
		other := "another word"
		for slices.Contains(v.words, other) {
			other += "."
		}
		slices.Sort(v.words)
		for _, w := range slices.Compact(v.words) {
			list = append(list, schema.StringValue(w))
		}
		return append(list, schema.StringValue(other))
	case schema.Int, schema.Double:
		return append(list, v.numbers()...)
	}
	return append(list, schema.BoolValue(true)) // whatever it is: it is asked for its being there alone
}

// numbers are the constants and one number between each two, below the least and above the greatest. What is
// measured is 0 at
// least.
func (v *variable) numbers() (list []schema.Value) {
	from := math.Inf(-1)
	if measured(v.id) || v.id == "job.queue_minutes" {
		from = 0
	}
	near := []float64{0}
	sorted := slices.Compact(slices.Sorted(slices.Values(v.constants)))
	for i, n := range sorted {
		if v.kind == schema.Int {
			near = append(near, math.Floor(n)-1, math.Floor(n), math.Ceil(n), math.Ceil(n)+1)
			continue
		}
		near = append(near, n-1-math.Abs(n), n, n+1+math.Abs(n))
		if i > 0 {
			near = append(near, sorted[i-1]+(n-sorted[i-1])/2)
		}
	}
	if v.kind == schema.Double {
		if !measured(v.id) && v.id != "job.queue_minutes" {
			list = append(list, schema.DoubleValue(math.NaN()))
		}
		near = append(near, math.Inf(-1), math.Inf(1))
	}
	slices.Sort(near)
	for _, n := range slices.Compact(near) {
		switch {
		case n < from:
		case v.kind == schema.Int:
			list = append(list, schema.IntValue(int64(n)))
		default:
			list = append(list, schema.DoubleValue(n))
		}
	}
	return list
}

package lower

import (
	"sync"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
)

// queries compiles what the user asks of each job, beside the policy and with its parameters and defines.
func (b *builder) queries(list []front.Query) {
	for _, q := range list {
		src := celexpr.Source{Span: q.Text.Span(0, len(q.Text.Text))}
		want := celexpr.WantValue
		if q.Condition {
			want = celexpr.WantBool
		}
		compiled, diags := b.env.Compile(src, want)
		if compiled == nil && !q.Condition { // a number whose type depends on the row
			if number, _ := b.env.Compile(src, celexpr.WantFactor); number != nil {
				compiled, diags = number, nil
			}
		}
		if compiled == nil {
			*b.diags = append(*b.diags, diags...)
			continue
		}
		out := ir.Query{Type: compiled.Expr.Type, Span: src.Span}
		switch out.Type {
		case schema.Bool, schema.Int, schema.Double:
			compiled, diags = b.env.Compile(src, celexpr.WantFactor)
		default:
			compiled.Expr, out.Text = coded(compiled.Expr)
		}
		*b.diags = append(*b.diags, diags...)
		if compiled == nil {
			continue
		}
		for _, name := range compiled.Defines {
			b.readDefines[name] = true
		}
		out.Value = ir.Scalar{Expr: compiled.Expr, Defines: compiled.Defines}
		b.out.Queries = append(b.out.Queries, out)
	}
}

// coded is an expression of another type than numbers and conditions as the places of its values in a list, which the
// second result reads: registers hold numbers.
func coded(e *expr.Expr) (*expr.Expr, func(code int) schema.Value) {
	var lock sync.Mutex
	var values []schema.Value
	places := map[string]int{}
	value := *e
	if e.Op != expr.Opaque { // a constant
		return expr.NewConst(schema.DoubleValue(0), e.Span), func(int) schema.Value { return e.Value }
	}
	value.Type = schema.Double
	value.Fn = func(args []schema.Value) (schema.Value, error) {
		v, err := e.Fn(args)
		if err != nil {
			return v, err
		}
		lock.Lock()
		defer lock.Unlock()
		key := v.String()
		place, known := places[key]
		if !known {
			place = len(values)
			places[key], values = place, append(values, v)
		}
		return schema.DoubleValue(float64(place)), nil
	}
	return &value, func(code int) schema.Value {
		lock.Lock()
		defer lock.Unlock()
		return values[code]
	}
}

package laws

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/conformance/oracle"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
)

// plainCEL is cel-go as anybody would set it up: objects are maps from names to values,
// what is unknown is not in them. It knows nothing of our names pass, types,
// kernels or folding.
var plainCEL = sync.OnceValues(func() (*cel.Env, error) {
	object := cel.MapType(cel.StringType, cel.DynType)
	options := []cel.EnvOption{ext.Strings(), ext.Math(), ext.Lists(), ext.Sets(),
		cel.Variable("param", object), cel.Variable("documented", object), cel.Variable("each", object),
		cel.Variable("version", cel.IntType), cel.Variable("now", cel.TimestampType),
		cel.Function("tres", cel.MemberOverload("tres_map", []*cel.Type{object, cel.StringType}, cel.DoubleType,
			cel.BinaryBinding(func(o, key ref.Val) ref.Val {
				return o.(interface{ Get(ref.Val) ref.Val }).Get(types.String("tres(" + string(key.(types.String)) + ")"))
			}))),
	}
	for _, o := range schema.Objects {
		for _, name := range []string{o.Name, o.Alias, o.Plural} {
			if name != "" {
				options = append(options, cel.Variable(name, object))
			}
		}
	}
	for name, f := range map[string]func(float64) float64{"exp": math.Exp, "ln": math.Log, "log2": math.Log2,
		"log10": math.Log10} {
		options = append(options, cel.Function(name, cel.Overload(name+"_double", []*cel.Type{cel.DoubleType}, cel.DoubleType,
			cel.UnaryBinding(func(a ref.Val) ref.Val { return types.Double(f(float64(a.(types.Double)))) }))))
	}
	options = append(options,
		cel.Function("pow", cel.Overload("pow_doubles", []*cel.Type{cel.DoubleType, cel.DoubleType}, cel.DoubleType,
			cel.BinaryBinding(func(a, b ref.Val) ref.Val {
				return types.Double(schema.Pow(float64(a.(types.Double)), float64(b.(types.Double))))
			}))),
		cel.Function("clamp", cel.Overload("clamp_doubles", []*cel.Type{cel.DoubleType, cel.DoubleType, cel.DoubleType},
			cel.DoubleType,
			cel.FunctionBinding(func(a ...ref.Val) ref.Val {
				x, low, high := a[0].(types.Double), a[1].(types.Double), a[2].(types.Double)
				if x < low {
					x = low
				}
				if x > high {
					x = high
				}
				return x
			}))))
	return cel.NewEnv(options...)
})

// expression is a CEL text with the constants of its for_each.
type expression struct {
	text string
	each map[string]schema.Value
}

// evaluator plans a text with cel-go.
func evaluator(t *rapid.T, e expression) func(vars map[string]any) oracle.Number {
	env, err := plainCEL()
	if err != nil {
		t.Fatal(err)
	}
	tree, issues := env.Compile(e.text)
	if issues.Err() != nil {
		t.Fatalf("cel-go refuses %s: %v", e.text, issues.Err())
	}
	program, err := env.Program(tree)
	if err != nil {
		t.Fatal(err)
	}
	each := map[string]any{}
	for name, v := range e.each {
		each[name] = goValue(v)
	}
	return func(vars map[string]any) oracle.Number {
		vars["each"] = each
		return celNumber(program.Eval(vars))
	}
}

var definePattern = regexp.MustCompile(`\bdefine\.\w+`)

// celAgrees evaluates the text of each live factor with cel-go and compares.
func celAgrees(t *rapid.T, p *ir.Policy, factors []string, answer *oracle.Answer) {
	for k, text := range factors {
		evaluate := evaluator(t, expression{text: text})
		for row, have := range answer.Rows {
			if have.Terms[k].Live {
				equalNumbers(t, text, row, have.Terms[k].Factor, evaluate(activation(p, answer, row)))
			}
		}
	}
}

// celAgreesWithLibrary does the same for the terms of a library policy, weights too, and
// returns how many texts it compared.
func celAgreesWithLibrary(t *rapid.T, p *ir.Policy, doc *policy.Document, answer *oracle.Answer) int {
	terms := map[string]int{}
	for _, c := range p.Components {
		for _, term := range c.Terms {
			terms[c.Name+"."+term.Name] = len(terms)
		}
	}
	compared := 0
	defines := map[string]string{}
	writeOut := func(text string) string {
		return definePattern.ReplaceAllStringFunc(text, func(name string) string { return "(" + defines[name] + ")" })
	}
	for _, d := range doc.Defines {
		defines["define."+d.Name] = writeOut(d.Value.CEL.Text)
	}
	for _, c := range doc.Components {
		for _, term := range c.Terms {
			k := terms[c.Name+"."+term.Name]
			for _, part := range []struct {
				scalar policy.Scalar
				have   func(oracle.Term) oracle.Number
			}{{term.Factor, func(t oracle.Term) oracle.Number { return t.Factor }},
				{term.Weight, func(t oracle.Term) oracle.Number { return t.Weight }}} {
				if part.scalar.CEL == nil {
					continue
				}
				text := writeOut(part.scalar.CEL.Text)
				evaluate := evaluator(t, expression{text, part.scalar.CEL.Each})
				for row, have := range answer.Rows {
					if have.Terms[k].Live {
						compared++
						equalNumbers(t, text, row, part.have(have.Terms[k]), evaluate(activation(p, answer, row)))
					}
				}
			}
		}
	}
	return compared
}

func equalNumbers(t *rapid.T, text string, row int, got, want oracle.Number) {
	if (got.Err != nil) != (want.Err != nil) || got.Err == nil && !sameBits(got.Double, want.Double) {
		t.Fatalf("row %d: %s is %v, cel-go has %v", row, text, got, want)
	}
}

func celNumber(v ref.Val, _ *cel.EvalDetails, err error) oracle.Number {
	if err != nil {
		return oracle.Number{Err: err}
	}
	switch v := v.(type) {
	case types.Double:
		return oracle.Number{Double: float64(v)}
	case types.Int:
		return oracle.Number{Double: float64(v)}
	case types.Bool:
		if v {
			return oracle.Number{Double: 1}
		}
		return oracle.Number{}
	}
	return oracle.Number{Err: fmt.Errorf("a %s is no number", v.Type())}
}

// activation holds every known column of a row.
func activation(p *ir.Policy, answer *oracle.Answer, row int) map[string]any {
	documented := map[string]any{}
	for _, d := range p.Deviations {
		documented[d.Name] = d.Documented
	}
	vars := map[string]any{"now": time.Unix(now, 0).UTC(), "documented": documented, "version": versionNumber(p.Version)}
	param := map[string]any{}
	for _, v := range p.Params {
		param[v.Name] = goValue(v.Value)
	}
	for name, v := range partitionParams(p, answer.Value("job.node_partitions", row).List) {
		param[name] = goValue(v)
	}
	vars["param"] = param
	for _, o := range schema.Objects {
		own, plural := map[string]any{}, map[string]any{}
		for _, c := range o.Columns {
			ids := []schema.ColumnID{c.ID}
			if c.ID.Name() == "tres" {
				ids = []schema.ColumnID{schema.TRES(o.Name, "cpu"), schema.TRES(o.Name, "gres/gpu")}
			}
			for _, id := range ids {
				if o.Name == "node" {
					continue
				}
				if v := answer.Value(id, row); v.Known() {
					_, name, _ := strings.Cut(string(id), ".")
					own[name] = goValue(v)
				}
			}
			id := schema.ColumnID(o.Plural + ".max_" + c.ID.Name())
			if _, _, ok := schema.Aggregate(id); ok {
				plural["max_"+c.ID.Name()] = goValue(answer.Value(id, row))
			}
		}
		vars[o.Name] = own
		if o.Alias != "" {
			vars[o.Alias] = own
		}
		if o.Plural != "" {
			vars[o.Plural] = plural
		}
	}
	return vars
}

// partitionParams are the weights and caps that count for a job which asks for one
// partition of nodes alone, as the policy names them among a number's sources.
func partitionParams(p *ir.Policy, partitions []string) map[string]schema.Value {
	own := map[string]schema.Value{}
	if len(partitions) != 1 {
		return own
	}
	for _, c := range p.Components {
		scalars := []ir.Scalar{c.Weight, c.Cap}
		for _, term := range c.Terms {
			scalars = append(scalars, term.Weight, term.Cap)
		}
		for _, s := range scalars {
			for _, src := range s.Sources {
				if name, ok := strings.CutSuffix(src.Name, "["+partitions[0]+"]"); ok {
					own[name] = src.Value
				}
			}
		}
	}
	return own
}

// versionNumber is 2205 for 22.05.
func versionNumber(version string) int64 {
	year, month, _ := strings.Cut(version, ".")
	y, _ := strconv.ParseInt(year, 10, 64)
	m, _ := strconv.ParseInt(month, 10, 64)
	return 100*y + m
}

func goValue(v schema.Value) any {
	switch v.Type {
	case schema.Bool:
		return v.Int != 0
	case schema.Int:
		return v.Int
	case schema.Double:
		return v.Double
	case schema.Timestamp:
		return time.Unix(v.Int, 0).UTC()
	case schema.StringList:
		return append([]string{}, v.List...)
	case schema.String:
		return v.Str
	}
	panic("no Go value for " + v.String())
}

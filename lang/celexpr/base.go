package celexpr

import (
	"math"
	"slices"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"

	"github.com/fairway-sched/fairway/lang/schema"
)

// tresFunction is what `job.tres("cpu")` becomes before the type check: a call
// with the column id as its argument, since resource names cannot be declared
// one by one.
const tresFunction = "@tres"

// emptyStrings stands for an empty list param until the type is checked: the
// literal [] would be a list of anything.
const emptyStrings = "[]"

// plainExtensions are those of cel-go.
func plainExtensions() []cel.EnvOption {
	return []cel.EnvOption{ext.Strings(), ext.Math(), ext.Lists(), ext.Sets()}
}

// baseEnv holds everything that is the same for all policies. Params and
// other constants are put into the expression before it is checked, so one
// environment serves the whole process; it costs about 0.4 ms to make.
var baseEnv = sync.OnceValues(func() (*cel.Env, error) {
	options, err := extensions()
	if err != nil {
		return nil, err
	}
	options = append(slices.Clone(options),
		cel.Variable(string(schema.Now), cel.TimestampType),
		cel.Variable(string(Score), cel.DoubleType),
		cel.Variable(emptyStrings, celType(schema.StringList)),
		cel.Function(tresFunction, cel.Overload("tres_column", []*cel.Type{cel.StringType}, cel.DoubleType)))
	for _, id := range declaredColumns() {
		options = append(options,
			cel.Variable(string(id), celType(columnType(id))),
			cel.Variable(presenceName(id), cel.BoolType))
	}
	for _, f := range schema.Functions {
		if own := ownFunctions[f.Overload]; own != nil {
			options = append(options, declare(f, own))
		}
	}
	return cel.NewEnv(options...)
})

// declaredColumns lists every column an expression may read, but for single resources.
func declaredColumns() []schema.ColumnID {
	var ids []schema.ColumnID
	for _, o := range readableObjects() {
		for _, c := range o.Columns {
			if schema.Keyed(c.ID.Name()) {
				continue
			}
			ids = append(ids, c.ID)
			if o.Plural == "" {
				continue
			}
			aggregate := schema.ColumnID(o.Plural + ".max_" + c.ID.Name())
			if _, _, ok := schema.Aggregate(aggregate); ok {
				ids = append(ids, aggregate)
			}
		}
	}
	return ids
}

// readableObjects leaves out what is separate: a job has no one node to read from.
func readableObjects() []*schema.Object {
	var list []*schema.Object
	for _, o := range schema.Objects {
		if !o.Apart {
			list = append(list, o)
		}
	}
	return list
}

// columnType is the type of any readable column, Invalid if there is none.
func columnType(id schema.ColumnID) schema.Type {
	if id == schema.Now {
		return schema.Timestamp
	}
	if id == Score {
		return schema.Double
	}
	if _, c, ok := schema.Aggregate(id); ok {
		return c.Type
	}
	if c := schema.Lookup(id); c != nil {
		return c.Type
	}
	return schema.Invalid
}

// presenceName is the variable that stands for has(column).
func presenceName(id schema.ColumnID) string { return "has(" + string(id) + ")" }

// ownFunctions are the functions that CEL lacks. They are doubles throughout.
var ownFunctions = map[string]func(args []float64) float64{
	"clamp_double_double_double": func(a []float64) float64 { return schema.Clamp(a[0], a[1], a[2]) },
	"pow_double_double":          func(a []float64) float64 { return schema.Pow(a[0], a[1]) },
	"exp_double":                 func(a []float64) float64 { return math.Exp(a[0]) },
	"ln_double":                  func(a []float64) float64 { return math.Log(a[0]) },
	"log2_double":                func(a []float64) float64 { return math.Log2(a[0]) },
	"log10_double":               func(a []float64) float64 { return math.Log10(a[0]) },
}

// declare makes cel-go's declaration of one of our functions from the table, so
// that its overload id is the kernel's name.
func declare(f schema.Function, fn func([]float64) float64) cel.EnvOption {
	params := make([]*cel.Type, len(f.Params))
	for i, p := range f.Params {
		params[i] = celType(p)
	}
	boxed := func(args ...ref.Val) ref.Val {
		floats := make([]float64, len(args))
		for i, a := range args {
			// Only a dynamically typed argument can be anything but a double.
			d, ok := a.(types.Double)
			if !ok {
				return types.MaybeNoSuchOverloadErr(a)
			}
			floats[i] = float64(d)
		}
		return types.Double(fn(floats))
	}
	var binding cel.OverloadOpt
	switch len(params) {
	case 1:
		binding = cel.UnaryBinding(func(a ref.Val) ref.Val { return boxed(a) })
	case 2:
		binding = cel.BinaryBinding(func(a, b ref.Val) ref.Val { return boxed(a, b) })
	default:
		binding = cel.FunctionBinding(boxed)
	}
	return cel.Function(f.Name, cel.Overload(f.Overload, params, celType(f.Result), binding))
}

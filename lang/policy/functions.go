package policy

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// FunctionDoc documents one function of HCL expressions.
type FunctionDoc struct {
	Name, Usage, Doc string
	impl             function.Function
}

// Functions lists the functions of HCL expressions in alphabetical order.
// Those of CEL are in lang/schema.
func Functions() []FunctionDoc { return functionList }

var functionList = []FunctionDoc{
	{"abs", "abs(number)", "Absolute value.", stdlib.AbsoluteFunc},
	{"ceil", "ceil(number)", "Rounded up.", stdlib.CeilFunc},
	{"coalesce", "coalesce(a, b, …)", "The first that is not null.", stdlib.CoalesceFunc},
	{"compact", "compact(list)", "The list without empty strings.", stdlib.CompactFunc},
	{"concat", "concat(list, …)", "One list of all elements.", stdlib.ConcatFunc},
	{"contains", "contains(list, value)", "Whether the value is in the list.", containsFunc},
	{"distinct", "distinct(list)", "The list without repetitions.", stdlib.DistinctFunc},
	{"element", "element(list, index)", "Element by index, counted around the end.", stdlib.ElementFunc},
	{"endswith", "endswith(text, suffix)", "Whether the text ends so.", textTest(strings.HasSuffix)},
	{"flatten", "flatten(list)", "Lists inside the list replaced by their elements.", stdlib.FlattenFunc},
	{"floor", "floor(number)", "Rounded down.", stdlib.FloorFunc},
	{"format", "format(text, value, …)", "Text with %d, %s, %g … replaced.", formatFunc},
	{"has_flag", "has_flag(list, word)", "Whether the word is in the list or comma-separated text, found as " +
		"Slurm does: anywhere inside, in any case.", hasFlagFunc},
	{"join", "join(separator, list)", "The elements as one text.", stdlib.JoinFunc},
	{"keys", "keys(map)", "The keys in order.", stdlib.KeysFunc},
	{"length", "length(value)", "Number of elements of a list or map, or of characters of a text.", lengthFunc},
	{"lookup", "lookup(map, key, default)", "The map's value, or the default.", stdlib.LookupFunc},
	{"lower", "lower(text)", "In lower case.", stdlib.LowerFunc},
	{"max", "max(number, …)", "The largest.", stdlib.MaxFunc},
	{"merge", "merge(map, …)", "One map of all entries; later ones win.", stdlib.MergeFunc},
	{"min", "min(number, …)", "The smallest.", stdlib.MinFunc},
	{"range", "range(limit) or range(start, limit, step)", "Numbers in sequence.", stdlib.RangeFunc},
	{"regex", "regex(pattern, text)", "The part of the text that the pattern matches, or its groups.",
		stdlib.RegexFunc},
	{"regexall", "regexall(pattern, text)", "All matches; an empty list if there is none.", stdlib.RegexAllFunc},
	{"replace", "replace(text, old, new)", "Every occurrence replaced.", stdlib.ReplaceFunc},
	{"reverse", "reverse(list)", "In reverse order.", stdlib.ReverseListFunc},
	{"slice", "slice(list, start, end)", "A part of the list.", stdlib.SliceFunc},
	{"sort", "sort(list)", "Strings in order.", stdlib.SortFunc},
	{"split", "split(separator, text)", "The parts of the text.", stdlib.SplitFunc},
	{"startswith", "startswith(text, prefix)", "Whether the text begins so.", textTest(strings.HasPrefix)},
	{"substr", "substr(text, offset, length)", "A part of the text.", stdlib.SubstrFunc},
	{"tobool", "tobool(value)", "As bool.", stdlib.MakeToFunc(cty.Bool)},
	{"tolist", "tolist(value)", "As list.", stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType))},
	{"tomap", "tomap(value)", "As map.", stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType))},
	{"tonumber", "tonumber(value)", "As number.", stdlib.MakeToFunc(cty.Number)},
	{"toset", "toset(value)", "As set.", stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType))},
	{"tostring", "tostring(value)", "As text.", stdlib.MakeToFunc(cty.String)},
	{"tres_weights", "tres_weights(\"CPU=1000,Mem=0.25G\")",
		"Weights of trackable resources per base unit, as a list of {key, value} in Slurm's order of resources; a " +
			"unit suffix divides.", tresWeightsFunc},
	{"trim", "trim(text, characters)", "Without these characters at both ends.", stdlib.TrimFunc},
	{"trimprefix", "trimprefix(text, prefix)", "Without the prefix.", stdlib.TrimPrefixFunc},
	{"trimspace", "trimspace(text)", "Without white space at both ends.", stdlib.TrimSpaceFunc},
	{"trimsuffix", "trimsuffix(text, suffix)", "Without the suffix.", stdlib.TrimSuffixFunc},
	{"upper", "upper(text)", "In upper case.", stdlib.UpperFunc},
	{"values", "values(map)", "The values in the order of their keys.", stdlib.ValuesFunc},
	{"zipmap", "zipmap(keys, values)", "A map of the two lists.", stdlib.ZipmapFunc},
}

var functionByName = func() map[string]function.Function {
	m := make(map[string]function.Function, len(functionList))
	for _, f := range functionList {
		m[f.Name] = f.impl
		if grows[f.Name] != nil {
			m[f.Name] = refusing(f.impl, grows[f.Name])
		}
	}
	return m
}()

// grows says how large the result of a function may become, or its work, where that is more than the sum of its
// arguments.
var grows = map[string]func(args []cty.Value) int{
	"replace": func(args []cty.Value) int { return (weight(args[0]) + 1) * weight(args[2]) },
	"join":    func(args []cty.Value) int { return weight(args[0]) * weight(cty.TupleVal(args[1:])) },
	// all pairs are compared
	"distinct": func(args []cty.Value) int { return args[0].LengthInt() * args[0].LengthInt() / 100 },
}

// refusing calls a function whose result or work stays within what constants may have.
func refusing(f function.Function, size func(args []cty.Value) int) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(), Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if size(args) > maxWeight {
				return cty.NilVal, fmt.Errorf("a constant may have about %d characters, elements or digits", maxWeight)
			}
			return f.Call(args)
		},
	})
}

func functionNames() []string {
	names := make([]string, len(functionList))
	for i, f := range functionList {
		names[i] = f.Name
	}
	return names
}

func anyParam(name string) function.Parameter {
	return function.Parameter{Name: name, Type: cty.DynamicPseudoType}
}

func textParam(name string) function.Parameter {
	return function.Parameter{Name: name, Type: cty.String}
}

func textTest(test func(text, part string) bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{textParam("text"), textParam("part")},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.BoolVal(test(args[0].AsString(), args[1].AsString())), nil
		},
	})
}

// containsFunc compares text with text, so that a list of mixed types is no
// trap: the library's own function wants one type for all elements.
var containsFunc = function.New(&function.Spec{
	Params: []function.Parameter{anyParam("list"), anyParam("value")},
	Type:   function.StaticReturnType(cty.Bool),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if !isSequence(args[0].Type()) {
			return cty.NilVal, function.NewArgErrorf(0, "must be a list or a set")
		}
		for it := args[0].ElementIterator(); it.Next(); {
			_, e := it.Element()
			if e.Type().Equals(args[1].Type()) && e.RawEquals(args[1]) {
				return cty.True, nil
			}
		}
		return cty.False, nil
	},
})

var lengthFunc = function.New(&function.Spec{
	Params: []function.Parameter{anyParam("value")},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		switch t := args[0].Type(); {
		case t == cty.String:
			return stdlib.Strlen(args[0])
		case isSequence(t), isMapping(t):
			return cty.NumberIntVal(int64(args[0].LengthInt())), nil
		}
		return cty.NilVal, errors.New("must be a list, a map or a text")
	},
})

var widthPattern = source.Pattern(`%[-+ #0\[\]\d]*\d{4,}|%[^a-zA-Z%]*\.\d{4,}`)

// formatFunc refuses fields wider than 999 characters: the library pads
// whatever it is asked to.
var formatFunc = function.New(&function.Spec{
	Params:   []function.Parameter{textParam("format")},
	VarParam: &function.Parameter{Name: "args", Type: cty.DynamicPseudoType, AllowNull: true},
	Type:     function.StaticReturnType(cty.String),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if widthPattern().MatchString(args[0].AsString()) {
			return cty.NilVal, function.NewArgErrorf(0, "a field may be at most 999 characters wide")
		}
		return stdlib.Format(args[0], args[1:]...)
	},
})

// hasFlagFunc searches flags as Slurm's own option parser does: xstrcasestr on the
// whole comma list, no word boundaries, so MAX_TRES is found in MAX_TRES_GRES.
var hasFlagFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "flags", Type: cty.DynamicPseudoType, AllowNull: true, AllowDynamicType: true},
		textParam("word")},
	Type: function.StaticReturnType(cty.Bool),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		flags := args[0]
		if flags.IsNull() {
			return cty.False, nil
		}
		if isSequence(flags.Type()) {
			var words []string
			for it := flags.ElementIterator(); it.Next(); {
				_, e := it.Element()
				word, err := convert.Convert(e, cty.String)
				if err != nil || word.IsNull() {
					return cty.NilVal, function.NewArgErrorf(0, "must be a list of strings")
				}
				words = append(words, word.AsString())
			}
			flags = cty.StringVal(strings.Join(words, ","))
		}
		if flags.Type() != cty.String {
			return cty.NilVal, function.NewArgErrorf(0, "must be a list of strings or a text")
		}
		return cty.BoolVal(strings.Contains(strings.ToLower(flags.AsString()), strings.ToLower(args[1].AsString()))),
			nil
	},
})

// tresRank is the order of Slurm's TRES array, in which the terms are added;
// resources beyond the fixed ones follow in the order of the text.
var tresRank = map[string]int{"cpu": 0, "mem": 1, "energy": 2, "node": 3, "billing": 4, "fs/disk": 5, "vmem": 6,
	"pages": 7}

var tresWeightsFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "weights", Type: cty.String, AllowNull: true}}, // a param that is not set
	Type: function.StaticReturnType(cty.List(cty.Object(map[string]cty.Type{"key": cty.String,
		"value": cty.Number}))),
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		if args[0].IsNull() {
			return cty.ListValEmpty(t.ElementType()), nil
		}
		weights, err := slurmtext.ParseTRESWeights(args[0].AsString())
		if err != nil {
			return cty.NilVal, function.NewArgErrorf(0, "%s", err)
		}
		rank := func(name string) int {
			if r, fixed := tresRank[name]; fixed {
				return r
			}
			return len(tresRank)
		}
		sort.SliceStable(weights, func(i, j int) bool { return rank(weights[i].Name) < rank(weights[j].Name) })
		items := make([]cty.Value, len(weights))
		for i, w := range weights {
			if i > 0 && w.Name == weights[i-1].Name {
				return cty.NilVal, function.NewArgErrorf(0, "%s is there twice", w.Name)
			}
			items[i] = cty.ObjectVal(map[string]cty.Value{"key": cty.StringVal(w.Name),
				"value": cty.NumberFloatVal(w.Value)})
		}
		if len(items) == 0 {
			return cty.ListValEmpty(t.ElementType()), nil
		}
		return cty.ListVal(items), nil
	},
})

// functionUsage is how a note shows a function.
func functionUsage(name string) string {
	for _, f := range functionList {
		if f.Name == name {
			return fmt.Sprintf("%s: %s", f.Usage, f.Doc)
		}
	}
	return ""
}

package policy

import (
	"fmt"
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/lang/source"
)

// functionCases gives each function a call and what it must be. A list or text
// is compared as a param setting would hold it.
var functionCases = []struct{ name, call, want string }{
	{"abs", "abs(-2.5)", "2.5"},
	{"ceil", "ceil(1.2)", "2"},
	{"coalesce", `coalesce(null, "a")`, `"a"`},
	{"compact", `compact(["a", "", "b"])`, `["a" "b"]`},
	{"concat", `concat(["a"], ["b"])`, `["a" "b"]`},
	{"contains", `contains(["a", 1], 1)`, "true"},
	{"contains", `contains(["a", 1], "1")`, "false"},
	{"distinct", `distinct(["a", "a"])`, `["a"]`},
	{"element", `element(["a", "b"], 3)`, `"b"`},
	{"endswith", `endswith("abc", "bc")`, "true"},
	{"flatten", `flatten([["a"], ["b", ["c"]]])`, `["a" "b" "c"]`},
	{"floor", "floor(-1.2)", "-2"},
	{"format", `format("%s-%03d", "n", 7)`, `"n-007"`},
	{"has_flag", `has_flag(["MAX_TRES_GRES", "x"], "max_tres")`, "true"},
	{"has_flag", `has_flag("DEPTH_OBLIVIOUS,ACCRUE_ALWAYS", "NO_FAIR_TREE")`, "false"},
	{"has_flag", `has_flag(null, "x")`, "false"},
	{"join", `join(",", ["a", "b"])`, `"a,b"`},
	{"keys", `keys({ b = 1, a = 2 })`, `["a" "b"]`},
	{"length", `length("größe") + length([1, 2]) + length({ a = 1 })`, "8"},
	{"lookup", `lookup({ a = 1 }, "b", 3)`, "3"},
	{"lower", `lower("ÄB")`, `"äb"`},
	{"max", "max(1, 3, 2)", "3"},
	{"merge", `merge({ a = 1 }, { a = 2 }).a`, "2"},
	{"min", "min(1, 3, 2)", "1"},
	{"range", "range(1, 4)", `["1" "2" "3"]`},
	{"regex", `regex("[0-9]+", "ab12")`, `"12"`},
	{"regexall", `regexall("[0-9]", "a1b2")`, `["1" "2"]`},
	{"replace", `replace("a.b", ".", "_")`, `"a_b"`},
	{"reverse", `reverse(["a", "b"])`, `["b" "a"]`},
	{"slice", `slice(["a", "b", "c"], 1, 3)`, `["b" "c"]`},
	{"sort", `sort(["b", "a"])`, `["a" "b"]`},
	{"split", `split(",", "a,b")`, `["a" "b"]`},
	{"startswith", `startswith("abc", "ab")`, "true"},
	{"substr", `substr("abc", 1, 1)`, `"b"`},
	{"tobool", `tobool("true")`, "true"},
	{"tolist", `tolist(["a"])`, `["a"]`},
	{"tomap", `tomap({ a = 1 }).a`, "1"},
	{"tonumber", `tonumber("1.5")`, "1.5"},
	{"toset", `toset(["b", "a", "b"])`, `["a" "b"]`},
	{"tostring", "tostring(12)", `"12"`},
	{"tres_weights", `[for w in tres_weights("gres/gpu=2,Mem=1G,CPU=1") : "${w.key}=${w.value}"]`,
		`["cpu=1" "mem=0.0009765625" "gres/gpu=2"]`},
	{"tres_weights", `length(tres_weights(""))`, "0"},
	{"tres_weights", `length(tres_weights(null))`, "0"},
	{"trim", `trim("--a-", "-")`, `"a"`},
	{"trimprefix", `trimprefix("ab", "a")`, `"b"`},
	{"trimspace", `trimspace(" a ")`, `"a"`},
	{"trimsuffix", `trimsuffix("ab", "b")`, `"a"`},
	{"upper", `upper("a")`, `"A"`},
	{"values", `values({ b = "x", a = "y" })`, `["y" "x"]`},
	{"zipmap", `zipmap(["a"], [3]).a`, "3"},
}

func TestFunctions(t *testing.T) {
	tested := []string{}
	for _, c := range functionCases {
		f, diags := Parse(source.NewFile("f", fmt.Appendf(nil, "policy \"p\" {\n  params = { x = %s }\n}\n", c.call)))
		if len(diags) > 0 || len(f.Policies[0].Params) != 1 {
			t.Errorf("%s: %v", c.call, diags)
			continue
		}
		if got := f.Policies[0].Params[0].Value.String(); got != c.want {
			t.Errorf("%s = %s, want %s", c.call, got, c.want)
		}
		if !slices.Contains(tested, c.name) {
			tested = append(tested, c.name)
		}
	}
	if names := functionNames(); !slices.IsSorted(names) || !slices.Equal(names, tested) {
		t.Errorf("functions %q\ntested    %q", names, tested)
	}
}

func TestFunctionFaults(t *testing.T) {
	for _, call := range []string{
		`tres_weights("cpu")`, `tres_weights("cpu=1,CPU=2")`, `has_flag(3, "a")`, `has_flag([["a"]], "a")`, `length(3)`,
		`contains("a", "a")`, `format("%1000d", 1)`, `format("%.5000f", 1)`, `range(1, 10, 0)`, `range(0, 100000)`,
		`regex("(", "a")`, `element([], 1)`,
	} {
		_, diags := Parse(source.NewFile("f", fmt.Appendf(nil, "policy \"p\" {\n  params = { x = %s }\n}\n", call)))
		if len(diags) != 1 || diags[0].Code != "policy-expression" {
			t.Errorf("%s: %v", call, diags)
		}
	}
}

package compiler_test

import (
	"os"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
)

// Law: files that are parsed once and compiled again and again, each time with other options, mean what they mean when
// they are read anew.
func TestParsedOnce(t *testing.T) {
	files := func() (list []*source.File) {
		for _, name := range []string{"slurm.conf", "assoc.cfg"} {
			text, err := os.ReadFile("../examples/slurm-share-tree/" + name)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, source.NewFile(name, text))
		}
		return list
	}
	again := compiler.Input{Files: files()}
	again.Parsed = compiler.Parse(again)
	for _, weight := range []string{"1", "70000", "0", "1"} {
		anew := compiler.Input{Files: files()}
		param := lower.ParamOverride{Name: "PriorityWeightAge", Value: weight}
		anew.Params, again.Params = []lower.ParamOverride{param}, []lower.ParamOverride{param}
		x, y := compiler.Compile(anew), compiler.Compile(again)
		if x.Diags.HasErrors() || len(x.Diags) != len(y.Diags) {
			t.Fatalf("%v\n%v", x.Diags, y.Diags)
		}
		for _, stage := range []string{"lower", "codegen"} {
			if want, got := compiler.Whole(x, stage), compiler.Whole(y, stage); want == "" || got != want {
				t.Errorf("after %s with the weight %s the policies differ:\n%s\n%s", stage, weight, want, got)
			}
		}
	}
}

package policy

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"golang.org/x/tools/txtar"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// samePlain: what the plain reader takes, it reads as HCL's parser does, and guard and oneLine find nothing in it.
func samePlain(t *testing.T, text []byte) (taken bool) {
	t.Helper()
	f := source.NewFile("p.hcl", text)
	var diags diag.List
	body, ok := plainBody(f)
	if !ok || !constantEvaluator(f, &diags).fits() {
		return false
	}
	tokens, fits := constantEvaluator(f, &diags).guard()
	if !fits {
		t.Fatalf("guard refuses %q: %s", text, diags[0].Message)
	}
	if edits := oneLine(tokens); len(edits) > 0 {
		t.Fatalf("%q has blocks of several attributes on one line", text)
	}
	want, found := hclsyntax.ParseConfig(text, f.Name, hcl.InitialPos)
	if found.HasErrors() {
		t.Fatalf("%q: %s", text, found)
	}
	if !reflect.DeepEqual(body, want.Body) {
		t.Fatalf("%q\n%#v\nwant\n%#v", text, body, want.Body)
	}
	return true
}

var plainTexts = []string{
	"policy \"p\" {\n  use = \"slurm\" # why\n\n  params = {\n    A = 1\n    \"B C\" = [\"x\", \"y\"] # c\n    # no\n  }\n}\n",
	"# é\nmachine {\n  node \"n[1-4]\" { # a:1\n    procs  = 64\n    up = true\n    x = 0.5\n  }\n  node \"m\" {}\n" +
		"  limit \"GrpTRES=cpu\" { hard = 4 } # b\n  empty \"a\" \"b\" {\n  }\n  list = []\n}\n",
	"a = 1\nb = false\n", "#\n", "\n", "a {\n}\n",
}

func TestPlain(t *testing.T) {
	for _, text := range plainTexts {
		if !samePlain(t, []byte(text)) {
			t.Errorf("%q is not taken", text)
		}
	}
	paths, _ := filepath.Glob("../../examples/*/*.hcl")
	archives, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		samePlain(t, text)
	}
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			samePlain(t, f.Data)
		}
	}
}

// FuzzPlain: whatever the text, the plain reader leaves it or reads it as HCL's parser does.
func FuzzPlain(f *testing.F) {
	for _, text := range plainTexts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) < 1<<12 {
			samePlain(t, text)
		}
	})
}

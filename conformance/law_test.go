package conformance_test

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// repository is the root of the checkout.
var repository = os.DirFS("..")

// law is the dependency law of DESIGN: which folder may import what. Each line reads
// "folder < what it may import of ours"; a folder's own sub-folders count as
// itself. Do not change this text to fix a build: move the code instead.
const law = `
stdlib          <
lang/source     <
lang/diag       < lang/source
lang/schema     <
lang/expr       < lang/source lang/schema
lang/celexpr    < lang/source lang/diag lang/schema lang/expr
lang/policy     < lang/source lang/diag lang/schema
lang/mauicfg    < lang/source lang/diag lang/schema stdlib
lang/slurmconf  < lang/source lang/diag lang/schema stdlib
lang/sacctmgr   < lang/source lang/diag lang/schema stdlib
compiler/ir     < lang/source lang/schema lang/expr
compiler/lower  < compiler/ir lang stdlib
compiler/check  < compiler/ir lang/source lang/diag lang/schema lang/expr
compiler/fold   < compiler/ir lang/expr
compiler/lint   < compiler/ir lang/source lang/diag lang/schema lang/expr stdlib
compiler/diff   < compiler/ir lang/source lang/schema lang/expr
compiler/codegen < compiler/ir lang/source lang/diag lang/schema lang/expr runtime/program
compiler        < compiler lang stdlib runtime/program
runtime/program < lang/source lang/schema
runtime/column  < lang/schema
runtime/snapshot < runtime/column lang/source lang/diag lang/schema
runtime/vm      < runtime/program runtime/column lang/source lang/diag lang/schema
runtime/backfill < runtime/program runtime/backfill
runtime/engine  < runtime/program runtime/column runtime/snapshot runtime/vm runtime/rank runtime/fairshare runtime/limit runtime/checkpoint runtime/backfill lang/source lang/diag lang/schema
runtime         < runtime lang/source lang/diag lang/schema
conformance     < compiler lang stdlib runtime conformance
examples        <
cmd             < compiler lang stdlib runtime cmd conformance
`

// guarded names the libraries that only some folders may import, and why.
var guarded = []struct {
	module  string
	folders []string
	why     string
}{
	{"github.com/hashicorp/hcl", []string{"lang/policy"}, "HCL types stay behind the policy language"},
	{"github.com/zclconf/go-cty", []string{"lang/policy"}, "cty values stay behind the policy language"},
	{"github.com/google/cel-go", []string{"lang/celexpr"}, "one boundary to CEL, so that its version can change"},
	{"github.com/alecthomas/participle", []string{"lang/mauicfg", "lang/slurmconf", "lang/sacctmgr"}, "grammars belong to the dialects"},
	{"github.com/klauspost/compress", []string{"runtime/snapshot"}, "archives are read and written in one place"},
	{"github.com/spf13/cobra", []string{"cmd"}, "only the command line parses arguments"},
	{"os", []string{"cmd", "conformance/recordedtest"}, "files are touched only in cmd and by what tests share"},
	{"os/exec", []string{"cmd"}, "processes are started only in cmd"},
	{"os/signal", []string{"cmd"}, "files and processes are of cmd"},
	{"syscall", []string{"cmd"}, "files and processes are of cmd"},
	{"net", []string{"cmd"}, "nothing talks to the network"},
	{"net/http", []string{"cmd"}, "nothing talks to the network"},
}

// clocks are the calls that read the time; only cmd may.
var clocks = []string{"time.Now(", "time.Since(", "time.Until("}

func TestDependencyLaw(t *testing.T) {
	rules := parseLaw(t)
	seen := 0
	err := fs.WalkDir(repository, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || (strings.HasPrefix(name, ".") && name != ".") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || !strings.Contains(file, "/") {
			return nil
		}
		seen++
		checkFile(t, rules, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 20 {
		t.Fatalf("only %d files seen: the walk is broken", seen)
	}
}

const module = "github.com/fairway-sched/fairway/"

func checkFile(t *testing.T, rules map[string][]string, file string) {
	parsed, err := parser.ParseFile(token.NewFileSet(), path.Join("..", file), nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	dir := path.Dir(file)
	if text, err := fs.ReadFile(repository, file); err != nil {
		t.Fatal(err)
	} else if !within(dir, []string{"cmd"}) {
		for _, call := range clocks {
			if strings.Contains(string(text), call) {
				t.Errorf("%s reads the clock with %s…); the time is an input", file, call)
			}
		}
	}
	for _, imp := range parsed.Imports {
		target, _ := strconv.Unquote(imp.Path.Value)
		if ours, ok := strings.CutPrefix(target, module); ok {
			folder, allowed := ruleFor(rules, dir)
			if folder == "" {
				t.Errorf("%s: no law for this folder; add one to law_test.go", file)
			} else if !within(ours, []string{folder}) && !within(ours, allowed) {
				t.Errorf("%s imports %s, but %s may import only: %s", file, ours, folder, strings.Join(allowed, " "))
			}
			continue
		}
		for _, g := range guarded {
			exact := !strings.Contains(g.module, ".")
			if (target == g.module || !exact && strings.HasPrefix(target, g.module+"/")) && !within(dir, g.folders) {
				t.Errorf("%s imports %s, which is for %s only: %s", file, target, strings.Join(g.folders, ", "), g.why)
			}
		}
	}
}

func parseLaw(t *testing.T) map[string][]string {
	rules := map[string][]string{}
	for s := bufio.NewScanner(strings.NewReader(law)); s.Scan(); {
		folder, allowed, ok := strings.Cut(s.Text(), "<")
		if !ok {
			continue
		}
		rules[strings.TrimSpace(folder)] = strings.Fields(allowed)
	}
	if len(rules) < 10 {
		t.Fatal("the law did not parse")
	}
	return rules
}

// ruleFor finds the rule of the nearest enclosing folder.
func ruleFor(rules map[string][]string, dir string) (string, []string) {
	for d := dir; d != "."; d = path.Dir(d) {
		if allowed, ok := rules[d]; ok {
			return d, allowed
		}
	}
	return "", nil
}

func within(target string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return target == f || strings.HasPrefix(target, f+"/") })
}

// TestRandomTestsRepeat: what a random test draws is the same each time, so none calls rapid itself.
func TestRandomTestsRepeat(t *testing.T) {
	const own = "conformance/draws/draws.go"
	_ = fs.WalkDir(repository, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || file == own {
			return err
		}
		text, err := fs.ReadFile(repository, file)
		if call := "rapid." + "Check("; strings.Contains(string(text), call) {
			t.Errorf("%s draws anew each time with %s…); conformance/draws does not", file, call)
		}
		return err
	})
}

// TestNoInit keeps registries visible: a list in a file, never init().
func TestNoInit(t *testing.T) {
	_ = fs.WalkDir(repository, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path.Join("..", file), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil // the compiler says it better
		}
		for _, decl := range parsed.Decls {
			if name := funcName(decl); name == "init" {
				t.Errorf("%s has an init function; use a visible list instead", file)
			}
		}
		return nil
	})
}

func funcName(decl ast.Decl) string {
	if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
		return f.Name.Name
	}
	return ""
}

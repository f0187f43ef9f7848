package conformance_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// repository is the root of the checkout.
var repository = os.DirFS("..")

// law is the dependency law of DESIGN: which folder may import what. Each line reads
// "folder < what it may import of ours"; a line that begins with a blank continues the one before. A folder's own
// sub-folders, and those of what it may import, count as itself. No folder imports one above it in the list, and each
// of runtime, compiler and lang has a line. Do not change this text to fix a build: move the code instead.
const law = `
cmd                      < compiler lang stdlib runtime
conformance              < compiler lang stdlib runtime
examples                 <

compiler/editor          < compiler lang stdlib
compiler/convert         < compiler/convert/maui compiler/convert/slurm compiler/convert/draft compiler/convert/match
                           compiler/diff compiler/fold compiler/ir compiler/lower lang
compiler/convert/maui    < compiler/convert/draft compiler/convert/match compiler/ir compiler/lower lang
compiler/convert/slurm   < compiler/convert/draft compiler/convert/match compiler/fold compiler/ir compiler/lower lang
compiler/convert/draft   < compiler/convert/match compiler/codegen compiler/diff compiler/fold compiler/ir
                           compiler/lower lang runtime/program
compiler/convert/match   < lang/schema
compiler                 < compiler/edit compiler/check compiler/codegen compiler/fold compiler/ir compiler/lint
                           compiler/lower compiler/optimize lang/diag lang/expr lang/schema lang/source runtime/program
compiler/lint/report     < compiler/lint lang/diag lang/source
compiler/lint/upgrade    < compiler/lint compiler/lint/slurm compiler/lint/rule compiler/ir lang/diag lang/source stdlib
compiler/lint/queue      < compiler/lint/maui compiler/lint/slurm compiler/lint/rule compiler/ir lang/diag lang/expr
                           lang/schema lang/source
compiler/lint            < compiler/lint/maui compiler/lint/slurm compiler/lint/policy compiler/lint/rule compiler/ir
                           lang/diag lang/source
compiler/lint/maui       < compiler/lint/rule compiler/ir lang/diag lang/source stdlib
compiler/lint/slurm      < compiler/lint/rule compiler/ir lang/diag lang/schema lang/source stdlib
compiler/lint/policy     < compiler/lint/rule compiler/ir lang/expr lang/schema lang/source
compiler/lint/rule       < compiler/ir lang/diag lang/schema lang/source
compiler/edit            < compiler/ir compiler/lower lang/schema lang/source stdlib
compiler/diff            < compiler/ir lang/expr lang/schema lang/source
compiler/lower           < compiler/ir compiler/lower/front compiler/lower/maui compiler/lower/slurm
                           compiler/lower/mauiplan lang stdlib runtime/program
compiler/lower/maui      < compiler/ir compiler/lower/front compiler/lower/mauiplan lang/mauicfg lang/schema lang/source
                           stdlib
compiler/lower/slurm     < compiler/ir compiler/lower/front lang/sacctmgr lang/schema lang/slurmconf lang/source stdlib
compiler/lower/front     < compiler/ir lang/diag lang/mauicfg lang/schema lang/source
compiler/lower/mauiplan  < compiler/ir lang/schema lang/source runtime/program stdlib
compiler/check           < compiler/ir lang/diag lang/expr lang/schema lang/source
compiler/fold            < compiler/ir lang/expr
compiler/optimize        < lang/schema runtime/program
compiler/codegen         < compiler/ir lang/diag lang/expr lang/schema lang/source runtime/program
compiler/ir              < lang/expr lang/schema lang/source runtime/program

runtime/desk/page        <
runtime/desk             < runtime/report/eval runtime/evaluation lang/schema
runtime/report/sweep     < runtime/sweep runtime/report/encode runtime/report/form runtime/report/sheet lang/diag
                           lang/source
runtime/sweep            < runtime/replay runtime/engine runtime/planning runtime/evaluation runtime/backfill
                           runtime/snapshot runtime/program lang/diag lang/schema
runtime/report/replay    < runtime/replay runtime/report/encode runtime/report/form runtime/report/sheet
                           runtime/backfill lang/diag lang/source
runtime/estimate         < runtime/replay runtime/snapshot runtime/column runtime/program lang/diag lang/source
runtime/replay           < runtime/replay/outage runtime/habits runtime/fairshare runtime/engine runtime/family
                           runtime/planning
                           runtime/evaluation runtime/backfill runtime/checkpoint runtime/snapshot runtime/column
                           runtime/program lang/diag lang/schema lang/source
runtime/replay/outage    < lang/diag lang/schema lang/source
runtime/push             < runtime/evaluation runtime/manager runtime/column runtime/prom lang/diag lang/schema
                           lang/source
runtime/counterexample   < runtime/engine runtime/evaluation runtime/snapshot runtime/program lang/diag
runtime/verify           < runtime/report/encode runtime/family/slurm runtime/family/slurm/shares runtime/evaluation
                           runtime/fairshare/tree runtime/snapshot runtime/column lang/diag lang/schema lang/source
runtime/impact/page      < runtime/impact runtime/report/sheet
runtime/impact           < runtime/report/eval runtime/report/form runtime/evaluation runtime/fairshare runtime/backfill runtime/column
                           runtime/program lang/schema lang/source
runtime/report           < runtime/report/eval runtime/report/form runtime/report/maui runtime/report/slurm
                           runtime/evaluation lang/diag lang/source
runtime/report/explain   < runtime/report/encode runtime/report/eval runtime/report/form runtime/report/plan
                           runtime/family/slurm runtime/family/slurm/shares runtime/evaluation runtime/backfill
                           runtime/fairshare runtime/limit runtime/program lang/schema lang/source
runtime/report/plan/gantt < runtime/report/eval runtime/report/form runtime/report/plan runtime/backfill lang/schema
                            lang/source
runtime/report/plan      < runtime/report/encode runtime/report/eval runtime/report/form runtime/report/maui
                           runtime/family/maui runtime/planning runtime/evaluation runtime/backfill
                           runtime/backfill/slurm runtime/prom lang/diag lang/schema lang/source
runtime/report/slurm     < runtime/report/eval runtime/report/form runtime/evaluation runtime/program lang/schema
                           lang/source
runtime/report/maui      < runtime/report/eval runtime/report/form runtime/family/maui runtime/evaluation
                           runtime/checkpoint runtime/fairshare runtime/limit runtime/program lang/schema lang/source
runtime/report/eval      < runtime/report/encode runtime/report/form runtime/evaluation runtime/checkpoint
                           runtime/fairshare runtime/limit runtime/program runtime/prom lang/diag lang/schema
                           lang/source
runtime/report/encode    < lang/schema lang/source
runtime/report/sheet     <
runtime/report/form      < lang/diag lang/schema lang/source
runtime/engine           < runtime/family runtime/planning runtime/evaluation runtime/evaluation/stage
                           runtime/evaluation/windows runtime/evaluation/admit runtime/evaluation/order
                           runtime/evaluation/score runtime/evaluation/derive runtime/backfill runtime/checkpoint
                           runtime/fairshare runtime/snapshot runtime/column runtime/vm runtime/program
                           lang/diag lang/schema lang/source
runtime/family           < runtime/family/maui runtime/family/slurm runtime/family/scratch runtime/planning
                           runtime/evaluation/stage runtime/evaluation runtime/backfill runtime/program
runtime/family/scratch   < runtime/program runtime/family/slurm/shares runtime/evaluation/stage runtime/evaluation/admit
                           runtime/evaluation/score runtime/evaluation runtime/checkpoint
runtime/family/maui      < runtime/planning runtime/evaluation/stage runtime/evaluation/admit runtime/evaluation/order
                           runtime/evaluation/derive runtime/evaluation/score runtime/evaluation runtime/backfill
                           runtime/backfill/maui runtime/snapshot runtime/checkpoint runtime/limit runtime/rank
                           runtime/column runtime/vm runtime/program lang/diag lang/schema lang/source
runtime/family/slurm     < runtime/family/slurm/shares runtime/planning runtime/evaluation/stage
                           runtime/evaluation/admit runtime/evaluation/derive runtime/evaluation/score
                           runtime/evaluation runtime/backfill runtime/backfill/slurm runtime/checkpoint runtime/limit
                           runtime/rank runtime/snapshot runtime/column runtime/vm runtime/program lang/diag lang/schema
                           lang/source
runtime/family/slurm/shares < runtime/evaluation/score runtime/evaluation runtime/checkpoint runtime/fairshare/tree
                              runtime/snapshot runtime/column runtime/program lang/diag lang/schema lang/source
runtime/planning         < runtime/evaluation runtime/backfill runtime/backfill/profile runtime/limit runtime/column
                           runtime/program lang/diag lang/schema lang/source
runtime/evaluation/stage < runtime/evaluation/score runtime/checkpoint
runtime/evaluation/windows < runtime/evaluation/score runtime/evaluation runtime/checkpoint runtime/fairshare
                             runtime/snapshot runtime/column runtime/program lang/diag lang/schema lang/source
runtime/evaluation/admit < runtime/evaluation/order runtime/evaluation/score runtime/evaluation runtime/fairshare
                           runtime/limit runtime/rank
                           runtime/column runtime/vm runtime/program lang/diag lang/schema
runtime/evaluation/order < runtime/evaluation runtime/rank runtime/column
runtime/evaluation/derive < runtime/rank runtime/evaluation/score runtime/evaluation runtime/fairshare runtime/snapshot
                            runtime/column runtime/program lang/schema
runtime/evaluation/score < runtime/evaluation runtime/snapshot runtime/column runtime/vm runtime/program lang/diag
                           lang/schema lang/source
runtime/evaluation       < runtime/backfill runtime/checkpoint runtime/fairshare runtime/fairshare/tree runtime/limit
                           runtime/snapshot runtime/column runtime/vm runtime/program lang/diag lang/schema lang/source
runtime/manager          < runtime/snapshot runtime/column lang/diag lang/schema lang/source
runtime/synth            < runtime/snapshot runtime/column lang/schema lang/source
runtime/anonymize        < runtime/snapshot runtime/column lang/schema lang/source
runtime/usage            < runtime/fairshare runtime/snapshot runtime/column lang/diag lang/schema lang/source
runtime/checkpoint       < runtime/fairshare runtime/snapshot lang/diag lang/source
runtime/fairshare        < runtime/snapshot runtime/program
runtime/fairshare/tree   < runtime/rank lang/diag lang/schema lang/source
runtime/snapshot         < runtime/snapshot/format runtime/column lang/diag lang/schema lang/source
runtime/snapshot/format/native < runtime/snapshot/format runtime/column lang/schema lang/source
runtime/snapshot/format/slurm  < runtime/snapshot/format runtime/column lang/diag lang/schema lang/source
runtime/snapshot/format/pbs    < runtime/snapshot/format lang/schema lang/source
runtime/snapshot/format/maui   < runtime/snapshot/format lang/schema
runtime/snapshot/format/trace  < runtime/snapshot/format runtime/column lang/schema
runtime/snapshot/format        < runtime/column lang/diag lang/schema lang/source
runtime/backfill/maui    < runtime/backfill runtime/backfill/profile runtime/program
runtime/backfill/slurm   < lang/schema/slurmtext runtime/backfill runtime/program
runtime/limit/slurm      < runtime/limit runtime/limit/timeline runtime/column runtime/program lang/diag lang/schema
                           lang/source
runtime/limit            < runtime/limit/timeline runtime/column runtime/program lang/diag lang/schema lang/source
runtime/limit/timeline/obvious < runtime/limit/timeline
runtime/limit/timeline   < runtime/backfill/profile runtime/program
runtime/backfill         < runtime/backfill/profile runtime/program
runtime/backfill/profile <
runtime/vm               < runtime/column runtime/program lang/diag lang/schema lang/source
runtime/column           < lang/schema
runtime/program          < lang/schema lang/source
runtime/program/form     < lang/source
runtime/habits           <
runtime/prom             < lang/source
runtime/rank             <

lang/slurmfiles          < lang/slurmconf lang/diag lang/schema lang/source
lang/slurmconf           < lang/dialect lang/diag lang/schema lang/source stdlib
lang/sacctmgr            < lang/dialect lang/diag lang/schema lang/source stdlib
lang/mauicfg             < lang/dialect lang/diag lang/schema lang/source stdlib
lang/dialect             < lang/diag lang/source
lang/study               < lang/policy lang/celexpr lang/diag lang/expr lang/schema lang/source
lang/policy              < lang/diag lang/schema lang/source
lang/celexpr             < lang/diag lang/expr lang/schema lang/source
lang/expr                < lang/schema lang/source
lang/diag/pages          < lang/diag
lang/diag                < lang/source
lang/schema/mauitext     <
lang/schema/slurmtext    <
lang/schema              <
lang/source              <
stdlib                   <
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
	{"github.com/alecthomas/participle", []string{"lang/mauicfg", "lang/slurmconf", "lang/sacctmgr"},
		"grammars belong to the dialects"},
	{"github.com/klauspost/compress", []string{"runtime/snapshot"}, "archives are read and written in one place"},
	{"github.com/spf13/cobra", []string{"cmd"}, "only the command line parses arguments"},
	{"github.com/sourcegraph/jsonrpc2", []string{"cmd/lsp"}, "one place speaks with editors"},
	{"os", []string{"cmd", "conformance/beside", "conformance/bench/table", "conformance/cases", "conformance/draws",
		"conformance/recordedtest"},
		"files are touched only in cmd and by what tests share"},
	{"os/exec", []string{"cmd", "conformance/bench/table"}, "processes are started only in cmd, or measured"},
	{"os/signal", []string{"cmd"}, "files and processes are of cmd"},
	{"syscall", []string{"cmd", "conformance/bench/table"}, "files and processes are of cmd"},
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
			} else if !within(ours, allowed) && !(within(ours, []string{folder}) && rules[ours] == nil) {
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

// lawLines are the lines of the law, each with those that continue it.
func lawLines() []string {
	return strings.Split(regexp.MustCompile(`\n +`).ReplaceAllString(law, " "), "\n")
}

func parseLaw(t *testing.T) map[string][]string {
	rules := map[string][]string{}
	for _, line := range lawLines() {
		folder, allowed, ok := strings.Cut(line, "<")
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

// TestLawRunsOneWay: no folder may import one above it in the law, and each folder has its line.
func TestLawRunsOneWay(t *testing.T) {
	rules, above := parseLaw(t), []string{}
	for _, line := range lawLines() {
		folder, allowed, _ := strings.Cut(line, "<")
		if folder = strings.TrimSpace(folder); folder == "" {
			continue
		}
		for _, target := range strings.Fields(allowed) {
			if slices.Contains(above, target) {
				t.Errorf("%s may import %s, which is above it in the law", folder, target)
			}
		}
		above = append(above, folder)
	}
	for _, top := range []string{"compiler", "runtime", "lang"} {
		_ = fs.WalkDir(repository, top, func(file string, d fs.DirEntry, err error) error {
			folder := path.Dir(file)
			if err == nil && strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") && rules[folder] == nil {
				t.Errorf("%s: the law has no line for %s", file, folder)
			}
			return err
		})
	}
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

// TestNoInit keeps registries visible: a list in a file, never init(). It also keeps the start of every command short:
// a regular expression of a package is a source.Pattern, which is compiled when it is first asked for.
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
			if inProgram := !strings.HasPrefix(file, "conformance/") && !strings.HasPrefix(file, "cmd/vocabulary/"); inProgram &&
				!strings.HasSuffix(file, "_test.go") && compilesPattern(decl) {
				t.Errorf("%s compiles a regular expression before a command begins; use source.Pattern", file)
			}
		}
		return nil
	})
}

// compilesPattern reports a variable of a package that is made by regexp.MustCompile.
func compilesPattern(decl ast.Decl) (found bool) {
	variables, ok := decl.(*ast.GenDecl)
	if !ok || variables.Tok != token.VAR {
		return false
	}
	ast.Inspect(variables, func(n ast.Node) bool {
		if _, isFunc := n.(*ast.FuncLit); isFunc {
			return false
		}
		sel, ok := n.(*ast.SelectorExpr)
		found = found || ok && sel.Sel.Name == "MustCompile"
		return true
	})
	return found
}

func funcName(decl ast.Decl) string {
	if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
		return f.Name.Name
	}
	return ""
}

package conformance_test

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/cmd/runner"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite recorded cases and the output in examples")

// eachSuiteFile visits every *.fairwaytest.hcl below suite.
func eachSuiteFile(t *testing.T, visit func(t *testing.T, files fs.FS, name string)) {
	suite := os.DirFS("suite")
	files := 0
	err := fs.WalkDir(suite, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".fairwaytest.hcl") {
			return err
		}
		files++
		t.Run(strings.TrimSuffix(name, ".fairwaytest.hcl"), func(t *testing.T) { visit(t, suite, name) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Fatal("the suite is empty")
	}
}

// TestSuite runs the suite, one subtest a title.
func TestSuite(t *testing.T) { eachSuiteFile(t, runTests) }

// TestSuiteIsFormatted: the suite is in the form that `fairway fmt` gives it, and each file still one idea.
func TestSuiteIsFormatted(t *testing.T) {
	eachSuiteFile(t, func(t *testing.T, files fs.FS, name string) {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		formatted, diags := lower.Format(source.NewFile(name, text), "")
		if len(diags) > 0 {
			t.Fatal(format(diags))
		}
		if !bytes.Equal(formatted, text) {
			t.Error("`fairway fmt` would change it")
		}
		if lines := bytes.Count(text, []byte("\n")); lines > 600 {
			t.Errorf("it has %d lines: split it by what it is about", lines)
		}
	})
}

func runTests(t *testing.T, files fs.FS, name string) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		t.Fatal(err)
	}
	parsed, diags := policy.Parse(source.NewFile(name, text))
	if len(diags) > 0 {
		t.Fatal(format(diags))
	}
	outcomes := runner.File(parsed, files, nil)
	if len(outcomes) == 0 {
		t.Fatalf("%s has no tests", name)
	}
	seen := map[string]bool{}
	for i := range outcomes {
		o := &outcomes[i]
		if seen[o.Title] {
			t.Errorf("%s: two tests are called %q", name, o.Title)
		}
		seen[o.Title] = true
		t.Run(o.Title, func(t *testing.T) {
			if !o.Passed() {
				t.Error(format(o.Failures))
			}
			if scheduler := path.Dir(name); o.Cite == "" && scheduler != "language" {
				t.Error("the test says no source: add cite")
			}
		})
	}
}

func format(list diag.List) string {
	var b strings.Builder
	_ = diag.WriteText(&b, list, false)
	return "\n" + b.String()
}

package policy

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/fairway-sched/fairway/lang/diag/pages"
)

func exampleFiles(example string) []txtar.File {
	if archive := txtar.Parse([]byte(example)); len(archive.Files) > 0 {
		return archive.Files
	}
	return []txtar.File{{Name: "example.fairway.hcl", Data: []byte(example)}}
}

func TestEveryCodeIsReportedByItsExample(t *testing.T) {
	for _, c := range pages.In("policy") {
		out := run(t, exampleFiles(c.Example()))
		if !strings.Contains(out, c.Severity.String()+": ") || !strings.Contains(out, "["+c.Code+"]") {
			t.Errorf("%s: the example gives\n%s", c.Code, out)
		}
		for _, other := range pages.In("policy") {
			if other.Code != c.Code && strings.Contains(out, "["+other.Code+"]") {
				t.Errorf("%s: the example gives %s too", c.Code, other.Code)
			}
		}
	}
}

// TestCodesAreAllListed compares the codes in the source with the table.
func TestCodesAreAllListed(t *testing.T) {
	paths, _ := filepath.Glob("*.go")
	code := regexp.MustCompile(`"(policy-[a-z-]+)"`)
	var used, listed []string
	for _, c := range pages.In("policy") {
		listed = append(listed, c.Code)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(used, m[1]) {
				used = append(used, m[1])
			}
		}
	}
	slices.Sort(used)
	if !slices.IsSorted(listed) || !slices.Equal(used, listed) {
		t.Errorf("used  %q\nlisted %q", used, listed)
	}
}

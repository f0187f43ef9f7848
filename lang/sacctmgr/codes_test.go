package sacctmgr

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/dialect"
)

// TestCodes runs each documented example and looks for its code, severity and note.
func TestCodes(t *testing.T) {
	long := map[string]string{"sacctmgr-more-findings": strings.Repeat("x\n", dialect.MaxFindings+1),
		"sacctmgr-too-large": strings.Repeat("#", dialect.MaxBytes+1)}
	for _, c := range pages.In("sacctmgr") {
		_, _, ds := evaluate("x.cfg", []byte(c.Example()+long[c.Code]))
		i := slices.IndexFunc(ds, func(d *diag.Diagnostic) bool { return d.Code == c.Code })
		if i < 0 {
			t.Errorf("%s is not reported for %q", c.Code, c.Example())
		} else if d := ds[i]; d.Severity != c.Severity || len(d.Notes) == 0 || strings.HasSuffix(d.Message, ".") {
			t.Errorf("%s is reported as %s %q %v", c.Code, d.Severity, d.Message, d.Notes)
		}
	}
}

// TestCodesAreListed finds codes in the source that the list lacks.
func TestCodesAreListed(t *testing.T) {
	listed := map[string]bool{}
	for _, c := range pages.In("sacctmgr") {
		if listed[c.Code] {
			t.Errorf("%s is listed twice", c.Code)
		}
		listed[c.Code] = true
	}
	files, _ := filepath.Glob("*.go")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`f\("(sacctmgr-[a-z-]+)"`).FindAllStringSubmatch(string(text), -1) {
			if !listed[m[1]] {
				t.Errorf("%s: %s has no page", name, m[1])
			}
		}
	}
}

package conformance_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/fairway-sched/fairway/conformance/beside"
)

// TestManualExamplesAccounted: every worked example of the manuals is in the suite or among
// those of plans, or in README's table of those that are not, and in that table only if it is not.
func TestManualExamplesAccounted(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, pending, _ := strings.Cut(string(readme), "## Examples of the manuals")
	pending, remarks, _ := strings.Cut(pending, "In the suite with a remark")
	if remarks == "" {
		t.Fatal("README has no table of examples that are not in the suite")
	}
	titles := suiteTitles(t) + " BF-01 ORA-SHOWSTART"
	for _, x := range planExamples {
		titles += " " + x.id
	}
	for _, name := range []string{"maui-examples.json", "slurm-examples.json"} {
		text, err := os.ReadFile(beside.Folder(t, "reference", name))
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Examples []struct{ ID string } }
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		for _, x := range file.Examples {
			done, listed := hasWord(titles, x.ID), hasWord(pending, x.ID)
			switch {
			case !done && !listed:
				t.Errorf("%s: example %s is neither in the suite nor listed", name, x.ID)
			case done && listed:
				t.Errorf("%s: example %s is listed as missing but is in the suite", name, x.ID)
			}
		}
	}
}

// suiteTitles are the test and job lines of the suite: a table of the manual is
// one test whose jobs bear the examples' ids.
func suiteTitles(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := fs.WalkDir(os.DirFS("suite"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(os.DirFS("suite"), name)
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "test ") || strings.HasPrefix(line, "job ") {
				b.WriteString(line + "\n")
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hasWord finds an id that is not part of a longer one.
func hasWord(text, id string) bool {
	inside := func(r rune) bool { return r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for at := 0; ; {
		i := strings.Index(text[at:], id)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(id)
		before := start > 0 && inside(rune(text[start-1]))
		after := end < len(text) && (inside(rune(text[end])) || text[end] == '.' && end+1 < len(text) &&
			inside(rune(text[end+1])))
		if !before && !after {
			return true
		}
		at = start + 1
	}
}

package snapshot

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// ofRecords are the codes of ReadRecords; Read has the others.
var ofRecords = []string{"snapshot-cut-line", "snapshot-log-timezone", "snapshot-no-job-records",
	"snapshot-record-column",
	"snapshot-start-without-run"}

// TestCodes: each code is reported, with the documented severity and a note on what to do, for the inputs on its page.
func TestCodes(t *testing.T) {
	for _, page := range pages.In("snapshots") {
		inputs := page.Cases()
		if page.Code == "snapshot-cut-line" { // a page has whole lines alone
			inputs = []pages.Case{{Files: []pages.File{{Name: "log",
				Text: event(0, "Q", "1", "queue=batch") + "11/20/2026 08:00:00;E;1;start=1"}}}}
		}
		inputs = slices.DeleteFunc(inputs, func(c pages.Case) bool { return c.Kind == "shown" })
		if len(inputs) == 0 {
			t.Errorf("%s has no input", page.Code)
		}
		for _, input := range inputs {
			files := mapFS{}
			for _, f := range input.Files {
				files[f.Name] = f.Text
			}
			read, _, _ := strings.Cut(input.Files[0].Name, "/")
			var diags diag.List
			var err error
			if slices.Contains(ofRecords, page.Code) {
				_, diags, err = ReadRecords(files.open(), []string{read}, format.Options{})
			} else {
				_, diags, err = Read(files.open(), []string{read}, format.Options{})
			}
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(diags, func(d *diag.Diagnostic) bool { return d.Code == page.Code })
			if i < 0 {
				t.Errorf("%s is not reported but %v", page.Code, codesOf(diags))
				continue
			}
			if diags[i].Severity != page.Severity {
				t.Errorf("%s is reported as %v", page.Code, diags[i].Severity)
			}
			if len(diags[i].Notes) == 0 {
				t.Errorf("%s says nothing about what to do", page.Code)
			}
		}
	}
}

// TestCodeDocs: all codes of the package are well formed and documented once.
func TestCodeDocs(t *testing.T) {
	form := regexp.MustCompile(`^snapshot(-[a-z]+)+$`)
	seen := map[string]bool{}
	for _, c := range pages.In("snapshots") {
		if !form.MatchString(c.Code) || seen[c.Code] || c.What == "" || c.Why == "" || c.Instead == "" {
			t.Errorf("%s", c.Code)
		}
		seen[c.Code] = true
	}
}

// TestManyBadRecords: all are counted, the first ones are shown.
func TestManyBadRecords(t *testing.T) {
	s, diags := readText(t, "q.csv", "id,procs\n"+strings.Repeat("1,x\n", 1000))
	shown := 0
	for _, d := range diags {
		if d.Code == "snapshot-bad-record" {
			shown++
		}
	}
	last := diags[slices.IndexFunc(diags, func(d *diag.Diagnostic) bool { return d.Code == "snapshot-more-of-a-kind" })]
	if s.Sources[0].Bad != 1000 || shown != format.MaxOfAKind ||
		last.Message != "980 places more like the first 20 of snapshot-bad-record" {
		t.Error(s.Sources, shown, last.Message)
	}
}

package report_test

import (
	"bytes"
	"encoding/xml"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/fairway-sched/fairway/compiler/lint/report"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite golden files")

// input has what makes formats stumble: no place, markup, letters of several bytes, a byte that is no
// text, notes elsewhere, a fix, and a file without findings.
func input() report.Input {
	f := source.NewFile("etc/maui.cfg", []byte("MEMWEIGHT 010\nLOGFILE café<&>\"'%.log\nPROCWEIGHT 1\n"))
	other := source.NewFile("/etc/other file.cfg", []byte("FSDEPTH 8\n"))
	var list diag.List
	list.Warnf("maui-no-server-host", source.Span{}, "SERVERHOST is not set").Note("write it")
	list.Warnf("maui-octal", f.Span(10, 13), "010 is 8").NoteAt(other.Span(0, 7), "as, here: 50%%").Note("write 8").
		Suggest(f.Span(10, 13), "8")
	list.Errorf("maui-unprintable", f.Span(22, 35), "<b> & \"é\" \x01 \xff\nin two lines")
	list.Infof("maui-octal", f.Span(36, 46), "a note")
	return report.Input{Findings: list, Files: []*source.File{f, other}, Version: "1.2.3",
		Rule: func(code string) report.Rule {
			if code != "maui-octal" {
				return report.Rule{}
			}
			return report.Rule{IDs: []string{"M016"}, What: "a number begins with 0", Why: "it is octal", Instead: "no 0"}
		}}
}

// TestGolden: the formats as they are; what makes them right is tested below.
func TestGolden(t *testing.T) {
	for _, f := range report.Formats {
		var b bytes.Buffer
		if err := f.Write(&b, input()); err != nil {
			t.Fatal(err)
		}
		name := "testdata/" + f.Name + ".golden"
		if *update {
			if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("%s:\n%s", f.Name, diff)
		}
	}
}

// TestSARIF: a reader that others wrote finds every finding at its place, and what the standard
// demands holds: indexes name rules, regions are in order, levels are the standard's.
func TestSARIF(t *testing.T) {
	var b bytes.Buffer
	in := input()
	if err := report.SARIF(&b, in); err != nil {
		t.Fatal(err)
	}
	log, err := sarif.FromBytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if len(log.Runs) != 1 || log.Version != "2.1.0" || log.Runs[0].Tool.Driver.Name == nil {
		t.Fatalf("%d runs, version %v", len(log.Runs), log.Version)
	}
	run := log.Runs[0]
	if len(run.Results) != len(in.Findings) {
		t.Fatalf("%d results of %d findings", len(run.Results), len(in.Findings))
	}
	for i, r := range run.Results {
		d := in.Findings[i]
		if rule := run.Tool.Driver.Rules[r.RuleIndex]; *rule.ID != d.Code || *r.RuleID != d.Code {
			t.Errorf("result %d of rule %s has index %d: %s", i, d.Code, r.RuleIndex, *rule.ID)
		}
		if want := map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning",
			diag.Info: "note"}[d.Severity]; r.Level != want {
			t.Errorf("result %d has level %s, want %s", i, r.Level, want)
		}
		if d.Span.IsZero() {
			if len(r.Locations) != 0 {
				t.Errorf("result %d has a place", i)
			}
			continue
		}
		region := r.Locations[0].PhysicalLocation.Region
		if p := d.Span.Position(); *region.StartLine != p.Line || *region.StartColumn != p.Column ||
			*region.EndLine < *region.StartLine {
			t.Errorf("result %d is at %d:%d, want %v", i, *region.StartLine, *region.StartColumn, p)
		}
		if uri := *r.Locations[0].PhysicalLocation.ArtifactLocation.URI; uri != "etc/maui.cfg" {
			t.Errorf("result %d is in %s", i, uri)
		}
	}
	if fixes := run.Results[1].Fixes; len(fixes) != 1 ||
		*fixes[0].ArtifactChanges[0].Replacements[0].InsertedContent.Text != "8" {
		t.Error("the fix is lost")
	}
	if uri := *run.Artifacts[1].Location.URI; uri != "file:///etc/other%20file.cfg" {
		t.Errorf("an absolute path is %s", uri)
	}
}

// TestXML: the documents are well-formed, and their counts are right; XML 1.0 has no control characters.
func TestXML(t *testing.T) {
	var b bytes.Buffer
	if err := report.JUnit(&b, input()); err != nil {
		t.Fatal(err)
	}
	var junit struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Cases    []struct {
				Name    string  `xml:"name,attr"`
				Class   string  `xml:"classname,attr"`
				Failure *string `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(b.Bytes(), &junit); err != nil {
		t.Fatal(err)
	}
	tests, failures := 0, 0
	for _, s := range junit.Suites {
		failed := 0
		for _, c := range s.Cases {
			if c.Name == "" || c.Class == "" {
				t.Errorf("a case lacks its name: %+v", c)
			}
			if c.Failure != nil {
				failed++
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != failed {
			t.Errorf("a suite says %d and %d, but has %d and %d", s.Tests, s.Failures, len(s.Cases), failed)
		}
		tests, failures = tests+s.Tests, failures+failed
	}
	if junit.Tests != tests || junit.Failures != failures || failures != 3 || tests != 5 {
		t.Errorf("%d tests and %d failures, counted %d and %d", junit.Tests, junit.Failures, tests, failures)
	}
	b.Reset()
	if err := report.Checkstyle(&b, input()); err != nil {
		t.Fatal(err)
	}
	var style struct {
		Files []struct {
			Name   string `xml:"name,attr"`
			Errors []struct {
				Line     int    `xml:"line,attr"`
				Severity string `xml:"severity,attr"`
				Source   string `xml:"source,attr"`
			} `xml:"error"`
		} `xml:"file"`
	}
	if err := xml.Unmarshal(b.Bytes(), &style); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range style.Files {
		for _, e := range f.Errors {
			found++
			if e.Severity != "error" && e.Severity != "warning" && e.Severity != "info" || e.Source == "" {
				t.Errorf("%s: %+v", f.Name, e)
			}
		}
	}
	if found != 4 {
		t.Errorf("%d of 4 findings", found)
	}
}

// TestGitHub: one line a finding, for a line ends a command.
func TestGitHub(t *testing.T) {
	var b bytes.Buffer
	if err := report.GitHub(&b, input()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[1],
		"::warning file=etc/maui.cfg,line=1,col=11,endColumn=14,title=maui-octal::") ||
		strings.Contains(lines[2], "two lines\n") {
		t.Errorf("%d lines:\n%s", len(lines), b.String())
	}
}

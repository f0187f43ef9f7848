package slurmconf

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
)

// TestCodes runs each documented example and looks for its code, severity and note.
func TestCodes(t *testing.T) {
	versions := map[string]string{"slurm-long-line": "20.02", "slurm-unknown-version": "22.06"}
	folders := map[string]fs.FS{
		"slurm-include-cycle":   fstest.MapFS{"slurm.conf": {Data: []byte("Include slurm.conf\n")}},
		"slurm-include-missing": fstest.MapFS{}, "slurm-include-elsewhere": fstest.MapFS{},
		"slurm-include-cluster-name": fstest.MapFS{},
	}
	texts := map[string]string{
		"slurm-long-line":       "NodeName=n1 Reason=" + strings.Repeat("x", 4096),
		"slurm-unknown-version": "ClusterName=c\n",
		"slurm-more-findings":   strings.Repeat("=\n", 300),
		"slurm-too-large":       strings.Repeat("ClusterName=c", 2<<20),
	}
	for _, c := range pages.In("slurm") {
		text, version := texts[c.Code], versions[c.Code]
		if list := c.Cases(); len(list) > 0 && list[0].Kind == "example" {
			text, version = list[0].Files[0].Text, list[0].Version
		}
		lines, ds := Load(folders[c.Code], "slurm.conf", source.NewFile("slurm.conf", []byte(text)))
		_, more := Evaluate(lines, Options{Version: version})
		ds = append(ds, more...)
		i := slices.IndexFunc(ds, func(d *diag.Diagnostic) bool { return d.Code == c.Code })
		if i < 0 {
			t.Errorf("%s is not reported for %q, but %v", c.Code, text, codes(ds))
			continue
		}
		if ds[i].Severity != c.Severity && c.Code != "slurm-node-cpus" { // the example is the warning of the two
			t.Errorf("%s is documented as %s, reported as %s", c.Code, c.Severity, ds[i].Severity)
		}
		if len(ds[i].Notes) == 0 {
			t.Errorf("%s has no note", c.Code)
		}
		if m := ds[i].Message; m == "" || strings.HasSuffix(m, ".") {
			t.Errorf("%s: message %q", c.Code, m)
		}
	}
}

// TestCodesAreListed finds codes in the source that the list lacks.
func TestCodesAreListed(t *testing.T) {
	listed := map[string]bool{}
	for _, c := range pages.In("slurm") {
		if listed[c.Code] {
			t.Errorf("%s is listed twice", c.Code)
		}
		listed[c.Code] = true
	}
	files, _ := filepath.Glob("*.go")
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(slurm-[a-z-]+)"`).FindAllStringSubmatch(string(text), -1) {
			if !listed[m[1]] {
				t.Errorf("%s: %s has no page", name, m[1])
			}
		}
	}
}

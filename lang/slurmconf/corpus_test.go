package slurmconf

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite golden files")

func corpusFiles(t testing.TB, fsys fs.FS) (names []string) {
	err := fs.WalkDir(fsys, "corpus/slurm", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, ".conf") {
			names = append(names, name)
		}
		return err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	return names
}

// TestCorpus checks on real files that printing gives the same bytes, and what
// we have to say about them: one line "file: code@line" a finding.
func TestCorpus(t *testing.T) {
	fsys := beside.Files(t)
	var got strings.Builder
	for _, name := range corpusFiles(t, fsys) {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		f := source.NewFile(path.Base(name), text)
		tree, _ := Parse(f)
		if !bytes.Equal(tree.Print(), text) {
			t.Errorf("%s does not print back identically", name)
		}
		lines, ds := Load(fsys, name, f)
		_, more := Evaluate(lines, Options{Version: Newest()})
		for _, d := range sorted(append(ds, more...)) {
			file := ""
			if d.Span.File != nil && d.Span.File != f {
				file = path.Base(d.Span.File.Name) + ":"
			}
			fmt.Fprintf(&got, "%s: %s@%s%d\n", strings.TrimPrefix(name, "corpus/slurm/"), d.Code, file, d.Span.Position().Line)
			if *verbose {
				t.Log(d.Span, d.Severity, d.Message, notes(d))
			}
		}
	}
	golden(t, "testdata/corpus.golden", got.String())
}

// TestCorpusInItsVersion reads sites' working files for the version they ran:
// what works there must be free of errors.
func TestCorpusInItsVersion(t *testing.T) {
	fsys := beside.Files(t)
	for name, version := range map[string]string{
		"schedmd-example-1508.conf": "15.08", "micro-cluster-1702.conf": "17.02", "gsi-vega.conf": "17.11",
		"genomedk.conf": "18.08", "pitt-crc-2011.conf": "20.11",
		"ub-ccr.conf": "21.08", "pitt-crc-2205.conf": "22.05", "jestzer-crlf.conf": "23.11", "giovtorres-2605.conf": "26.05",
	} {
		lines, ds := Load(fsys, "corpus/slurm/"+name, source.NewFile(name, read(t, fsys, "corpus/slurm/"+name)))
		cfg, more := Evaluate(lines, Options{Version: version})
		for _, d := range append(ds, more...) {
			if d.Severity == diag.Error {
				t.Errorf("%s in %s: %s %s", d.Span, version, d.Code, d.Message)
			}
		}
		if len(cfg.Partitions) == 0 {
			t.Errorf("%s has no partitions", name)
		}
	}
}

var verbose = flag.Bool("findings", false, "log every finding of the corpus")

func notes(d *diag.Diagnostic) (all []string) {
	for _, n := range d.Notes {
		all = append(all, n.Text)
	}
	return all
}

func sorted(ds diag.List) diag.List { ds.Sort(); return ds }

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got\n%s", name, got)
	}
}

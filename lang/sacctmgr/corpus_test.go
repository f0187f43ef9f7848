package sacctmgr

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

var (
	update  = flag.Bool("update", false, "rewrite golden files")
	verbose = flag.Bool("findings", false, "log every finding of the corpus")
)

func read(t testing.TB, fsys fs.FS, name string) []byte {
	t.Helper()
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func evaluate(name string, text []byte) (*File, *Dump, diag.List) {
	tree, ds := Parse(source.NewFile(name, text))
	dump, more := Evaluate(tree, Options{})
	ds = append(ds, more...)
	ds.Sort()
	return tree, dump, ds
}

// TestCorpus checks on real files that printing gives the same bytes, and what
// we have to say about them: one line "file: code@line" a finding.
func TestCorpus(t *testing.T) {
	fsys := beside.Files(t)
	names, err := fs.Glob(fsys, "corpus/sacctmgr/*")
	if err != nil || len(names) == 0 {
		t.Fatal(err, len(names))
	}
	var got strings.Builder
	for _, name := range names {
		text := read(t, fsys, name)
		tree, _, ds := evaluate(path.Base(name), text)
		if !bytes.Equal(tree.Print(), text) {
			t.Errorf("%s does not print back identically", name)
		}
		checkFormat(t, text)
		fmt.Fprintf(&got, "%s: sniff %d\n", path.Base(name), Sniff(text))
		for _, d := range ds {
			fmt.Fprintf(&got, "%s: %s@%d\n", path.Base(name), d.Code, d.Span.Position().Line)
			if *verbose {
				t.Log(d.Span, d.Severity, d.Message)
			}
		}
	}
	const golden = "testdata/corpus.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := read(t, os.DirFS("."), golden); got.String() != string(want) {
		t.Errorf("%s differs; got\n%s", golden, got.String())
	}
}

// TestRecordedRuns reads what real sacctmgrs loaded and dumped: no findings,
// and the tree of the final dump is the tree that sshare printed.
func TestRecordedRuns(t *testing.T) {
	fsys := beside.Files(t)
	dumps, _ := fs.Glob(fsys, "oracle/slurm/*/raw/sacctmgr_dump.cfg")
	inputs, _ := fs.Glob(fsys, "oracle/slurm/*/inputs/sacctmgr.cfg")
	if len(dumps) == 0 || len(inputs) == 0 {
		t.Skip("no recorded runs")
	}
	associations := 0
	for _, name := range append(inputs, dumps...) {
		text := read(t, fsys, name)
		tree, dump, ds := evaluate(name, text)
		if !bytes.Equal(tree.Print(), text) {
			t.Errorf("%s does not print back identically", name)
		}
		if Sniff(text) != 100 {
			t.Errorf("%s: Sniff gives %d", name, Sniff(text))
		}
		for _, d := range ds {
			t.Errorf("%s: %s %s: %s", d.Span, d.Severity, d.Code, d.Message)
		}
		if path.Base(name) == "sacctmgr_dump.cfg" {
			associations += compareTree(t, fsys, path.Dir(path.Dir(name)), dump)
		}
	}
	if t.Logf("%d inputs, %d dumps, %d associations compared", len(inputs), len(dumps),
		associations); associations < 1000 {
		t.Error("too few associations compared")
	}
}

func compareTree(t *testing.T, fsys fs.FS, dir string, dump *Dump) int {
	var expected struct {
		Snapshots []struct {
			Associations []struct {
				Account, User, Partition string
				Depth                    int
				RawShares                any `json:"raw_shares"`
			}
		}
	}
	// written by a lax program
	text := regexp.MustCompile(`-?Infinity|NaN`).ReplaceAll(read(t, fsys, dir+"/expected.json"), []byte("null"))
	if err := json.Unmarshal(text, &expected); err != nil {
		t.Fatal(err)
	}
	want := expected.Snapshots[len(expected.Snapshots)-1].Associations
	if len(want) == 0 {
		return 0
	}
	if len(want) != len(dump.Associations) {
		t.Errorf("%s: %d associations, sshare printed %d", dir, len(dump.Associations), len(want))
		return 0
	}
	for i, w := range want {
		a := dump.Associations[i]
		shares := any(float64(a.Shares))
		if a.ParentShares {
			shares = "parent"
		}
		if a.Account != w.Account || a.User != w.User || a.Depth != w.Depth || a.Partition != w.Partition || i > 0 &&
			shares != w.RawShares {
			t.Errorf("%s: association %d is %s %s %s at depth %d with %v, sshare printed %+v", dir, i, a.Account, a.User,
				a.Partition, a.Depth, shares, w)
			break
		}
	}
	return len(want)
}

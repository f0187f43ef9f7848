package snapshot

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// TestSlurmCorpus reads what sites have published, each file by itself. The
// golden has counts only: what was read as what, and which diagnostics came.
func TestSlurmCorpus(t *testing.T) {
	var got strings.Builder
	for _, folder := range []string{"snapshots", "outputs"} {
		fsys := shared(t, "corpus/"+folder)
		err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			s, diags, err := Read(fsys, []string{name}, format.Options{})
			if err != nil {
				return err
			}
			checkTables(t, s)
			got.WriteString(folder + "/" + name + ": " + countsOf(s, diags) + "\n")
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	golden := filepath.Join("testdata", "slurm_corpus.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Error(d)
	}
}

func countsOf(s *format.Snapshot, diags diag.List) string {
	var parts []string
	for _, source := range s.Sources {
		parts = append(parts, fmt.Sprintf("%s, %d records, %d bad", source.Format, source.Records, source.Bad))
	}
	if s.Now != 0 {
		parts = append(parts, fmt.Sprintf("now %d", s.Now))
	}
	if s.Version != "" {
		parts = append(parts, "version "+s.Version)
	}
	parts = append(parts, codesOf(diags)...)
	return strings.Join(parts, "; ")
}

package snapshot

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/native"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// shared finds a folder of the recorded and collected inputs, which are kept
// beside the repository, or skips the test.
func shared(t *testing.T, folder string) fs.FS {
	t.Helper()
	root := os.Getenv("FAIRWAY_SHARED")
	for dir, _ := os.Getwd(); root == ""; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			root = filepath.Join(dir, "..", "shared")
		} else if dir == filepath.Dir(dir) {
			break
		}
	}
	path := filepath.Join(root, folder)
	if _, err := os.Stat(path); err != nil {
		t.Skip("the shared inputs are not here")
	}
	return os.DirFS(path)
}

// readText reads one text under a name.
func readText(t testing.TB, name, text string) (*format.Snapshot, diag.List) {
	t.Helper()
	s, diags, err := Read(fstest.MapFS{name: {Data: []byte(text)}}, []string{name}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, diags
}

// checkTables fails when a table is not in step with itself.
func checkTables(t testing.TB, s *format.Snapshot) {
	t.Helper()
	tables := []*column.Table{s.Jobs, s.Nodes, s.Sprio}
	for _, c := range s.Credentials {
		tables = append(tables, c)
	}
	for _, table := range tables {
		if table == nil {
			continue
		}
		for _, c := range table.Columns() {
			if c.Len() != table.Rows {
				t.Fatalf("%s has %d rows in a table of %d", c.ID, c.Len(), table.Rows)
			}
			if c.ID.Object() != "sprio" && format.ColumnType(c.ID) != c.Type {
				t.Fatalf("%s is of type %v", c.ID, c.Type)
			}
			for row := range table.Rows {
				c.Value(row) // a code outside the dictionary panics here
			}
		}
		if table != s.Sprio {
			if _, n := column.RepeatedKeys(table, native.KeyColumn(table.Name)); n > 0 {
				t.Fatalf("%s has %d repeated keys", table.Name, n)
			}
		}
	}
}

// codesOf lists the codes of diagnostics in order, each once.
func codesOf(diags diag.List) []string {
	var codes []string
	seen := map[string]bool{}
	for _, d := range diags {
		if !seen[d.Code] {
			seen[d.Code] = true
			codes = append(codes, d.Code)
		}
	}
	return codes
}

// except leaves out the diagnostics of a code.
func except(diags diag.List, code string) diag.List {
	return slices.DeleteFunc(diags, func(d *diag.Diagnostic) bool { return d.Code == code })
}

// mapFS is a file system of texts.
type mapFS map[string]string

func (m mapFS) open() fs.FS {
	files := fstest.MapFS{}
	for name, text := range m {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

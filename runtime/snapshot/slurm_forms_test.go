package snapshot

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/slurm"
)

// oneForm reads one output alone.
func oneForm(t *testing.T, fsys fs.FS, name string) *column.Table {
	t.Helper()
	s, diags, err := Read(fsys, []string{name}, format.Options{})
	if err != nil || diags.HasErrors() || s.Sources[0].Bad > 0 {
		t.Fatalf("%s: %v %v", name, err, texts(diags))
	}
	return s.Jobs
}

// vague says what of a column squeue's table or JSON leaves unknown, and why; there only one side may
// have a value.
var vague = map[schema.ColumnID]string{
	"job.nice":               "JSON of 22.05 writes 0 as null",
	"job.procs_per_task":     "JSON of 22.05 writes 1 as null",
	"job.walltime_unlimited": "JSON of 22.05 writes an endless limit as null",
	"job.mem_per_proc_mb": "squeue has one column for memory per CPU and per node, which are the same for one CPU " +
		"on one node",
	"job.mem_per_node_mb":   "as mem_per_proc_mb",
	"job.recorded_priority": "JSON of 22.05 writes the largest priority as null",
	"job.gpus":              "the recorded tables have no TRES",
}

// sameForms compares what both forms say: the same jobs, and each column that both have.
func sameForms(t *testing.T, name string, table, document *column.Table) (compared map[schema.ColumnID]int) {
	t.Helper()
	compared = map[schema.ColumnID]int{}
	rowOf := map[string]int{}
	for row := range document.Rows {
		if document.Value("job.state", row).Str != "done" { // squeue's table leaves jobs out that have ended
			rowOf[document.Value("job.id", row).Str] = row
		}
	}
	seen := map[int]bool{}
	for row := range table.Rows {
		id := table.Value("job.id", row).Str
		at, ok := rowOf[id]
		if array, _, isTask := strings.Cut(id, "_"); !ok && isTask { // squeue --array has a row for each
			at, ok = rowOf[array]
			seen[at] = true
			if ok {
				continue
			}
		}
		if !ok {
			t.Errorf("%s: job %s is not in JSON", name, id)
			continue
		}
		seen[at] = true
		for _, c := range table.Columns() {
			other := document.Column(c.ID)
			// without TRES squeue's column is an estimate
			if other == nil || c.ID == "job.nodes" && table.Column("job.tres(node)") == nil {
				continue
			}
			a, b := c.Value(row), other.Value(at)
			compared[c.ID]++
			if vague[c.ID] != "" && (!a.Known() || !b.Known() || a.Type == schema.Bool) {
				continue
			}
			if x, y := fmt.Sprint(a), fmt.Sprint(b); x != y {
				t.Errorf("%s: job %s: %s is %s in the table and %s in JSON", name, id, c.ID, x, y)
			}
		}
	}
	if len(seen) != len(rowOf) {
		t.Errorf("%s: %d of %d jobs of JSON are in the table", name, len(seen), len(rowOf))
	}
	return compared
}

// TestSlurmForms: the columns that capture asks squeue for say of a live queue what squeue --json says, but
// for what it lists.
func TestSlurmForms(t *testing.T) {
	fsys := os.DirFS("testdata/forms")
	table, document := oneForm(t, fsys, "squeue.psv"), oneForm(t, fsys, "squeue.json")
	compared := sameForms(t, "the recorded queue", table, document)
	var missing []string
	for _, c := range document.Columns() {
		if compared[c.ID] == 0 {
			missing = append(missing, string(c.ID))
		}
	}
	slices.Sort(missing)
	// The last three came after the recording.
	const want = "job.allocated_cores job.allocated_mem_mb job.allocated_procs job.comment job.excluded_hosts job.name " +
		"job.nodes_max job.tasks_per_core job.tasks_per_socket job.threads_per_core"
	if got := strings.Join(missing, " "); got != want {
		t.Errorf("JSON alone has %s, want %s", got, want)
	}
}

// TestRecordedForms: so do the tables that squeue printed beside JSON in each recording, in the columns that
// they have.
func TestRecordedForms(t *testing.T) {
	fsys := shared(t, "oracle/slurm")
	var folders []string
	for _, pattern := range []string{"*/raw", "*/raw/*"} {
		found, err := fs.Glob(fsys, path.Join(pattern, "squeue.json*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			folders = append(folders, path.Dir(name))
		}
	}
	if len(folders) == 0 {
		t.Fatal("no recordings")
	}
	if testing.Short() {
		folders = folders[:20]
	}
	for _, folder := range folders {
		sameForms(t, folder, oneForm(t, fsys, packedOrNot(t, fsys, folder, "squeue.psv")),
			oneForm(t, fsys, packedOrNot(t, fsys, folder, "squeue.json")))
	}
}

func packedOrNot(t *testing.T, fsys fs.FS, folder, name string) string {
	t.Helper()
	found, err := fs.Glob(fsys, path.Join(folder, name+"*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s in %s: %v %v", name, folder, found, err)
	}
	return found[0]
}

// TestBrokenRows: where squeue is asked for the account last, in a column with fewer characters than there are
// fields, its line breaks make no row of their own, wherever its | are.
func TestBrokenRows(t *testing.T) {
	const head = "JOBID|USER|GROUP|STATE|PARTITION|PRIORITY|NICE|NODES|CPUS|TASKS|ACCOUNT |\n"
	row := func(id, account string) string {
		return id + "|ana|lab|PENDING|main|5|0|1|1|1|" + account + strings.Repeat(" ", max(0, 8-len(account))) + "|\n"
	}
	for _, account := range []string{"phys", "a\nb", "\n", "\n\n\n", "a|\nb", "|\n|\n|", "3|\n3|bo|", "3|||\n", "\n3|||||",
		"|||\n|||", "||||||||", "\n||||||", "\n\r\n"} {
		s, diags, err := Read(fstest.MapFS{"q": {Data: []byte(head + row("1", "lab") + row("2", account) + row("3", "lab"))}},
			[]string{"q"}, format.Options{})
		if err != nil || s.Jobs.Rows != 3 || s.Sources[0].Bad > 0 {
			t.Errorf("%q: %d jobs, %v, %v", account, s.Jobs.Rows, diags, err)
			continue
		}
		for i, want := range []string{"lab", strings.Join(slurm.CellsOf(account, true), "|"), "lab"} {
			if got := s.Jobs.Value("job.account", i).Str; got != want {
				t.Errorf("%q: the account of job %d is %q", account, i+1, got)
			}
		}
	}
}

package snapshot

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// TestRecordedAllocations: what a job has on each of its nodes is the same in scontrol -d show job and in the JSON of
// squeue, in every recording and version.
func TestRecordedAllocations(t *testing.T) {
	fsys := shared(t, "oracle/slurm")
	var tables []string
	for _, pattern := range []string{"*/raw/squeue.json*", "*/raw/*/squeue.json*"} {
		names, err := fs.Glob(fsys, pattern)
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, names...)
	}
	versions := map[bool]int{}
	for _, name := range tables {
		text := strings.Replace(strings.Replace(name, "squeue.json", "scontrol_job.txt", 1), ".gz", "", 1)
		if _, err := fs.Stat(fsys, text); err != nil {
			text += ".gz"
		}
		fromJSON, fromText := allocations(t, fsys, name), allocations(t, fsys, text)
		for id, got := range fromJSON {
			if want, both := fromText[id]; both && got != want {
				t.Errorf("%s: job %s has %s in JSON, %s in text", name, id, got, want)
			}
			versions[strings.Contains(path.Dir(name), "-v25.11")]++
		}
	}
	if versions[false] == 0 || versions[true] == 0 {
		t.Errorf("compared %v", versions)
	}
}

// allocations says of each job of several nodes what it has where.
func allocations(t *testing.T, fsys fs.FS, name string) map[string]string {
	s, _, err := Read(fsys, []string{name}, format.Options{})
	if err != nil {
		t.Fatal(name, err)
	}
	out := map[string]string{}
	if s.Jobs == nil {
		return out
	}
	for row := range s.Jobs.Rows {
		if hosts := s.Jobs.Value("job.allocated_hosts", row).List; len(hosts) > 1 {
			out[s.Jobs.Value("job.id", row).Str] = fmt.Sprint(hosts, s.Jobs.Value("job.allocated_procs", row).List,
				s.Jobs.Value("job.allocated_mem_mb", row).List)
		}
	}
	return out
}

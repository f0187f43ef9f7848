package conformance_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/conformance/recorded"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// recording is one run of a real scheduler: what it was given and what it
// answered. The compact copies in recorded/ have the same layout as the full set.
type recording struct {
	name  string
	files fs.FS
	set   string // full, or that of the copies
}

// recordings are the compact copies.
func recordings(t *testing.T, scheduler string) []recording {
	t.Helper()
	cases, err := recorded.Copies(scheduler)
	if err != nil {
		t.Fatal(err)
	}
	return named(t, cases, "", "copies")
}

// fullRecordings are the cases of the full set whose names match; the test is
// skipped where the set is not beside the checkout.
func fullRecordings(t *testing.T, scheduler, pattern string) []recording {
	t.Helper()
	if testing.Short() {
		t.Skip("the full set takes half a minute")
	}
	root := shared(t, "oracle", scheduler)
	cases, err := recorded.Full(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	return named(t, cases, pattern, "full")
}

// named are the cases whose names match.
func named(t *testing.T, cases []recorded.Case, pattern, set string) (list []recording) {
	t.Helper()
	matches := regexp.MustCompile(pattern)
	for _, c := range cases {
		if matches.MatchString(c.Name) {
			list = append(list, recording{c.Name, c.Files, set})
		}
	}
	if len(list) == 0 {
		t.Fatalf("there is no case like %s", pattern)
	}
	return list
}

// shared finds the full recordings, which are kept beside the checkout.
func shared(t *testing.T, elem ...string) string {
	t.Helper()
	root := os.Getenv("FAIRWAY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	name := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(name); err != nil {
		t.Skip("the full set of recordings is not here")
	}
	return name
}

func (r recording) read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := fs.ReadFile(r.files, name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// snapshot reads paths of the case at the given time, or the case's own if it is 0.
func (r recording) snapshot(t *testing.T, now int64, paths ...string) *snapshot.Snapshot {
	t.Helper()
	s, diags, err := snapshot.Read(r.files, paths, snapshot.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	if diags.HasErrors() {
		t.Fatal(format(diags))
	}
	return s
}

func evaluate(t *testing.T, p *program.Program, s *snapshot.Snapshot) *engine.Result {
	t.Helper()
	result, err := engine.Run(p, s, engine.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if result.Findings.HasErrors() {
		t.Fatal(format(result.Findings))
	}
	return result
}

// jobIDs are the ids of a result's jobs, in its order, and their places.
func jobIDs(r *engine.Result) (ids []string, index map[string]int) {
	c := r.Jobs.Column("job.id")
	index = map[string]int{}
	for i := range r.Jobs.Rows {
		id := c.Dict[c.Codes[i]]
		ids, index[id] = append(ids, id), i
	}
	return ids, index
}

// overlay is a file system with some files replaced.
type overlay struct {
	fs.FS
	top fstest.MapFS
}

func (o overlay) Open(name string) (fs.File, error) {
	if _, ok := o.top[name]; ok {
		return o.top.Open(name)
	}
	return o.FS.Open(name)
}

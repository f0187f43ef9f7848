// Package recordedtest is what the tests of recorded runs share: the cases, the full set beside the checkout, and
// small steps that every comparison takes. Only tests import it.
package recordedtest

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/conformance/recorded"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Case is one run of a real scheduler: what it was given and what it
// answered. The compact copies have the same layout as the full set.
type Case struct {
	recorded.Case
	Set string // full, or copies
}

// Copies are the compact copies of a scheduler's runs.
func Copies(t *testing.T, scheduler string) []Case {
	t.Helper()
	cases, err := recorded.Copies(scheduler)
	if err != nil {
		t.Fatal(err)
	}
	return named(t, cases, "", "copies")
}

// Full are the cases of the full set whose names match; the test is
// skipped where the set is not beside the checkout, and in the short form.
func Full(t *testing.T, scheduler, pattern string) []Case {
	t.Helper()
	onlyLong(t)
	cases, err := recorded.Full(beside.Files(t, "oracle", scheduler))
	if err != nil {
		t.Fatal(err)
	}
	return named(t, cases, pattern, "full")
}

// onlyLong skips what the compact copies prove already.
func onlyLong(t *testing.T) {
	t.Helper()
	if !draws.Long() {
		t.Skip("the full set is compared with FAIRWAY_LONG=1")
	}
}

// named are the cases whose names match.
func named(t *testing.T, cases []recorded.Case, pattern, set string) (list []Case) {
	t.Helper()
	matches := regexp.MustCompile(pattern)
	for _, c := range cases {
		if matches.MatchString(c.Name) {
			list = append(list, Case{c, set})
		}
	}
	if len(list) == 0 {
		t.Fatalf("there is no case like %s", pattern)
	}
	return list
}

// Read is the text of one of the case's files.
func (c Case) Read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := fs.ReadFile(c.Files, name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Snapshot reads paths of the case at the given time, or the case's own if it is 0.
func (c Case) Snapshot(t *testing.T, now int64, paths ...string) *snapshot.Snapshot {
	t.Helper()
	s, diags, err := snapshot.Read(c.Files, paths, snapshot.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	if diags.HasErrors() {
		t.Fatal(Text(diags))
	}
	return s
}

// Evaluate runs a program over a snapshot; findings that are errors fail the test.
func Evaluate(t *testing.T, p *program.Program, s *snapshot.Snapshot) *evaluation.Result {
	t.Helper()
	result, err := engine.Run(p, s, evaluation.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if result.Findings.HasErrors() {
		t.Fatal(Text(result.Findings))
	}
	return result
}

// JobIDs are the ids of a result's jobs, in its order, and their places.
func JobIDs(r *evaluation.Result) (ids []string, index map[string]int) {
	c := r.Jobs.Column("job.id")
	index = map[string]int{}
	for i := range r.Jobs.Rows {
		id := c.Dict[c.Codes[i]]
		ids, index[id] = append(ids, id), i
	}
	return ids, index
}

// Text shows findings as the command line does.
func Text(list diag.List) string {
	var b strings.Builder
	_ = diag.WriteText(&b, list, false)
	return "\n" + b.String()
}

// Overlay is a file system with some files replaced.
type Overlay struct {
	fs.FS
	Top fstest.MapFS
}

func (o Overlay) Open(name string) (fs.File, error) {
	if _, ok := o.Top[name]; ok {
		return o.Top.Open(name)
	}
	return o.FS.Open(name)
}

// AtLeast fails a test that compared less than it should: no test may pass by comparing nothing.
func AtLeast(t *testing.T, compared, least map[string]int) {
	t.Helper()
	t.Log(compared)
	for what, n := range least {
		if compared[what] < n && !t.Failed() {
			t.Errorf("only %d comparisons of %s, want %d", compared[what], what, n)
		}
	}
}

package recordedtest

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fairway-sched/fairway/conformance/beside"
)

// WriteCopy writes the compact copy of a case to conformance/recorded.
func WriteCopy(t *testing.T, scheduler, name string, a *txtar.Archive) {
	t.Helper()
	file := filepath.Join(beside.Checkout(t), "conformance", "recorded", scheduler, name+".txtar")
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// AddToCopy puts a file into the compact copy of a case, in place of one of that name.
func AddToCopy(t *testing.T, scheduler, name, file string, text []byte) {
	t.Helper()
	at := filepath.Join(beside.Checkout(t), "conformance", "recorded", scheduler, name+".txtar")
	a, err := txtar.ParseFile(at)
	if err != nil {
		t.Fatal(err)
	}
	a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return f.Name == file })
	a.Files = append(a.Files, txtar.File{Name: file, Data: text})
	WriteCopy(t, scheduler, name, a)
}

// JobPerLine writes expectations so that each job is one line.
func JobPerLine(t *testing.T, want any) []byte {
	t.Helper()
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	s := regexp.MustCompile(`("[^"]+":\{("eff_queue_time":\d+,)?"raw_sum"|"[^"]+":\{"start_priority"|\{"job":|\{"job_id":|\{"now":|"(diagnose_p|starts|queue|blocked_reasons|checkjob|later_steps)")`).ReplaceAllString(string(text), "\n $1")
	return []byte(s + "\n")
}

// Output reads an output that may be packed; nil if the case has none.
func (c Case) Output(t *testing.T, name string) []byte {
	t.Helper()
	text, err := fs.ReadFile(c.Files, name)
	if err == nil {
		return text
	}
	packed, err := c.Files.Open(name + ".gz")
	if err != nil {
		return nil
	}
	defer packed.Close()
	in, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = io.ReadAll(in); err != nil {
		t.Fatal(err)
	}
	return text
}

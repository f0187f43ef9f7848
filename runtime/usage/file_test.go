package usage

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// readBack reads the text of a window with the reader of snapshots.
func readBack(t rapid.TB, start int64, text []byte) *snapshot.UsageWindow {
	t.Helper()
	name := FileName(start)
	s, diags, err := snapshot.Read(fstest.MapFS{name: {Data: text}}, []string{name}, snapshot.Options{})
	if err != nil || len(diags) > 0 || len(s.Usage) != 1 {
		t.Fatal(err, diags, s.Usage)
	}
	return &s.Usage[0]
}

func written(t rapid.TB, w *snapshot.UsageWindow, interval int64) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, w, interval); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestWriteAsRecorded: every window that a real Maui has loaded is written with the same lines.
func TestWriteAsRecorded(t *testing.T) {
	files, compared := beside.Files(t, "oracle", "maui"), 0
	names, err := fs.Glob(files, "*/fs/FS.*")
	if err != nil || len(names) < 50 {
		t.Fatal("windows are missing", len(names), err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(name, "verbatim") {
			continue // the manual's sample, which does not load
		}
		s, _, err := snapshot.Read(files, []string{name}, snapshot.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := written(t, &s.Usage[0], Interval(string(text)))
		if d := cmp.Diff(sortedLines(text), sortedLines(got)); d != "" {
			t.Errorf("%s (-recorded +written)\n%s", name, d)
		}
		if path.Base(name) != FileName(s.Usage[0].StartTime) {
			t.Errorf("%s is named %s", name, FileName(s.Usage[0].StartTime))
		}
		compared++
	}
	if compared < 50 {
		t.Errorf("%d windows compared", compared)
	}
}

func sortedLines(text []byte) []string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	slices.Sort(lines)
	return lines
}

// TestWriteReads: what is written is read with all printed digits, and written again is the same text.
func TestWriteReads(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		w := snapshot.UsageWindow{StartTime: rapid.Int64Range(0, 4e9).
			Draw(t, "start"), Usage: map[string]map[string]float64{}}
		amounts := rapid.Float64Range(0, 1e15)
		w.Total = amounts.Draw(t, "total")
		for _, k := range kinds {
			names := rapid.MapOfN(rapid.StringMatching(`[!-~é]{1,20}`), amounts, 0, 4).Draw(t, k.object)
			maps.DeleteFunc(names, func(name string, _ float64) bool { return !writable(name) })
			if len(names) > 0 {
				w.Usage[k.object] = names
			}
		}
		text := written(t, &w, rapid.Int64Range(1, 1e6).Draw(t, "interval"))
		back := readBack(t, w.StartTime, text)
		if back.Total != printed(w.Total) || back.StartTime != w.StartTime {
			t.Fatalf("%v\n%s", back, text)
		}
		for object, names := range w.Usage {
			for name, amount := range names {
				if got, ok := back.Usage[object][name]; !ok || got != printed(amount) {
					t.Fatalf("%s %s: %v, want %v", object, name, got, printed(amount))
				}
			}
			if len(back.Usage[object]) != len(names) {
				t.Fatalf("%v", back.Usage)
			}
		}
		if again := written(t, back, Interval(string(text))); !bytes.Equal(again, text) {
			t.Fatalf("again:\n%s\nfirst:\n%s", again, text)
		}
	})
}

func TestInterval(t *testing.T) {
	for text, want := range map[string]int64{
		"# FS Data File (Duration:   3600 seconds)  Starting: epoch 0\nuser a 1\n":        3600,
		"# FS Data File (Duration:  43200 seconds)  Starting: Tue Nov 14 00:00:00 2023\n": 43200,
		"user a 1\n": 0, "": 0, "# Duration: x": 0, "# Duration:": 0, "# Duration: -1": 0,
	} {
		if got := Interval(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestDecide: what becomes of a file.
func TestDecide(t *testing.T) {
	window := func(total, ana float64) *snapshot.UsageWindow {
		return &snapshot.UsageWindow{Total: total, Usage: map[string]map[string]float64{"user": {"ana": ana}}}
	}
	for _, c := range []struct {
		name  string
		cover Cover
		have  *snapshot.UsageWindow
		force bool
		want  Action
	}{
		{"no file", Whole, nil, false, New},
		{"no file, begins later", Begins, nil, false, New},
		{"the same", Begins, window(5.0004, 3), false, Unchanged},
		{"less there", Begins, window(4, 3), false, Replace},
		{"more there, covered", Whole, window(9, 3), false, Replace},
		{"more there", Begins, window(9, 3), false, Keep},
		{"more of a user there", Ends, window(4, 4), false, Keep},
		{"more there, forced", Ends, window(9, 3), true, Replace},
		{"nobody else's", None, &snapshot.UsageWindow{Total: 1, Usage: map[string]map[string]float64{"user": {"bo": 1}}},
			false, Keep},
		{"lines that Maui passes over", None,
			&snapshot.UsageWindow{Total: 5, Usage: window(5, 3).Usage, Passed: snapshot.PassedUsage{Total: 7}}, false, Replace},
	} {
		got := Decide(&Window{UsageWindow: *window(5, 3), Cover: c.cover}, c.have, c.force)
		if got.Action != c.want || (got.Why != "") != (c.want == Keep) {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
	empty := &Window{Cover: Begins}
	if got := Decide(empty, nil, false); got.Action != Left {
		t.Errorf("an empty window that the records do not cover: %v", got)
	}
	if got := Decide(&Window{Cover: Whole}, nil, false); got.Action != New {
		t.Errorf("an empty window that they cover: %v", got)
	}
	if got := fmt.Sprint(Decide(empty, window(2, 1),
		false)); got != "{kept the file has a total of 2.000, the records 0.000}" {
		t.Error(got)
	}
}

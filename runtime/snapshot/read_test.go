package snapshot

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGzip: packed files are read as they stand, in one member or several.
func TestGzip(t *testing.T) {
	plain, _ := readText(t, "x.swf", makeTrace(5000, 7))
	text := makeTrace(5000, 7)
	for name, data := range map[string]string{
		"x.swf.gz": packed(t, text),
		"x.swf":    packed(t, text[:1000]) + packed(t, text[1000:]),
		"bom.swf":  "\ufeff" + text,
	} {
		s, diags := readText(t, name, data)
		if len(diags) > 0 {
			t.Errorf("%s: %v", name, codesOf(diags))
		}
		if d := cmp.Diff(describe(plain), describe(s)); d != "" {
			t.Errorf("%s\n%s", name, d)
		}
	}
}

// TestErrors: what cannot be read at all is an error that names the file.
func TestErrors(t *testing.T) {
	fsys := fstest.MapFS{"cut.gz": {Data: []byte(packed(t, makeTrace(5000, 7))[:2000])}, "no.gz": {Data: []byte("\x1f\x8bno")}, "dir/cut.gz": {Data: []byte(packed(t, makeTrace(5000, 7))[:2000])}}
	for _, name := range []string{"cut.gz", "no.gz", "missing", "dir"} {
		_, _, err := Read(fsys, []string{name}, Options{})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := Read(fsys, []string{"missing"}, Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestEmpty: no input is an empty snapshot, an empty file is in no format.
func TestEmpty(t *testing.T) {
	s, diags, err := Read(fstest.MapFS{}, nil, Options{})
	if err != nil || len(diags) > 0 || s.Jobs != nil || len(s.Sources) > 0 {
		t.Error(s, diags, err)
	}
	if _, diags := readText(t, "empty", ""); len(diags) != 1 || diags[0].Code != "snapshot-unknown-format" {
		t.Error(codesOf(diags))
	}
}

// TestRecordingsRoundTrip: recordings of real schedulers, written and read
// again, are the same snapshots.
func TestRecordingsRoundTrip(t *testing.T) {
	for folder, pattern := range map[string]string{"oracle/maui": "[fr]*", "oracle/slurm": "*25.11/raw"} {
		t.Run(folder, func(t *testing.T) {
			recordings := shared(t, folder)
			names, err := fs.Glob(recordings, pattern)
			if err != nil || len(names) < 5 {
				t.Fatal(names, err)
			}
			for i, name := range names {
				if i%5 > 0 {
					continue
				}
				s, _, err := Read(recordings, []string{name}, Options{})
				if err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				if err := WriteJSON(&out, s); err != nil {
					t.Fatal(err)
				}
				back, diags := readText(t, "q.json", out.String())
				if len(diags) > 0 {
					t.Errorf("%s: %v", name, codesOf(diags))
				}
				if d := cmp.Diff(describe(s), describe(back)); d != "" {
					t.Errorf("%s (-read +read again)\n%s", name, d)
				}
			}
		})
	}
}

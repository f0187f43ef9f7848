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

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/native"
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

// TestUnpackable: a compressed file that is cut off or damaged is a broken file
// like any other, by name or in a directory, and the rest is read.
func TestUnpackable(t *testing.T) {
	whole := packed(t, makeTrace(5000, 7))
	flipped := []byte(whole)
	flipped[len(flipped)-5] ^= 1 // in the checksum
	for text, want := range map[string]string{
		whole[:2000]:                             "the compressed file is cut off",
		whole[:5]:                                "the compressed file is cut off",
		whole[:len(whole)-20]:                    "the compressed file is cut off", // far behind what tells the format
		"\x1f\x8bno gzip at all":                 "the compressed file is damaged",
		string(flipped):                          "the compressed file is damaged",
		whole[:100] + strings.Repeat("\xff", 50): "the compressed file is damaged",
		whole + "tail of something":              "the compressed file is damaged",
	} {
		for _, path := range []string{"d/x.gz", "d"} {
			s, diags, err := Read(mapFS{"d/x.gz": text, "d/now.txt": "1700000000"}.open(), []string{path}, format.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(diags) != 1 || diags[0].Severity != diag.Error || diags[0].Span.String() != "d/x.gz:1:1" ||
				diags[0].Message != want {
				t.Errorf("%s of %d bytes: %v, want %s", path, len(text), texts(diags), want)
			}
			if s.Jobs != nil || path == "d" && s.Now != 1700000000 {
				t.Errorf("%s: %v", path, s)
			}
		}
	}
}

// TestErrors: what is no fault of the content is an error that names the file.
func TestErrors(t *testing.T) {
	if _, _, err := Read(fstest.MapFS{}, []string{"missing"}, format.Options{}); !errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(err.Error(), "missing") {
		t.Error(err)
	}
	for name, fault := range map[string]error{"x.gz": fs.ErrPermission, "d": fs.ErrClosed} {
		_, _, err := Read(faultyFS{mapFS{"x.gz": packed(t, "x"), "d/x": "x"}.open(), fault}, []string{name}, format.Options{})
		if !errors.Is(err, fault) {
			t.Error(name, err)
		}
	}
}

// faultyFS cannot read any file.
type faultyFS struct {
	fs.FS
	fault error
}

func (f faultyFS) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if info, statErr := fs.Stat(f.FS, name); err != nil || statErr != nil || info.IsDir() {
		return file, err
	}
	return faultyFile{file, f.fault}, nil
}

type faultyFile struct {
	fs.File
	fault error
}

func (f faultyFile) Read([]byte) (int, error) { return 0, f.fault }

// TestBeyondSlurm: numbers and words that Slurm cannot hold are no silent part of a snapshot.
func TestBeyondSlurm(t *testing.T) {
	for text, want := range map[string]string{
		"Name|Priority|Flags\nq|99999999999|\n": `f:2:1 snapshot-bad-record Priority: the priority "99999999999" is more ` +
			`than 4294967295, the largest that Slurm holds`,
		"Name|Priority|Flags\nq|4294967295|NoSuchFlag\n": "f:2:1 snapshot-qos-flag QOS q has the flag " +
			"NoSuchFlag, which no known version has",
		"Account|User|RawShares|RawUsage\nroot||1|1e26\n":                 `f:2:1 snapshot-bad-record RawUsage: the usage "1e26" is not from 0 to 18446744073709551615, as Slurm counts`,
		"Account|User|RawShares|RawUsage\nroot||1|18446744073709551615\n": "",
	} {
		if _, diags := readText(t, "f", text); strings.Join(texts(diags), "\n") != want {
			t.Errorf("%q: %q", text, texts(diags))
		}
	}
}

// TestEmpty: no input is an empty snapshot, an empty file is reported as such.
func TestEmpty(t *testing.T) {
	s, diags, err := Read(fstest.MapFS{}, nil, format.Options{})
	if err != nil || len(diags) > 0 || s.Jobs != nil || len(s.Sources) > 0 {
		t.Error(s, diags, err)
	}
	for _, text := range []string{"", "\n \n"} {
		if _, diags := readText(t, "empty", text); len(diags) != 1 || diags[0].Message != "the file is empty" {
			t.Error(texts(diags))
		}
	}
	for _, text := range []string{"No jobs in the system\n", "JOBID PARTITION NAME USER ST\n", "JOBID|STATE|USER\n"} {
		if s, diags := readText(t, "none", text); len(diags) > 0 || len(s.Sources) != 1 || s.Family != "slurm" {
			t.Errorf("%q: %v %v", text, s, texts(diags))
		}
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
				s, _, err := Read(recordings, []string{name}, format.Options{})
				if err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				if err := native.WriteJSON(&out, s); err != nil {
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

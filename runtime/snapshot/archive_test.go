package snapshot

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/native"
)

// captured is a small snapshot as capture leaves it.
func captured(t testing.TB) mapFS {
	t.Helper()
	files := mapFS{
		"jobs.csv": "id,user,procs\n1,amy,4\n2,bob,8\n", "now.txt": "1700000000\n",
		"fs/FS.1699999200": "TOTAL NONE 7\nUSER amy 7\n", "policy/accounts.cfg": "Cluster - 'c'\n",
	}
	m := format.NewManifest("pbs", "text", "1.0", "2023-11-14T22:13:20Z")
	for _, name := range format.SortedKeys(files) {
		m.Holds(name, []byte(files[name]))
	}
	m.Complete = true
	text, err := m.Text()
	if err != nil {
		t.Fatal(err)
	}
	files[format.ManifestFile] = string(text)
	return files
}

func under(folder string, files mapFS) mapFS {
	out := mapFS{}
	for name, text := range files {
		out[folder+"/"+name] = text
	}
	return out
}

func archived(t testing.TB, files mapFS) string {
	t.Helper()
	var out bytes.Buffer
	a, err := NewArchive(&out)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range format.SortedKeys(files) {
		if err := a.Add(name, []byte(files[name]), time.Unix(1_700_000_000, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Add(format.SortedKeys(files)[0], nil, time.Time{}); err == nil {
		t.Error("one name is taken twice")
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func nativeText(t testing.TB, s *format.Snapshot) string {
	t.Helper()
	var out bytes.Buffer
	if err := native.WriteJSON(&out, s); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestArchive: an archive says what its folder says, however it is packed and whether or not the folder
// itself is in it.
func TestArchive(t *testing.T) {
	files := captured(t)
	want, diags, err := Read(under("d", files).open(), []string{"d"}, format.Options{})
	if err != nil || diags.HasErrors() || want.Jobs.Rows != 2 || len(want.Usage) != 1 || want.Now != 1_700_000_000 ||
		len(want.Captures) != 1 {
		t.Fatalf("the folder: %v %v %+v", err, texts(diags), want)
	}
	plain := plainTar(t, under("./snap", files))
	for name, text := range map[string]string{
		"q.tar.zst": archived(t, files), "folder.tar.zst": archived(t, under("snap", files)), "plain.tar": plain,
		"q.tgz": gzipped(t, plain), "named-otherwise": archived(t, files),
	} {
		got, diags, err := Read(mapFS{name: text}.open(), []string{name}, format.Options{})
		if err != nil || diags.HasErrors() {
			t.Errorf("%s: %v %v", name, err, texts(diags))
			continue
		}
		if d := cmp.Diff(nativeText(t, want), nativeText(t, got)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if len(got.Sources) != 3 || !strings.HasPrefix(got.Sources[0].Name, name+"/") {
			t.Errorf("%s: sources %v", name, got.Sources)
		}
	}
}

// TestCutArchive: whatever is cut off or changed, what is left never passes for a snapshot.
func TestCutArchive(t *testing.T) {
	files := captured(t)
	whole := archived(t, files)
	for n := range len(whole) {
		if s, diags, err := Read(mapFS{"q": whole[:n]}.open(), []string{"q"}, format.Options{}); err == nil &&
			!diags.HasErrors() {
			t.Fatalf("cut after %d of %d bytes: %+v", n, len(whole), s)
		}
	}
	for n := 0; n < len(whole); n++ {
		changed := []byte(whole)
		changed[n] ^= 0x10
		s, diags, err := Read(mapFS{"q": string(changed)}.open(), []string{"q"}, format.Options{})
		if err == nil && !diags.HasErrors() && nativeText(t, s) != nativeText(t, readFolder(t, files)) {
			t.Fatalf("byte %d changed: %+v", n, s)
		}
	}
}

func readFolder(t testing.TB, files mapFS) *format.Snapshot {
	t.Helper()
	s, diags, err := Read(under("d", files).open(), []string{"d"}, format.Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, texts(diags))
	}
	return s
}

// TestManifest: each way in which a folder is not what was captured is an error; a foreign file of the
// name is none.
func TestManifest(t *testing.T) {
	for name, c := range map[string]struct {
		change func(mapFS)
		code   string
	}{
		"nothing":        {func(mapFS) {}, ""},
		"a file more":    {func(f mapFS) { f["site.csv"] = "id,user\n3,eve\n" }, ""},
		"a file less":    {func(f mapFS) { delete(f, "now.txt") }, "snapshot-capture-damaged"},
		"policy less":    {func(f mapFS) { delete(f, "policy/accounts.cfg") }, "snapshot-capture-damaged"},
		"cut at a line":  {func(f mapFS) { f["jobs.csv"] = "id,user,procs\n1,amy,4\n" }, "snapshot-capture-damaged"},
		"another number": {func(f mapFS) { f["jobs.csv"] = "id,user,procs\n1,amy,4\n2,bob,9\n" }, "snapshot-capture-damaged"},
		"under way": {func(f mapFS) {
			f[format.ManifestFile] = strings.Replace(f[format.ManifestFile], `"complete": true`, `"complete": false`, 1)
		}, "snapshot-capture-damaged"},
		"newer": {func(f mapFS) {
			f[format.ManifestFile] = strings.Replace(f[format.ManifestFile], `_version": 1`, `_version": 2`, 1)
		}, "snapshot-format-version"},
		"cut manifest": {func(f mapFS) { f[format.ManifestFile] = f[format.ManifestFile][:200] }, "snapshot-broken-file"},
		"leads out": {func(f mapFS) {
			f[format.ManifestFile] = strings.Replace(f[format.ManifestFile], "jobs.csv", "../jobs.csv", 1)
		}, "snapshot-capture-damaged"},
		"foreign manifest": {func(f mapFS) { f[format.ManifestFile] = `{"name": "app"}` }, ""},
		"none":             {func(f mapFS) { delete(f, format.ManifestFile) }, ""},
	} {
		files := captured(t)
		c.change(files)
		_, diags, err := Read(under("d", files).open(), []string{"d"}, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		code := ""
		for _, d := range diags {
			if d.Severity == diag.Error {
				code = d.Code
			}
		}
		if code != c.code {
			t.Errorf("%s: %q, want %q: %v", name, code, c.code, texts(diags))
		}
	}
}

// TestManifestTimes: what was captured is in UTC whatever zone the reader is in.
func TestManifestTimes(t *testing.T) {
	files := mapFS{"squeue.psv": "JOBID|USER|STATE|PARTITION|SUBMIT_TIME\n1|amy|PENDING|p|2026-01-02T00:00:00\n"}
	m := format.NewManifest("slurm", "squeue", "1.0", "2026-01-02T00:00:00Z")
	m.Holds("squeue.psv", []byte(files["squeue.psv"]))
	m.Complete = true
	text, _ := m.Text()
	place := time.FixedZone("there", 3600)
	for manifest, want := range map[string]int64{string(text): 1767312000, "": 1767308400} {
		files[format.ManifestFile] = manifest
		s, _, err := Read(under("d", files).open(), []string{"d"}, format.Options{Location: place})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Jobs.Value("job.submit_time", 0).Int; got != want {
			t.Errorf("submitted at %d, want %d", got, want)
		}
	}
}

// TestPackedFile: a single file may be packed by zstd too.
func TestPackedFile(t *testing.T) {
	var out bytes.Buffer
	err := Pack(&out, func(w io.Writer) error { _, err := io.WriteString(w, "id,user,procs\n1,amy,4\n"); return err })
	if err != nil {
		t.Fatal(err)
	}
	s, diags, err := Read(mapFS{"q": out.String()}.open(), []string{"q"}, format.Options{})
	if err != nil || diags.HasErrors() || s.Jobs.Value("job.procs", 0).Int != 4 {
		t.Error(err, texts(diags))
	}
}

func plainTar(t testing.TB, files mapFS) string {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, name := range format.SortedKeys(files) {
		h := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name]))}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte(files[name]))
	}
	if err := w.WriteHeader(&tar.Header{Name: "snap/link", Typeflag: tar.TypeSymlink,
		Linkname: "/etc/passwd"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestHostileArchive: what an archive may not be is an error, and nothing of it leads out of it.
func TestHostileArchive(t *testing.T) {
	entry := func(name string, kind byte, text string) func(*tar.Writer) {
		return func(w *tar.Writer) {
			h := &tar.Header{Name: name, Typeflag: kind, Mode: 0o644, Size: int64(len(text))}
			if kind != tar.TypeReg {
				h.Linkname = "/etc/passwd"
			}
			if w.WriteHeader(h) == nil {
				_, _ = io.WriteString(w, text)
			}
		}
	}
	const jobs, other = "id,user,procs\n1,amy,4\n", "id,user,procs\n2,eve,8\n"
	for name, c := range map[string]struct {
		parts []func(*tar.Writer)
		want  string // an error, or the ids of jobs
	}{
		"twice": {[]func(*tar.Writer){entry("jobs.csv", tar.TypeReg, jobs),
			entry("jobs.csv", tar.TypeReg, other)}, "the archive holds a file twice"},
		"twice by its name": {[]func(*tar.Writer){entry("jobs.csv", tar.TypeReg, jobs),
			entry("../../jobs.csv", tar.TypeReg, other)}, "the archive holds a file twice"},
		"leads out": {[]func(*tar.Writer){entry("../../../etc/jobs.csv", tar.TypeReg, jobs)}, "1"},
		"links": {[]func(*tar.Writer){entry("jobs.csv", tar.TypeReg, jobs), entry("a.csv", tar.TypeSymlink, ""),
			entry("b.csv", tar.TypeLink, ""), entry("c", tar.TypeChar, ""), entry("d", tar.TypeFifo, "")}, "1"},
		"bomb": {[]func(*tar.Writer){entry("jobs.csv", tar.TypeReg, jobs),
			entry("zeros", tar.TypeReg, strings.Repeat("\x00", 80<<20))}, "unpacks to more than a snapshot can be"},
	} {
		var plain bytes.Buffer
		w := tar.NewWriter(&plain)
		for _, part := range c.parts {
			part(w)
		}
		_ = w.Close()
		for kind, pack := range map[string]func(io.Writer) error{
			"zst": func(to io.Writer) error {
				return Pack(to, func(w io.Writer) error { _, err := w.Write(plain.Bytes()); return err })
			},
			"gz": func(to io.Writer) error { _, err := io.WriteString(to, gzipped(t, plain.String())); return err },
		} {
			var packed bytes.Buffer
			if err := pack(&packed); err != nil {
				t.Fatal(err)
			}
			s, diags, err := Read(mapFS{"q": packed.String()}.open(), []string{"q"}, format.Options{})
			got := ""
			switch {
			case err != nil:
				t.Errorf("%s: %v", name, err)
			case diags.HasErrors():
				got = strings.Join(texts(diags), "; ")
			default:
				for i := range s.Jobs.Rows {
					got += s.Jobs.Value("job.id", i).Str
				}
			}
			if kind == "gz" && name == "bomb" {
				continue // gzip shrinks nothing to less than a thousandth
			}
			if got != c.want && !(len(c.want) > 1 && strings.Contains(got, c.want)) {
				t.Errorf("%s: %s: %s", kind, name, got)
			}
		}
	}
}

// TestSparseArchive: a file whose zeros the tar leaves out is refused, however few bytes it takes.
func TestSparseArchive(t *testing.T) {
	var plain bytes.Buffer
	w := tar.NewWriter(&plain)
	// The writer keeps these keys to itself, so they are written under others of the same length.
	records := map[string]string{"GNU_sparse_map": "0,1", "GNU_sparse_size": "9000000000", "GNU_sparse_numblocks": "1"}
	if err := w.WriteHeader(&tar.Header{Name: "jobs.csv", Typeflag: tar.TypeReg, Mode: 0o644, Size: 1, PAXRecords: records,
		Format: tar.FormatPAX}); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(w, "i")
	_ = w.Close()
	text := strings.ReplaceAll(plain.String(), "GNU_sparse_", "GNU.sparse.")
	if h, err := tar.NewReader(strings.NewReader(text)).Next(); err != nil || h.Size != 9000000000 {
		t.Fatal("the archive is not what the test is about: ", h, err)
	}
	for name, archive := range map[string]string{"plain": text, "gz": gzipped(t, text)} {
		_, diags, err := Read(mapFS{"q": archive}.open(), []string{"q"}, format.Options{})
		if err != nil || !strings.Contains(strings.Join(texts(diags), "; "), "the archive holds a sparse file") {
			t.Errorf("%s: %v %v", name, texts(diags), err)
		}
	}
}

// TestLongText: a packed text that is too long is refused after it was counted, in little memory.
func TestLongText(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks 2 GiB")
	}
	var packed bytes.Buffer
	zeros := bytes.Repeat([]byte("; a comment of a trace, over and over again, in many words that say nothing\n"), 1<<14)
	err := Pack(&packed, func(w io.Writer) error {
		r := rand.New(rand.NewPCG(1, 2))
		for written := 0; written <= longestText; written += len(zeros) {
			for range 1500 { // enough that the ratio is one that traces have
				zeros[r.IntN(len(zeros))] = byte('a' + r.IntN(26))
			}
			if _, err := w.Write(zeros); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err = Read(mapFS{"q.swf.zst": packed.String()}.open(), []string{"q.swf.zst"}, format.Options{})
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "longer than 2 GiB") {
		t.Errorf("%v", err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 256<<20 {
		t.Errorf("%d MB were used to refuse it", used>>20)
	}
}

// TestRecordsArchive: job records are read from archives as from folders, and damaged ones are no records.
func TestRecordsArchive(t *testing.T) {
	files := mapFS{"a.csv": "id,user,procs,start_time,end_time\n1,amy,4,1700000000,1700000100\n",
		"b.csv": "id,user,procs,start_time,end_time\n2,bob,4,1700000000,1700000100\n"}
	m := format.NewManifest("pbs", "text", "1.0", "2023-11-14T22:13:20Z")
	for _, name := range format.SortedKeys(files) {
		m.Holds(name, []byte(files[name]))
	}
	m.Complete = true
	text, _ := m.Text()
	files[format.ManifestFile] = string(text)
	for name, text := range map[string]string{"q.tar.zst": archived(t, files),
		"q.tgz": gzipped(t, plainTar(t, under("snap", files)))} {
		r, diags, err := ReadRecords(mapFS{name: text}.open(), []string{name}, format.Options{})
		if err != nil || diags.HasErrors() || r.Jobs == nil || r.Jobs.Rows != 2 || len(r.Sources) != 2 ||
			r.Sources[0].Name != name+"/a.csv" {
			t.Errorf("%s: %v, %v, %+v", name, err, texts(diags), r)
		}
	}
	files["a.csv"] += "3,eve,4,1700000000,1700000100\n"
	if _, diags, err := ReadRecords(mapFS{"q": archived(t, files)}.open(), []string{"q"}, format.Options{}); err != nil ||
		!diags.HasErrors() {
		t.Errorf("a changed file passes: %v, %v", err, texts(diags))
	}
	whole := archived(t, files)
	if _, diags, err := ReadRecords(mapFS{"q": whole[:len(whole)-3]}.open(), []string{"q"},
		format.Options{}); err != nil || !diags.HasErrors() {
		t.Errorf("a cut archive passes: %v, %v", err, texts(diags))
	}
}

// FuzzArchive: the text is an archive as it is, and packed. Mutated packed files mostly fail at their checksum.
func FuzzArchive(f *testing.F) {
	f.Add([]byte(archived(f, captured(f))))
	f.Add([]byte(plainTar(f, under("./snap", captured(f)))))
	f.Add([]byte(plainTar(f, mapFS{"../a/jobs.csv": "id,user\n1,amy\n", "/jobs.json": "{}", "manifest.json": "{"})))
	f.Fuzz(func(t *testing.T, text []byte) {
		var packed bytes.Buffer
		_ = Pack(&packed, func(w io.Writer) error { _, err := w.Write(text); return err })
		for _, file := range []string{string(text), packed.String()} {
			fsys := mapFS{"q": file}.open()
			s, _, err := Read(fsys, []string{"q"}, format.Options{})
			if err == nil {
				checkTables(t, s)
			}
			if r, diags, err := ReadRecords(fsys, []string{"q"}, format.Options{}); err == nil && !diags.HasErrors() &&
				len(r.Sources) == 0 && r.Jobs != nil && r.Jobs.Rows > 0 {
				t.Error("jobs of no file")
			}
		}
	})
}

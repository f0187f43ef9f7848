package snapshot

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/native"
)

// TestRecordsGolden reads each file of testdata/records and compares the runs
// and what is reported about the rest; -update rewrites.
func TestRecordsGolden(t *testing.T) {
	inputs, err := filepath.Glob("testdata/records/*")
	if err != nil || len(inputs) == 0 {
		t.Fatal("no inputs", err)
	}
	for _, path := range inputs {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			records, diags, err := ReadRecords(os.DirFS("testdata/records"), []string{filepath.Base(path)}, format.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := describeRecords(t, records, diags)
			if *update {
				if err := os.WriteFile(path+".golden", got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path + ".golden")
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got:\n%s", got)
			}
		})
	}
}

func describeRecords(t testing.TB, records *Records, diags diag.List) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, s := range records.Sources {
		fmt.Fprintf(&b, "%s: %s, %d records, %d bad\n", s.Name, s.Format, s.Records, s.Bad)
	}
	if records.Told.Known {
		fmt.Fprintf(&b, "told: %s to %s\n", format.TimeText(records.Told.First), format.TimeText(records.Told.Last))
	}
	if err := native.WriteJSON(&b, &format.Snapshot{Jobs: records.Jobs}); err != nil {
		t.Fatal(err)
	}
	if err := diag.WriteText(&b, diags, false); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// runsOf writes each run as id start-end procs, an open end as nothing.
func runsOf(records *Records) string {
	var runs []string
	for row := range rows(records.Jobs) {
		value := func(id schema.ColumnID) string {
			v := records.Jobs.Value("job."+id, row)
			switch {
			case !v.Known():
				return ""
			case v.Str != "":
				return v.Str
			}
			return fmt.Sprint(v.Int)
		}
		runs = append(runs, fmt.Sprintf("%s %s-%s %s", value("id"), value("start_time"), value("end_time"), value("procs")))
	}
	return strings.Join(runs, ", ")
}

// event is a line of an accounting log, at a time in seconds after 2026-11-20 08:00 UTC.
func event(at int64, kind, id, message string) string {
	const eight = 1795161600
	for _, key := range []string{"start=", "end="} {
		if before, after, ok := strings.Cut(message, key); ok {
			var n int64
			fmt.Sscan(after, &n)
			_, rest, _ := strings.Cut(after, " ")
			message = before + key + fmt.Sprint(eight+n) + " " + rest
		}
	}
	return time.Unix(eight+at, 0).UTC().Format("01/02/2006 15:04:05") + ";" + kind + ";" + id + ";" + message + "\n"
}

// TestRuns: files complete one another in whatever order they come.
func TestRuns(t *testing.T) {
	start := event(0, "S", "1", "exec_host=n/0 start=0")
	for _, c := range []struct{ name, log, want string }{
		{"start and end", start + event(60, "E", "1", "exec_host=n/0 start=0 end=60"), "1 0-60 1"},
		{"no end", start, "1 0- 1"},
		{"no start", event(60, "E", "1", "exec_host=n/0 start=0 end=60"), "1 0-60 1"},
		{"twice", strings.Repeat(start+event(60, "E", "1", "exec_host=n/0 start=0 end=60"), 2), "1 0-60 1"},
		{"deleted, its end follows", start + event(50, "D", "1", "requestor=a@b") + event(60, "E", "1",
			"exec_host=n/0 start=0 end=60"), "1 0-60 1"},
		{"deleted, no end", start + event(50, "D", "1", "requestor=a@b"), "1 0-50 1"},
		{"deleted twice", start + event(50, "D", "1", "requestor=a@b") + event(40, "D", "1", "requestor=a@b"), "1 0-40 1"},
		{"aborted", start + event(50, "A", "1", ""), "1 0-50 1"},
		{"rerun", start + event(20, "R", "1", "") + event(30, "S", "1", "exec_host=n/0 start=30") + event(60, "E", "1",
			"exec_host=n/0 start=30 end=60"), "1 0-20 1, 1 30-60 1"},
		{"rerun that still runs", start + event(20, "R", "1", "") + event(30, "S", "1", "exec_host=n/0 start=30"),
			"1 0-20 1, 1 30- 1"},
		{"a start that failed", start + event(30, "S", "1", "exec_host=n/0 start=30") + event(60, "E", "1",
			"exec_host=n/0 start=30 end=60"), "1 30-60 1"},
		{"checkpointed", start + event(20, "C", "1", "") + event(30, "T", "1", "exec_host=n/0 start=30"),
			"1 0-20 1, 1 30- 1"},
		{"deleted before it ran", event(50, "D", "1", "requestor=a@b"), ""},
		{"a second job of that number",
			start + event(60, "E", "1", "exec_host=n/0 start=0 end=60") + event(100, "S", "1", "exec_host=n/0 start=100"),
			"1 0-60 1, 1 100- 1"},
		{"queued only", event(0, "Q", "1", "queue=batch"), ""},
		{"ended at once", event(0, "E", "1", "start=0 end=0 exec_host=n/0"), "1 0-0 1"},
	} {
		lines := strings.SplitAfter(c.log, "\n")
		backwards := ""
		files := mapFS{"one": c.log, "empty/log": " \n"}
		paths := []string{"empty/log"}
		for i, line := range lines {
			backwards = line + backwards
			if line != "" {
				name := fmt.Sprintf("each/%d", i)
				files[name] = line
			}
		}
		files["backwards"] = backwards
		for _, path := range []string{"one", "each", "backwards"} {
			records, diags, err := ReadRecords(files.open(), append(paths, path), format.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, code := range codesOf(diags) {
				if code != "snapshot-start-without-run" {
					t.Errorf("%s, %s: %s", c.name, path, code)
				}
			}
			got := runsOf(records)
			for _, s := range []int{0, 20, 30, 40, 50, 60, 100} {
				got = strings.ReplaceAll(got, fmt.Sprint(1795161600+s), fmt.Sprint(s))
			}
			if got != c.want && !(path == "backwards" && sameRuns(got, c.want)) {
				t.Errorf("%s, %s: %q, want %q", c.name, path, got, c.want)
			}
		}
	}
}

// sameRuns compares without the order.
func sameRuns(a, b string) bool {
	count := map[string]int{}
	for _, run := range strings.Split(a, ", ") {
		count[run]++
	}
	for _, run := range strings.Split(b, ", ") {
		count[run]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// TestRecordsRefuse: what has no job records says so, by name as an error.
func TestRecordsRefuse(t *testing.T) {
	files := mapFS{
		"d/queue.json": `{"format_version": 1, "jobs": [{"id": "1", "state": "pending", "procs": 1}]}`,
		"d/20261120":   event(0, "S", "1", "exec_host=n/0 start=0"),
		"d/notes":      "hello",
		"FS.100":       "user a 1\n",
		"cut.json":     `{"jobs": [`,
		"cut.gz":       packed(t, makeTrace(5000, 7))[:2000],
		"noend.psv":    "JobID|Start|NCPUS\n1|2026-11-20T08:00:00|1\n",
		"nocpu.psv":    "JobID|Start|End|ReqCPUS\n1|2026-11-20T08:00:00|1\n",
	}
	for _, c := range []struct{ path, want string }{
		{"d", "snapshot-file-skipped"},
		{"d/notes", "snapshot-no-job-records"},
		{"FS.100", "snapshot-no-job-records"},
		{"cut.json", "snapshot-broken-file"},
		{"cut.gz", "snapshot-broken-file"},
		{"noend.psv", "snapshot-record-column"},
		{"nocpu.psv", "snapshot-record-column"},
	} {
		_, diags, err := ReadRecords(files.open(), []string{c.path}, format.Options{})
		if got := strings.Join(codesOf(diags), " "); got != c.want || err != nil {
			t.Errorf("%s: %s %v, want %s", c.path, got, err, c.want)
		}
	}
	if _, _, err := ReadRecords(files.open(), []string{"absent"}, format.Options{}); err == nil {
		t.Error("a file that is not there is no error")
	}
}

// TestRecordsOfTheCorpus: collected traces and accounting are read without a
// fault beyond those known.
func TestRecordsOfTheCorpus(t *testing.T) {
	for _, c := range []struct {
		folder, path string
		runs, bad    int
	}{
		{"corpus/swf", "SDSC-SP2-1998-first5k.swf.gz", 4606, 0},
		{"corpus/swf", "HPC2N-2002-alea-subset.swf.gz", 3145, 0},
		{"corpus/swf", "accasim-tiny.swf", 25, 0},
		{"oracle/slurm", "limit-minprio/raw/sacct.psv", 6, 0},
		{"corpus/snapshots", "firecrest-jobs-db.json", 2, 0},
	} {
		records, diags, err := ReadRecords(shared(t, c.folder), []string{c.path}, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if records.Jobs != nil {
			checkRuns(t, records)
		}
		if s := records.Sources[0]; rows(records.Jobs) != c.runs || s.Bad != c.bad {
			t.Errorf("%s: %d runs, %v, %v %v", c.path, rows(records.Jobs), s, records.Told, codesOf(diags))
		}
	}
}

// checkRuns fails when a table of runs is not what ReadRecords promises.
func checkRuns(t testing.TB, records *Records) {
	t.Helper()
	seen := map[string]bool{}
	for row := range rows(records.Jobs) {
		start, end := records.Jobs.Value("job.start_time", row), records.Jobs.Value("job.end_time", row)
		id := records.Jobs.Value("job.id", row).Str
		key := fmt.Sprint(id, start.Int)
		if id == "" || !start.Known() || end.Known() && end.Int < start.Int || seen[key] {
			t.Fatalf("row %d: job %q from %v to %v", row, id, start, end)
		}
		seen[key] = true
		if procs := records.Jobs.Value("job.procs", row); procs.Int == 0 && (!end.Known() || end.Int > start.Int) {
			t.Fatalf("row %d: no processors", row)
		}
		if !records.Told.Known || start.Int > records.Told.Last || end.Known() &&
			(end.Int > records.Told.Last || end.Int < records.Told.First) {
			t.Fatalf("row %d: from %v to %v lies outside %v", row, start, end, records.Told)
		}
	}
	for _, c := range records.Jobs.Columns() {
		for row := range records.Jobs.Rows {
			c.Value(row) // a code outside the dictionary panics here
		}
	}
}

package snapshot

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/native"
)

// fuzzFormat reads arbitrary text with one format, whether or not the format
// would claim it: it must not panic, every table must be in step, every
// diagnostic must be documented and lie in the text, and what came out must be
// written and read back without a fault.
func fuzzFormat(f *testing.F, formatName, name string, seeds ...string) {
	index := slices.IndexFunc(formats, func(o format.Format) bool { return o.Name == formatName })
	if index < 0 {
		f.Fatal("no format", formatName)
	}
	files, _ := filepath.Glob("testdata/read/*")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, string(text))
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	codes := map[string]bool{}
	for _, c := range pages.In("snapshots") {
		codes[c.Code] = true
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		recognise(format.NewHead(name, text))
		r := &reading{options: format.Options{Location: time.UTC}}
		s := r.file(&formats[index], name, text, func(int) {})
		checkTables(t, s)
		for _, d := range r.diags {
			if !codes[d.Code] {
				t.Fatalf("%s is not documented", d.Code)
			}
			if p := d.Span.Position(); d.Span.File == nil || p.Line < 1 {
				t.Fatalf("%s has no place", d.Code)
			}
		}
		if n := rows(s.Jobs) + rows(s.Nodes); n > s.Sources[0].Records {
			t.Fatalf("%d rows from %d records", n, s.Sources[0].Records)
		}
		var out bytes.Buffer
		if err := native.WriteJSON(&out, s); err != nil {
			t.Fatal(err)
		}
		back, diags := readText(t, "back.json", out.String())
		checkTables(t, back)
		if want, got := fmt.Sprint(s.Usage), fmt.Sprint(back.Usage); utf8.Valid(text) && got != want {
			t.Fatalf("usage %s was written as %s", want, got)
		}
		for _, d := range diags {
			switch d.Code {
			case "snapshot-not-yet-arrived", "snapshot-job-without-user":
			case "snapshot-repeated-id": // ids may become equal when text is mended to UTF-8
			default:
				t.Fatalf("%s: %s in\n%s", d.Code, d.Message, out.String())
			}
		}
	})
}

func rows(t *column.Table) int {
	if t == nil {
		return 0
	}
	return t.Rows
}

func FuzzNativeJSON(f *testing.F) {
	fuzzFormat(f, "native-json", "q.json",
		`{"format_version":1,"sprio":[{"id":"1","age":0.5,"user":3}],"credentials":{"association":[{"name":"a/b",`+
			`"shares":1}]}}`,
		`{"format_version":1,"reservations":[{"name":"r","start_time":5,"end_time":9,"hosts":["n1"],"flags":["daily"],"job":"3"}],"licenses":[{"name":"m","total":4,"used":1}]}`)
}
func FuzzNativeLines(f *testing.F) { fuzzFormat(f, "native-jsonl", "q.jsonl") }
func FuzzCSV(f *testing.F) {
	fuzzFormat(f, "native-csv", "q.csv", "id,tres(gpu)\n1,2\n", "id,\"user\nname\"\n\"1\n2\",\"x\n")
}
func FuzzNow(f *testing.F) { fuzzFormat(f, "now", "now.txt", "1700000000\n") }
func FuzzMauiJobs(f *testing.F) {
	fuzzFormat(f, "maui-jobs", "jobs.json",
		`[{"id":"1","user":"a","state":"idle","wclimit":60,"tasks":2,"procs_per_task":2,"arrival_time":5,"qos":null}]`)
}
func FuzzMauiNodes(f *testing.F) {
	fuzzFormat(f, "maui-nodes", "nodes.json",
		`[{"id":"n1","state":"Busy","procs":4,"classes":{"batch":4},"partition":"pa"}]`)
}
func FuzzMauiTrace(f *testing.F)     { fuzzFormat(f, "maui-trace", "workload.trace") }
func FuzzMauiResources(f *testing.F) { fuzzFormat(f, "maui-resources", "resource.trace") }
func FuzzFairshare(f *testing.F) {
	fuzzFormat(f, "maui-fairshare", "FS.100",
		"# FS Data File (Duration: 100 seconds)  Starting: epoch 100\nUser amy 1.5\nAccount a 2\nQOS 1 3\nTOTAL 6.5\nuser "+
			"bob 1\nTOTAL NONE 1\n")
}
func FuzzQstat(f *testing.F)     { fuzzFormat(f, "pbs-qstat", "qstat.txt") }
func FuzzQstatJSON(f *testing.F) { fuzzFormat(f, "pbs-qstat-json", "qstat.json") }
func FuzzPBSNodes(f *testing.F)  { fuzzFormat(f, "pbs-nodes", "nodes.txt") }
func FuzzSWF(f *testing.F)       { fuzzFormat(f, "swf", "x.swf", makeTrace(3, 1)) }
func FuzzPyss(f *testing.F)      { fuzzFormat(f, "pyss", "x.0") }

// fuzzRecords reads arbitrary text as job records of one format: it must not
// panic, keep what ReadRecords promises, and read twice what it read once.
func fuzzRecords(f *testing.F, formatName string, seeds ...string) {
	index := slices.IndexFunc(recordFormats, func(o format.Format) bool { return o.Name == formatName })
	if index < 0 {
		f.Fatal("no format", formatName)
	}
	files, _ := filepath.Glob("testdata/records/*")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, string(text))
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	codes := map[string]bool{}
	for _, c := range pages.In("snapshots") {
		codes[c.Code] = true
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		h := format.NewHead("records", text)
		bestFormat(recordFormats, h)
		if recordFormats[index].Recognize(h) == format.Foreign {
			return // readers of tables count on their header
		}
		read := func(times int) *Records {
			r, out, h := &reading{options: format.Options{Location: time.UTC}}, &Records{}, &history{}
			for range times {
				r.take(r.input(&recordFormats[index], "records", text), out, h)
			}
			out.Jobs = r.runs(h)
			for _, d := range r.diags {
				if !codes[d.Code] {
					t.Fatalf("%s is not documented", d.Code)
				}
				if p := d.Span.Position(); d.Span.File == nil || p.Line < 1 {
					t.Fatalf("%s has no place", d.Code)
				}
			}
			return out
		}
		once := read(1)
		if once.Jobs != nil {
			checkRuns(t, once)
		}
		if a, b := runsOf(once), runsOf(read(2)); !sameRuns(a, b) {
			t.Fatalf("read twice\n%s\nread once\n%s", b, a)
		}
	})
}

func FuzzPBSAccounting(f *testing.F) {
	fuzzRecords(f, "pbs-accounting", event(0, "S", "1", "a=\"b c\" exec_host=n/0*2 start=0")+event(5, "A", "1", "x"))
}
func FuzzSacctRecords(f *testing.F) {
	fuzzRecords(f, "slurm-accounting", "JobID|Start|ElapsedRaw|AllocCPUS|TotalCPU\n1|2026-11-20T08:00:00|7|2|01.5\n")
}
func FuzzSacctJSONRecords(f *testing.F) { fuzzRecords(f, "slurm-accounting-json") }
func FuzzSWFRecords(f *testing.F)       { fuzzRecords(f, "swf", makeTrace(3, 2)) }
func FuzzMauiRecords(f *testing.F)      { fuzzRecords(f, "maui-trace") }
func FuzzCSVRecords(f *testing.F)       { fuzzRecords(f, "native-csv") }

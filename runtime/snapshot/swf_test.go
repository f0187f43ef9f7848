package snapshot

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// plainSWF reads a trace the obvious way: the slow twin of readSWF, for traces
// without faults.
func plainSWF(text string) *column.Table {
	b := column.NewBuilder("job")
	for _, id := range []schema.ColumnID{"job.id", "job.submit_time", "job.arrival_time", "job.runtime_seconds",
		"job.walltime_seconds", "job.procs", "job.procs_per_task", "job.nodes", "job.mem_mb",
		"job.mem_per_task_mb", "job.tasks", "job.user", "job.group", "job.name", "job.partition", "job.node_partitions",
		"job.dependency", "job.state"} {
		b.Declare(id, format.ColumnType(id))
	}
	epoch := int64(0)
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		line := lines.Text()
		if after, ok := strings.CutPrefix(line, "; UnixStartTime:"); ok {
			epoch, _ = strconv.ParseInt(strings.TrimSpace(after), 10, 64)
		}
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0][0] == ';' {
			continue
		}
		number := func(i int) int64 {
			n, _ := strconv.ParseInt(fields[i], 10, 64)
			return n
		}
		known := func(id schema.ColumnID, n int64) {
			if n >= 0 {
				b.Value(id, schema.Value{Type: format.ColumnType(id), Int: n})
			}
		}
		name := func(id schema.ColumnID, prefix string, i int) {
			text := fields[i]
			if n, err := strconv.ParseInt(text, 10, 64); err == nil && n < 0 {
				return
			} else if err == nil {
				text = prefix + text
			}
			if format.ColumnType(id) == schema.StringList {
				b.List(id, []string{text})
			} else {
				b.String(id, text)
			}
		}
		if status := number(swfStatus); status >= 2 && status <= 4 {
			continue // a part of a job
		}
		b.Row()
		b.String("job.id", fields[swfID])
		b.String("job.state", "pending")
		if submit := number(swfSubmit); submit >= 0 {
			known("job.submit_time", submit+epoch)
			known("job.arrival_time", submit+epoch)
		}
		known("job.runtime_seconds", number(swfRuntime))
		known("job.walltime_seconds", number(swfWalltime))
		procs := number(swfProcs)
		if procs <= 0 {
			procs = number(swfProcsAllocated)
		}
		if procs > 0 {
			known("job.procs", procs)
			known("job.tasks", procs)
		}
		known("job.procs_per_task", 1)
		known("job.nodes", 0)
		if kb := number(swfMem); kb >= 0 {
			known("job.mem_per_task_mb", (kb+1023)/1024)
			if procs > 0 {
				known("job.mem_mb", (kb*procs+1023)/1024)
			}
		}
		name("job.user", "user", swfUser)
		name("job.group", "group", swfGroup)
		name("job.name", "app", swfExecutable)
		name("job.partition", "queue", swfQueue)
		name("job.node_partitions", "partition", swfPartition)
		name("job.dependency", "afterany:", swfPreceding)
	}
	return b.Table()
}

// TestTraceMoment: at any time a job of a trace is where its submit time, wait and run time put it.
func TestTraceMoment(t *testing.T) {
	text := makeTrace(400, 7)
	for _, now := range []int64{1000000000, 1000003000, 1000012000, 1000090000, 1000300000} {
		s, _, err := Read(mapFS{"x.swf": text}.open(), []string{"x.swf"}, format.Options{Now: now})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for row := range s.Jobs.Rows {
			v := func(id schema.ColumnID) string { return s.Jobs.Value(id, row).String() }
			got[s.Jobs.Value("job.id", row).Str] = s.Jobs.Value("job.state", row).Str + " " + v("job.start_time") + " " +
				v("job.end_time")
		}
		for line := range strings.Lines(text) {
			f := strings.Fields(line)
			if f[0] == ";" || f[swfStatus] == "2" || f[swfStatus] == "3" || f[swfStatus] == "4" {
				continue
			}
			number := func(i int) int64 { n, _ := strconv.ParseInt(f[i], 10, 64); return n }
			submit, wait, length := 1000000000+number(swfSubmit), number(swfWait), number(swfRuntime)
			start, unknown := schema.TimestampValue(submit+wait).String(), schema.Value{}.String()
			want := "pending " + unknown + " " + unknown
			switch {
			case submit > now:
				want = ""
			case wait < 0 || submit+wait > now:
			case length <= 0: // it was cancelled
				want = "done " + unknown + " " + start
			case submit+wait+length <= now:
				want = "done " + start + " " + schema.TimestampValue(submit+wait+length).String()
			default:
				want = "running " + start + " " + unknown
			}
			if got[f[0]] != want {
				t.Fatalf("job %s at %d: %q, want %q", f[0], now, got[f[0]], want)
			}
		}
	}
}

// makeTrace writes a trace of its own; every field is sometimes unknown.
func makeTrace(jobs int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 0))
	var b bytes.Buffer
	b.WriteString("; Version: 2.2\n; UnixStartTime: 1000000000\n")
	for i := range jobs {
		fmt.Fprintf(&b, "%5d %8d", i+1, i*30)
		for f := swfWait; f < swfFields; f++ {
			bound := []int64{0, 0, 90000, 90000, 256, 90000, 99999, 256, 86400, 4000000, 5, 300, 20, 500, 8, 3, int64(i + 1),
				600}[f]
			n := r.Int64N(bound+2) - 1
			if f == swfCPU && n > 0 {
				fmt.Fprintf(&b, " %d.%02d", n, n%100)
				continue
			}
			fmt.Fprintf(&b, " %d", n)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestSWFIsPlainSWF(t *testing.T) {
	for seed := range uint64(20) {
		text := makeTrace(300, seed)
		s, diags := readText(t, "x.swf", text)
		if len(diags) > 0 {
			t.Fatal(codesOf(diags))
		}
		checkTables(t, s)
		if d := cmp.Diff(describe(&format.Snapshot{Jobs: plainSWF(text)}), describe(s)); d != "" {
			t.Fatalf("seed %d (-plain +fast)\n%s", seed, d)
		}
	}
}

// TestCollectedTraces: every trace is read, with the faults it is known to have.
func TestCollectedTraces(t *testing.T) {
	traces := shared(t, "corpus/swf")
	want := map[string]string{}
	var names []string
	for _, pattern := range []string{"*.swf", "*.swf.gz", "pyss-micro/*"} {
		found, _ := fs.Glob(traces, pattern)
		names = append(names, found...)
	}
	if len(names) < 20 {
		t.Fatal("traces are missing", names)
	}
	for _, name := range names {
		s, diags, err := Read(traces, []string{name}, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		checkTables(t, s)
		if got := strings.Join(codesOf(diags), " "); got != want[name] {
			t.Errorf("%s: %s", name, got)
		}
		if s.Sources[0].Bad > 0 || s.Jobs == nil || s.Jobs.Rows == 0 || s.Now != 0 {
			t.Errorf("%s: %v", name, s.Sources)
		}
		if strings.HasSuffix(name, "SP2-1998-first5k.swf.gz") &&
			(s.Jobs.Rows != 4961 || s.Jobs.Value("job.submit_time", 0).Int != 893466664) {
			t.Errorf("%s: %d jobs, the first at %v", name, s.Jobs.Rows, s.Jobs.Value("job.submit_time", 0))
		}
		if strings.HasPrefix(name, "micro-cluster") && s.Jobs.Value("job.user", 0).Str != "user5" {
			t.Errorf("%s: user %v", name, s.Jobs.Value("job.user", 0))
		}
	}
}

func BenchmarkSWF(b *testing.B) {
	text := makeTrace(100_000, 1)
	b.Run("fast", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			readText(b, "x.swf", text)
		}
	})
	b.Run("plain", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			plainSWF(text)
		}
	})
}

// The fields of a line of a trace, from 0.
const (
	swfID = iota
	swfSubmit
	swfWait
	swfRuntime
	swfProcsAllocated
	swfCPU
	swfMemUsed
	swfProcs
	swfWalltime
	swfMem
	swfStatus
	swfUser
	swfGroup
	swfExecutable
	swfQueue
	swfPartition
	swfPreceding
	swfThink
	swfFields
)

package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/conformance/beside"
)

// nodes are those of the queue that the commands read.
const nodes = 10_000

// given is what the commands are given.
type given struct {
	folder, program, queue string
}

var made = struct {
	sync.Once
	given
}{}

func TestMain(m *testing.M) {
	code := m.Run()
	if made.folder != "" {
		_ = os.RemoveAll(made.folder)
	}
	os.Exit(code)
}

// commands builds the program, and makes a queue and configurations of a size.
func commands(tb testing.TB) given {
	made.Do(func() {
		folder, err := os.MkdirTemp("", "fairway-bench")
		check(tb, err)
		s := given{folder, filepath.Join(folder, "fairway"), filepath.Join(folder, "queue.json")}
		made.given = s
		build := exec.Command("go", "build", "-o", s.program, "./cmd/fairway")
		build.Dir = beside.Checkout(tb)
		run(tb, build)
		run(tb, exec.Command(s.program, "snapshot", "synth", example(tb, "snapshot"), "--jobs", "100000",
			"-o", "json="+s.queue))
		moreNodes(tb, s.queue)
		conf, err := os.ReadFile(example(tb, "slurm.conf"))
		check(tb, err)
		for _, lines := range []int{1000, 20_000} {
			text := strings.Builder{}
			text.Write(conf)
			for i := range lines - strings.Count(string(conf), "\n") {
				fmt.Fprintf(&text, "NodeName=c%05d CPUs=64 RealMemory=256000 Feature=zen3,ib Weight=%d\n", i, i%7+1)
			}
			check(tb, os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.conf", lines)), []byte(text.String()), 0o644))
		}
	})
	return made.given
}

func example(tb testing.TB, name string) string {
	return filepath.Join(beside.Checkout(tb), "examples", "slurm-verify", name)
}

// moreNodes adds copies of a node that is up to a snapshot.
func moreNodes(tb testing.TB, file string) {
	text, err := os.ReadFile(file)
	check(tb, err)
	var snapshot map[string]json.RawMessage
	check(tb, json.Unmarshal(text, &snapshot))
	var list []map[string]any
	check(tb, json.Unmarshal(snapshot["nodes"], &list))
	for _, n := range list {
		if n["up"] != true {
			continue
		}
		for i := len(list); i < nodes; i++ {
			more := map[string]any{}
			for name, v := range n {
				more[name] = v
			}
			more["id"], more["state"] = fmt.Sprintf("c%05d", i), "IDLE"
			more["procs_available"], more["mem_available_mb"] = n["procs"], n["mem_mb"]
			list = append(list, more)
		}
	}
	if len(list) != nodes {
		tb.Fatal("no node of the example is up")
	}
	before, after, _ := strings.Cut(string(text), ` "nodes": `+string(snapshot["nodes"]))
	all, err := json.Marshal(list)
	check(tb, err)
	check(tb, os.WriteFile(file, []byte(before+` "nodes": `+string(all)+after), 0o644))
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// run is the CPU time and the most memory of a command; it may find something.
func run(tb testing.TB, c *exec.Cmd) (took time.Duration, maxMB float64) {
	tb.Helper()
	errors := &strings.Builder{}
	c.Stderr = errors
	if err := c.Run(); err != nil && c.ProcessState.ExitCode() != 1 {
		tb.Fatalf("%s: %v\n%s", c, err, errors)
	}
	used := c.ProcessState.SysUsage().(*syscall.Rusage)
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime(), float64(used.Maxrss) / 1024
}

// BenchmarkCommands are the commands that people wait for.
func BenchmarkCommands(b *testing.B) {
	s := commands(b)
	policy := []string{example(b, "slurm.conf"), example(b, "assoc.cfg"), "-s", s.queue}
	for _, c := range []struct {
		name string
		args []string
	}{
		{"version", []string{"version"}},
		{"lint-1000-lines", []string{"lint", filepath.Join(s.folder, "1000.conf")}},
		{"lint-20000-lines", []string{"lint", filepath.Join(s.folder, "20000.conf")}},
		{"convert-20000-lines", []string{"convert", filepath.Join(s.folder, "20000.conf"), "--to", "hcl"}},
		{"eval-50-rows", append([]string{"eval", "--limit", "50"}, policy...)},
		{"eval-json", append([]string{"eval", "-o", "json"}, policy...)},
	} {
		b.Run(c.name, func(b *testing.B) {
			var least time.Duration
			var most float64
			for b.Loop() {
				took, maxMB := run(b, exec.Command(s.program, c.args...))
				if least == 0 || took < least {
					least = took
				}
				most = max(most, maxMB)
			}
			b.ReportMetric(float64(least.Microseconds())/1000, "cpu-ms")
			b.ReportMetric(most, "MB")
			b.ReportMetric(0, "ns/op")
		})
	}
	b.Run("encoding-json-reads-the-queue", func(b *testing.B) {
		text, err := os.ReadFile(s.queue)
		check(b, err)
		least := time.Duration(0)
		for b.Loop() {
			if took := decode(b, text); least == 0 || took < least {
				least = took
			}
		}
		b.ReportMetric(float64(least.Microseconds())/1000, "cpu-ms")
		b.ReportMetric(0, "ns/op")
	})
}

// decode is the CPU time that encoding/json takes for a text.
func decode(tb testing.TB, text []byte) time.Duration {
	runtime.GC()
	begun := cpu()
	var document any
	check(tb, json.Unmarshal(text, &document))
	return cpu() - begun
}

// TestReadingIsFast guards what makes the reading of a long queue fast: half of what was measured is enough, so that a
// busy machine does not fail it.
func TestReadingIsFast(t *testing.T) {
	if os.Getenv("FAIRWAY_LONG") == "" {
		t.Skip("FAIRWAY_LONG is not set")
	}
	s := commands(t)
	text, err := os.ReadFile(s.queue)
	check(t, err)
	const least = 1.5
	ours, peer := time.Hour, time.Hour
	for range 3 {
		took, _ := run(t, exec.Command(s.program, "snapshot", "info", s.queue))
		ours, peer = min(ours, took), min(peer, decode(t, text))
	}
	ratio := float64(peer) / float64(ours)
	t.Logf("reading takes %v, encoding/json %v: %.1f times as long", ours, peer, ratio)
	if ratio < least {
		t.Errorf("encoding/json takes %.1f times as long as reading and describing the queue, and took 3 times", ratio)
	}
}

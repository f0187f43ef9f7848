package bench

import (
	"encoding/json"
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

// commands builds the program, and makes a queue.
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
	})
	return made.given
}

func example(tb testing.TB, name string) string {
	return filepath.Join(beside.Checkout(tb), "examples", "slurm-verify", name)
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

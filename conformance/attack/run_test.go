package attack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Bounds of one run. What an attack reads is small, so these are far above what its work takes; time is that of the
// processor, which another load of the machine does not change.
const (
	mostSeconds  = 20        // of the processor
	endSeconds   = 40        // then the kernel ends it
	mostResident = 1 << 30   // bytes of memory that are used
	mostAddress  = 16 << 30  // bytes of addresses: the runtime reserves far more than it uses
	mostWritten  = 256 << 20 // bytes of each file
	stillFor     = time.Minute
)

// assault is one run of the program: its words and the files that it finds. Names are relative to the folder it runs
// in.
type assault struct {
	title string // what it is, or what was wrong
	words []string
	stdin string // the file that standard input is
	files map[string][]byte
	brief bool // if it is refused, it is not run again on other processors
}

// outcome is what a run left.
type outcome struct {
	ending
	stdout, stderr []byte
	before, after  map[string]string
}

// The test's own program is also what limits a run, and what garbles the output of a scheduler's command.
const (
	limitedVariable = "FAIRWAY_ATTACK_LIMITED"
	garbledVariable = "FAIRWAY_ATTACK_GARBLED"
	selfVariable    = "FAIRWAY_ATTACK_SELF"
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(limitedVariable) != "":
		if err := limited(os.Args[1], os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(126)
		}
		os.Exit(0)
	case os.Getenv(garbledVariable) != "":
		os.Exit(garbled(os.Getenv(garbledVariable), os.Args[1:]))
	}
	var err error
	if builtIn, err = os.MkdirTemp("", "attack"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(builtIn)
	os.Exit(code)
}

// ending is what limited says of a run, on its third file.
type ending struct {
	Code     int // -1: a signal ended it
	Ended    string
	Seconds  float64
	Resident int64
	Still    bool
}

// limited runs a program with limits. It is a process of its own because the kernel counts the memory of a process
// from before it became another program.
func limited(program string, words []string) error {
	for _, l := range []struct {
		of    int
		bytes uint64
	}{{unix.RLIMIT_AS, mostAddress}, {unix.RLIMIT_CPU, endSeconds}, {unix.RLIMIT_FSIZE, mostWritten},
		{unix.RLIMIT_CORE, 0}} {
		if err := unix.Setrlimit(l.of, &unix.Rlimit{Cur: l.bytes, Max: l.bytes}); err != nil {
			return err
		}
	}
	if err := os.Unsetenv(limitedVariable); err != nil {
		return err
	}
	syscall.CloseOnExec(3)
	cmd := exec.Command(program, words...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	ended, still := make(chan struct{}), make(chan bool)
	go func() { still <- endIfStill(cmd.Process.Pid, ended) }()
	err := cmd.Wait()
	close(ended)
	e := ending{Code: cmd.ProcessState.ExitCode(), Ended: cmd.ProcessState.String(), Still: <-still,
		Seconds: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		e.Resident = usage.Maxrss << 10
	}
	return json.NewEncoder(os.NewFile(3, "ending")).Encode(e)
}

// inWork is the folder that a run is in, below its root.
const inWork = "a/b/c/queue"

// place is a folder of its own for a run, deep enough that a name such as ../../x is still below root.
type place struct{ root, work string }

func newPlace(root string) (*place, error) {
	p := &place{root, filepath.Join(root, inWork)}
	for _, dir := range []string{p.work, filepath.Join(root, "home"), filepath.Join(root, "tmp")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// fill makes the folder hold the files of an assault and nothing else.
func (p *place) fill(a *assault) error {
	for _, dir := range []string{p.work, filepath.Join(p.root, "home"), filepath.Join(p.root, "tmp")} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	old := time.Unix(1_795_000_000, 0)
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		file := filepath.Join(p.work, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		mode := fs.FileMode(0o600)
		if bytes.HasPrefix(a.files[name], []byte("#!")) {
			mode = 0o755
		}
		if err := os.WriteFile(file, a.files[name], mode); err != nil {
			return err
		}
		if err := os.Chtimes(file, old, old); err != nil {
			return err
		}
	}
	return nil
}

// run runs an assault on so many processors.
func (p *place) run(program string, a *assault, processors int) (*outcome, error) {
	if err := p.fill(a); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	o := &outcome{}
	if o.before, err = p.tree(); err != nil {
		return nil, err
	}
	cmd := exec.Command(self, append([]string{program}, p.wordsOf(a)...)...)
	cmd.Args[0] = self
	cmd.Dir = p.work
	cmd.Env = []string{
		limitedVariable + "=1", selfVariable + "=" + self, "NO_COLOR=1", "TZ=UTC", "LC_ALL=C",
		fmt.Sprintf("GOMAXPROCS=%d", processors), "GOTRACEBACK=single",
		"HOME=" + filepath.Join(p.root, "home"), "TMPDIR=" + filepath.Join(p.root, "tmp"), "WORK=" + p.work,
		"PATH=" + filepath.Join(p.work, "bin") + ":" + filepath.Join(p.work, "pbs") + ":/usr/bin:/bin",
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &upTo{&stdout, mostWritten}, &upTo{&stderr, mostWritten}
	if a.stdin != "" {
		cmd.Stdin = bytes.NewReader(a.files[a.stdin])
	}
	cmd.WaitDelay = 10 * time.Second
	said, says, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer said.Close()
	cmd.ExtraFiles = []*os.File{says}
	if err := cmd.Start(); err != nil {
		_ = says.Close()
		return nil, err
	}
	err = cmd.Wait()
	_ = says.Close()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left behind
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, fmt.Errorf("%w: %s", err, stderr.Bytes())
	}
	if err := json.NewDecoder(said).Decode(&o.ending); err != nil {
		return nil, err
	}
	o.stdout, o.stderr = stdout.Bytes(), stderr.Bytes()
	o.after, err = p.tree()
	return o, err
}

// wordsOf are the words of an assault with $WORK replaced.
func (p *place) wordsOf(a *assault) []string {
	words := make([]string, len(a.words))
	for i, w := range a.words {
		words[i] = strings.ReplaceAll(w, "$WORK", p.work)
	}
	return words
}

// upTo takes so many bytes and drops the rest.
type upTo struct {
	w    io.Writer
	left int
}

func (u *upTo) Write(p []byte) (int, error) {
	n := min(len(p), u.left)
	u.left -= n
	if _, err := u.w.Write(p[:n]); err != nil {
		return 0, err
	}
	return len(p), nil
}

// endIfStill ends a process that has used no processor for a long time, and reports that it did. One that waits for
// its turn on a busy machine gets some within that time.
func endIfStill(pid int, ended <-chan struct{}) bool {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	used, since := "", time.Now()
	for {
		select {
		case <-ended:
			return false
		case <-tick.C:
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return false
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(rest)
		if len(fields) < 15 {
			return false
		}
		// its own time and its children's
		if now := fields[11] + " " + fields[12] + " " + fields[13] + " " + fields[14]; now != used {
			used, since = now, time.Now()
		}
		if time.Since(since) > stillFor {
			return syscall.Kill(pid, syscall.SIGKILL) == nil
		}
	}
}

// tree is what is below root: kind, mode and contents of each name.
func (p *place) tree() (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(p.root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || name == p.root {
			return err
		}
		below, err := filepath.Rel(p.root, name)
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		all[below] = info.Mode().String() + "\n"
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			all[below] += string(text)
		}
		return nil
	})
	return all, err
}

// builtIn is where the program is built, once for all tests of the package.
var builtIn string

var built = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(builtIn, "fairway")
	build := exec.Command("go", "build", "-o", binary, "./cmd/fairway")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return binary, nil
})

func buildFairway(t *testing.T) string {
	t.Helper()
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

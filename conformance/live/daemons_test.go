//go:build live

package live_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// keeper starts daemons and ends them. They are started from one thread that lives as long as the
// keeper, so that the kernel ends them when this process dies without having ended them itself.
type keeper struct {
	t       *testing.T
	work    chan func()
	running []*daemon
}

type daemon struct {
	name string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

func newKeeper(t *testing.T) *keeper {
	k := &keeper{t: t, work: make(chan func())}
	go func() {
		runtime.LockOSThread()
		for f := range k.work {
			f()
		}
	}()
	t.Cleanup(k.end)
	return k
}

// start starts a daemon that stays in the foreground; what it says goes to a file of its name.
func (k *keeper) start(dir string, env []string, argv ...string) *daemon {
	k.t.Helper()
	d := &daemon{name: filepath.Base(argv[0]), cmd: exec.Command(argv[0], argv[1:]...), done: make(chan struct{})}
	log, err := os.Create(filepath.Join(dir, d.name+".out"))
	if err != nil {
		k.t.Fatal(err)
	}
	defer log.Close()
	d.cmd.Stdout, d.cmd.Stderr, d.cmd.Dir = log, log, dir
	d.cmd.Env = append(os.Environ(), env...)
	d.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	started := make(chan error)
	k.work <- func() { started <- d.cmd.Start() }
	if err := <-started; err != nil {
		k.t.Fatalf("%s does not start: %v", d.name, err)
	}
	go func() { _ = d.cmd.Wait(); close(d.done) }()
	k.running = append(k.running, d)
	return d
}

// end ends all daemons, the last one first.
func (k *keeper) end() {
	for i := len(k.running) - 1; i >= 0; i-- {
		d := k.running[i]
		_ = d.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-d.done:
		case <-time.After(10 * time.Second):
			_ = d.cmd.Process.Kill()
			<-d.done
		}
	}
	close(k.work)
}

// ours lists the processes that the daemons have started and left, jobs among them: all have the
// cluster's folder in their environment.
func ours(dir string) []int {
	var pids []int
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range environments {
		text, err := os.ReadFile(name)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err == nil && pid != os.Getpid() && bytes.Contains(text, []byte(dir)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// alive fails the test if a daemon has ended, with what it said.
func (k *keeper) alive() {
	k.t.Helper()
	for _, d := range k.running {
		select {
		case <-d.done:
			text, _ := os.ReadFile(filepath.Join(d.cmd.Dir, d.name+".out"))
			k.t.Fatalf("%s has ended: %v\n%s", d.name, d.cmd.ProcessState, tail(text))
		default:
		}
	}
}

// tail is the end of a log.
func tail(text []byte) []byte { return text[max(0, len(text)-4000):] }

// eventually waits until something succeeds.
func (k *keeper) eventually(what string, limit time.Duration, try func() error) {
	k.t.Helper()
	deadline := time.Now().Add(limit)
	for {
		err := try()
		if err == nil {
			return
		}
		k.alive()
		if time.Now().After(deadline) {
			k.t.Fatalf("%s: not within %s: %v", what, limit, err)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

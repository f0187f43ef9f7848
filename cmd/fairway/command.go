package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/manager"
)

// commands runs a resource manager's commands for a snapshot. No shell is involved: what is in argv
// reaches the program as it is.
type commands struct {
	timeout     time.Duration // of each
	environment []string      // beside the user's own
}

// run runs one command without input and returns what it printed.
func (c *commands) run(ctx context.Context, argv []string) ([]byte, error) {
	return c.with(ctx, argv, nil, nil)
}

// with runs one command and returns what it printed. It is stopped, with all that it has started, when it
// takes too long; what it leaves behind is stopped when it has failed or its output is still held. What began a
// session of its own is not reached. It inherits a file, or none.
func (c *commands) with(whole context.Context, argv []string, input, inherits *os.File) ([]byte, error) {
	ctx, cancel := context.WithTimeout(whole, c.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(manager.Environment(os.Environ()), c.environment...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	if input != nil {
		cmd.Stdin = input
	}
	if inherits != nil {
		cmd.ExtraFiles = []*os.File{inherits}
	}
	complaint := &beginning{}
	out := &answer{most: maxAnswer}
	cmd.Stdout, cmd.Stderr = out, complaint
	err := cmd.Run()
	if err != nil && cmd.Process != nil {
		_ = cmd.Cancel()
	}
	switch first, _, _ := strings.Cut(strings.TrimSpace(string(complaint.text)), "\n"); {
	case out.over:
		return nil, fmt.Errorf("the output is longer than %d MB", maxAnswer>>20)
	case err == nil:
		return out.text.Bytes(), nil
	case whole.Err() != nil:
		return nil, whole.Err()
	case ctx.Err() != nil:
		return nil, fmt.Errorf("no answer within %s; --timeout says how long to wait", c.timeout)
	case errors.Is(err, exec.ErrWaitDelay):
		return nil, errors.New("it has ended, but something that it started still holds its output, so the output may be " +
			"incomplete")
	case errors.Is(err, exec.ErrNotFound):
		return nil, errNotHere
	case first != "":
		err = fmt.Errorf("%s (%w)", source.Plain(first), err)
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() { // not ended by a signal
		err = &manager.Complaint{Text: source.PlainLines(string(complaint.text)), Err: err}
	}
	return out.text.Bytes(), err
}

var errNotHere = errors.New("the command is not on the PATH")

// maxAnswer is the most that one command may print. A program that never ends printing is stopped before it has taken
// the memory that examples/cron asks for.
const maxAnswer = 512 << 20

// answer is what a command prints, as far as it is taken.
type answer struct {
	text bytes.Buffer
	most int
	over bool
}

func (a *answer) Write(p []byte) (int, error) {
	if a.text.Len()+len(p) > a.most {
		a.over = true
		return 0, errors.New("the output is too long")
	}
	return a.text.Write(p)
}

// mostComplaint is how much of what a command complains is kept: a line for each job of a batch. The first line is
// shown.
const mostComplaint = 256 << 10

// beginning keeps the beginning of a text and lets the rest go.
type beginning struct{ text []byte }

func (b *beginning) Write(p []byte) (int, error) {
	b.text = append(b.text, p[:min(len(p), mostComplaint-len(b.text))]...)
	return len(p), nil
}

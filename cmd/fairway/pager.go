package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/term"
)

// pagerOf is the command that shows long output on a terminal: what FAIRWAY_PAGER or PAGER names, or less; nil where
// there is none. No shell reads it.
func pagerOf(env func(name string) (string, bool)) []string {
	command := "less"
	for _, name := range []string{"PAGER", "FAIRWAY_PAGER"} { // the last one set counts
		if value, set := env(name); set {
			command = value
		}
	}
	argv := strings.Fields(command)
	if len(argv) == 0 || argv[0] == "cat" {
		return nil
	}
	return argv
}

// terminalWidth is how many columns the terminal has that an output goes to; 0 is unlimited.
func terminalWidth(path string) int {
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && path == "" {
		return width
	}
	return 0
}

// paged writes to standard output. On a terminal what is longer than the screen goes through a pager.
func paged(write func(io.Writer) error) error {
	p := &pager{argv: pagerOf(os.LookupEnv)}
	if p.argv == nil || !term.IsTerminal(int(os.Stdin.Fd())) {
		return buffered(os.Stdout, write)
	}
	_, rows, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || rows <= 0 { // no terminal, or one that does not know its size
		return buffered(os.Stdout, write)
	}
	p.rows = rows
	err = buffered(p, write)
	return errors.Join(err, p.close())
}

// pager holds output back until it is longer than the screen, and starts the pager then.
type pager struct {
	argv []string
	rows int // of the screen
	held bytes.Buffer
	cmd  *exec.Cmd
	to   io.WriteCloser // what takes the output, once that is known
}

// Write implements io.Writer.
func (p *pager) Write(text []byte) (int, error) {
	if p.to != nil {
		return p.to.Write(text)
	}
	p.held.Write(text)
	if bytes.Count(p.held.Bytes(), []byte("\n")) < p.rows {
		return len(text), nil
	}
	p.start()
	if _, err := p.to.Write(p.held.Bytes()); err != nil {
		return 0, err
	}
	return len(text), nil
}

// start starts the pager; where that fails the terminal itself takes the output.
func (p *pager) start() {
	cmd := exec.Command(p.argv[0], p.argv[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.Env = os.Stdout, os.Stderr, os.Environ()
	if _, set := os.LookupEnv("LESS"); !set {
		cmd.Env = append(cmd.Env, "LESS=FRX") // it keeps colours, and leaves the text on the screen
	}
	to, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if p.to = os.Stdout; err == nil {
		signal.Ignore(os.Interrupt) // it is for the pager
		p.cmd, p.to = cmd, to
	}
}

// close shows what is held, or waits until the pager is left.
func (p *pager) close() error {
	if p.to == nil {
		_, err := os.Stdout.Write(p.held.Bytes())
		return err
	}
	if p.cmd == nil {
		return nil
	}
	defer signal.Reset(os.Interrupt)
	err := p.to.Close()
	_ = p.cmd.Wait() // how it ends is not for us to judge
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

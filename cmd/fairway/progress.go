package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"
)

// progress tells somebody at a terminal how far a long computation is. It says nothing in the first second.
type progress struct {
	what     string
	begun    time.Time
	shown    time.Time // zero if nothing is
	terminal bool
}

func newProgress(what string) *progress {
	return &progress{what: what, begun: time.Now(), terminal: term.IsTerminal(int(os.Stderr.Fd()))}
}

// show is called as often as one likes, with the step that is being made; a total of 0 is of one that does not count.
func (p *progress) show(step string, done, total int) {
	if !p.terminal {
		return
	}
	now := time.Now()
	if now.Sub(p.begun) < time.Second || now.Sub(p.shown) < 100*time.Millisecond && total > 0 {
		return
	}
	p.shown = now
	if total > 0 {
		step = fmt.Sprintf("%s, %d of %d", step, done, total)
	}
	fmt.Fprintf(os.Stderr, "\rfairway: %s: %s\x1b[K", p.what, step)
}

// end takes the line away.
func (p *progress) end() {
	if !p.shown.IsZero() {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
		p.shown = time.Time{}
	}
}

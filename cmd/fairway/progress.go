package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"
)

// progress tells somebody at a terminal how far a long computation is. It says nothing in the first second.
type progress struct {
	verb, what string
	begun      time.Time
	shown      time.Time
	terminal   bool
}

func newProgress(verb, what string) *progress {
	return &progress{verb: verb, what: what, begun: time.Now(), terminal: term.IsTerminal(int(os.Stderr.Fd()))}
}

// show is called as often as one likes.
func (p *progress) show(done, total int) {
	if !p.terminal {
		return
	}
	now := time.Now()
	if now.Sub(p.begun) < time.Second || now.Sub(p.shown) < 100*time.Millisecond {
		return
	}
	p.shown = now
	fmt.Fprintf(os.Stderr, "\rfairway: %s %d of %d %s\x1b[K", p.verb, done, total, p.what)
}

// end takes the line away.
func (p *progress) end() {
	if !p.shown.IsZero() {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}

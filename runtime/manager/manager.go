// Package manager knows the commands of resource managers: which ones to run for a snapshot, and
// what to make of their answers.
//
// In: a way to run a command. Out: the outputs that package snapshot reads, under names by which
// they are recognised. It starts no process and touches no file: what runs commands and keeps
// outputs is given to it by the command line. Nothing here changes anything.
package manager

import (
	"context"
	"fmt"
	"strings"
)

// Command is one command to run.
type Command struct {
	Argv   []string
	File   string // the name under which its output is kept
	Gives  string // what a snapshot has from it, for people
	Needed bool   // nothing can be said without it
}

func (c Command) String() string { return strings.Join(c.Argv, " ") }

// Run runs a command and returns what it printed.
type Run func(ctx context.Context, argv []string) ([]byte, error)

// Missed is a command that failed and can be done without.
type Missed struct {
	Command Command
	Err     error
}

// Capture runs commands one after the other and keeps what they print.
func Capture(ctx context.Context, list []Command, run Run, keep func(name string, text []byte) error) ([]Missed, error) {
	var missed []Missed
	for _, c := range list {
		text, err := run(ctx, c.Argv)
		switch {
		case err != nil && (c.Needed || ctx.Err() != nil):
			return missed, fmt.Errorf("%s: %w", c.Argv[0], err)
		case err != nil:
			missed = append(missed, Missed{c, err})
			continue
		}
		if err := keep(c.File, text); err != nil {
			return missed, err
		}
	}
	return missed, nil
}

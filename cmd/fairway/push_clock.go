package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// clockPatience is how long push waits, by the controller's clock, for one that was set back to come to the time of the
// last run.
const clockPatience = 10 * time.Minute

// errClock is a run whose snapshot is of an earlier time than the last one.
var errClock = errors.New("the clock of the snapshot is behind the last run")

// clockBehind is asked whether a run goes on from one of another time. Usage would count twice if an old snapshot came
// after a new one, so that push waits first; a clock that goes on behind the last run was set back for good.
func (p *pushFlags) clockBehind(last, now int64) error {
	name := (&stateDir{path: p.dir}).file(stateClock)
	if last <= now {
		if p.yes {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return ioError(name, err)
			}
		}
		return nil
	}
	behind := time.Duration(last-now) * time.Second
	p.became.Behind = behind
	stamp := func(at int64) string { return time.Unix(at, 0).UTC().Format(time.RFC3339) }
	if !p.yes || p.setBack {
		fmt.Fprintf(stderr, "fairway: %s: it is of %s, %s before it; queue times and usage go on from there\n",
			errClock, stamp(now), behind)
		return nil
	}
	text, err := readPresent(name)
	if err != nil {
		return &exitError{code: exitIO, err: err}
	}
	first, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || first > now { // or set back again
		first = now
		note := func(w io.Writer) error { _, err := fmt.Fprintln(w, now); return err }
		if err := p.iter.opened.replace(stateClock, note); err != nil {
			return err
		}
	}
	goesOn := first + int64(clockPatience/time.Second)
	if now >= goesOn {
		fmt.Fprintf(stderr, "fairway: %s, and has gone on for %s: queue times and usage go on from %s\n",
			errClock, clockPatience, stamp(now))
		return nil
	}
	return failf(exitFindings, "nothing is sent: %w: it is of %s, %s before it;"+
		" push goes on when the clock has come to %s, or at once with --clock-set-back",
		errClock, stamp(now), behind, stamp(min(last, goesOn)))
}

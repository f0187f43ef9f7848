package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"

	"golang.org/x/term"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// disk is the file system of the machine under the names the user typed, with
// "-" for standard input. It is the only place where Fairway opens files for reading.
type disk struct{ opened *reads } // what was opened, if somebody asks

// streams holds what can be read only once: standard input, and pipes, as of <(COMMAND). A verb that looks at its files
// twice gets the same text.
var streams = struct {
	sync.Mutex
	read map[string][]byte
}{read: map[string][]byte{}}

// Open implements fs.FS. Unlike fs.FS proper it takes any path the system takes.
func (d *disk) Open(name string) (fs.File, error) {
	if d.opened != nil {
		d.opened.note(name, nil)
	}
	streams.Lock()
	text, ok := streams.read[name]
	streams.Unlock()
	if ok {
		return snapshot.Texts{name: text}.Open(name)
	}
	f := os.Stdin
	if name != "-" {
		var err error
		if f, err = os.Open(name); err != nil {
			return nil, err
		}
		if info, err := f.Stat(); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
			return f, nil
		}
		defer f.Close()
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	streams.Lock()
	streams.read[name] = text
	streams.Unlock()
	return snapshot.Texts{name: text}.Open(name)
}

// ReadDir implements fs.ReadDirFS.
func (d *disk) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

// readFile reads a whole file as source text. A failure names the file and gives
// the exit code for I/O.
func (d *disk) readFile(name string) (*source.File, error) {
	f, err := d.Open(name)
	if err == nil {
		defer f.Close()
		var text []byte
		if text, err = io.ReadAll(f); err == nil {
			return source.NewFile(name, text), nil
		}
	}
	return nil, &exitError{code: exitIO, err: plainPathError(name, err)}
}

// plainPathError says "cannot read FILE: reason" instead of the system call.
func plainPathError(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &namedError{name, err}
}

type namedError struct {
	name string
	err  error
}

func (e *namedError) Error() string { return "cannot read " + e.name + ": " + e.err.Error() }
func (e *namedError) Unwrap() error { return e.err }

// colourful reports whether w is a terminal that wants colours.
func colourful(w *os.File) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(w.Fd()))
}

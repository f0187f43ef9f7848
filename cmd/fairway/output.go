package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"syscall"

	"github.com/google/renameio/v2"
)

// writeOutput writes to standard output, or to a file that is replaced only when all
// of it has been written.
func writeOutput(path string, write func(io.Writer) error) error {
	if path == "" || path == "-" {
		w := bufio.NewWriterSize(os.Stdout, 1<<16)
		err := errors.Join(write(w), w.Flush())
		if errors.Is(err, syscall.EPIPE) {
			return nil // the reader, such as head, has seen enough
		}
		return ioError(err)
	}
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return ioError(err)
	}
	defer func() { _ = f.Cleanup() }() // nothing to clean once replaced
	w := bufio.NewWriterSize(f, 1<<16)
	if err := errors.Join(write(w), w.Flush()); err != nil {
		return ioError(err)
	}
	return ioError(f.CloseAtomicallyReplace())
}

func ioError(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{code: exitIO, err: err}
}

package main

import (
	"os"
	"syscall"

	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// regular is a regular file, which the system can map into memory.
type regular struct{ *os.File }

// Map implements snapshot.Mapped.
func (f regular) Map() (m snapshot.Mapping, err error) {
	info, err := f.Stat()
	if err != nil {
		return m, err
	}
	text, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return m, err
	}
	page, done := os.Getpagesize(), 0
	passed := func(until int) {
		if until -= until % page; until < done {
			done = 0 // it is read once more
		}
		if until > done {
			_ = syscall.Madvise(text[done:until], syscall.MADV_DONTNEED) // else it takes memory, as if it was read
			done = until
		}
	}
	return snapshot.Mapping{Text: text, Passed: passed, Unmap: func() error { return syscall.Munmap(text) }}, nil
}

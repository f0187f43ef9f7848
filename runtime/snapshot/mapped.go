package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime/debug"
	"time"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// Mapped is a file whose text can be read where the system keeps it, without a copy.
type Mapped interface {
	fs.File
	// Map is the text until Unmap. It faults where the file has become shorter since.
	Map() (Mapping, error)
}

// Mapping is the text of a mapped file. Passed gives back the memory of its beginning, which can still be read.
type Mapping struct {
	Text   []byte
	Passed func(until int)
	Unmap  func() error
}

var errChanged = errors.New("the file became shorter while it was read; read it again when it is written")

// known reads a file in a known format.
func (r *reading) known(f *format.Format, name string) (*format.Snapshot, error) {
	m, ok, err := r.mapped(name)
	if err != nil {
		return nil, err
	}
	if ok {
		s, err := r.inPlace(f, name, m)
		return s, errors.Join(err, m.Unmap())
	}
	text, err := r.text(name)
	if err != nil {
		return &format.Snapshot{}, r.unpackable(name, err)
	}
	return r.file(f, name, text, func(int) {}), nil
}

// mapped is the text of a long file that is not packed. A short one is read as fast, and messages about it are without
// the passwords that it has elsewhere.
func (r *reading) mapped(name string) (m Mapping, ok bool, err error) {
	file, err := r.fsys.Open(name)
	if err != nil {
		return m, false, err
	}
	defer file.Close()
	info, err := file.Stat()
	long, is := file.(Mapped)
	if err != nil || !is || info.Size() <= source.Long || info.Size() > longestText {
		return m, false, nil
	}
	if m, err = long.Map(); err != nil {
		return m, false, nil // a file system that has no mappings can still read it
	}
	if bytes.HasPrefix(m.Text, gzipMagic) || bytes.HasPrefix(m.Text, zstdMagic) {
		return m, false, m.Unmap()
	}
	return m, true, nil
}

// inPlace reads a mapped file. Of what became shorter nothing is taken: nothing tells where it was written anew.
func (r *reading) inPlace(f *format.Format, name string, m Mapping) (s *format.Snapshot, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		fault := recover()
		if at, ok := fault.(interface{ Addr() uintptr }); ok && at != nil {
			err = fmt.Errorf("%s: %w", name, errChanged)
		} else if fault != nil {
			panic(fault)
		}
	}()
	text := bytes.TrimPrefix(m.Text, []byte("\ufeff"))
	return r.file(f, name, text, m.Passed), nil
}

// Texts is a file system of texts in memory, by name, for Read: what a command printed, or what was just made.
type Texts map[string][]byte

// Open implements fs.FS.
func (t Texts) Open(name string) (fs.File, error) {
	text, ok := t[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return newMemoryFile(name, text), nil
}

func newMemoryFile(name string, text []byte) *memoryFile {
	return &memoryFile{bytes.NewReader(text), memoryInfo{path.Base(name), int64(len(text)), 0o444}}
}

type memoryFile struct {
	*bytes.Reader
	info memoryInfo
}

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *memoryFile) Close() error               { return nil }

// MemoryInfo describes a file or a folder that is in memory.
func MemoryInfo(name string, size int64, mode fs.FileMode) fs.FileInfo {
	return memoryInfo{path.Base(name), size, mode}
}

type memoryInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i memoryInfo) Name() string       { return i.name }
func (i memoryInfo) Size() int64        { return i.size }
func (i memoryInfo) Mode() fs.FileMode  { return i.mode }
func (i memoryInfo) ModTime() time.Time { return time.Time{} }
func (i memoryInfo) IsDir() bool        { return i.mode.IsDir() }
func (i memoryInfo) Sys() any           { return nil }

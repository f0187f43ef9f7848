package snapshot

import (
	"bytes"
	"io/fs"
	"path"
	"time"
)

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

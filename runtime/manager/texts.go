package manager

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// texts are outputs of commands as a file system, so that the readers of snapshots read them.
type texts map[string][]byte

// Open implements fs.FS.
func (t texts) Open(name string) (fs.File, error) {
	text, ok := t[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &openText{bytes.NewReader(text), textInfo{name, int64(len(text))}}, nil
}

type openText struct {
	*bytes.Reader
	info textInfo
}

func (f *openText) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openText) Close() error               { return nil }

type textInfo struct {
	name string
	size int64
}

func (i textInfo) Name() string       { return i.name }
func (i textInfo) Size() int64        { return i.size }
func (i textInfo) Mode() fs.FileMode  { return 0o444 }
func (i textInfo) ModTime() time.Time { return time.Time{} }
func (i textInfo) IsDir() bool        { return false }
func (i textInfo) Sys() any           { return nil }

// snapshot reads all of it. What cannot be read of a job makes all of it doubtful: half a record may be
// that of a job that would then seem to have gone.
func (t texts) snapshot() (*snapshot.Snapshot, error) {
	s, diags, err := snapshot.Read(t, slices.Sorted(maps.Keys(t)), snapshot.Options{})
	if err != nil {
		return nil, err
	}
	for _, source := range s.Sources {
		if source.Bad > 0 {
			for _, d := range diags {
				if d.Code == "snapshot-bad-record" {
					return nil, fmt.Errorf("%s: %d records cannot be read, the first: %s", source.Name, source.Bad, d.Message)
				}
			}
			return nil, fmt.Errorf("%s: %d records cannot be read", source.Name, source.Bad)
		}
	}
	for _, d := range diags {
		if d.Severity == diag.Error {
			name := ""
			if d.Span.File != nil {
				name = d.Span.File.Name + ": "
			}
			return nil, errors.New(name + d.Message)
		}
	}
	return s, nil
}

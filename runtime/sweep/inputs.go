package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Inputs is a file system of the texts that a sweep was planned from, by their names from the root. It answers as the
// disk did then: what was not there is not there. Names that do not begin with a slash are as seen from Folder.
type Inputs struct {
	Folder  string
	Texts   map[string][]byte
	Folders map[string][]string
}

// Rooted is the same with names that begin at the root without a slash, as included files have them.
func (in *Inputs) Rooted() *Inputs { return &Inputs{"/", in.Texts, in.Folders} }

// Open implements fs.FS. It takes any path that the disk takes.
func (in *Inputs) Open(name string) (fs.File, error) {
	full := in.full(name)
	if text, ok := in.Texts[full]; ok {
		return snapshot.Texts{full: text}.Open(full)
	}
	if names, ok := in.Folders[full]; ok {
		return &inputFolder{Reader: strings.NewReader(""), info: snapshot.MemoryInfo(full, 0, fs.ModeDir|0o555),
			entries: in.entries(full, names)}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (in *Inputs) full(name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(in.Folder, name)
}

// ReadFile implements fs.ReadFileFS.
func (in *Inputs) ReadFile(name string) ([]byte, error) {
	if text, ok := in.Texts[in.full(name)]; ok {
		return slices.Clone(text), nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (in *Inputs) entries(folder string, names []string) (list []fs.DirEntry) {
	for _, name := range names {
		full := path.Join(folder, name)
		mode := fs.FileMode(0o444)
		if _, ok := in.Folders[full]; ok {
			mode = fs.ModeDir | 0o555
		}
		list = append(list, fs.FileInfoToDirEntry(snapshot.MemoryInfo(name, int64(len(in.Texts[full])), mode)))
	}
	return list
}

// Sum is the hash of a text, as manifests have it.
func Sum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

type inputFolder struct {
	*strings.Reader
	info    fs.FileInfo
	entries []fs.DirEntry
}

func (i *inputFolder) Stat() (fs.FileInfo, error) { return i.info, nil }
func (i *inputFolder) Close() error               { return nil }

// ReadDir implements fs.ReadDirFile.
func (i *inputFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		list := i.entries
		i.entries = nil
		return list, nil
	}
	if len(i.entries) == 0 {
		return nil, io.EOF
	}
	list := i.entries[:min(n, len(i.entries))]
	i.entries = i.entries[len(list):]
	return list, nil
}

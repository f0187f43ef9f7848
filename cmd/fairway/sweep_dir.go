package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"

	"github.com/fairway-sched/fairway/runtime/sweep"
)

// sweepDir is the folder of a sweep:
//
//	manifest.json      what is computed
//	inputs/SHA256      the texts that it is computed from
//	cells/AB/ID.json   a result each, written beside its place and renamed
//	lock               held by who computes
//
// and what tasks of a batch system need, see sweep_rounds.go.
type sweepDir struct {
	path string
	*sweep.Manifest
	lock *flock.Flock
}

const (
	sweepManifest = "manifest.json"
	sweepInputs   = "inputs"
	sweepCells    = "cells"
	sweepLock     = "lock"
)

func (s *sweepDir) file(parts ...string) string {
	return filepath.Join(append([]string{s.path}, parts...)...)
}

func (s *sweepDir) cell(id string) string { return s.file(sweepCells, id[:2], id+".json") }

// openSweep reads the manifest of a sweep.
func openSweep(path string) (*sweepDir, error) {
	s := &sweepDir{path: path}
	if !isFolder(path) {
		return nil, failf(exitUsage, "%s is no folder of a sweep: `fairway sweep plan STUDY.hcl -o %s` makes one", path,
			path)
	}
	if !exists(s.file(sweepManifest)) {
		return nil, failf(exitUsage, "there is no sweep in %s: `fairway sweep plan STUDY.hcl -o %s` makes one", path, path)
	}
	f, err := (&disk{}).readRegular(s.file(sweepManifest))
	if err != nil {
		return nil, err
	}
	if s.Manifest, err = sweep.Decode(f.Text); err != nil {
		return nil, failf(exitUnreadable, "%s: %v", s.file(sweepManifest), err)
	}
	return s, nil
}

// save writes the manifest.
func (s *sweepDir) save() error {
	text, err := s.Encode()
	if err != nil {
		return err
	}
	return writeOutput(s.file(sweepManifest), func(w io.Writer) error { _, err := w.Write(text); return err })
}

// inputs reads the texts that cells are computed from.
func (s *sweepDir) inputs() (*sweep.Inputs, error) {
	in := &sweep.Inputs{Folder: s.Folder, Texts: map[string][]byte{}, Folders: map[string][]string{}}
	for i := range s.Files {
		f := &s.Files[i]
		name := s.file(sweepInputs, f.SHA256)
		text, err := readRegular(name, mostStreamBytes)
		if err != nil {
			return nil, &exitError{code: exitIO, err: plainPathError(name, err)}
		}
		if sweep.Sum(text) != f.SHA256 {
			return nil, failf(exitUnreadable, "%s is not what the sweep was planned with: plan it again", name)
		}
		in.Texts[f.Name] = text
	}
	for i := range s.Folders {
		in.Folders[s.Folders[i].Name] = s.Folders[i].Names
	}
	return in, nil
}

// missing lists the cells without a result, each name once.
func (s *sweepDir) missing() (list []*sweep.Cell) {
	seen := map[string]bool{}
	for i := range s.Cells {
		if c := &s.Cells[i]; !seen[c.ID] && !exists(s.cell(c.ID)) {
			list = append(list, c)
			seen[c.ID] = true
		}
	}
	return list
}

// count is the number of different cells.
func (s *sweepDir) count() int {
	seen := map[string]bool{}
	for i := range s.Cells {
		seen[s.Cells[i].ID] = true
	}
	return len(seen)
}

// results reads the results of all cells in the order of the manifest; nil for one that is missing.
func (s *sweepDir) results() ([]*sweep.Result, error) {
	list := make([]*sweep.Result, len(s.Cells))
	for i := range s.Cells {
		name := s.cell(s.Cells[i].ID)
		text, err := readRegular(name, mostSourceBytes)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, &exitError{code: exitIO, err: plainPathError(name, err)}
		}
		if list[i], err = sweep.DecodeResult(text, s.Cells[i].ID); err != nil {
			return nil, failf(exitUnreadable, "%s: %v; remove it and `fairway sweep run %s` computes it again", name, err,
				s.path)
		}
	}
	return list, nil
}

// complete reads all results, and refuses an incomplete set unless a part is enough.
func (s *sweepDir) complete(partial bool) ([]*sweep.Result, error) {
	if missing := s.missing(); len(missing) > 0 && !partial {
		return nil, failf(exitFindings, "%s of %d missing in %s: `fairway sweep run %s` computes what is missing; "+
			"--partial takes what is there", count(len(missing), "cell"), s.count(), s.path, s.path)
	}
	return s.results()
}

// keep writes a result.
func (s *sweepDir) keep(r *sweep.Result) error {
	text, err := r.Encode()
	if err != nil {
		return err
	}
	name := s.cell(r.Cell)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return ioError(name, err)
	}
	return writeOutput(name, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// hold takes a lock of the sweep, which one process has at a time. A file system without locks is no reason to stop:
// results are whole and equal, whichever worker writes them.
func (s *sweepDir) hold(name string) error {
	if err := lockable(s.file(name)); err != nil {
		return err
	}
	s.lock = flock.New(s.file(name))
	ok, err := s.lock.TryLock()
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "fairway: no lock on %s (%v): do not start a second run\n", s.file(name), err)
	case !ok:
		return failf(exitLocked, "another run is computing in %s (it holds %s)", s.path, s.file(name))
	}
	return nil
}

func (s *sweepDir) release() {
	if s.lock != nil {
		_ = s.lock.Unlock()
	}
}

// recorder is the disk of a plan: it keeps what is read, so that workers read the same. Names that do not begin with a
// slash are as seen from the study's folder.
type recorder struct {
	disk   *disk
	kept   *sweep.Inputs
	hidden bool     // passwords of policy files are no part of a policy
	reads  []string // since they were last taken
	listed map[string]bool
}

func newRecorder(folder string) *recorder {
	return &recorder{disk: &disk{}, kept: &sweep.Inputs{Folder: folder, Texts: map[string][]byte{},
		Folders: map[string][]string{}}, listed: map[string]bool{}}
}

// rootedRecorder is the same with names that begin at the root without a slash, as included files have them.
type rootedRecorder struct{ *recorder }

// Open implements fs.FS. Of a folder only whether it is there is asked.
func (r rootedRecorder) Open(name string) (fs.File, error) {
	if full := filepath.Clean("/" + name); isFolder(full) {
		if r.kept.Folders[full] == nil {
			r.kept.Folders[full] = []string{}
		}
		return r.kept.Open(full)
	}
	return r.recorder.Open("/" + name)
}

// ReadFile implements fs.ReadFileFS.
func (r rootedRecorder) ReadFile(name string) ([]byte, error) {
	return fs.ReadFile(r.recorder, "/"+name)
}

// Open implements fs.FS.
func (r *recorder) Open(name string) (fs.File, error) {
	full := name
	if !filepath.IsAbs(name) {
		full = filepath.Join(r.kept.Folder, name)
	}
	full = filepath.Clean(full)
	if err := r.record(full); err != nil {
		return nil, err
	}
	return r.kept.Open(full)
}

func (r *recorder) record(full string) error {
	if !slices.Contains(r.reads, full) {
		r.reads = append(r.reads, full)
	}
	if r.kept.Texts[full] != nil || r.listed[full] {
		return nil
	}
	if isFolder(full) {
		entries, err := r.disk.ReadDir(full)
		if err != nil {
			return err
		}
		names := []string{}
		for _, e := range entries {
			inside := filepath.Join(full, e.Name())
			if isFolder(inside) && r.kept.Folders[inside] == nil {
				r.kept.Folders[inside] = []string{} // read only if it is asked for
			}
			if isFolder(inside) || isRegular(inside) {
				names = append(names, e.Name())
			}
		}
		r.kept.Folders[full], r.listed[full] = names, true
		return nil
	}
	f, err := r.disk.readRegular(full)
	if err != nil {
		var own *exitError
		if errors.As(err, &own) {
			return own.err
		}
		return err
	}
	text := f.Text
	if r.hidden {
		text = []byte(f.Hide(string(text)))
	}
	if text == nil {
		text = []byte{}
	}
	r.kept.Texts[full] = text
	return nil
}

// taken are the files that were read since the last time.
func (r *recorder) taken() []string {
	list := r.reads
	r.reads = nil
	list = slices.DeleteFunc(list, func(name string) bool { return r.kept.Texts[name] == nil })
	slices.Sort(list)
	return list
}

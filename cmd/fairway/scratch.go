package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// scratch is a folder that goes when its maker is done with it. The maker holds its lock, so that the next one that
// makes a folder of this name finds those of makers that were killed, and removes them.
type scratch struct {
	path string
	lock *os.File
}

// newScratch makes a folder whose name begins so, which others cannot look into.
func newScratch(parent, begin string) (*scratch, error) {
	sweepScratch(parent, begin)
	for {
		path, err := os.MkdirTemp(parent, begin)
		if err != nil {
			return nil, err
		}
		s := &scratch{path: path}
		if s.lock, err = openFolder(path); err != nil {
			_ = os.RemoveAll(path)
			return nil, err
		}
		// A file system without such locks has folders that are never swept.
		_ = syscall.Flock(int(s.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if sameFolder(s.lock, path) {
			return s, nil
		}
		_ = s.lock.Close() // a sweeper was faster
	}
}

func (s *scratch) remove() {
	_ = os.RemoveAll(s.path)
	s.release()
}

// release leaves the folder to others, where it is wanted.
func (s *scratch) release() { _ = s.lock.Close() }

// sweepScratch removes the folders that killed runs of this user left.
func sweepScratch(parent, begin string) {
	if parent == "" {
		parent = os.TempDir()
	}
	list, err := os.ReadDir(parent)
	if err != nil {
		return // making the folder says why
	}
	for _, e := range list {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), begin) || strings.Trim(e.Name()[len(begin):], "0123456789") != "" {
			continue
		}
		path := filepath.Join(parent, e.Name())
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 || !ownedByUs(info) {
			continue
		}
		f, err := openFolder(path)
		if err != nil {
			continue
		}
		if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil && sameFolder(f, path) {
			_ = os.RemoveAll(path)
		}
		_ = f.Close()
	}
}

func ownedByUs(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}

// sameFolder reports that an open folder has this name still.
func sameFolder(f *os.File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(open, named)
}

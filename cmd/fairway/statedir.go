package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/google/renameio/v2"
)

// stateDir is the folder that keeps what runs leave for runs after them. Its layout has a version; whoever has
// it open holds its lock.
type stateDir struct {
	path string
	lock *os.File
}

// The names in the folder.
const (
	stateDirVersion = 1
	stateVersion    = "version"
	stateLock       = "lock"
	stateAudit      = "audit.jsonl"  // of push: a line before and after each command
	stateAuditPart  = "audit.jsonl." // and the time: what was written before
	statePlan       = "plan.json"    // of push: what was carried out last
)

// openStateDir opens the folder, or makes it.
func openStateDir(path string) (*stateDir, error) {
	if err := os.MkdirAll(path, 0o750); err != nil {
		return nil, ioError(path, err)
	}
	s := &stateDir{path: path}
	lock, err := os.OpenFile(s.file(stateLock), os.O_RDWR|os.O_CREATE, 0o640)
	if err != nil {
		return nil, ioError(s.file(stateLock), err)
	}
	// flock(2): the lock belongs to the open file, which commands inherit, so that it is held until the last of
	// them has ended even if this process is killed.
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, failf(exitLocked, "another run is using %s (it holds %s)", path, s.file(stateLock))
		}
		return nil, ioError(s.file(stateLock), err)
	}
	s.lock = lock
	if err := s.version(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *stateDir) file(name string) string { return filepath.Join(s.path, name) }

func (s *stateDir) close() { _ = s.lock.Close() }

// version reads the version of the layout. An empty folder becomes one of this version.
func (s *stateDir) version() error {
	text, err := os.ReadFile(s.file(stateVersion))
	if errors.Is(err, fs.ErrNotExist) {
		list, err := os.ReadDir(s.path)
		if err != nil {
			return plainFailure(s.path, err)
		}
		for _, e := range list {
			if e.Name() != stateLock {
				return failf(exitUsage, "%s is no state directory: it has a file %s, and no file %s; name a new or an empty one", s.path, e.Name(), stateVersion)
			}
		}
		return ioError(s.file(stateVersion), renameio.WriteFile(s.file(stateVersion), []byte(strconv.Itoa(stateDirVersion)+"\n"), 0o640))
	}
	if err != nil {
		return plainFailure(s.file(stateVersion), err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	switch {
	case err != nil || n < 1:
		return failf(exitUnreadable, "%s is no version of a state directory", s.file(stateVersion))
	case n > stateDirVersion:
		return failf(exitUnreadable, "%s is of version %d, and this Fairway knows up to %d; use the newer one that made it", s.path, n, stateDirVersion)
	}
	return nil
}

// plainFailure is an error of reading.
func plainFailure(name string, err error) error {
	return &exitError{code: exitIO, err: plainPathError(name, err)}
}

// sync makes the names in the folder safe.
func (s *stateDir) sync() error {
	d, err := os.Open(s.path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

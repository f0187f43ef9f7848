package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/renameio/v2"

	"github.com/fairway-sched/fairway/lang/source"
)

// stateDir is the folder that keeps what runs leave for runs after them. Its layout has a version; whoever has
// it open holds its lock.
type stateDir struct {
	path string
	lock *os.File
}

// The names in the folder.
const (
	stateDirVersion   = 2
	stateVersion      = "version"
	stateLock         = "lock"
	stateCheckpoint   = "checkpoint"
	stateUsage        = "usage"
	stateAssociations = "usage/associations"
	stateAudit        = "audit.jsonl"
	stateAuditPart    = "audit.jsonl." // and the time
	statePlan         = "plan.json"
	stateClock        = "clock"
)

// statePart is a file or a folder of the layout.
type statePart struct {
	name   string
	more   bool // the name goes on
	folder bool
	since  int // version of the layout
	doc    string
}

// stateLayout is all of it, as `fairway doc state` prints it.
var stateLayout = []statePart{
	{stateVersion, false, false, 1, "the version of the layout: one number"},
	{stateLock, false, false, 1, "locked by the run that uses the folder, and by each command that changes something " +
		"until it has ended; its text says who: verb, process, host, since when"},
	{stateCheckpoint, false, false, 2,
		"what evaluations leave to the next one, as a file of --state: accrual clocks of jobs, fairshare windows, usage " +
			"of the account tree"},
	{stateUsage, false, true, 2, "what usage made of job records"},
	{stateUsage + "/" + lockName, false, false, 2, "locked by the run of usage that writes there"},
	{stateUsage + "/FS.", true, false, 2,
		"Maui's window that begins at this time (epoch seconds); evaluations take those that the checkpoint does not have"},
	{stateAssociations, false, false, 2,
		"the usage of Slurm's account tree; evaluations take it where it is newer than the checkpoint's"},
	{stateAudit, false, false, 1, "what push sent: a line of JSON before and after each command, on the disk before " +
		"the command is run"},
	{stateAuditPart, true, false, 1, "the audit up to this time; put aside when it is long"},
	{statePlan, false, false, 1, "the plan that push carried out last, or is carrying out"},
	{stateClock, false, false, 2, "where the controller's clock was set back: when (epoch seconds) push found that"},
}

// openStateDir opens the folder for a verb, or makes it. What a killed run left is put in order, and an older
// layout becomes this one.
func openStateDir(path, verb string) (*stateDir, error) {
	s := &stateDir{path: path}
	if err := s.trusted(path); err != nil { // before anything is made where others could replace it
		return nil, err
	}
	if err := os.MkdirAll(path, 0o750); err != nil {
		return nil, ioError(path, withOwner(path, err))
	}
	if err := s.private(); err != nil {
		return nil, err
	}
	if err := s.trusted(path); err != nil { // somebody else may have been faster
		return nil, err
	}
	if _, err := s.version(); err != nil && exitCode(err) == exitUsage { // a folder of something else gets no lock either
		return nil, err
	}
	if err := s.hold(verb); err != nil {
		return nil, err
	}
	if err := s.enter(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// lookIntoStateDir opens the folder for reading alone: nothing is locked, made or changed, since each file in
// it is replaced as a whole. ok is false if there is none.
func lookIntoStateDir(path string) (s *stateDir, ok bool, err error) {
	s = &stateDir{path: path}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err := s.private(); err != nil {
		return nil, false, err
	}
	version, err := s.version()
	if err != nil || version == 0 {
		return nil, false, err
	}
	return s, true, s.check(func(string) error { return nil })
}

func (s *stateDir) file(name string) string { return filepath.Join(s.path, name) }

func (s *stateDir) close() { _ = s.lock.Close() }

// enter brings the folder to this layout. Whatever it does can be broken off and is done again by the next run:
// the version is written last.
func (s *stateDir) enter() error {
	version, err := s.version()
	if err != nil {
		return err
	}
	if err := s.check(s.trusted); err != nil {
		return err
	}
	if err := s.sweep(); err != nil {
		return err
	}
	if err := os.Mkdir(s.file(stateUsage), 0o750); err != nil && !errors.Is(err, fs.ErrExist) {
		return ioError(s.file(stateUsage), withOwner(s.path, err))
	}
	if version == stateDirVersion {
		return nil
	}
	if err := s.sync(); err != nil { // what the version promises is there before it
		return ioError(s.path, err)
	}
	return s.replace(stateVersion, func(w io.Writer) error { _, err := fmt.Fprintln(w, stateDirVersion); return err })
}

// version reads the version of the layout; that of an empty folder is 0.
func (s *stateDir) version() (int, error) {
	text, err := readRegular(s.file(stateVersion), 1<<10)
	if errors.Is(err, fs.ErrNotExist) {
		list, err := os.ReadDir(s.path)
		if err != nil {
			return 0, plainFailure(s.path, withOwner(s.path, err))
		}
		for _, e := range list {
			// The first run may have been killed.
			if name := e.Name(); name != stateLock && name != stateUsage && !isLeftover(name) {
				return 0, failf(exitUsage, "%s is no state directory: it has a file %s, and no file %s; name a new or an empty one",
					s.path, name, stateVersion)
			}
		}
		return 0, nil
	}
	if err != nil {
		return 0, plainFailure(s.file(stateVersion), withOwner(s.file(stateVersion), err))
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	switch {
	case err != nil || n < 1:
		return 0, failf(exitUnreadable, "%s is no version of a state directory", s.file(stateVersion))
	case n > stateDirVersion:
		return 0, failf(exitUnreadable,
			"%s is of version %d, and this Fairway knows up to %d; use the newer one that made it", s.path, n, stateDirVersion)
	}
	return n, nil
}

// private refuses a folder in which others could put what push is to undo, or to go on with.
func (s *stateDir) private() error {
	info, err := os.Stat(s.path)
	if err != nil {
		return plainFailure(s.path, withOwner(filepath.Dir(s.path), err))
	}
	if !info.IsDir() {
		return failf(exitIO, "cannot use %s: it is no folder", s.path)
	}
	if who, fix := otherWriters(info); who != "" {
		return failf(exitUsage, "%s can write to %s: chmod %s %s", who, s.path, fix, s.path)
	}
	return nil
}

// trusted refuses what another user, who is not root, owns or can write: what is in the folder is carried out
// with the rights of this process, and the audit names the program of an undo.
func (s *stateDir) trusted(name string) error {
	found, err := distrusted(name, true)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return plainFailure(name, withOwner(filepath.Dir(name), err))
	case found != nil:
		return failf(exitUsage, "%s: %s", found.why, found.fix)
	}
	return nil
}

// check finds what is not what its name says, or cannot be read. Names that are not of the layout are left alone.
func (s *stateDir) check(trusted func(name string) error) error {
	for _, p := range stateLayout {
		names := []string{s.file(p.name)}
		if p.more {
			var err error
			if names, err = s.beginningWith(p.name); err != nil {
				return err
			}
		}
		for _, name := range names {
			if err := checkPart(name, p.folder); err != nil {
				return plainFailure(name, withOwner(name, err))
			}
			if p.name == stateLock {
				continue // its text is only shown
			}
			if err := trusted(name); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkPart(name string, folder bool) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case folder && !info.IsDir():
		return errors.New("it is no folder")
	case !folder && !info.Mode().IsRegular():
		return errNotRegular
	}
	open := openRegular
	if folder {
		open = openFolder
	}
	f, err := open(name)
	if err != nil {
		return err
	}
	return f.Close()
}

// beginningWith lists the parts whose names begin so, in the order of their names.
func (s *stateDir) beginningWith(name string) (names []string, err error) {
	folder := filepath.Dir(s.file(name))
	list, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, plainFailure(folder, withOwner(folder, err))
	}
	for _, e := range list {
		rest, ok := strings.CutPrefix(e.Name(), filepath.Base(name))
		if ok && (name != stateAuditPart || isPartTime(rest)) {
			names = append(names, filepath.Join(folder, e.Name()))
		}
	}
	return names, nil
}

// windows are the files of Maui's windows.
func (s *stateDir) windows() ([]string, error) { return s.beginningWith(stateUsage + "/FS.") }

// leftover is what renameio calls a file that is not whole yet.
var leftover = source.Pattern(`^\.(.+?)[0-9]{1,19}$`)

// isLeftover tells what a killed run left of a file that it was about to replace.
func isLeftover(name string) bool {
	m := leftover().FindStringSubmatch(name)
	return m != nil && slices.ContainsFunc(stateLayout, func(p statePart) bool {
		base := filepath.Base(p.name)
		return !p.folder && (m[1] == base || p.more && strings.HasPrefix(m[1], base))
	})
}

// sweep removes what killed runs left.
func (s *stateDir) sweep() error {
	for _, folder := range []string{s.path, s.file(stateUsage)} {
		list, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return plainFailure(folder, withOwner(folder, err))
		}
		for _, e := range list {
			if !isLeftover(e.Name()) || !e.Type().IsRegular() {
				continue
			}
			if err := os.Remove(filepath.Join(folder, e.Name())); err != nil {
				return ioError(filepath.Join(folder, e.Name()), withOwner(folder, err))
			}
		}
	}
	return nil
}

// replace replaces a file of the folder. It is the old one or the new one at any moment, and the new one for good
// once this returns.
func (s *stateDir) replace(name string, write func(io.Writer) error) error {
	target := s.file(name)
	f, err := renameio.NewPendingFile(target, renameio.WithTempDir(filepath.Dir(target)), renameio.WithPermissions(0o640),
		renameio.WithExistingPermissions())
	if err != nil {
		return ioError(target, withOwner(s.path, err))
	}
	if err := fill(f, nil, write); err != nil {
		_ = f.Cleanup()
		return ioError(target, err)
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return ioError(target, withOwner(s.path, err))
	}
	return ioError(target, syncFolder(filepath.Dir(target)))
}

// sync makes the names in the folder safe.
func (s *stateDir) sync() error { return syncFolder(s.path) }

// plainFailure is an error of reading.
func plainFailure(name string, err error) error {
	return &exitError{code: exitIO, err: plainPathError(name, err)}
}

// hold takes the lock of the folder.
//
// flock(2): the lock belongs to the open file, which commands inherit, so that it is held until the last of
// them has ended even if this process is killed.
func (s *stateDir) hold(verb string) error {
	name := s.file(stateLock)
	lock, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		if errors.Is(err, syscall.ELOOP) {
			return plainFailure(name, errors.New("it is no regular file"))
		}
		where := name
		if _, gone := os.Lstat(name); gone != nil {
			where = s.path
		}
		return ioError(name, withOwner(where, err))
	}
	// Who may read a file may hold its lock, and so keep runs from theirs. The group may read one of an older Fairway.
	if info, err := lock.Stat(); err == nil && info.Mode().Perm()&0o077 != 0 && ownedByUs(info) {
		_ = lock.Chmod(0o600)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return failf(exitLocked, "another run is using %s (it holds %s%s)", s.path, name, holder(lock))
		}
		return ioError(name, err)
	}
	host, _ := os.Hostname()
	text := fmt.Sprintf("%s %d %s %s\n", verb, os.Getpid(), time.Now().UTC().Format(time.RFC3339), host)
	// For people alone: without it the lock is as good.
	if lock.Truncate(0) == nil {
		_, _ = lock.WriteAt([]byte(text), 0)
	}
	s.lock = lock
	return nil
}

// holder says who has the lock as far as its text is one.
func holder(lock io.ReaderAt) string {
	text := make([]byte, 400)
	n, _ := lock.ReadAt(text, 0)
	words := strings.Fields(string(text[:n]))
	if len(words) < 3 {
		return ""
	}
	pid, err := strconv.Atoi(words[1])
	since, bad := time.Parse(time.RFC3339, words[2])
	if err != nil || bad != nil || pid <= 0 || strings.Trim(words[0], "abcdefghijklmnopqrstuvwxyz") != "" {
		return ""
	}
	who := fmt.Sprintf(": %s, process %d since %s", words[0], pid, since.UTC().Format(time.RFC3339))
	host, _ := os.Hostname()
	if there := ""; len(words) > 3 {
		if there = words[3]; there != host {
			return who + fmt.Sprintf(" on %q", there)
		}
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return who + ", which has ended; a command that it started still runs"
		}
	}
	return who
}

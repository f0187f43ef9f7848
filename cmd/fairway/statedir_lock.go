package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

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

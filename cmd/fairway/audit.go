package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/fairway-sched/fairway/runtime/push"
)

// auditFile is the journal of push. Entries are on the disk once Append returns.
type auditFile struct {
	name string
	file *os.File
	size int64 // up to the last whole line
}

// readAudit reads what runs did; there need not be any. Without old parts it reads what the next run has to
// know: a part is put aside only when all in it has come to its end.
func readAudit(dir string, oldParts bool) (entries []push.Entry, torn int, err error) {
	names := []string{filepath.Join(dir, stateAudit)}
	if oldParts {
		parts, err := (&stateDir{path: dir}).beginningWith(stateAuditPart)
		if err != nil {
			return nil, 0, err
		}
		names = append(parts, names...)
	}
	for _, name := range names {
		part, broken, err := readAuditPart(name)
		if err != nil {
			return nil, 0, plainFailure(name, err)
		}
		entries, torn = append(entries, part...), torn+broken
	}
	return entries, torn, nil
}

func readAuditPart(name string) (entries []push.Entry, torn int, err error) {
	f, err := openRegular(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, nil
	case err != nil:
		return nil, 0, err
	}
	defer f.Close()
	return push.ReadJournal(f)
}

// auditPartSize is when the audit goes on in a new file, so that a run each minute does not read years.
var auditPartSize int64 = 64 << 20

// partTime is the time in the name of a part of the audit.
const partTime = "20060102T150405.000000000Z"

// isPartTime keeps copies and packed parts, which somebody else put there, out of the audit.
func isPartTime(text string) bool {
	t, err := time.Parse(partTime, text)
	return err == nil && t.Format(partTime) == text
}

// rotateAudit puts a long audit aside, under the time, if nothing in it waits for the next run.
func (s *stateDir) rotateAudit(entries []push.Entry, now time.Time) error {
	name := s.file(stateAudit)
	info, err := os.Stat(name)
	if err != nil || info.Size() < auditPartSize || len(push.Unsettled(entries)) > 0 {
		return nil // where it cannot be looked at, opening it says why
	}
	parts, err := s.beginningWith(stateAuditPart)
	if err != nil {
		return err
	}
	if len(parts) > 0 { // the order of names is that of runs, also where the clock was set back
		_, last, _ := strings.Cut(filepath.Base(parts[len(parts)-1]), stateAuditPart)
		if t, err := time.Parse(partTime, last); err == nil && !now.After(t) {
			now = t.Add(time.Nanosecond)
		}
	}
	part := s.file(stateAuditPart + now.UTC().Format(partTime))
	return ioError(part, errors.Join(os.Rename(name, part), s.sync()))
}

// audit opens the journal to go on with it.
func (s *stateDir) audit() (*auditFile, error) {
	a := &auditFile{name: s.file(stateAudit)}
	f, err := os.OpenFile(a.name, os.O_RDWR|os.O_CREATE|os.O_APPEND|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o640)
	if err != nil {
		return nil, ioError(a.name, err)
	}
	a.file = f
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err == nil {
		a.size = info.Size()
		err = a.endLine()
	}
	if err == nil {
		err = s.sync()
	}
	if err != nil {
		_ = f.Close()
		return nil, ioError(a.name, err)
	}
	return a, nil
}

// endLine ends a line that a kill broke off.
func (a *auditFile) endLine() error {
	last := make([]byte, 1)
	if a.size == 0 {
		return nil
	}
	if _, err := a.file.ReadAt(last, a.size-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err := a.file.Write([]byte{'\n'})
	a.size++
	return err
}

// Append writes an entry and waits for the disk. What cannot be written whole is taken back.
func (a *auditFile) Append(e push.Entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	_, err = a.file.Write(line)
	if err == nil {
		err = a.file.Sync()
	}
	if err != nil {
		_ = a.file.Truncate(a.size) // the first error is the one to tell
		return ioError(a.name, err)
	}
	a.size += int64(len(line))
	return nil
}

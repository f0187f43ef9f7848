package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// use is a file or a folder of one call: an output, or what is read or kept besides.
type use struct {
	what string // of an output the flag, as "--out"; of the others what becomes of it, as "which is read"
	path string
	of   extent
}

// extent is how much of a path is used.
type extent int

const (
	theFile   extent = iota
	allInside        // of a folder that is Fairway's own
	records          // of a folder with a snapshot: the files that are part of it
)

// overlap is an output that would be written over something else.
type overlap struct {
	out, other use
	twice      bool // the other one is an output too
}

// Error says it to who gave the names.
func (o *overlap) Error() string {
	is := "is"
	switch {
	case o.twice:
		return o.other.what + " and " + o.out.what + " are one file, " + o.out.path
	case o.other.of != theFile:
		is = "is in"
	}
	return o.out.what + " " + o.out.path + " " + is + " " + o.other.path + ", " + o.other.what
}

// separate sees that no output is written over one before it, or over what is used besides.
func separate(outputs, others []use) *overlap {
	for i, out := range outputs {
		if out.path == "" || out.path == "-" {
			continue
		}
		for _, before := range outputs[:i] {
			if sameFile(out.path, before.path) {
				return &overlap{out: out, other: before, twice: true}
			}
		}
		for _, other := range others {
			if other.hasPart(out.path) {
				return &overlap{out: out, other: other}
			}
		}
	}
	return nil
}

// nothingWritten is separate as an error of the command line.
func nothingWritten(outputs, others []use) error {
	if o := separate(outputs, others); o != nil {
		return failf(exitUsage, "%w; nothing was written: give another name", o)
	}
	return nil
}

// hasPart reports a file that is it, or one of those in it.
func (u use) hasPart(name string) bool {
	if u.path == "" || u.path == "-" {
		return false
	}
	if u.of == theFile || sameFile(name, u.path) {
		return sameFile(name, u.path)
	}
	inside, err := filepath.Rel(settled(u.path), settled(name))
	if err != nil || inside == ".." || strings.HasPrefix(inside, "../") {
		return false
	}
	return u.of == allInside || isRecord(name)
}

// isRecord reports a file that is part of its folder's snapshot, which a chart of an earlier run is not.
func isRecord(name string) bool {
	s, _, err := snapshot.Read(&disk{}, []string{name}, snapshot.Options{})
	return err != nil && exists(name) || err == nil && len(s.Sources) > 0
}

// reads are the names of files that were read.
type reads []string

func (r *reads) note(name string, _ []byte) { *r = append(*r, name) }

func (r *reads) uses() (list []use) {
	for _, name := range *r {
		list = append(list, use{what: "which is read", path: name})
	}
	return list
}

// uses are the files of a snapshot.
func (s *snapshotFlags) uses() (list []use) {
	for _, name := range s.paths {
		u := use{what: "which is read", path: name}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			u.of = records
		}
		list = append(list, u)
	}
	return list
}

// uses are the files that go on from one evaluation to the next.
func (i *iterationFlags) uses() []use {
	list := []use{{what: "the state directory", path: i.dir, of: allInside}}
	if i.state != "" {
		list = append(list, use{what: "the state", path: i.state}, use{what: "the lock of the state", path: i.state + ".lock"})
	}
	return list
}

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// use is a file or a folder of one call: an output, or what is read or kept besides.
type use struct {
	what string // of an output the flag, as "--out"; of the others what becomes of it, as "which is read"
	path string
	part func(folder, inside string) bool // of a folder, which of the names in it are used; nil of a file
	at   source.Span                      // where a configuration names it
}

// readBy are files that are read, and what of a call reads them.
func readBy(what string, names ...string) []use {
	return each(names, func(name string) use { return use{what: what, path: name} })
}

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
	case o.other.part != nil:
		is = "is in"
	}
	return o.out.what + " " + o.out.path + " " + is + " " + o.other.path + ", " + o.other.what
}

// separate finds each output that is one before it, or part of what is used besides. What is no regular file, as
// /dev/null is, takes all that is written to it.
func separate(outputs, others []use) (list []*overlap) {
	for i, out := range outputs {
		if info, err := os.Stat(out.path); !out.named() || err == nil && !info.Mode().IsRegular() {
			continue
		}
		if before := slices.IndexFunc(outputs[:i], func(u use) bool { return u.has(out.path) }); before >= 0 {
			list = append(list, &overlap{out, outputs[before], true})
		} else if other := slices.IndexFunc(others, func(u use) bool { return u.has(out.path) }); other >= 0 {
			list = append(list, &overlap{out, others[other], false})
		}
	}
	return list
}

// nothingWritten refuses outputs that are not separate.
func nothingWritten(outputs, others []use) error {
	for _, o := range separate(outputs, others) {
		return failf(exitUsage, "%w; nothing was written: give another name", o)
	}
	return nil
}

// named is false of a standard stream, and of what was not given.
func (u use) named() bool { return u.path != "" && u.path != "-" }

// has reports a file that is it, or one of those in it.
func (u use) has(name string) bool {
	switch {
	case !u.named():
		return false
	case u.part == nil || sameFile(name, u.path):
		return sameFile(name, u.path)
	}
	inside, err := filepath.Rel(settled(u.path), settled(name))
	return err == nil && filepath.IsLocal(inside) && u.part(u.path, inside)
}

// directly is the part of a folder that is read flat, as snapshots are.
func directly(_, inside string) bool { return !strings.Contains(inside, "/") }

// recorded is the part of a folder that its snapshot has, which a chart of an earlier run is not.
func recorded(folder, inside string) bool {
	name := filepath.Join(folder, inside)
	s, _, err := snapshot.Read(&disk{}, []string{name}, snapshot.Options{})
	return err != nil && exists(name) || err == nil && len(s.Sources) > 0
}

// ofLayout is the part of a state directory that Fairway keeps.
func ofLayout(_, inside string) bool {
	return slices.ContainsFunc(stateLayout, func(p statePart) bool {
		return inside == p.name || p.more && strings.HasPrefix(inside, p.name)
	})
}

// reads are the names of files that were read.
type reads []string

func (r *reads) note(name string, _ []byte) { *r = append(*r, name) }

func (r *reads) uses() []use { return readBy("which is read", *r...) }

// among reads folders flat and uses some of their names.
func among(part func(folder, inside string) bool, list []use) []use {
	for i := range list {
		if info, err := os.Stat(list[i].path); err == nil && info.IsDir() {
			list[i].part = part
		}
	}
	return list
}

// uses are the files of a snapshot.
func (s *snapshotFlags) uses() []use {
	return among(recorded, readBy("which is read", append(s.captures, s.paths...)...))
}

// uses are the files that go on from one evaluation to the next.
func (i *iterationFlags) uses() []use {
	list := append([]use{{what: "the state directory", path: i.dir, part: ofLayout}},
		readBy("which is read", i.usageFrom...)...)
	if i.state != "" {
		list = append(list, use{what: "the state", path: i.state},
			use{what: "the lock of the state", path: i.state + ".lock"})
	}
	return list
}

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/fairway-sched/fairway/lang/source"
)

// distrust is why what a file says is not acted on: somebody who is neither root nor whoever runs this can write the
// file, or put another one in its place.
type distrust struct{ why, fix string }

// distrusted follows a name as the system does, component by component, and looks at each folder, each link and, in the
// end, at what the name leads to: whoever can write one of them, or put another one in its place, says what is read.
// Nothing is found where it does not exist; the folders that it would be in are looked at all the same.
// Whose they are counts only if owned is set: who lints a file need not be who runs it.
func distrusted(name string, owned bool) (*distrust, error) {
	w := walk{owned: owned, relative: !filepath.IsAbs(name)}
	left := name
	if w.relative {
		folder, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		if w.from, err = filepath.EvalSymlinks(folder); err != nil {
			return nil, err
		}
		left = folder + "/" + name // not cleaned: what .. is of depends on links
	}
	return w.follow(left)
}

// refusePlanted looks at the name of an output for what another user has put there in a folder in which all may write
// and only owners remove, such as /tmp: a link to a file that is not theirs, or a file that would be kept as theirs. It
// is the rule of the system's own protected_symlinks, protected_regular and protected_fifos (proc_sys_fs(5)).
func refusePlanted(name string) error {
	if !filepath.IsAbs(name) {
		folder, err := os.Getwd()
		if err != nil {
			return err
		}
		name = folder + "/" + name
	}
	w := walk{output: true}
	switch found, err := w.follow(name); {
	case err != nil:
		return err
	case found != nil:
		return fmt.Errorf("%s: %s", found.why, found.fix)
	}
	return nil
}

// isPlanted reports an entry of a folder that refusePlanted refuses.
func isPlanted(folder string, entry fs.FileInfo) (owner int, is bool) {
	in, err := os.Lstat(folder)
	if err != nil || in.Mode()&fs.ModeSticky == 0 || in.Mode().Perm()&0o002 == 0 {
		return 0, false
	}
	owner, foreign := foreignOwner(entry)
	s, ok := in.Sys().(*syscall.Stat_t)
	return owner, foreign && ok && int(s.Uid) != owner
}

// walk is on its way to a file.
type walk struct {
	output   bool // the name is of an output: only what is planted counts
	owned    bool
	relative bool   // the name was, so that folders below from are named from there
	from     string // the working folder, without links
}

// mostLinks is how many links a name may lead through (path_resolution(7)).
const mostLinks = 40

// ourOwn are the folders of this process, and openFiles that in which the system names the files that it has open:
// such a file is what it is, wherever it came from.
var (
	ourOwn    = source.Pattern(fmt.Sprintf(`^/proc/%d(/|$)`, os.Getpid()))
	openFiles = source.Pattern(fmt.Sprintf(`^/proc/%d(/task/[0-9]+)?/fd$`, os.Getpid()))
)

func (w *walk) follow(name string) (*distrust, error) {
	at, todo := "/", strings.Split(name, "/")
	for links := 0; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		if part == "" || part == "." {
			continue
		}
		if part == ".." {
			at = filepath.Dir(at) // there are no links on the way here any more
			continue
		}
		next := filepath.Join(at, part)
		if !w.output && !ourOwn().MatchString(at) {
			found, err := w.folder(at, filepath.Join(append([]string{next}, todo...)...))
			if found != nil || err != nil {
				return found, err
			}
		}
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, err
		}
		link := info.Mode()&fs.ModeSymlink != 0
		if owner, is := isPlanted(at, info); is && w.output && (link || len(todo) == 0) {
			const why = "%s belongs to %s, in a folder in which all may write"
			return ownedBy(owner, next, why, "remove", next), nil
		}
		switch {
		case !link:
			at = next
			continue
		case w.output && ourOwn().MatchString(at):
			return nil, nil // /dev/stdout
		case openFiles().MatchString(at):
			return w.itself(next, name)
		}
		if owner, foreign := foreignOwner(info); foreign && w.owned {
			const why = "%s is a link that belongs to %s, who could point it elsewhere"
			return ownedBy(owner, w.show(next), why, "chown -h", w.show(next)), nil
		}
		if links++; links > mostLinks {
			return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.ELOOP}
		}
		to, err := os.Readlink(next)
		if err != nil {
			return nil, err
		}
		if filepath.IsAbs(to) {
			at = "/"
		}
		todo = append(strings.Split(to, "/"), todo...)
	}
	if w.output {
		return nil, nil
	}
	return w.itself(at, w.show(at))
}

// show names a file as whoever gave the name sees it.
func (w *walk) show(name string) string {
	if inside, err := filepath.Rel(w.from, name); w.relative && err == nil && filepath.IsLocal(inside) {
		return inside
	}
	return name
}

// ownedBy is of a file for which something is another user's.
func ownedBy(owner int, name, why, chown, something string) *distrust {
	user, whose := userName(owner), userName(owner)
	if !strings.HasPrefix(user, "user ") { // which is one without a name
		whose = "the user " + user
	}
	return &distrust{fmt.Sprintf(why, name, whose), fmt.Sprintf("run this as %s, or %s %s", user, chown, something)}
}

// folder looks at a folder through which the way to a file leads. In one with the sticky bit, such as /tmp, only the
// owner of an entry can replace it, and the walk looks at the owner when it comes to the entry.
func (w *walk) folder(name, file string) (*distrust, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if who, fix := otherWriters(info); who != "" && info.Mode()&os.ModeSticky == 0 {
		why := fmt.Sprintf("%s can put another file in the place of %s", who, w.show(file))
		return &distrust{why, fmt.Sprintf("chmod %s %s", fix, w.show(name))}, nil
	}
	if owner, foreign := foreignOwner(info); foreign && w.owned {
		const why = "%s is in a folder that belongs to %s, who could put another file in its place"
		return ownedBy(owner, w.show(file), why, "chown", w.show(name)), nil
	}
	return nil, nil
}

// itself looks at a file or a folder alone, wherever it is. What others write to a terminal or the null device is not
// what is read from it.
func (w *walk) itself(name, shown string) (*distrust, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if who, fix := otherWriters(info); who != "" && info.Mode()&fs.ModeDevice == 0 {
		return &distrust{fmt.Sprintf("%s can write to %s", who, shown), fmt.Sprintf("chmod %s %s", fix, shown)}, nil
	}
	if owner, foreign := foreignOwner(info); foreign && w.owned {
		why := "%s belongs to %s, who could change what " + userName(os.Geteuid()) + " does"
		return ownedBy(owner, shown, why, "chown", shown), nil
	}
	return nil, nil
}

// otherWriters names who besides the owner can write a file, "" if no one can, and the chmod that takes this away.
func otherWriters(info fs.FileInfo) (who, fix string) {
	switch mode := info.Mode().Perm(); {
	case mode&0o022 == 0o022:
		return "anyone", "go-w"
	case mode&0o002 != 0:
		return "anyone", "o-w"
	case mode&0o020 != 0:
		return "the group" + groupName(info), "g-w"
	}
	return "", ""
}

// foreignOwner is the owner of a file if that is neither root nor whoever runs this.
func foreignOwner(info fs.FileInfo) (owner int, foreign bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || s.Uid == 0 || int(s.Uid) == os.Geteuid() {
		return 0, false
	}
	return int(s.Uid), true
}

// withOwner says whose a file is that may not be touched.
func withOwner(name string, err error) error {
	info, gone := os.Stat(name)
	if !errors.Is(err, fs.ErrPermission) || gone != nil {
		return err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return err
	}
	return fmt.Errorf("permission denied: %s is %s's, with mode %04o, and this runs as %s", name, userName(int(s.Uid)),
		info.Mode().Perm(), userName(os.Geteuid()))
}

func userName(id int) string {
	u, err := user.LookupId(strconv.Itoa(id))
	if err != nil {
		return fmt.Sprintf("user %d", id)
	}
	return u.Username
}

// groupName is the name of a file's group after a blank, "" if it has none.
func groupName(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return " of it"
	}
	g, err := user.LookupGroupId(strconv.Itoa(int(s.Gid)))
	if err != nil {
		return fmt.Sprintf(" %d", s.Gid)
	}
	return " " + g.Name
}

// refuseWritable refuses to act on what a file says if others can write or replace it: a configuration, a plan, the
// program that is fed.
func refuseWritable(name string) error {
	if name != "-" {
		if _, err := os.Stat(name); err != nil {
			return plainFailure(name, err)
		}
	}
	return refuseInput(name)
}

// refuseInput does the same for a file that may not be there, which whoever reads it says.
func refuseInput(name string) error {
	if name == "-" {
		return nil
	}
	switch found, err := distrusted(name, true); {
	case err != nil:
		return plainFailure(name, err)
	case found != nil:
		return failf(exitUsage, "nothing is sent: %s: %s", found.why, found.fix)
	}
	return nil
}

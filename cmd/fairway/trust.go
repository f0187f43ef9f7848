package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// distrust is why what a file says is not acted on: somebody who is neither root nor whoever runs this can write the file,
// or put another one in its place.
type distrust struct{ why, fix string }

// distrusted looks at a file, at all that links on the way to it, and at the folders that they are in, up to the root.
// Nothing is found where it does not exist; the folders that it would be in are looked at all the same.
// Whose they are counts only if owned is set: who lints a file need not be who runs it.
func distrusted(name string, owned bool) (*distrust, error) {
	steps, err := linkSteps(name)
	if errors.Is(err, fs.ErrNotExist) {
		return distrustedFolders(name, owned)
	}
	if err != nil {
		return nil, err
	}
	for _, step := range steps {
		found, err := distrustedItself(step, owned)
		if found == nil && err == nil {
			found, err = distrustedFolders(step, owned)
		}
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// distrustedItself looks at a file or a folder alone, wherever it is.
func distrustedItself(name string, owned bool) (*distrust, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if who, fix := otherWriters(info); who != "" && info.Mode()&(fs.ModeDevice|fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return &distrust{fmt.Sprintf("%s can write to %s", who, name), fmt.Sprintf("chmod %s %s", fix, name)}, nil
	}
	if owner, foreign := foreignOwner(info); foreign && owned {
		return &distrust{fmt.Sprintf("%s is %s's, by whose words %s would act", name, userName(owner), userName(os.Geteuid())),
			fmt.Sprintf("run this as %s, or chown %s", userName(owner), name)}, nil
	}
	return nil, nil
}

// distrustedFolders looks at the folders that a file is in. In one with the sticky bit, such as /tmp, only the owner of a
// file can replace it.
func distrustedFolders(name string, owned bool) (*distrust, error) {
	whole, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	folder := filepath.Dir(name)
	for at := filepath.Dir(whole); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err == nil {
			if who, fix := otherWriters(info); who != "" && info.Mode()&os.ModeSticky == 0 {
				return &distrust{fmt.Sprintf("%s can put another file in the place of %s", who, name), fmt.Sprintf("chmod %s %s", fix, folder)}, nil
			}
			if owner, foreign := foreignOwner(info); foreign && owned {
				return &distrust{fmt.Sprintf("%s is in a folder of %s, who could put another file in its place", name, userName(owner)),
					fmt.Sprintf("run this as %s, or chown %s", userName(owner), folder)}, nil
			}
		}
		if at == filepath.Dir(at) {
			return nil, nil
		}
		folder = filepath.Dir(at)
	}
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

// linkSteps are a file, the links by which it leads to another one, and that: whoever can replace one of them says
// what is read.
func linkSteps(name string) ([]string, error) {
	if _, err := os.Stat(name); err != nil {
		return nil, err
	}
	steps := []string{name}
	last, err := filepath.EvalSymlinks(name)
	if err != nil {
		return steps, nil // it is open as another file is, and has no name (/dev/fd)
	}
	for {
		to, err := os.Readlink(name)
		if err != nil {
			break // it is the last
		}
		if !filepath.IsAbs(to) {
			folder, err := filepath.EvalSymlinks(filepath.Dir(name))
			if err != nil {
				return nil, err
			}
			to = filepath.Join(folder, to)
		}
		name = to
		steps = append(steps, name)
	}
	if name != last { // a folder on the way is a link
		steps = append(steps, last)
	}
	return steps, nil
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
	return fmt.Errorf("permission denied: %s is %s's, with mode %04o, and this runs as %s", name, userName(int(s.Uid)), info.Mode().Perm(), userName(os.Geteuid()))
}

func userName(id int) string {
	u, err := user.LookupId(strconv.Itoa(id))
	if err != nil {
		return fmt.Sprintf("user %d", id)
	}
	return u.Username
}

// groupName is the name of a file's group behind a blank, "" if it has none.
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
	if name == "-" {
		return nil
	}
	found, err := distrusted(name, true)
	if err == nil && found == nil {
		_, err = os.Stat(name)
	}
	switch {
	case err != nil:
		return plainFailure(name, err)
	case found != nil:
		return failf(exitUsage, "nothing is sent: %s: %s", found.why, found.fix)
	}
	return nil
}

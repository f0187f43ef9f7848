package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
)

// repository is the git repository that the files of a policy are in. It is only read.
type repository struct {
	top  string   // its folder, without links
	dirs []string // of the policy, below top: what is included lies there too
	git  commands
}

// commit is one of its commits.
type commit struct{ hash, date, author, subject string }

// gitTimeout is how long git may take for one answer.
const gitTimeout = time.Minute

// openRepository finds the repository of the files.
func openRepository(ctx context.Context, files []string) (*repository, error) {
	r := &repository{git: commands{timeout: gitTimeout, environment: []string{"GIT_OPTIONAL_LOCKS=0"}}}
	for _, name := range files {
		if name == "-" {
			return nil, failf(exitUsage, "standard input is in no repository: name the policy's file")
		}
		full, err := realPath(name)
		if err != nil {
			return nil, &exitError{code: exitIO, err: plainPathError(name, err)}
		}
		dir := filepath.Dir(full)
		top, err := r.ask(ctx, dir, "rev-parse", "--show-toplevel")
		if err != nil {
			return nil, failf(exitIO, "%s: %w", name, err)
		}
		found := strings.TrimSuffix(string(top), "\n")
		if r.top == "" {
			r.top = found
		}
		if r.top != found {
			return nil, failf(exitUsage, "%s is in another repository than %s", name, files[0])
		}
		if below, err := filepath.Rel(r.top, dir); err == nil && !slices.Contains(r.dirs, below) {
			r.dirs = append(r.dirs, below)
		}
	}
	return r, nil
}

// realPath is the absolute name of a file without links.
func realPath(name string) (string, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(full)
}

// ask runs git in a folder. Hooks and monitors that the repository's settings name are not started.
func (r *repository) ask(ctx context.Context, dir string, args ...string) ([]byte, error) {
	out, err := r.git.run(ctx, append([]string{"git", "-C", dir, "--no-pager", "-c", "core.fsmonitor=false"}, args...))
	if errors.Is(err, errNotHere) {
		return nil, errors.New("git is not on the PATH")
	}
	return out, err
}

// commits are those that changed something in the policy's folders, oldest first.
func (r *repository) commits(ctx context.Context, from, to string, most int) ([]commit, error) {
	last, err := r.resolve(ctx, to)
	if err != nil {
		return nil, err
	}
	revisions := []string{last}
	if from != "" {
		first, err := r.resolve(ctx, from)
		if err != nil {
			return nil, err
		}
		revisions = append(revisions, "^"+first)
		most-- // which first is one of
	}
	asked := most
	if from != "" {
		asked++ // one more says that they are too many
	}
	text, err := r.log(ctx, append(append([]string{fmt.Sprintf("--max-count=%d", asked)}, revisions...),
		append([]string{"--"}, r.dirs...)...)...)
	if err != nil {
		return nil, err
	}
	if from != "" {
		first, err := r.log(ctx, "--max-count=1", strings.TrimPrefix(revisions[1], "^"))
		if err != nil {
			return nil, err
		}
		text = append(text, first...)
	}
	if from != "" && len(text) > most+1 {
		return nil, failf(exitUsage, "more than --max commits follow %s: raise --max, or begin later", from)
	}
	slices.Reverse(text)
	if len(text) == 0 {
		return nil, failf(exitUsage, "no commit up to %s has anything in the policy's folder", to)
	}
	return text, nil
}

func (r *repository) resolve(ctx context.Context, revision string) (string, error) {
	out, err := r.ask(ctx, r.top, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return "", failf(exitUsage, "%q is no commit of the repository in %s", revision, r.top)
	}
	return strings.TrimSpace(string(out)), nil
}

func (r *repository) log(ctx context.Context, args ...string) (list []commit, err error) {
	out, err := r.ask(ctx, r.top, append([]string{"log", "--first-parent", "--no-show-signature", "--no-color",
		"--date=short",
		"--format=%H%x00%ad%x00%an%x00%s%x01"}, args...)...)
	if err != nil {
		return nil, failf(exitIO, "git log: %w", err)
	}
	for record := range bytes.SplitSeq(out, []byte{1}) {
		parts := strings.Split(strings.TrimPrefix(string(record), "\n"), "\x00")
		if len(parts) == 4 {
			list = append(list, commit{parts[0], parts[1], parts[2], parts[3]})
		}
	}
	return list, nil
}

// input is the policy as a commit has it.
func (r *repository) input(ctx context.Context, c commit, in compiler.Input) (compiler.Input, error) {
	files := commitFS{ctx, r, c.hash}
	dir := in.Include.Dir
	if whole, err := realPath("/" + dir); err == nil {
		dir = strings.TrimPrefix(filepath.ToSlash(whole), "/")
	}
	in.Include = lower.Files{FS: files, Dir: dir}
	now := make([]*source.File, len(in.Files))
	for i, f := range in.Files {
		full, err := realPath(f.Name)
		if err != nil {
			return in, err
		}
		text, err := files.ReadFile(strings.TrimPrefix(filepath.ToSlash(full), "/"))
		if errors.Is(err, fs.ErrNotExist) {
			return in, fmt.Errorf("there is no %s", f.Name)
		}
		if err != nil {
			return in, err
		}
		now[i] = source.NewFile(f.Name, text)
	}
	in.Files = now
	return in, nil
}

// commitFS is the root of the file system with the repository as a commit has it. What is outside is not there.
type commitFS struct {
	ctx  context.Context
	of   *repository
	hash string
}

// Open implements fs.FS; included files are read by ReadFile.
func (c commitFS) Open(name string) (fs.File, error) {
	text, err := c.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return shorter(name, text, mostSourceBytes)
}

// ReadFile implements fs.ReadFileFS.
func (c commitFS) ReadFile(name string) ([]byte, error) {
	below, err := filepath.Rel(c.of.top, "/"+name)
	if err != nil || below == ".." || strings.HasPrefix(below, "../") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	text, err := c.of.ask(c.ctx, c.of.top, "cat-file", "blob", c.hash+":"+filepath.ToSlash(below))
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if len(text) > mostSourceBytes {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("it is longer than a configuration can be")}
	}
	return text, nil
}

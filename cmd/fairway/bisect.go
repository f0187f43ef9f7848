package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report"
	"github.com/fairway-sched/fairway/runtime/report/encode"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

type bisectFlags struct {
	pol      policyFlags
	snap     snapshotFlags
	job      string
	from, to string
	most     int
	output   string
}

func newBisect() *cobra.Command {
	var f bisectFlags
	cmd := &cobra.Command{
		Use:  "bisect POLICY... --snapshot SNAPSHOT --job ID",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error { return f.run(files) },
	}
	f.pol.add(cmd)
	f.snap.add(cmd, false)
	flags := cmd.Flags()
	flags.StringVarP(&f.job, "job", "j", "", "the job")
	flags.StringVar(&f.from, "from", "",
		"first commit to look at, as git names it (default: the oldest of the last --max)")
	flags.StringVar(&f.to, "to", "", "last commit to look at; what is not committed is left out then (default: HEAD, and "+
		"what is not committed)")
	flags.IntVar(&f.most, "max", 100, "look at no more than the last `N` commits of the policy's folders")
	flags.StringVarP(&f.output, "output", "o", "text", "text or json")
	completeWords(cmd, "output", "text", "json")
	return cmd
}

// stand is what the policy makes of the job under one commit.
type stand struct {
	Commit   string `json:"commit"` // "" for what is not committed
	Date     string `json:"date"`
	Author   string `json:"author"`
	Subject  string `json:"subject"`
	Error    string `json:"error,omitempty"` // why there is no more
	Rank     int32  `json:"rank,omitempty"`  // 0 of a job that is not ranked
	Priority int64  `json:"priority"`
	State    string `json:"state,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Moved    bool   `json:"moved"` // it differs from the last one before it that has a place
}

// movedFrom reports that the job is not where it was.
func (s *stand) movedFrom(last *stand) bool {
	return last != nil && s.Error == "" &&
		(s.Rank != last.Rank || s.Priority != last.Priority || s.State != last.State || s.Reason != last.Reason)
}

func (f *bisectFlags) run(files []string) error {
	switch {
	case f.job == "":
		return failf(exitUsage, "no job: say which one by --job ID")
	case f.output != "text" && f.output != "json":
		return failf(exitUsage, "-o is text or json, not %q", f.output)
	case f.most < 1:
		return failf(exitUsage, "--max is a number of commits from 1 on, not %d", f.most)
	case len(f.snap.paths) == 0:
		return failf(exitUsage, "no snapshot: add --snapshot FILE, for instance the output of `squeue --json`")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	d := &disk{f.snap.opened}
	s, read, err := f.snap.read(d)
	if err != nil {
		return err
	}
	printDiags(notable(read))
	in, err := f.pol.input(d, files, s)
	if err != nil {
		return err
	}
	repository, err := openRepository(ctx, files)
	if err != nil {
		return err
	}
	commits, err := repository.commits(ctx, f.from, cmp.Or(f.to, "HEAD"), f.most)
	if err != nil {
		return err
	}
	if f.to == "" {
		commits = append(commits, commit{subject: "(not committed)"})
	}
	stands, err := f.stands(ctx, repository, commits, in, s)
	if err != nil {
		return err
	}
	return f.write(stands)
}

// stands evaluates the queue under each commit.
func (f *bisectFlags) stands(ctx context.Context, r *repository, commits []commit, in compiler.Input,
	s *snapshot.Snapshot,
) ([]stand, error) {
	bar := newProgress("bisect")
	defer bar.end()
	list := make([]stand, 0, len(commits))
	var last *stand // that has a place
	for i, c := range commits {
		bar.show("evaluating commits", i, len(commits))
		at := stand{Commit: c.hash, Date: c.date, Author: c.author, Subject: c.subject}
		now, err := in, error(nil)
		if c.hash != "" {
			now, err = r.input(ctx, c, in)
		}
		if err == nil {
			err = f.place(&at, now, s)
		}
		if ctx.Err() != nil {
			return nil, &exitError{code: exitInterrupted}
		}
		if err != nil {
			at.Error = err.Error()
		}
		at.Moved = at.movedFrom(last)
		if list = append(list, at); at.Error == "" {
			last = &list[i]
		}
	}
	return list, nil
}

// place evaluates one policy and finds the job.
func (f *bisectFlags) place(at *stand, in compiler.Input, s *snapshot.Snapshot) error {
	out := compiler.Compile(in)
	if out.Program == nil || out.Diags.HasErrors() {
		return firstError(out.Diags)
	}
	result, err := engine.Run(out.Program, s, evaluation.Options{Workers: 1})
	if err != nil {
		return err
	}
	if result.Findings.HasErrors() {
		return firstError(result.Findings)
	}
	var unknown diag.List
	job, ok := report.FindJob(result, f.job, &unknown)
	if !ok {
		return firstError(unknown)
	}
	at.Rank, at.State, at.Reason = result.Rank[job], result.State[job].String(), result.Reason[job]
	if !result.JobFailed(job) {
		at.Priority = result.JobPriority(job)
	}
	return nil
}

// firstError is the first error of some findings.
func firstError(list diag.List) error {
	for _, d := range list {
		if d.Severity == diag.Error {
			text := d.Message
			if at := d.Span.String(); at != "" {
				text = at + ": " + text
			}
			return errors.New(text)
		}
	}
	return errors.New("the policy cannot be evaluated")
}

func (f *bisectFlags) write(stands []stand) error {
	if !slices.ContainsFunc(stands, func(s stand) bool { return s.Error == "" }) {
		return failf(exitUnreadable, "no version of the policy has a place for job %s: %s",
			source.Plain(f.job), source.Plain(stands[len(stands)-1].Error))
	}
	return writeOutput("", func(w io.Writer) error {
		if f.output == "json" {
			return encode.Write(w, struct {
				FormatVersion int     `json:"format_version"`
				Job           string  `json:"job"`
				Commits       []stand `json:"commits"`
			}{1, f.job, stands})
		}
		return f.table(w, stands)
	})
}

// table lists the first commit and those that moved the job.
func (f *bisectFlags) table(w io.Writer, stands []stand) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "commit\tdate\tauthor\trank\tpriority\tstate\tsubject")
	moved, failed := 0, 0
	for i := range stands {
		s := &stands[i]
		switch {
		case s.Error != "":
			failed++
		case s.Moved:
			moved++
		case i > 0:
			continue
		}
		rank, priority, state := "", "", source.Plain(s.State)
		switch {
		case s.Error != "":
			state = source.Plain(s.Error)
		case s.Rank > 0:
			rank = fmt.Sprint(s.Rank)
			fallthrough
		default:
			priority = fmt.Sprint(s.Priority)
			if s.Reason != "" {
				state += " (" + source.Plain(s.Reason) + ")"
			}
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", short(s.Commit), s.Date, source.Plain(s.Author), rank, priority, state,
			source.Plain(s.Subject))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	by := fmt.Sprintf("%d of them", moved)
	if moved == 0 {
		by = "none of them"
	}
	text := fmt.Sprintf("%s of the policy, %s moved job %s", count(len(stands), "version"), by, source.Plain(f.job))
	if failed > 0 {
		text += fmt.Sprintf("; %d cannot be evaluated", failed)
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

func short(hash string) string { return hash[:min(len(hash), 10)] }

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

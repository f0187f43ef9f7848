package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// policyFlags are the flags of every verb that compiles a policy.
type policyFlags struct {
	lang         string
	semantics    string
	slurmVersion string
	deviations   []string
	without      []string
	params       []string
	dump         string
	noOpt        []string

	inline *source.File // a policy that is in no file; nil for none
	filter *jobFilter   // asks its conditions beside the policy; nil without
	likely string       // the release to read files as that state none; "" is the newest that accepts them
	quiet  bool         // what is found is not reported
	said   []string     // the releases that were reported

	verb *pflag.FlagSet // all flags of the verb

	note func(name string, text []byte) // is notified of what is read, included files too; nil if not wanted
}

func (p *policyFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&p.lang, "lang", "", "language of the policy files: hcl, maui, slurm or sacctmgr (default: by content)")
	f.StringVar(&p.semantics, "semantics", "",
		"observed: as the real scheduler behaves; documented: as its manual says (default observed)")
	f.StringVar(&p.slurmVersion, "slurm-version", "", versionUsage)
	f.StringSliceVar(&p.deviations, "deviation", nil,
		"follow the manual in one point, by name or number; see fairway doc deviations")
	f.StringSliceVar(&p.without, "without", nil, "leave out a component by name, or limits; the result says so")
	p.addParam(f)
	f.StringVar(&p.dump, "dump", "", "print what a compiler pass made and stop: "+strings.Join(passNames(), ", "))
	f.StringSliceVar(&p.noOpt, "no-opt", nil, "leave out a pass of the optimiser: "+
		strings.Join(compiler.OptimizerPasses(), ", "))
	_ = f.MarkHidden("no-opt") // for work on the optimiser: no result depends on it
	p.verb = f
}

const versionUsage = "Slurm version as YY.MM (default: what a policy file, a comment # fairway: slurm-version=YY.MM " +
	"in slurm.conf, " +
	"the project file or the snapshot says, else the newest release that accepts the slurm.conf)"

func (p *policyFlags) addParam(f *pflag.FlagSet) {
	f.StringArrayVar(&p.params, "param", nil,
		"set a parameter for this run: NAME=VALUE, the value as the scheduler's file has it (PriorityMaxAge=100 is minutes)")
}

func passNames() []string {
	var names []string
	for _, p := range compiler.Passes() {
		names = append(names, p.Name)
	}
	return names
}

// input reads the policy files into a compiler input.
func (p *policyFlags) input(d *disk, files []string, s *snapshot.Snapshot) (compiler.Input, error) {
	note := p.note
	if note == nil {
		note = func(string, []byte) {}
	}
	in := compiler.Input{Include: lower.Files{FS: notingFS{os.DirFS("/"), note}, Dir: workingDir()},
		Options: lower.Options{
			Version: p.slurmVersion, Semantics: p.semantics, Deviations: p.deviations, Without: p.without,
		}}
	for _, name := range p.noOpt {
		if !slices.Contains(compiler.OptimizerPasses(), name) {
			return in, failf(exitUsage, "--no-opt is one of %s, not %q", strings.Join(compiler.OptimizerPasses(), ", "), name)
		}
	}
	in.NoOpt = p.noOpt
	if p.filter != nil {
		in.Queries = p.filter.queries()
	}
	if p.semantics != "" && p.semantics != "observed" && p.semantics != "documented" {
		return in, failf(exitUsage, "--semantics is observed or documented, not %q", p.semantics)
	}
	if p.lang != "" {
		in.Lang = lower.Lang(p.lang)
		if !knownLang(in.Lang) {
			return in, failf(exitUsage, "--lang is hcl, maui, slurm or sacctmgr, not %q", p.lang)
		}
	}
	if s != nil {
		in.SnapshotVersion, in.Until = s.Version, s.Until
	}
	if err := p.stateRelease(d, files, &in.Options, note); err != nil {
		return in, err
	}
	for _, text := range p.params {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return in, failf(exitUsage, "--param takes NAME=VALUE, not %q", text)
		}
		f := source.NewFile("--param "+name, []byte(value))
		in.Params = append(in.Params, lower.ParamOverride{Name: name, Value: value, Span: f.Span(0, len(value))})
	}
	if p.inline != nil {
		in.Files = append(in.Files, p.inline)
	}
	for _, name := range files {
		f, err := d.readFile(name)
		if err != nil {
			return in, err
		}
		note(name, f.Text)
		in.Files = append(in.Files, f)
	}
	return in, nil
}

// notingFS is the root of a file system that says what is read of it.
type notingFS struct {
	fs.FS
	note func(name string, text []byte)
}

// Stat implements fs.StatFS: what a file is can be known without opening it.
func (n notingFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(n.FS, name) }

// ReadFile implements fs.ReadFileFS, by which included files are read: regular files of a
// length that a configuration can have.
func (n notingFS) ReadFile(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if text, ok := inArchive("/" + name); ok {
		return text, nil
	}
	text, err := readRegular("/"+name, mostSourceBytes)
	if err != nil {
		return nil, err
	}
	n.note("/"+name, text)
	return text, nil
}

// workingDir is the current folder as a name in the root file system.
func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return strings.TrimPrefix(filepath.ToSlash(dir), "/")
}

func knownLang(l lower.Lang) bool {
	return slices.ContainsFunc(lower.Langs, func(known lower.Language) bool { return known.Lang == l })
}

// compile compiles and reports. The error has been printed when it is an exitError without text.
func (p *policyFlags) compile(d *disk, files []string, s *snapshot.Snapshot) (*compiler.Output, error) {
	in, err := p.input(d, files, s)
	if err != nil {
		return nil, err
	}
	if p.dump != "" {
		if o := p.verb.Lookup("output"); o != nil && o.Changed {
			return nil, failf(exitUsage, "--dump prints text for people: leave out -o")
		}
		text, out, err := compiler.Dump(in, p.dump)
		if err != nil {
			return nil, failf(exitUsage, "%v", err)
		}
		if out.Diags.HasErrors() {
			return nil, complain(out.Diags)
		}
		if whole := compiler.Whole(out, p.dump); whole != "" {
			text += "\nAll that it holds:\n" + whole
		}
		if err := writeOutput("", func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
			return nil, err
		}
		return nil, &exitError{code: exitFine}
	}
	out := compiler.Compile(in)
	if !p.quiet {
		p.sayRelease(out.Diags)
	}
	if out.Diags.HasErrors() && p.quiet {
		return nil, &exitError{code: exitUnreadable}
	}
	if out.Diags.HasErrors() {
		err := complain(out.Diags)
		differs := slices.ContainsFunc(out.Diags, func(d *diag.Diagnostic) bool { return d.Code == "snapshot-version" })
		if p.slurmVersion == "" && in.SnapshotVersion != "" && !differs {
			fmt.Fprintf(stderr, "fairway: read as Slurm %s, the version of the snapshot; --slurm-version chooses another\n",
				in.SnapshotVersion)
		}
		return nil, err
	}
	return out, nil
}

// sayRelease says which release a slurm.conf is read as, where that had to be found out: once, however often it is read.
func (p *policyFlags) sayRelease(list diag.List) {
	for _, d := range list {
		if d.Code != "slurm-release" {
			continue
		}
		line := fmt.Sprintf("fairway: %s: %s\n", visible(d.Span.File.Name), d.Message)
		if !slices.Contains(p.said, line) {
			p.said = append(p.said, line)
			fmt.Fprint(stderr, line)
		}
	}
}

// wrongUsage are the errors that lie in the command line and in no file.
var wrongUsage = map[string]bool{"unknown-slurm-version": true, "unknown-component": true, "unknown-deviation": true}

// complain prints diagnostics that stop the command: all errors, and a count of the rest.
func complain(list diag.List) error {
	var errs diag.List
	code, rest := exitUsage, 0
	for _, d := range list {
		switch {
		case d.Severity == diag.Warning:
			rest++
			continue
		case d.Severity == diag.Info:
			continue
		case !wrongUsage[d.Code]:
			code = exitUnreadable
		}
		errs = append(errs, d)
	}
	printDiags(errs)
	if rest > 0 {
		fmt.Fprintf(stderr, "fairway: %s besides; `fairway lint` shows them\n", count(rest, "warning"))
	}
	return &exitError{code: code}
}

// maxShown bounds what one command says on standard error.
const maxShown = 50

func printDiags(list diag.List) {
	_ = diag.WriteText(os.Stderr, list[:min(len(list), maxShown)], colourful(os.Stderr))
	if n := len(list) - maxShown; n > 0 {
		fmt.Fprintf(stderr, "fairway: and %d more; `fairway lint -o json` has all\n", n)
	}
}

// snapshotFlags are the flags of every verb that reads a snapshot.
type snapshotFlags struct {
	paths    []string
	now      string
	pass     string
	zone     string
	usage    []string // files of Maui's windows that a state directory has
	captures []string // captured snapshots whose policy is read

	after func(*snapshot.Snapshot) // what is done to it once it is read; nil for nothing

	opened *reads // notes what an evaluation opens, its state and its policy too; nil if not wanted
}

func (s *snapshotFlags) add(cmd *cobra.Command, required bool) {
	f := cmd.Flags()
	f.StringArrayVarP(&s.paths, "snapshot", "s", nil,
		"file or directory with what the resource manager says; may repeat, - is standard input")
	s.addTimes(cmd)
	if required {
		_ = cmd.MarkFlagRequired("snapshot")
	}
}

// addTimes adds the flags that say how times are read; the snapshot itself is given otherwise.
func (s *snapshotFlags) addTimes(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.now, "now", "",
		"evaluate as of this time: epoch seconds, which in a trace may begin at 0, or RFC 3339 (default: the snapshot's "+
			"own time); of a trace or accounting, who waits and runs then")
	f.StringVar(&s.zone, "timezone", "UTC",
		"zone of times that the snapshot writes without one, and by which days begin; such as Europe/Stockholm")
}

// place is where the clocks of the resource manager are.
func (s *snapshotFlags) place() (*time.Location, error) {
	zone, err := time.LoadLocation(s.zone)
	if err != nil {
		return nil, failf(exitUsage, "--timezone: %v", err)
	}
	return zone, nil
}

func (s *snapshotFlags) read(d *disk) (*snapshot.Snapshot, diag.List, error) {
	zone, err := s.place()
	if err != nil {
		return nil, nil, err
	}
	opt := snapshot.Options{Location: zone}
	if s.now != "" {
		if opt.Now, err = parseNow(s.now); err != nil {
			return nil, nil, failf(exitUsage, "--now: %v", err)
		}
		opt.AtZero = opt.Now == 0
	}
	snap, diags, err := snapshot.Read(d, slices.Concat(s.paths, s.usage), opt)
	if err != nil {
		return nil, diags, &exitError{code: exitIO, err: err}
	}
	if diags.HasErrors() {
		return nil, diags, complain(diags)
	}
	if s.after != nil {
		s.after(snap)
	}
	return snap, diags, nil
}

// parseNow reads a time as epoch seconds or RFC 3339, from 1970 to the last that snapshots can hold.
func parseNow(text string) (int64, error) {
	epoch, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return 0, fmt.Errorf("%q is neither epoch seconds nor a time such as 2026-11-20T11:00:00Z", text)
		}
		epoch = t.Unix()
	}
	switch {
	case epoch < 0:
		return 0, fmt.Errorf("%s is before 1970", text)
	case epoch > snapshot.LastSecond:
		return 0, fmt.Errorf("%s is after 2106; epoch seconds have ten digits today, milliseconds thirteen", text)
	}
	return epoch, nil
}

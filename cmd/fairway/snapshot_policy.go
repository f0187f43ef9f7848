package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// A capture keeps the policy that was in force beside the queue, so that an archive alone is both.

// withCaptures puts the policy of a captured snapshot in the place of its name among policy files. Where no snapshot is
// given, it is the queue as well.
func (s *snapshotFlags) withCaptures(files []string) ([]string, error) {
	var captures []string
	all, err := policyFiles(files, func(name string, _ []byte) { captures = append(captures, name) })
	s.captures = append(s.captures, captures...)
	if len(s.paths) == 0 && len(captures) > 0 {
		s.paths = captures[:1]
	}
	return all, err
}

// policyFiles puts the policy of a captured snapshot in the place of its name among policy files, and notes the name.
func policyFiles(files []string, note func(name string, text []byte)) (all []string, err error) {
	for _, name := range files {
		p, diags, err := snapshot.ReadPolicy(&disk{}, name)
		if err != nil {
			return nil, &exitError{code: exitUnreadable, err: err}
		}
		if diags.HasErrors() {
			return nil, complain(diags)
		}
		if p == nil {
			all = append(all, name)
			continue
		}
		if len(p.Main) == 0 {
			return nil, failf(exitUsage, "%s keeps a queue and no policy: give the slurm.conf or maui.cfg, and the queue "+
				"with -s %s", name, name)
		}
		remember(p.Texts)
		note(name, nil)
		all = append(all, p.Main...)
	}
	return all, nil
}

// remember lets files of an archive be read under its name, by their full names too, as included files are.
func remember(texts map[string][]byte) {
	streams.Lock()
	defer streams.Unlock()
	for name, text := range texts {
		streams.read[name] = text
		streams.read[fullName(name)] = text
	}
}

// inArchive is the text of a file of an archive.
func inArchive(name string) ([]byte, bool) {
	streams.Lock()
	defer streams.Unlock()
	text, ok := streams.read[name]
	return text, ok
}

// mauiFolders is where Maui's configuration is, unless MAUIHOMEDIR says it.
var mauiFolders = []string{"/usr/local/maui", "/var/spool/maui", "/opt/maui"}

// policyFile finds the configuration of the scheduler; "" if there is none.
func (c *capture) policyFile(config []byte) string {
	if c.policy != "" {
		return c.policy
	}
	if c.reading.Kind == manager.Slurm.Kind {
		if name := os.Getenv("SLURM_CONF"); name != "" {
			return name
		}
		return manager.SlurmConfFile(config)
	}
	folders := append([]string{os.Getenv("MAUIHOMEDIR")}, mauiFolders...)
	if c.usage != "" { // Maui's folder has its fairshare files in stats/
		folders = append([]string{filepath.Join(c.usage, "..")}, folders...)
	}
	for _, folder := range folders {
		if name := filepath.Join(folder, "maui.cfg"); folder != "" && isRegular(name) {
			return name
		}
	}
	return ""
}

// configuration keeps the files of the scheduler's configuration, without passwords. Of Slurm what scontrol shows of it
// is kept where the file cannot be read.
func (c *capture) configuration(ctx context.Context, to captureTarget) error {
	slurm := c.reading.Kind == manager.Slurm.Kind
	name := c.policyFile(c.shown[manager.SlurmConfig.File])
	copied := manager.Command{Argv: []string{"copy", name}, Gives: "the policy"}
	files, err := configurationFiles(name, slurm)
	switch {
	case err != nil && c.policy != "":
		return err
	case err != nil && slurm:
		c.missed = append(c.missed, manager.Missed{Command: manager.Command{Argv: copied.Argv,
			Gives: "the slurm.conf (what scontrol shows of it is kept instead)"}, Err: err})
		text := manager.SlurmConfOf(c.shown[manager.SlurmConfig.File], c.shown["scontrol_partition.txt"],
			c.shown["scontrol_node.txt"])
		return c.keepPolicy(to, "slurm.conf", text)
	case err != nil && c.usage != "":
		c.missed = append(c.missed, manager.Missed{Command: copied, Err: err})
		return nil
	case err != nil: // a site of PBS without Maui
		return nil
	}
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.manifest.Commands = append(c.manifest.Commands, snapshot.ManifestCommand{Argv: []string{"copy", f.from},
			File: path.Join(snapshot.PolicyFolder, f.kept), Began: stamp(time.Now())})
		if i == 0 {
			err = c.keepPolicy(to, f.kept, f.text)
		} else {
			err = c.keep(to, path.Join(snapshot.PolicyFolder, f.kept), f.text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keepPolicy keeps a main file of the policy.
func (c *capture) keepPolicy(to captureTarget, name string, text []byte) error {
	name = path.Join(snapshot.PolicyFolder, name)
	c.manifest.Policy = append(c.manifest.Policy, name)
	return c.keep(to, name, text)
}

// configurationFile is one file of a configuration.
type configurationFile struct {
	from, kept string // its full name, and its name in the capture
	text       []byte
}

var errNoConfiguration = errors.New("its place is unknown; --policy FILE says it")

// configurationFiles reads a configuration: the main file first, then those that it includes and what is read beside
// it. One that lacks an included file is not whole, and an error.
func configurationFiles(name string, slurm bool) ([]configurationFile, error) {
	if name == "" {
		return nil, errNoConfiguration
	}
	text, err := readRegular(name, mostSourceBytes)
	if err != nil {
		return nil, &exitError{code: exitIO, err: plainPathError(name, err)}
	}
	main := fullName(name)
	lang, kept := lower.Maui, "maui.cfg"
	if slurm {
		lang, kept = lower.Slurm, "slurm.conf"
	}
	files := []configurationFile{{main, kept, text}}
	noted := notingFS{os.DirFS("/"), func(file string, text []byte) {
		file = path.Clean(file)
		if slices.ContainsFunc(files, func(f configurationFile) bool { return f.from == file }) {
			return
		}
		kept := path.Join("elsewhere", file)
		if inside, ok := strings.CutPrefix(file, path.Dir(main)+"/"); ok {
			kept = inside
		}
		files = append(files, configurationFile{file, kept, text})
	}}
	_, found := lower.Parse(source.NewFile(main, text), lang, lower.Files{FS: noted, Dir: workingDir()})
	for _, d := range found {
		if strings.Contains(d.Code, "-include") && d.Severity == diag.Error {
			return nil, &exitError{code: exitIO, err: fmt.Errorf("%s: %s", d.Span, d.Message)}
		}
	}
	for i := range files {
		f := &files[i]
		if slurm {
			f.text = relativeIncludes(*f, files)
		}
		f.text = withoutSecrets(f.text)
	}
	return files, nil
}

// relativeIncludes names included files by their places in the capture.
func relativeIncludes(f configurationFile, files []configurationFile) []byte {
	var out []byte
	last := 0
	for _, line := range slurmconf.Tree(source.NewFile(f.from, f.text)).Lines {
		if line.Include == nil || line.Include.Path.IsZero() {
			continue
		}
		text, span := line.Include.Path.Text, line.Include.Path.Span
		if !path.IsAbs(text) && !strings.HasPrefix(path.Clean(text), "..") {
			continue // the file that includes it keeps its place beside it
		}
		full := text
		if !path.IsAbs(text) {
			full = path.Join(path.Dir(f.from), text)
		}
		i := slices.IndexFunc(files, func(o configurationFile) bool { return o.from == path.Clean(full) })
		if i < 0 {
			continue
		}
		to, err := filepath.Rel(path.Dir(f.kept), files[i].kept)
		if err != nil {
			continue
		}
		out = append(append(out, f.text[last:span.Start]...), to...)
		last = int(span.End)
	}
	return append(out, f.text[last:]...)
}

// noSecret is written in the place of a password: one word, so that the file reads as before.
const noSecret = "not-shown"

// withoutSecrets takes the passwords out of a configuration; lines stay where they are.
func withoutSecrets(text []byte) []byte {
	f := source.NewFile("", text)
	var out []byte
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		content := strings.TrimRight(line, "\r\n")
		shown := f.Shown(number)
		if strings.TrimRight(shown, "\r") == content {
			out = append(out, line...)
			continue
		}
		out = append(append(out, strings.ReplaceAll(shown, source.Hidden, noSecret)...), line[len(content):]...)
	}
	return out
}

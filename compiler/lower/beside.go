package lower

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/slurmfiles"
	"github.com/fairway-sched/fairway/lang/source"
)

// Role is what a file is to lint, besides its language.
type Role int

// The roles. A policy is a main file of a scheduler, a dump, or a policy file.
const (
	Unknown  Role = iota
	Main          // maui.cfg or slurm.conf
	Fragment      // a part of a slurm.conf, which another file includes
	Overlay       // a dump or a policy file, which may go with a main file
	Beside        // gres.conf and the like
)

// RoleOf says what a file is, by its content and name.
func RoleOf(f *source.File) (Role, Lang) {
	if kind := slurmfiles.Of(f); kind != "" {
		if kind == slurmfiles.Output {
			return Unknown, ""
		}
		return Beside, ""
	}
	switch lang := policyLang(f); lang {
	case Slurm:
		if path.Base(f.Name) != "slurm.conf" && isFragment(f) {
			return Fragment, lang
		}
		return Main, lang
	case Maui:
		return Main, lang
	case HCL, Dump:
		return Overlay, lang
	}
	return Unknown, ""
}

// backups are the ends of names that editors and package managers give to files that are no longer read.
var backups = []string{"~", ".bak", ".backup", ".old", ".orig", ".rej", ".save", ".swp", ".rpmnew", ".rpmorig",
	".rpmsave",
	".dpkg-dist", ".dpkg-new", ".dpkg-old", ".ucf-dist", ".ucf-old"}

// MayConfigure reports a name, in small letters, that a configuration may have.
func MayConfigure(name string) bool {
	if slices.ContainsFunc(backups, func(end string) bool { return strings.HasSuffix(name, end) }) {
		return false
	}
	for _, part := range []string{".conf", ".cfg", ".hcl"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return strings.HasPrefix(name, "slurm") || strings.HasPrefix(name, "maui")
}

// isFragment reports a file that says nothing of what every slurm.conf has to say.
func isFragment(f *source.File) bool {
	const headBytes = 1 << 13 // where most say what makes them whole
	if head := f.Text[:min(len(f.Text), headBytes)]; slurmconf.Tree(source.NewFile(f.Name, head)).IsWhole() {
		return false
	}
	tree := slurmconf.Tree(f)
	if tree.IsWhole() || slices.ContainsFunc(tree.Lines, func(l *slurmconf.Line) bool {
		return l.Include != nil || !l.Junk.IsZero()
	}) {
		return false
	}
	return slices.ContainsFunc(tree.Lines, func(l *slurmconf.Line) bool { return len(l.Pairs) > 0 })
}

// Included lists the files that a scheduler's main file takes in.
func Included(f *source.File, lang Lang, files Files) (list []string) {
	if lang == Maui {
		tree, _ := mauicfg.Load(files.FS, files.path(f.Name), f)
		for _, one := range tree.Included {
			list = append(list, one.Source.Name)
		}
		return list
	}
	lines, _ := slurmconf.Load(files.FS, files.path(f.Name), f)
	for _, s := range slurmconf.Sources(lines) {
		if s != f {
			list = append(list, s.Name)
		}
	}
	return list
}

// topologyBeside is the topology.conf in the folder of a slurm.conf, where slurmctld looks for it; nil if there is
// none.
func topologyBeside(files Files, name string) *source.File {
	if files.FS == nil || name == "-" {
		return nil
	}
	name = path.Join(path.Dir(files.path(name)), string(slurmfiles.Topology))
	text, err := fs.ReadFile(files.FS, name)
	if err != nil {
		return nil
	}
	return source.NewFile(name, text)
}

// CheckBeside reads gres.conf or another file beside a slurm.conf, which may be nil, as the release that it is for.
func CheckBeside(f, main *source.File, files Files, opt Options) diag.List {
	var cfg *slurmconf.Config
	if main != nil {
		lines, diags := slurmconf.Load(files.FS, files.path(main.Name), main)
		if incomplete := slices.ContainsFunc(diags,
			func(d *diag.Diagnostic) bool { return d.Severity == diag.Error }); !incomplete {
			cfg, _ = slurmconf.Evaluate(lines, slurmconf.Options{Version: opt.Version, Until: opt.Until})
		}
	}
	return slurmfiles.Check(f, slurmfiles.Of(f), cfg)
}

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
)

// lintGroup is the files of one policy with what is beside them.
type lintGroup struct {
	files    []string
	fragment bool     // they are a part of a slurm.conf, and the rest is not at hand
	beside   []string // gres.conf and the like
	main     string   // the slurm.conf of the files beside, where it is not linted itself
	only     []string // full names of the only files whose findings are shown; nil: of all
}

// lintFile is one file that was named or found.
type lintFile struct {
	name  string
	role  lower.Role
	lang  lower.Lang
	found bool // in a folder, or by a pattern
}

// groups sorts what was named into policies: each main file begins one; a part goes with the file that includes it, a
// dump, a policy file or gres.conf with the main file of its folder.
func (f *lintFlags) groups(d *disk, names []string) ([]lintGroup, error) {
	files, err := f.named(d, names)
	if err != nil {
		return nil, err
	}
	var groups []lintGroup
	var left []lintFile
	for _, file := range files {
		if file.role == lower.Main {
			groups = append(groups, lintGroup{files: []string{file.name}})
		} else {
			left = append(left, file)
		}
	}
	mains := len(groups)
	for _, file := range left {
		switch file.role {
		case lower.Fragment, lower.Unknown:
			groups = f.withPart(d, groups, mains, file)
		case lower.Beside:
			groups = withBeside(groups, mains, file)
		default:
			groups = withOverlay(groups, mains, file)
		}
	}
	for i := range groups {
		groups[i].addBeside()
	}
	return groups, nil
}

// named lists the files of names, folders and patterns, with what they are.
func (f *lintFlags) named(d *disk, names []string) (list []lintFile, err error) {
	for _, name := range names {
		paths := []string{name}
		info, err := os.Stat(name)
		folder := err == nil && info.IsDir()
		pattern := err != nil && strings.ContainsAny(name, "*?[")
		switch {
		case folder:
			if paths, err = configurations(name); err != nil {
				return nil, err
			}
		case pattern:
			if paths, err = filepath.Glob(name); err != nil {
				return nil, failf(exitUsage, "%s: %v", name, err)
			}
		}
		count := 0
		for _, path := range paths {
			file, err := d.readFile(path)
			if err != nil {
				return nil, err
			}
			one := lintFile{name: path, found: folder || pattern}
			if one.role, one.lang = f.role(file); one.found && skipped(file, one) {
				continue
			}
			count++
			if !slices.ContainsFunc(list, func(l lintFile) bool { return l.name == path }) {
				list = append(list, one)
			}
		}
		if count == 0 && (folder || pattern) {
			return nil, failf(exitUsage, "%s has no configuration of a scheduler", name)
		}
	}
	return list, nil
}

// role is what a file is, unless --lang says it.
func (f *lintFlags) role(file *source.File) (lower.Role, lower.Lang) {
	switch lang := lower.Lang(f.pol.lang); lang {
	case "":
		return lower.RoleOf(file)
	case lower.Maui, lower.Slurm:
		return lower.Main, lang
	default:
		return lower.Overlay, lang
	}
}

// skipped are files of a folder that are no policies: tests, run configurations, and whatever else is there.
func skipped(file *source.File, one lintFile) bool {
	if one.lang == lower.HCL {
		return strings.HasSuffix(one.name, ".fairwaytest.hcl") || !strings.Contains(string(file.Text), `policy "`)
	}
	return one.role == lower.Unknown
}

// configurations lists the files of a folder, and of those in it, that may be a configuration by their names.
func configurations(folder string) (list []string, err error) {
	err = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		name := e.Name()
		switch {
		case err != nil:
			return ioError(path, err)
		case e.IsDir() && path != folder && strings.HasPrefix(name, "."):
			return filepath.SkipDir
		case e.Type().IsRegular() && lower.MayConfigure(strings.ToLower(name)):
			list = append(list, path)
		}
		return nil
	})
	return list, err
}

// withPart gives a part of a slurm.conf to the file that includes it: one of those that are linted, or else the
// slurm.conf of its folder or of the two above it.
func (f *lintFlags) withPart(d *disk, groups []lintGroup, mains int, part lintFile) []lintGroup {
	full := fullName(part.name)
	for _, g := range groups[:mains] {
		if f.includes(d, g.files[0], full) {
			return groups
		}
	}
	folder := filepath.Dir(part.name)
	for range 3 {
		if main := filepath.Join(folder, "slurm.conf"); exists(main) && f.includes(d, main, full) {
			for i := range groups[mains:] {
				if g := &groups[mains+i]; g.only != nil && g.files[0] == main {
					g.only = append(g.only, full)
					return groups
				}
			}
			return append(groups, lintGroup{files: []string{main}, only: []string{full}})
		}
		folder = filepath.Join(folder, "..")
	}
	if part.role == lower.Unknown {
		return withOverlay(groups, mains, part)
	}
	return append(groups, lintGroup{files: []string{part.name}, fragment: true})
}

func (f *lintFlags) includes(d *disk, main, full string) bool {
	file, err := d.readFile(main)
	if err != nil {
		return false
	}
	in, err := f.pol.input(d, nil, nil)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(lower.Included(file, lower.Slurm, in.Include), func(name string) bool {
		return fullName(name) == full
	})
}

func fullName(name string) string {
	if full, err := filepath.Abs(name); err == nil {
		return full
	}
	return name
}

// mainOf is the only policy, or the only one of a folder; -1 if there is none or several are.
func mainOf(groups []lintGroup, mains int, file lintFile) int {
	if mains == 1 {
		return 0
	}
	at := -1
	for i, g := range groups[:mains] {
		if filepath.Dir(g.files[0]) == filepath.Dir(file.name) {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

func withBeside(groups []lintGroup, mains int, file lintFile) []lintGroup {
	if i := mainOf(groups, mains, file); i >= 0 {
		groups[i].beside = append(groups[i].beside, file.name)
		return groups
	}
	main := filepath.Join(filepath.Dir(file.name), "slurm.conf")
	if !exists(main) {
		main = ""
	}
	return append(groups, lintGroup{main: main, beside: []string{file.name}})
}

// withOverlay adds a dump, a policy file or what is not known. Those that were named belong together.
func withOverlay(groups []lintGroup, mains int, file lintFile) []lintGroup {
	alone := file.role == lower.Unknown && mains > 1
	if i := mainOf(groups, mains, file); i >= 0 && !alone &&
		(!file.found || filepath.Dir(groups[i].files[0]) == filepath.Dir(file.name)) {
		groups[i].files = append(groups[i].files, file.name)
		return groups
	}
	if mains == 0 && !file.found {
		for i := range groups {
			if g := &groups[i]; len(g.files) > 0 && g.only == nil {
				g.files = append(g.files, file.name)
				return groups
			}
		}
	}
	return append(groups, lintGroup{files: []string{file.name}})
}

// addBeside finds the files that Slurm reads beside its slurm.conf.
func (g *lintGroup) addBeside() {
	if len(g.files) == 0 || filepath.Base(g.files[0]) != "slurm.conf" || g.only != nil {
		return
	}
	for _, name := range []string{"gres.conf", "topology.conf"} {
		path := filepath.Join(filepath.Dir(g.files[0]), name)
		if isRegular(path) && !slices.Contains(g.beside, path) {
			g.beside = append(g.beside, path)
		}
	}
}

package editor

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/slurmconf"
)

// Group is the files of one policy, as lint of their folder takes them together.
type Group struct {
	Files    []*Document // the main file first
	Fragment bool        // it is a part of a slurm.conf, and the rest is not at hand
	Beside   []*Document // gres.conf and the like
	Tests    []*Document // files of tests, each by itself
}

// All are the documents of the group.
func (g *Group) All() []*Document { return slices.Concat(g.Files, g.Beside, g.Tests) }

// Group finds the files that go with a text: the main file of its folder, what that includes is read through it, a
// dump and policy files of the folder, and those beside it.
func (w *Workspace) Group(d *Document) *Group {
	g := &Group{}
	switch {
	case isTest(d.Path):
		g.Tests = []*Document{d}
		return g
	case withoutPolicy(d):
		g.Files = []*Document{d}
		return g
	}
	siblings := w.siblings(d)
	main := w.includer(d)
	switch {
	case main != nil:
	case d.Role() == lower.Main:
		main = d
	case d.Role() != lower.Fragment && mains(siblings) == 1:
		main = siblings[slices.IndexFunc(siblings, func(s *Document) bool { return s.Role() == lower.Main })]
	}
	switch {
	case main == nil && d.Role() == lower.Beside:
		g.Beside = []*Document{d}
		return g
	case main == nil:
		g.Files, g.Fragment = []*Document{d}, d.Role() == lower.Fragment
		if d.Role() == lower.Overlay {
			g.Files = append(g.Files, w.overlays(d, d, siblings)...)
		}
		return g
	}
	g.Files = []*Document{main}
	if path.Dir(main.Path) == path.Dir(d.Path) && mains(siblings) == 1 || main != d && d.Role() == lower.Overlay {
		g.Files = append(g.Files, w.overlays(main, d, siblings)...)
	}
	if path.Base(main.Path) == "slurm.conf" {
		for _, name := range []string{"gres.conf", "topology.conf"} {
			if b := w.Document(path.Join(path.Dir(main.Path), name)); b != nil {
				g.Beside = append(g.Beside, b)
			}
		}
	}
	return g
}

func isTest(name string) bool { return strings.HasSuffix(name, ".fairwaytest.hcl") }

// withoutPolicy reports a file of the policy language that has no policy: a project file, a run configuration.
func withoutPolicy(d *Document) bool { return d.Lang() == lower.HCL && policyName(d) == "" }

// mostSiblings bounds how many files of a folder are looked at.
const mostSiblings = 200

// siblings are the files of a text's folder that may be of its policy, the text itself included.
func (w *Workspace) siblings(d *Document) (list []*Document) {
	folder := path.Dir(d.Path)
	names := []string{d.Path}
	for name := range w.open {
		if path.Dir(name) == folder {
			names = append(names, name)
		}
	}
	if w.Disk != nil && path.IsAbs(d.Path) {
		entries, _ := fs.ReadDir(w.Disk, cleaned(folder))
		for _, e := range entries {
			if len(names) < mostSiblings && lower.MayConfigure(strings.ToLower(e.Name())) {
				names = append(names, path.Join(folder, e.Name()))
			}
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if s := w.Document(name); s != nil && s.Role() != lower.Unknown && !isTest(name) && !withoutPolicy(s) {
			list = append(list, s)
		}
	}
	return list
}

// cleaned is a full path as fs.FS has it.
func cleaned(name string) string {
	if name = strings.TrimPrefix(path.Clean(name), "/"); name == "" {
		return "."
	}
	return name
}

func mains(list []*Document) (n int) {
	for _, d := range list {
		if d.Role() == lower.Main {
			n++
		}
	}
	return n
}

// includer is the slurm.conf or maui.cfg in the folder of a text, or in the two above it, that includes it; nil if
// there is none.
func (w *Workspace) includer(d *Document) *Document {
	folder := path.Dir(d.Path)
	for range 3 {
		for _, name := range []string{"slurm.conf", "maui.cfg"} {
			main := w.Document(path.Join(folder, name))
			if main != nil && main != d && slices.Contains(w.included(main), d.Path) {
				return main
			}
		}
		folder = path.Dir(folder)
	}
	return nil
}

// included are the files that a slurm.conf or maui.cfg takes in, and those that they take in.
func (w *Workspace) included(d *Document) []string {
	includes := false
	switch tree := d.reading().tree.(type) {
	case *slurmconf.File:
		includes = slices.ContainsFunc(tree.Lines, func(l *slurmconf.Line) bool { return l.Include != nil })
	case *mauicfg.File:
		includes = tree.Includes()
	}
	if !includes {
		return nil
	}
	return lower.Included(d.File, d.Lang(), w.files())
}

// overlays are the dump and the policy files of a folder that go with a text, besides the text itself: where there are
// several dumps, or policies of several names, only an open text says which is meant.
func (w *Workspace) overlays(of, d *Document, siblings []*Document) (list []*Document) {
	dumps, policies := []*Document{}, map[string]bool{}
	for _, s := range siblings {
		switch {
		case s.Role() != lower.Overlay:
		case s.Lang() == lower.Dump:
			dumps = append(dumps, s)
		case policyName(s) != "":
			policies[policyName(s)] = true
		}
	}
	for _, s := range siblings {
		switch {
		case s == of || s.Role() != lower.Overlay:
			continue
		case s.Lang() == lower.Dump && (len(dumps) > 1 && s != d || d != of && d.Lang() == lower.Dump && s != d):
			continue
		case s.Lang() != lower.Dump:
			name := policyName(s)
			if name == "" || len(policies) > 1 && name != policyName(d) {
				continue
			}
		}
		list = append(list, s)
	}
	return list
}

// policyName is the name of the first policy in a text; "" if it has none.
func policyName(d *Document) string {
	t, ok := d.reading().tree.(*policyTree)
	if !ok {
		return ""
	}
	for _, b := range t.Blocks {
		if b.Type.Value == "policy" && len(b.Labels) > 0 {
			return b.Labels[0].Value
		}
	}
	return ""
}

// files is where included files are looked up.
func (w *Workspace) files() lower.Files { return lower.Files{FS: w.overlay(), Dir: "."} }

// family is the documents whose names go together: those of the group, and what they include.
func (w *Workspace) family(d *Document) (list []*Document) {
	g := w.Group(d)
	list = g.All()
	if len(g.Tests) > 0 {
		list = append(list, w.siblings(d)...)
	}
	for _, f := range g.Files {
		for _, name := range w.included(f) {
			if included := w.Document(name); included != nil {
				list = append(list, included)
			}
		}
	}
	if !slices.Contains(list, d) {
		list = append(list, d)
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(one *Document) bool {
		twice := seen[one.Path]
		seen[one.Path] = true
		return twice
	})
}

package editor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// nameAt is the name at a byte, nil if there is none. Right after its last letter counts too.
func (d *Document) nameAt(offset int) *Name {
	names := d.names()
	for i := range names {
		if n := &names[i]; int(n.Span.Start) <= offset && offset <= int(n.Span.End) {
			return n
		}
	}
	return nil
}

// located is a name with its document.
type located struct {
	*Name
	doc *Document
}

// same lists the names of the policy's files that are of the same thing.
func (w *Workspace) same(d *Document, n *Name) (list []located) {
	like := n.like()
	for _, doc := range w.family(d) {
		names := doc.names()
		for i := range names {
			if like(&names[i]) {
				list = append(list, located{&names[i], doc})
			}
		}
	}
	return list
}

// like compares names: nodes by what their lists share, all others by their text.
func (n *Name) like() func(*Name) bool {
	if n.Kind != Node {
		return func(o *Name) bool {
			return o.Kind == n.Kind && (o.Text == n.Text || n.Folds && o.Folds && strings.EqualFold(o.Text, n.Text))
		}
	}
	mine, left := hosts(n.Text), mostHosts
	return func(o *Name) bool {
		if o.Kind != Node {
			return false
		}
		if o.Text == n.Text || mine[o.Text] {
			return true
		}
		if left <= 0 || !strings.Contains(o.Text, "[") || !mayShare(n.Text, o.Text) {
			return false
		}
		theirs := hosts(o.Text)
		left -= len(theirs)
		for name := range theirs {
			if mine[name] {
				return true
			}
		}
		return false
	}
}

// mostHosts bounds how many names of nodes one search expands, so that it ends while one waits: after that, lists are
// alike where they are the same text.
const mostHosts = 200_000

// mayShare reports host lists whose names may begin alike.
func mayShare(a, b string) bool {
	a, b = a[:strings.IndexByte(a+"[", '[')], b[:strings.IndexByte(b+"[", '[')]
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

func hosts(list string) map[string]bool {
	names, err := slurmtext.ExpandHostlist(list)
	if err != nil {
		names = []string{list}
	}
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// Definition is where what a word names is defined. A definition leads on: a partition to its nodes, an account to its
// parent.
func (w *Workspace) Definition(d *Document, at Position) (list []Place) {
	defines := func(n located) bool { return n.Defines }
	if n := d.nameAt(d.Offset(at)); n != nil && n.Defines {
		for i := range n.Leads {
			list = append(list, w.placesOf(d, &n.Leads[i], defines)...)
		}
	}
	if len(list) > 0 {
		return list
	}
	return w.places(d, at, defines)
}

// References are where what a word names is used; definitions too where they are wanted.
func (w *Workspace) References(d *Document, at Position, definitions bool) (list []Place) {
	return w.places(d, at, func(n located) bool { return definitions || !n.Defines })
}

func (w *Workspace) places(d *Document, at Position, wanted func(located) bool) (list []Place) {
	if n := d.nameAt(d.Offset(at)); n != nil {
		return w.placesOf(d, n, wanted)
	}
	return nil
}

func (w *Workspace) placesOf(d *Document, n *Name, wanted func(located) bool) (list []Place) {
	for _, s := range w.same(d, n) {
		if wanted(s) {
			list = append(list, Place{s.doc.Path, s.doc.Span(s.Span)})
		}
	}
	return list
}

// Highlights are the uses of a word in its own text.
func (w *Workspace) Highlights(d *Document, at Position) (list []Place) {
	for _, p := range w.References(d, at, true) {
		if p.Path == d.Path {
			list = append(list, p)
		}
	}
	return list
}

// renamed are the kinds of names that can be renamed, with what a name may have.
var renamed = map[Kind]string{
	Class:     `a name of letters, digits and . _ - +`,
	Partition: `a name of letters, digits and . _ - +`,
	Account:   `a name of letters, digits and . _ - +`,
	QOS:       `a name of letters, digits and . _ - +`,
	User:      `a name of letters, digits and . _ - +`,
	UnixGroup: `a name of letters, digits and . _ - +`,
	Define:    `letters, digits and _, the first no digit`,
	Param:     `letters, digits and _, the first no digit`,
}

var (
	plainName  = source.Pattern(`^[A-Za-z0-9_][A-Za-z0-9._+-]*$`)
	identifier = source.Pattern(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// Renamable is the word at a place, and an error that says why it cannot be renamed.
func (w *Workspace) Renamable(d *Document, at Position) (Range, string, error) {
	n := d.nameAt(d.Offset(at))
	switch {
	case n == nil:
		return Range{}, "", fmt.Errorf("no account, QOS, partition, user, define or param is here")
	case renamed[n.Kind] == "":
		return Range{}, "", fmt.Errorf("a %s cannot be renamed: it is the name of a machine or a resource", n.Kind)
	case !w.defined(d, n):
		return Range{}, "", fmt.Errorf("the %s %s is not defined in these files", n.Kind, n.Text)
	}
	return d.Span(n.Span), n.Span.Text(), nil
}

// defined reports a name that these files can rename. Params of the library are Fairway's own; who an account, a user
// or a QOS is need not be written in a file.
func (w *Workspace) defined(d *Document, n *Name) bool {
	return n.Kind != Param && n.Kind != Define ||
		slices.ContainsFunc(w.same(d, n), func(s located) bool { return s.Defines })
}

// Rename gives what a word names another name, in all files of the policy.
func (w *Workspace) Rename(d *Document, at Position, name string) (map[string][]Edit, error) {
	if _, _, err := w.Renamable(d, at); err != nil {
		return nil, err
	}
	n := d.nameAt(d.Offset(at))
	valid := plainName()
	if n.Kind == Define || n.Kind == Param {
		valid = identifier()
	}
	if !valid.MatchString(name) {
		return nil, fmt.Errorf("%q cannot be the name of a %s: write %s", name, n.Kind, renamed[n.Kind])
	}
	taken := &Name{Kind: n.Kind, Text: name, Folds: n.Folds}
	for _, s := range w.same(d, taken) {
		if s.Defines && !n.like()(taken) {
			return nil, fmt.Errorf("there is a %s %s already, in %s", n.Kind, name, s.Span)
		}
	}
	edits := map[string][]Edit{}
	for _, s := range w.same(d, n) {
		edits[s.doc.Path] = append(edits[s.doc.Path], Edit{s.doc.Span(s.Span), name})
	}
	return edits, nil
}

// hoverName says where a name is defined and what is written there.
func (v view) hoverName(offset int) note {
	n := v.doc.nameAt(offset)
	if n == nil {
		return note{}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "**%s %s**", n.Kind, source.Plain(n.Text))
	uses, shown := 0, 0
	for _, s := range v.same(v.doc, n) {
		if !s.Defines {
			uses++
			continue
		}
		if shown++; shown > mostDefinitions {
			continue
		}
		line := s.Span.Position().Line
		fmt.Fprintf(&b, "\n\n%s:%d\n%s", base(s.doc.Path), line, fenced(s.doc.File.Shown(line)))
	}
	switch {
	case shown > mostDefinitions:
		fmt.Fprintf(&b, "\n\nand %s", count(shown-mostDefinitions, "more definition"))
	case shown == 0 && n.Kind != User && n.Kind != UnixGroup:
		b.WriteString("\n\nnot defined in these files")
	}
	if uses > 0 {
		fmt.Fprintf(&b, "\n\n%s", count(uses, "use"))
	}
	return note{b.String(), n.Span}
}

// mostDefinitions are those that hover shows.
const mostDefinitions = 3

// named lists the names of a kind that the policy's files have, definitions first, each once.
func (v view) named(kind Kind) (list []Name) {
	seen := map[string]bool{}
	for _, defines := range []bool{true, false} {
		for _, doc := range v.family(v.doc) {
			for _, n := range doc.names() {
				key := n.Text
				if n.Folds {
					key = strings.ToLower(key)
				}
				if n.Kind == kind && n.Defines == defines && !seen[key] {
					seen[key] = true
					list = append(list, n)
				}
			}
		}
	}
	return list
}

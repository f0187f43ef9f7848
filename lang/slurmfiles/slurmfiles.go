// Package slurmfiles knows the files beside slurm.conf: gres.conf, topology.conf, cgroup.conf, slurmdbd.conf, and what
// scontrol prints, which is none of them.
//
// In comes a text; out come its kind, by content, and findings: what it says that slurm.conf does not, keys that
// belong into another file, and misspelt ones. slurmconf reads their lines, which are of one notation. cmd/fairway
// calls it for lint; compiler/lower says by it what a file is that is no policy.
package slurmfiles

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// Kind is what a file is.
type Kind string

// The kinds. Output is what scontrol shows.
const (
	Gres     Kind = "gres.conf"
	Topology Kind = "topology.conf"
	Cgroup   Kind = "cgroup.conf"
	Dbd      Kind = "slurmdbd.conf"
	Output   Kind = "output of scontrol"
)

// headBytes is how much of a text is looked at; more if that has only comments.
const headBytes, mostHeadBytes = 1 << 13, 1 << 16

// head is the beginning of a text, whole lines of it where there are any.
func head(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	if end := bytes.LastIndexByte(text[:most], '\n'); end >= 0 {
		return text[:end+1]
	}
	return text[:most]
}

// Of says what a file is, by its content, or else by its name, unless it is a whole slurm.conf.
func Of(f *source.File) Kind {
	kind := Recognise(f.Text)
	if named := Kind(path.Base(f.Name)); kind == "" && slurmconf.FileKeys[string(named)] != nil {
		if !slurmconf.Tree(f).IsWhole() {
			return named
		}
	}
	return kind
}

// Recognise says what a text is by the keys that begin its lines; "" if it is none of the kinds.
func Recognise(text []byte) Kind {
	if isOutput(text[:min(len(text), mostHeadBytes)]) {
		return Output
	}
	kind, known := majority(head(text, headBytes))
	if !known && len(text) > headBytes {
		kind, _ = majority(text[:min(len(text), mostHeadBytes)])
	}
	return kind
}

// majority is the kind of most lines; not known where there are none.
func majority(text []byte) (k Kind, known bool) {
	tree := slurmconf.Tree(source.NewFile("", text))
	lines, of := 0, map[Kind]int{}
	for _, l := range tree.Lines {
		if len(l.Pairs) == 0 {
			if !l.Junk.IsZero() || l.Include != nil {
				lines++
			}
			continue
		}
		lines++
		of[kindOf(l.Pairs)]++
	}
	for _, k := range []Kind{Gres, Topology, Cgroup, Dbd} {
		if of[k]*2 > lines {
			return k, true
		}
	}
	return "", lines > 0
}

// kindOf says in which file a line is at home.
func kindOf(pairs []slurmconf.Pair) Kind {
	has := func(names ...string) bool {
		return slices.ContainsFunc(pairs, func(p slurmconf.Pair) bool { return containsFold(names, p.Key.Text) })
	}
	first := pairs[0].Key.Text
	switch {
	case strings.EqualFold(first, "AutoDetect"), has("Name") &&
		has("File", "Count", "Type", "Cores", "CPUs", "Flags", "Links", "MultipleFiles", "AutoDetect"),
		strings.EqualFold(first, "NodeName") && has("AutoDetect"):
		return Gres
	case containsFold([]string{"SwitchName", "BlockName", "BlockSizes"}, first):
		return Topology
	case containsFold(slurmconf.FileKeys[string(Cgroup)], first):
		return Cgroup
	case containsFold(slurmconf.FileKeys[string(Dbd)], first) && len(pairs) == 1 && !slurmconf.IsKey(first) ||
		strings.EqualFold(first, "StorageType"):
		return Dbd
	}
	return ""
}

// isOutput recognises the first record of what scontrol shows.
func isOutput(text []byte) bool {
	text = bytes.TrimSpace(text)
	head, rest, _ := bytes.Cut(text, []byte("\n"))
	words := string(head)
	indented := bytes.HasPrefix(rest, []byte("   "))
	switch {
	case strings.HasPrefix(words, "Configuration data as of"), bytes.Contains(text, []byte("= (null)")):
		return true
	case strings.HasPrefix(words, "NodeName="):
		return strings.Contains(words, " Arch=") || indented && bytes.Contains(rest, []byte("CPUAlloc="))
	case strings.HasPrefix(words, "JobId="):
		return indented || strings.Contains(words, " UserId=")
	case strings.HasPrefix(words, "PartitionName="):
		return indented && bytes.Contains(rest, []byte("AllocNodes=")) || strings.Contains(words, " AllocNodes=") &&
			strings.Contains(words, " TotalCPUs=")
	}
	return strings.HasPrefix(words, "ReservationName=") && strings.Contains(words, " StartTime=")
}

// Check reads a file beside slurm.conf. main is what that holds, nil if it is not at hand.
func Check(f *source.File, kind Kind, main *slurmconf.Config) diag.List {
	tree, diags := slurmconf.Parse(f)
	c := &checker{kind: kind, main: main, diags: &diags, told: map[source.Span]bool{}}
	if main != nil {
		c.nodes = make(map[string]int, len(main.Nodes))
		for i := range main.Nodes {
			c.nodes[main.Nodes[i].Name] = i
		}
	}
	for _, l := range tree.Lines {
		if l.Include == nil && len(l.Pairs) > 0 {
			c.keys(l)
		}
	}
	switch kind {
	case Gres:
		c.gres(tree.Lines)
	case Topology:
		c.topology(tree.Lines)
	}
	diags.Sort()
	return diags
}

type checker struct {
	kind  Kind
	main  *slurmconf.Config
	nodes map[string]int // index in main.Nodes
	diags *diag.List
	told  map[source.Span]bool // host lists that have been reported
}

// keys looks for those that belong into another file or are misspelt. What is in no list is left alone: a release may
// be newer than the lists.
func (c *checker) keys(l *slurmconf.Line) {
	own := slurmconf.FileKeys[string(c.kind)]
	for _, p := range l.Pairs {
		key := p.Key.Text
		if containsFold(own, key) {
			continue
		}
		near := diag.Nearest(key, own)
		home := slurmconf.Elsewhere(key)
		if home == "" && slurmconf.IsKey(key) && c.kind != Dbd { // which has some of the same
			home = "in slurm.conf"
		}
		if home == "" && near == "" {
			continue
		}
		d := c.diags.Errorf("beside-key", p.Key.Span, "%s is no key of %s", key, c.kind)
		if home != "" {
			d.Note("it is set %s", home)
			continue
		}
		d.Note("did you mean %q?", near).Suggest(p.Key.Span, near)
	}
}

func containsFold(list []string, word string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, word) })
}

// get finds a key of a line.
func get(l *slurmconf.Line, key string) (slurmconf.Word, bool) {
	for _, p := range l.Pairs {
		if strings.EqualFold(p.Key.Text, key) {
			return p.Value, true
		}
	}
	return slurmconf.Word{}, false
}

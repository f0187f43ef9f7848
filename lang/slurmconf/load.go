package slurmconf

import (
	"io/fs"
	"path"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/source"
)

// maxIncludes bounds how many files one configuration may pull in, so that
// files including each other twice cannot grow without end.
const maxIncludes = 4096

// Load parses f, the main file called name within fsys, and every file it
// includes, and returns the logical lines in the order Slurm reads them; each
// line knows its own file. Of the Include lines only those stay that could not
// be followed, so that Evaluate knows of the gap.
//
// A relative path is taken from the folder of the including file (seen on a
// running slurmctld; the manual says the main file's), an absolute one from the
// root of fsys. With a nil fsys an Include is an error that says so.
func Load(fsys fs.FS, name string, f *source.File) ([]*Line, diag.List) {
	l := loader{fsys: fsys, ds: bounds.Findings(), main: path.Clean(name), shown: f.Name}
	l.file(f, l.main, nil)
	for _, file := range l.files {
		file.kept = l.ds.Kept(file.Source)
	}
	return l.lines, l.ds.List()
}

type loader struct {
	fsys        fs.FS
	files       []*File
	lines       []*Line
	ds          *diag.Bounded
	clusterName string
	included    int
	main, shown string // the main file's path in fsys, and its name to people
}

// file appends the lines of one file; chain holds the names of the files being read.
func (l *loader) file(f *source.File, name string, chain []string) {
	file := parse(f, l.ds)
	l.files = append(l.files, file)
	chain = append(chain, name)
	for _, line := range file.Lines {
		if line.Include != nil {
			if !l.include(line.Include, chain) {
				line.Include.reported = true
				l.lines = append(l.lines, line)
			}
			continue
		}
		if len(line.Pairs) > 0 && strings.EqualFold(line.Pairs[0].Key.Text, "ClusterName") {
			l.clusterName = strings.ToLower(line.Pairs[0].Value.Text)
		}
		l.lines = append(l.lines, line)
	}
}

// include reads an included file and reports whether what it holds is known.
func (l *loader) include(inc *Include, chain []string) bool {
	text, span := inc.Path.Text, inc.Path.Span
	if text == "" || strings.ContainsAny(text, "*=") {
		return false // reported by Parse
	}
	if strings.Contains(text, "%c") {
		if l.clusterName == "" {
			l.ds.Errorf("slurm-include-cluster-name", span, "%%c is used before ClusterName is set").
				Note("move the ClusterName line above this one")
			return false
		}
		text = strings.ReplaceAll(text, "%c", l.clusterName)
	}
	if l.fsys == nil {
		l.ds.Errorf("slurm-include-unavailable", span, "the included file %s is not at hand", text).
			Note("the configuration was given without its folder; give the path of the file instead of its text, or put the " +
				"included text in its place")
		return false
	}
	name := path.Join(path.Dir(chain[len(chain)-1]), text)
	if path.IsAbs(text) {
		name = strings.TrimPrefix(path.Clean(text), "/")
	}
	for i, outer := range chain {
		if outer == name {
			var files []string
			for _, n := range append(chain[i:], name) {
				files = append(files, source.ShownName(l.shown, l.main, n))
			}
			l.ds.Errorf("slurm-include-cycle", span, "%s includes itself", files[0]).
				Note("by way of %s", strings.Join(files, " → "))
			return true
		}
	}
	if l.included++; l.included > maxIncludes {
		if l.included == maxIncludes+1 {
			l.ds.Errorf("slurm-include-cycle", span, "more than %d files are included", maxIncludes).
				Note("files that include each other several times multiply")
		}
		return false
	}
	shown := source.ShownName(l.shown, l.main, name)
	data, err := dialect.ReadFile(l.fsys, name)
	switch {
	case err == nil:
		l.file(source.NewFile(shown, data), name, chain)
		return true
	case path.IsAbs(text) && !l.installed(path.Dir(name)):
		l.ds.Errorf("slurm-include-elsewhere", span, "%s is not on this machine, so it is not read", text).
			Note("what it sets is unknown; read the configuration where it is installed, or write a path relative to this file")
	default:
		l.ds.Errorf("slurm-include-missing", span, "the included file %s cannot be read: %v", text, err).
			Note("looked for %s; Slurm tries for a minute and then refuses to start", shown)
	}
	return false
}

// installed reports that a file of a folder should be there: the folder is, and the main file is in it, or below or
// above it, or in /etc. Else the main file is a copy, and the folder is of the machine where Slurm runs.
func (l *loader) installed(folder string) bool {
	info, err := fs.Stat(l.fsys, folder)
	if err != nil || !info.IsDir() {
		return false
	}
	main := path.Dir(l.main) + "/"
	return strings.HasPrefix(main, "etc/") || strings.HasPrefix(main, folder+"/") || strings.HasPrefix(folder+"/", main)
}

package mauicfg

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/source"
)

// maxIncludes bounds the files one configuration may pull in; Maui would append
// to its buffer until memory ends.
const maxIncludes = 64

// Load parses text and the files it includes. Maui appends each included file
// at the end of its buffer, in order, wherever the directive is; directives
// of included files follow the same way.
//
// name is the path of text inside fsys. Relative includes start at its folder,
// absolute ones at the root of fsys. A nil fsys means that files cannot be read.
func Load(fsys fs.FS, name string, text *source.File) (*File, diag.List) {
	diags := bounds.Findings()
	top := parse(text, diags)
	l := loader{fsys: fsys, main: name, shown: text.Name, home: path.Dir(name), diags: diags,
		parsed: map[string]*File{name: top}}
	defer l.close()
	type pending struct {
		file  *File
		chain []string // the paths that led here
	}
	queue := []pending{{top, []string{name}}}
	for i := 0; i < len(queue); i++ {
		for _, d := range directives(queue[i].file) {
			target := l.resolve(d.path)
			if slices.Contains(queue[i].chain, target) {
				var files []string
				for _, name := range append(queue[i].chain, target) {
					files = append(files, source.ShownName(l.shown, l.main, name))
				}
				l.diags.Errorf("maui-include-cycle", d.span, "%s includes itself", d.path).
					Note("by way of %s; remove one of the directives", strings.Join(files, ", "))
				continue
			}
			if len(top.Included) == maxIncludes {
				l.diags.Errorf("maui-include-limit", d.span, "more than %d files are included", maxIncludes).
					Note("merge some of them")
				return top, l.diags.List()
			}
			file, ok := l.read(target, d)
			if !ok {
				continue
			}
			top.Included = append(top.Included, file)
			chain := append(queue[i].chain[:len(queue[i].chain):len(queue[i].chain)], target)
			queue = append(queue, pending{file, chain})
		}
	}
	return top, l.diags.List()
}

// loader reads included files; each is parsed once, however often it is named,
// since appending it again only repeats its settings.
type loader struct {
	fsys   fs.FS
	main   string // the main file's path in fsys
	shown  string // and its name to people
	home   string
	diags  *diag.Bounded
	parsed map[string]*File
}

// close leaves word of what was found for the evaluator.
func (l *loader) close() {
	for _, file := range l.parsed {
		file.kept = l.diags.Kept(file.Source)
	}
}

// directive is one #INCLUDE and the place of its file name.
type directive struct {
	path string
	span source.Span
}

// directives finds the #INCLUDE comments of a file. They may come after a
// setting too, for Maui looks for the word and not for the line.
func directives(file *File) []directive {
	var found []directive
	for i := range file.Lines {
		for _, t := range file.Lines[i].Tokens {
			if t.Kind == Include {
				name := includeTarget(t.Text)
				at := strings.Index(t.Text, name)
				found = append(found, directive{name, t.Span.Sub(at, at+len(name))})
			}
		}
	}
	return found
}

// Includes reports a file with an #INCLUDE.
func (f *File) Includes() bool { return len(directives(f)) > 0 }

// resolve turns the name written into a path of fsys.
func (l *loader) resolve(name string) string {
	if rest, ok := strings.CutPrefix(name, "/"); ok {
		return path.Clean(rest)
	}
	return path.Join(l.home, name)
}

// read parses an included file, or says why it cannot.
func (l *loader) read(target string, d directive) (*File, bool) {
	if l.fsys == nil {
		l.diags.Errorf("maui-include-unread", d.span, "%s is not read, because the text does not come from a folder",
			d.path).
			Note("give the configuration as a file name")
		return nil, false
	}
	if file, ok := l.parsed[target]; ok {
		return file, true
	}
	text, err := dialect.ReadFile(l.fsys, target)
	if err != nil {
		l.diags.Errorf("maui-include-missing", d.span, "%s cannot be read: %v", d.path, err).
			Note("relative names start at the folder of the main file")
		return nil, false
	}
	file := parse(source.NewFile(source.ShownName(l.shown, l.main, target), text), l.diags)
	l.parsed[target] = file
	return file, true
}

package snapshot

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// PolicyFolder is the folder of a captured snapshot in which the policy of the site is.
const PolicyFolder = "policy"

// Policy is the configuration that a capture keeps beside the queue.
type Policy struct {
	Main  []string          // the files that make the policy, without those they include
	Texts map[string][]byte // all files of the folder, of an archive; nil for a folder on disk
}

// ReadPolicy reads the policy of a captured snapshot, under names that begin with its own. It is nil for a file or
// a folder that is no capture.
func ReadPolicy(fsys fs.FS, name string) (*Policy, diag.List, error) {
	r, name := &reading{fsys: fsys}, path.Clean(name)
	info, err := fs.Stat(fsys, name)
	if err != nil || info.Mode()&noFile != 0 && !info.IsDir() {
		return nil, nil, nil // whoever reads it as a policy says so
	}
	if info.IsDir() {
		if !slices.ContainsFunc(entries(fsys, name), func(e fs.DirEntry) bool { return e.Name() == format.ManifestFile }) {
			return nil, nil, nil
		}
		p, err := r.policy(name, nil)
		return p, r.diags, err
	}
	head, err := r.upTo(name, tarBlock)
	if err != nil || !isTar(head) {
		return nil, nil, nil
	}
	files, err := r.untar(name, ofPolicy)
	if err != nil {
		return nil, r.diags, fmt.Errorf("%s: %w", name, err)
	}
	r.fsys = files
	if _, there := files.texts[format.ManifestFile]; !there {
		return nil, nil, nil
	}
	p, err := r.policy(name, files.texts)
	return p, r.diags, err
}

func entries(fsys fs.FS, name string) []fs.DirEntry {
	list, err := fs.ReadDir(fsys, name)
	if err != nil {
		return nil
	}
	return list
}

// ofPolicy chooses the files of an archive that the policy needs, also below a folder that all files are in.
func ofPolicy(inner string) bool {
	return path.Base(inner) == format.ManifestFile || strings.Contains("/"+inner, "/"+PolicyFolder+"/")
}

// policy reads what the manifest lists, and compares the files with their checksums.
func (r *reading) policy(dir string, texts map[string][]byte) (*Policy, error) {
	m, err := r.described(dir, func(file string) bool { return strings.HasPrefix(file, PolicyFolder+"/") })
	if m == nil || err != nil {
		return nil, err
	}
	p := &Policy{Main: m.Policy}
	if p.Main == nil { // captures of earlier versions have the accounts alone
		for _, f := range m.Files {
			if strings.HasPrefix(f.Name, PolicyFolder+"/") {
				p.Main = append(p.Main, f.Name)
			}
		}
	}
	for i, file := range p.Main {
		if !fs.ValidPath(file) || !slices.ContainsFunc(m.Files,
			func(f format.ManifestFileSum) bool { return f.Name == file }) {
			return nil, fmt.Errorf("%s: the manifest has no checksum of the policy file %q", dir, file)
		}
		p.Main[i] = dir + "/" + file
	}
	if texts == nil {
		return p, nil
	}
	p.Texts = map[string][]byte{}
	for file, text := range texts {
		if strings.HasPrefix(file, PolicyFolder+"/") {
			p.Texts[dir+"/"+file] = text
		}
	}
	return p, nil
}

// wordsOfUsers are columns with text in the words of users and administrators. Snapshots that were not captured
// here hold what they wrote, and views, pages and other snapshots show it.
var wordsOfUsers = []struct {
	id   schema.ColumnID
	mask func(text string) string
}{
	{"job.name", source.MaskLines},
	{"job.comment", source.MaskLines},
	{"job.state_reason", source.MaskLines},
	{"job.dependency", maskDependency},
}

// dependency is one of a job, as in afterok:12_3:14+10(unfulfilled) or afterany:12.head@other; an id that has an @ is
// no login.
var dependency = source.Pattern(`^[a-z]+(:\d[\w.+[\]*-]*(@[\w.-]+)?(\(\w+\))?)*$`)

// maskDependency takes passwords out of what is no dependency, so that none that holds a job is lost.
func maskDependency(text string) string {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == '?' }) {
		if !dependency().MatchString(part) {
			return source.MaskLines(text)
		}
	}
	return text
}

// withoutPasswords takes the passwords out of the words of users.
func withoutPasswords(jobs *column.Table) {
	for _, of := range wordsOfUsers {
		c := jobs.Column(of.id)
		if c == nil || !slices.ContainsFunc(c.Dict, func(text string) bool { return of.mask(text) != text }) {
			continue
		}
		out, known, codes := *c, map[string]uint32{}, make([]uint32, len(c.Dict))
		out.Dict, out.Codes = nil, make([]uint32, len(c.Codes))
		for i, text := range c.Dict {
			text = of.mask(text)
			code, ok := known[text]
			if !ok {
				code = uint32(len(out.Dict))
				known[text], out.Dict = code, append(out.Dict, text)
			}
			codes[i] = code
		}
		for row, code := range c.Codes {
			out.Codes[row] = codes[code]
		}
		jobs.Put(&out)
	}
}

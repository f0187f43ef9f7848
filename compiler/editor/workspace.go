package editor

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
)

// Workspace is the files that an editor has open, over those of a disk. It is for one goroutine at a time; what it
// gives out does not change.
type Workspace struct {
	Disk fs.FS // the root of a file system; nil: there is none
	Queue

	open     map[string]*Document
	read     map[string]*kept  // files of the disk
	policies map[string]*Check // the last that made a policy of a file
	weighed  map[string]weighed
}

// weighed is what the weights of a text decide.
type weighed struct {
	of    *Document
	hints []Hint
}

// Queue is a recorded queue that the person has chosen; all is nil without one.
type Queue struct {
	// Observe says what an expression comes to, beside a policy.
	Observe func(text string, in compiler.Input) string
	// Weigh says what each weight of a policy decides. It takes as long as several evaluations.
	Weigh func(in compiler.Input) []Weight
}

// Weight is a remark on a weight, by the place that sets it.
type Weight struct {
	At   source.Span
	Text string
}

// KeepWeights keeps what the weights of a check decide, until its texts change.
func (w *Workspace) KeepWeights(c *Check, list []Weight) {
	for _, d := range c.Group.All() {
		known := weighed{of: d}
		for _, x := range list {
			if x.At.File.Name == d.Path {
				known.hints = append(known.hints, Hint{int(x.At.End), x.Text})
			}
		}
		w.weighed[d.Path] = known
	}
}

// Hints are the remarks after values in a range, with what weights decide where that is known.
func (w *Workspace) Hints(d *Document, r Range) (list []Hint) {
	start, end := d.Offset(r.Start), d.Offset(r.End)
	all := d.shape().hints
	if known := w.weighed[d.Path]; known.of == d {
		all = slices.Concat(all, known.hints)
	}
	for _, h := range all {
		if start <= h.At && h.At <= end {
			list = append(list, h)
		}
	}
	return list
}

// Keep keeps the policy that lint made of the files, for what only that knows: the release, values of params.
func (w *Workspace) Keep(c *Check) {
	if c.found == nil || c.found.Policy == nil {
		return
	}
	for _, d := range c.Group.All() {
		w.policies[d.Path] = c
	}
}

// policy is the last that lint made of a file; nil if it has made none.
func (w *Workspace) policy(name string) *ir.Policy {
	if c := w.policies[name]; c != nil {
		return c.found.Policy
	}
	return nil
}

// kept is a file of the disk as it was read.
type kept struct {
	doc      *Document
	size     int64
	modified time.Time
}

// Document is one text.
type Document struct {
	Path    string // full, with slashes; a text that is in no file has its own name
	Version int32  // as the editor counts; 0 on the disk
	IsOpen  bool
	*Text

	named lower.Lang // what the editor calls its language; "" if it does not say

	recognised bool
	role       lower.Role
	lang       lower.Lang
	made       *reading
}

// NewWorkspace has nothing open.
func NewWorkspace(disk fs.FS) *Workspace {
	return &Workspace{Disk: disk, open: map[string]*Document{}, read: map[string]*kept{}, policies: map[string]*Check{},
		weighed: map[string]weighed{}}
}

// languageIDs are what editors call the languages.
var languageIDs = map[string]lower.Lang{
	"slurmconf": lower.Slurm, "mauicfg": lower.Maui, "sacctmgrdump": lower.Dump, "fairway": lower.HCL,
}

// LanguageIDs lists what editors call the languages, for the settings that are shipped.
func LanguageIDs() map[string]lower.Lang { return languageIDs }

// Open takes a text that is open from now on. languageID is what the editor calls its language.
func (w *Workspace) Open(name, languageID string, version int32, text string) {
	d := newDocument(name, []byte(text))
	d.Version, d.IsOpen, d.named = version, true, languageIDs[languageID]
	w.open[name] = d
}

// Change takes what was typed in an open text.
func (w *Workspace) Change(name string, version int32, edits []Edit) {
	w.replace(name, version, func(old *Document) []byte { return old.Edited(edits) })
}

// Replace takes the whole of an open text anew.
func (w *Workspace) Replace(name string, version int32, text string) {
	w.replace(name, version, func(*Document) []byte { return []byte(text) })
}

func (w *Workspace) replace(name string, version int32, text func(*Document) []byte) {
	old := w.open[name]
	if old == nil {
		return
	}
	d := newDocument(name, text(old))
	d.Version, d.IsOpen, d.named = version, true, old.named
	if d.Lang() == "" { // a text that is broken while it is typed is in the language it was in
		d.role, d.lang = old.role, old.lang
	}
	w.open[name] = d
}

// Close takes the text of the disk again.
func (w *Workspace) Close(name string) { delete(w.open, name) }

// Document finds a text, open or on the disk; nil if there is none.
func (w *Workspace) Document(name string) *Document {
	if d := w.open[name]; d != nil {
		return d
	}
	return w.onDisk(name)
}

// Opened lists the open texts.
func (w *Workspace) Opened() (list []*Document) {
	for _, d := range w.open {
		list = append(list, d)
	}
	return list
}

// mostBytes is the largest file that is read from the disk.
const mostBytes = 16 << 20

// onDisk reads a file, or has it from before if it has not changed.
func (w *Workspace) onDisk(name string) *Document {
	if w.Disk == nil || !path.IsAbs(name) {
		return nil
	}
	info, err := fs.Stat(w.Disk, strings.TrimPrefix(path.Clean(name), "/"))
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostBytes {
		delete(w.read, name)
		return nil
	}
	if k := w.read[name]; k != nil && k.size == info.Size() && k.modified.Equal(info.ModTime()) {
		return k.doc
	}
	text, err := fs.ReadFile(w.Disk, strings.TrimPrefix(path.Clean(name), "/"))
	if err != nil {
		return nil
	}
	k := &kept{newDocument(name, text), info.Size(), info.ModTime()}
	w.read[name] = k
	return k.doc
}

func newDocument(name string, text []byte) *Document {
	return &Document{Path: name, Text: newText(source.NewFile(name, text))}
}

// recognise finds out what the text is.
func (d *Document) recognise() {
	if d.recognised {
		return
	}
	d.recognised = true
	d.role, d.lang = lower.RoleOf(d.File)
	// Editors name all of /etc/slurm after slurm.conf, also files that are none of it and no language says anything of.
	byFolder := d.named == lower.Slurm && d.role == lower.Unknown && path.IsAbs(d.Path) &&
		path.Base(d.Path) != "slurm.conf"
	if d.named != "" && d.named != d.lang && d.role != lower.Beside && !byFolder {
		d.role, d.lang = lower.Main, d.named
		if d.named == lower.HCL || d.named == lower.Dump {
			d.role = lower.Overlay
		}
	}
	if d.lang == "" && d.role == lower.Unknown {
		d.role, d.lang = byName(d.Path)
	}
}

// byName is what a file is by its name, where its text says nothing, as at the beginning.
func byName(name string) (lower.Role, lower.Lang) {
	switch base := path.Base(name); {
	case base == "slurm.conf":
		return lower.Main, lower.Slurm
	case base == "maui.cfg":
		return lower.Main, lower.Maui
	case strings.HasSuffix(base, ".fairway.hcl"), strings.HasSuffix(base, ".fairwaytest.hcl"), base == "fairway.hcl":
		return lower.Overlay, lower.HCL
	}
	return lower.Unknown, ""
}

// Lang is the language of the text; "" if it is in none.
func (d *Document) Lang() lower.Lang { d.recognise(); return d.lang }

// Role is what the text is to lint.
func (d *Document) Role() lower.Role { d.recognise(); return d.role }

// reading is what the language makes of the text, without what comes later.
func (d *Document) reading() *reading {
	if d.made == nil {
		d.made = &reading{}
		if l := languageOf(d); l != nil {
			*d.made = l.read(d)
			d.made.language = l
		}
	}
	return d.made
}

// names are the names in the text.
func (d *Document) names() []Name {
	r := d.reading()
	if r.language != nil && r.language.names != nil && !r.hasNames {
		r.hasNames = true
		r.language.names(r)
	}
	return r.names
}

// coloured are the words that are shown in a colour.
func (d *Document) coloured() []Colour {
	r := d.reading()
	if r.language != nil && r.language.colours != nil && !r.hasColours {
		r.hasColours = true
		r.language.colours(r)
	}
	return r.colours
}

// shape is the reading with outline and hints.
func (d *Document) shape() *reading {
	r := d.reading()
	if r.language != nil && r.language.shape != nil && !r.hasShape {
		r.hasShape = true
		r.language.shape(r)
	}
	return r
}

// overlay is the disk with the open texts over it, as they are now.
type overlay struct {
	disk fs.FS
	open map[string]*Document
}

func (w *Workspace) overlay() fs.FS {
	o := overlay{w.Disk, make(map[string]*Document, len(w.open))}
	for name, d := range w.open {
		o.open[strings.TrimPrefix(name, "/")] = d
	}
	return o
}

// Open implements fs.FS.
func (o overlay) Open(name string) (fs.File, error) {
	if d := o.open[name]; d != nil {
		return &openText{bytes.NewReader(d.File.Text), path.Base(name), int64(len(d.File.Text))}, nil
	}
	if o.disk == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return o.disk.Open(name)
}

// Stat implements fs.StatFS.
func (o overlay) Stat(name string) (fs.FileInfo, error) {
	if d := o.open[name]; d != nil || o.disk == nil {
		f, err := o.Open(name)
		if err != nil {
			return nil, err
		}
		return f.Stat()
	}
	return fs.Stat(o.disk, name)
}

// ReadFile implements fs.ReadFileFS: files of a length that a configuration can have.
func (o overlay) ReadFile(name string) ([]byte, error) {
	if d := o.open[name]; d != nil {
		return bytes.Clone(d.File.Text), nil
	}
	info, err := o.Stat(name)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > mostBytes) {
		err = &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(o.disk, name)
}

// openText is an open text as a file.
type openText struct {
	io.Reader
	name string
	size int64
}

func (f *openText) Stat() (fs.FileInfo, error) { return f, nil }
func (f *openText) Close() error               { return nil }
func (f *openText) Name() string               { return f.name }
func (f *openText) Size() int64                { return f.size }
func (f *openText) Mode() fs.FileMode          { return 0o444 }
func (f *openText) ModTime() time.Time         { return time.Time{} }
func (f *openText) IsDir() bool                { return false }
func (f *openText) Sys() any                   { return nil }

package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/compiler/edit"
	"github.com/fairway-sched/fairway/lang/source"
)

// savedReport is what saving a change does, or has done.
type savedReport struct {
	Files    []savedFile `json:"files"`
	Commands []string    `json:"commands"`
	Written  bool        `json:"written"`
	Saved    bool        `json:"saved"` // a file is otherwise than it was read at first
}

// savedFile is a file with what changes in it.
type savedFile struct {
	Name string `json:"name"`
	Path string `json:"path"` // where it is written
	New  bool   `json:"new"`
	Diff string `json:"diff"`

	text []byte
}

// overrideName is that of a policy file which sets what no file has a place for.
const overrideName = "desk.fairway.hcl"

// answerSave shows what changes in the files, and with Write writes that and nothing else: all files or none, and
// none that has changed since it was read.
func (d *deskServer) answerSave(_ context.Context, q *deskRequest) (any, error) {
	d.saving.Lock()
	defer d.saving.Unlock()
	s, err := d.side(q.Change, "")
	if err != nil {
		return nil, err
	}
	r, err := d.toSave(s)
	if err != nil || !q.Write || len(r.Files) == 0 {
		return r, err
	}
	var files []written
	for i := range r.Files {
		f := &r.Files[i]
		if to := q.To[f.Name]; to != "" {
			f.Path = to
		}
		if err := d.writable(f); err != nil {
			return nil, mistakeOf(err)
		}
		for _, other := range r.Files[:i] {
			if sameFile(f.Path, other.Path) {
				return nil, mistakes{{Message: other.Name + " and " + f.Name + " cannot both be written to " + f.Path +
					": nothing is written; give each a place of its own"}}
			}
		}
		w := written{path: f.Path, text: f.text}
		if info, err := os.Stat(f.Name); err == nil && f.Path != f.Name {
			w.mode = info.Mode().Perm() // a copy is read by no more people
		}
		files = append(files, w)
	}
	if err := writeTogether(files); err != nil {
		return nil, mistakeOf(err)
	}
	for _, f := range r.Files {
		if f.Path == f.Name {
			d.onDisk[f.Name] = f.text
		}
	}
	d.saved = s.change
	r.Written, r.Saved = true, d.hasSaved()
	return r, nil
}

// hasSaved reports a file that is otherwise than it was read at first.
func (d *deskServer) hasSaved() bool {
	for name, text := range d.onDisk {
		if first, ok := d.atFirst(name); !ok || !bytes.Equal(text, first) {
			return true
		}
	}
	return false
}

// toSave makes the texts, and proves that they say what the page shows. What a save before wrote, and the change has
// no more, becomes again as it was at first.
func (d *deskServer) toSave(s *deskSide) (*savedReport, error) {
	out, err := edit.Save(d.before.out.Policy, d.in.Files, d.settings, s.change)
	if err != nil {
		return nil, mistakeOf(err)
	}
	r := &savedReport{Files: []savedFile{}, Commands: append([]string{}, edit.Commands(d.sinceSaved(s.change))...),
		Saved: d.hasSaved()}
	texts, all := map[string]*source.File{}, map[string][]byte{}
	for name := range d.onDisk {
		if first, ok := d.atFirst(name); ok {
			all[name] = first
		}
	}
	for _, f := range out.Files {
		texts[f.File.Name], all[f.File.Name] = source.NewFile(f.File.Name, f.Text), f.Text
	}
	var more []*source.File
	override := filepath.Join(filepath.Dir(d.files[0]), overrideName)
	if d.captured(override) {
		override = overrideName
	}
	if out.Override == "" && d.onDisk[override] != nil {
		out.Override = edit.EmptyOverride(d.before.out.Policy)
	}
	if out.Override != "" {
		all[override] = []byte(out.Override)
		more = append(more, source.NewFile(override, all[override]))
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		was, known := d.known(name)
		if known && bytes.Equal(was, all[name]) {
			continue
		}
		var b bytes.Buffer
		if err := writeDiff(&b, name, was, all[name]); err != nil {
			return nil, err
		}
		path := name
		if d.captured(name) {
			path = filepath.Base(name)
		}
		r.Files = append(r.Files, savedFile{Name: name, Path: path, New: !known, Diff: b.String(), text: all[name]})
	}
	in, err := d.replaced(texts)
	if err != nil {
		return nil, err
	}
	in.Files = append(in.Files, more...)
	in.Parsed = nil // the proof goes by the texts alone
	again := compiler.Compile(in)
	if again.Diags.HasErrors() {
		return nil, mistakesOf(again.Diags, nil)
	}
	x, y := s.out.Policy, again.Policy
	for _, difference := range diff.Policies(diff.Weights(x, x, y), diff.Weights(y, x, y)).Differences {
		return nil, mistakes{{Message: "The files cannot say this: with them " + difference.Name +
			" would be another one than here."}}
	}
	if !d.ranksAlike(s, again) {
		return nil, mistakes{{Message: "The files cannot say this: with them the queue would be ranked otherwise than here."}}
	}
	return r, nil
}

// sinceSaved is a change with all that the last save wrote and the change has no more, as it was at first.
func (d *deskServer) sinceSaved(c edit.Change) edit.Change {
	all := edit.Change{}
	for _, s := range d.settings {
		if _, ok := d.saved[s.Key]; ok {
			all[s.Key] = s.Text
		}
	}
	maps.Copy(all, c)
	return all
}

// ranksAlike evaluates what the files would say, and compares it with what the page shows.
func (d *deskServer) ranksAlike(s *deskSide, out *compiler.Output) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := s.result
	then, err := d.evaluate(out.Program, s.queue)
	if err != nil || then.Findings.HasErrors() {
		return false
	}
	for job := range r.Jobs.Rows {
		if r.Rank[job] != then.Rank[job] || r.State[job] != then.State[job] || r.JobFailed(job) != then.JobFailed(job) ||
			r.JobPriority(job) != then.JobPriority(job) {
			return false
		}
	}
	return true
}

// captured reports a file of a captured snapshot, which stays what was captured.
func (d *deskServer) captured(name string) bool {
	return slices.ContainsFunc(d.captures, func(c string) bool {
		return strings.HasPrefix(filepath.Clean(name), filepath.Clean(c)+string(filepath.Separator))
	})
}

// writable refuses to write over what the desk has not read: a file that has changed, and one that is another.
func (d *deskServer) writable(f *savedFile) error {
	if f.Path == "-" {
		return failf(exitUsage, "standard input cannot be written to: say in which file to save it")
	}
	if d.captured(f.Path) {
		return failf(exitUsage, "%s is what was captured, and stays that: say in which other file to save it", f.Path)
	}
	if f.Path != f.Name || f.New {
		if _, err := os.Lstat(f.Path); !errors.Is(err, fs.ErrNotExist) {
			return failf(exitIO, "%s exists: the desk writes over no other file than those it was opened with", f.Path)
		}
		return nil
	}
	text, err := readRegular(f.Path, mostSourceBytes)
	if err != nil {
		return ioError(f.Path, err)
	}
	if known, _ := d.known(f.Name); !bytes.Equal(text, known) {
		return failf(exitIO, "%s has changed since the desk read it: nothing is written; start the desk again", f.Path)
	}
	return nil
}

// known is what a file says unless another program has changed it: what the desk saved, else what it read.
func (d *deskServer) known(name string) (text []byte, ok bool) {
	if text, ok = d.onDisk[name]; ok {
		return text, true
	}
	return d.atFirst(name)
}

// atFirst is a file as it was read.
func (d *deskServer) atFirst(name string) (text []byte, ok bool) {
	files := d.read()
	if i := fileAt(files, name); i >= 0 {
		return files[i].Text, true
	}
	return nil, false
}

// read are all files as they were read, included ones too.
func (d *deskServer) read() []*source.File {
	files := append([]*source.File(nil), d.in.Files...)
	for i := range d.settings {
		if f := d.settings[i].Span.File; f != nil && fileAt(files, f.Name) < 0 && !strings.HasPrefix(f.Name, "--") {
			files = append(files, f)
		}
	}
	return files
}

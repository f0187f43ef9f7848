package snapshot

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Options are what the inputs do not say themselves.
type Options struct {
	Location *time.Location // zone of times written without one; nil is UTC
	Now      int64          // epoch seconds, overrides what the inputs say; 0 leaves it to them
}

// Read reads files and directories of fsys into one snapshot. A directory is
// one input: its files (and those of its sub-folder fs, where Maui keeps
// fairshare usage) complete one another, see formats. Of two paths the later
// one replaces the cells it states and adds rows and columns.
//
// The error is for what cannot be read at all; faults in what the files say
// are diagnostics, of severity Error where a file is broken or unknown.
func Read(fsys fs.FS, paths []string, options Options) (*Snapshot, diag.List, error) {
	r := &reading{fsys: fsys, options: options}
	if r.options.Location == nil {
		r.options.Location = time.UTC
	}
	whole := &Snapshot{}
	for _, name := range paths {
		part, err := r.path(path.Clean(name))
		if err != nil {
			return nil, r.diags, err
		}
		whole.merge(part, laterWins)
	}
	if options.Now != 0 {
		whole.Now, whole.certainty = options.Now, nowStated
	}
	r.hideArrivals(whole)
	r.finishSlurm(whole)
	r.diags.Sort()
	return whole, r.diags, nil
}

// reading is one call of Read.
type reading struct {
	fsys    fs.FS
	options Options
	diags   diag.List
}

func (r *reading) path(name string) (*Snapshot, error) {
	info, err := fs.Stat(r.fsys, name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return r.directory(name)
	}
	text, err := r.text(name)
	if err != nil {
		return nil, err
	}
	h := newHead(name, text)
	f := recognise(h)
	if f == nil {
		r.unknownFile(h, text)
		return &Snapshot{}, nil
	}
	return r.file(f, name, text), nil
}

// directory reads what some format claims, the most exact format first, and
// mentions the rest.
func (r *reading) directory(name string) (*Snapshot, error) {
	names, err := r.list(name)
	if err != nil {
		return nil, err
	}
	byFormat := make([][]string, len(formats))
	var skipped []string
	for _, n := range names {
		text, err := r.text(n)
		if err != nil {
			return nil, err
		}
		f := recognise(newHead(n, text))
		if f == nil {
			skipped = append(skipped, path.Base(n))
			continue
		}
		i := slices.IndexFunc(formats, func(o format) bool { return o.name == f.name })
		byFormat[i] = append(byFormat[i], n)
	}
	whole := &Snapshot{}
	for i := range formats {
		for _, n := range byFormat[i] {
			text, err := r.text(n)
			if err != nil {
				return nil, err
			}
			whole.merge(r.file(&formats[i], n, text), earlierWins)
		}
	}
	if len(skipped) > 0 {
		r.diags.Infof("snapshot-file-skipped", nowhere, "%s: %s in no known snapshot format left out: %s", name, howMany(len(skipped), "file"), strings.Join(skipped, ", ")).
			Note("name such a file itself to be told why")
	}
	return whole, nil
}

func (r *reading) list(name string) ([]string, error) {
	entries, err := fs.ReadDir(r.fsys, name)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		full := path.Join(name, e.Name())
		if !e.IsDir() {
			names = append(names, full)
			continue
		}
		if e.Name() != "fs" || path.Base(name) == "fs" {
			continue
		}
		inner, err := r.list(full)
		if err != nil {
			return nil, err
		}
		names = append(names, inner...)
	}
	return names, nil
}

// text reads a file, unpacking gzip wherever its magic number stands: several
// members one after the other are one text, as gzip itself has it.
func (r *reading) text(name string) ([]byte, error) {
	text, err := fs.ReadFile(r.fsys, name)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(text, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if text, err = io.ReadAll(z); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(text) > math.MaxInt32 {
		return nil, fmt.Errorf("%s: the text is longer than 2 GiB; split it", name)
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), nil
}

func (r *reading) unknownFile(h *head, text []byte) {
	var accepted []string
	for _, f := range formats {
		accepted = append(accepted, f.accepts)
	}
	file := source.NewFile(h.name, text)
	d := r.diags.Errorf("snapshot-unknown-format", file.Span(0, 0), "the file is in no known snapshot format")
	d.Note("accepted are: %s", strings.Join(accepted, "; "))
}

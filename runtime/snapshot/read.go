// Package snapshot reads what a resource manager knows into tables: jobs,
// nodes and credentials at one moment.
//
// In come files recognised by content (a directory is read flat); out comes one
// Snapshot and a report of what could not be read, record by record. Readers are
// tolerant of foreign fields and strict about values: a record that cannot be read
// is counted and reported with its place, never turned into a zero. The
// commands call Read; formats.go lists what can be read, the folders below format
// read it, and merge.go says how several files make one snapshot.
package snapshot

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/slurm"
)

// Read reads files and directories of fsys into one snapshot. A directory is
// one input: its files (and those of its sub-folder fs, where Maui keeps
// fairshare usage) complete one another, see formats. Of two paths the later
// one replaces the cells it states and adds rows and columns.
//
// The error is for what cannot be read at all; faults in what the files say
// are diagnostics, of severity Error where a file is broken or unknown.
func Read(fsys fs.FS, paths []string, options format.Options) (*format.Snapshot, diag.List, error) {
	r := &reading{fsys: fsys, options: options}
	if r.options.Location == nil {
		r.options.Location = time.UTC
	}
	whole := &format.Snapshot{}
	for _, name := range paths {
		part, err := r.path(path.Clean(name))
		if err != nil {
			return nil, r.diags, err
		}
		r.sameWindow(whole, part, column.LaterWins)
		merge(whole, part, column.LaterWins)
	}
	if now, chosen := options.At(); chosen {
		whole.Now, whole.Certainty = now, format.NowStated
	}
	whole.TimeRange = rangeOf(whole.Jobs.Column("job.submit_time"))
	r.mentionNoUser(whole)
	r.mentionNoProcs(whole)
	r.mentionUnknownNodes(whole)
	if !options.WholeTrace {
		r.atMoment(whole)
		r.hideArrivals(whole)
	}
	slurm.Finish(whole, &r.diags)
	withoutPasswords(whole.Jobs)
	r.diags.Sort()
	return whole, r.diags, nil
}

// reading is one call of Read.
type reading struct {
	fsys    fs.FS
	options format.Options
	diags   diag.List
}

func (r *reading) path(name string) (*format.Snapshot, error) {
	info, err := fs.Stat(r.fsys, name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return r.directory(name)
	}
	if s, is, err := r.archive(name); is {
		return s, err
	}
	f, err := r.recognise(name)
	if err != nil {
		return &format.Snapshot{}, r.unpackable(name, err)
	}
	if f != nil {
		return r.known(f, name)
	}
	text, err := r.text(name)
	if err != nil {
		return &format.Snapshot{}, r.unpackable(name, err)
	}
	r.unknownFile(name, text)
	return &format.Snapshot{}, nil
}

// directory reads what some format claims, the most exact format first, and
// mentions the rest.
func (r *reading) directory(name string) (*format.Snapshot, error) {
	names, err := r.list(name)
	if err != nil {
		return nil, err
	}
	whole := &format.Snapshot{}
	names, m, done, err := r.captured(name, names)
	if err != nil {
		return nil, err
	}
	defer done()
	if m != nil {
		whole.Captures = []*format.Manifest{m}
	}
	byFormat := make([][]string, len(formats))
	var skipped []string
	for _, n := range names {
		f, err := r.recognise(n)
		if err != nil {
			if err := r.unpackable(n, err); err != nil {
				return nil, err
			}
			continue
		}
		if f == nil {
			cut, err := r.cutJSON(n)
			if err != nil {
				return nil, err
			}
			if !cut && !r.mentionRecords(n) {
				skipped = append(skipped, path.Base(n))
			}
			continue
		}
		i := slices.IndexFunc(formats, func(o format.Format) bool { return o.Name == f.Name })
		byFormat[i] = append(byFormat[i], n)
	}
	for i := range formats {
		for _, n := range byFormat[i] {
			part, err := r.known(&formats[i], n)
			if err != nil {
				return nil, err
			}
			r.sameWindow(whole, part, column.EarlierWins)
			merge(whole, part, column.EarlierWins)
		}
	}
	if len(skipped) > 0 {
		r.diags.Infof("snapshot-file-skipped", format.Nowhere, "%s: %s in no known snapshot format left out: %s",
			name, format.HowMany(len(skipped), "file"), strings.Join(skipped, ", ")).
			Note("name such a file itself to see why")
	}
	return whole, nil
}

// noFile is what a folder has besides files and folders: reading one may wait for ever.
const noFile = fs.ModeNamedPipe | fs.ModeSocket | fs.ModeDevice

func (r *reading) list(name string) ([]string, error) {
	entries, err := fs.ReadDir(r.fsys, name)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		full := path.Join(name, e.Name())
		kind := e.Type()
		if kind&fs.ModeSymlink != 0 {
			if info, err := fs.Stat(r.fsys, full); err == nil {
				kind = info.Mode()
			}
		}
		if kind&noFile != 0 {
			continue
		}
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

// recognise looks at the beginning of a file only, since directories may hold
// large files that are no snapshots.
func (r *reading) recognise(name string) (*format.Format, error) {
	text, err := r.upTo(name, format.HeadBytes)
	if err != nil {
		return nil, err
	}
	return recognise(format.NewHead(name, text)), nil
}

// longestText is what positions can count.
const longestText = math.MaxInt32

func (r *reading) text(name string) ([]byte, error) {
	length, err := r.length(name)
	if err != nil {
		return nil, err
	}
	if length > longestText {
		return nil, fmt.Errorf("%s: the text is longer than 2 GiB; split it", name)
	}
	return r.upTo(name, length)
}

// length is how long a text is, unpacked, or somewhat more. A packed file is counted before it is read,
// so that one that is refused does not fill the memory first.
func (r *reading) length(name string) (int64, error) {
	in, size, err := r.open(name)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if !in.packed && size > 0 {
		return size, nil
	}
	length, err := io.Copy(io.Discard, io.LimitReader(in, longestText+1))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return length, nil
}

// upTo reads a file or the beginning of it, unpacked.
func (r *reading) upTo(name string, most int64) (text []byte, err error) {
	in, size, err := r.open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if in.packed {
		size = most
	}
	buffer := bytes.NewBuffer(make([]byte, 0, min(size, most)+bytes.MinRead))
	if _, err := buffer.ReadFrom(io.LimitReader(in, most)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return bytes.TrimPrefix(buffer.Bytes(), []byte("\ufeff")), nil
}

// file reads one file with the format that claimed it, and tells passed what of the text is done with.
func (r *reading) file(f *format.Format, name string, text []byte, passed func(until int)) *format.Snapshot {
	in := format.NewInput(f, name, text, r.options)
	in.Passed = passed
	read(f, in)
	in.Finish()
	in.Abridge()
	r.diags = append(r.diags, in.Diags...)
	s := in.Snapshot // alone, so that the text is not kept
	s.UsageFiles = map[int64]string{}
	for i := range s.Usage {
		s.UsageFiles[s.Usage[i].StartTime] = name
	}
	if f.Origin == format.FromSlurm {
		slurm.MarkRows(&s)
	}
	return &s
}

// input reads a file as far as its format does, without the checks of finish.
func (r *reading) input(f *format.Format, name string, text []byte) *format.Input {
	in := format.NewInput(f, name, text, r.options)
	read(f, in)
	return in
}

func read(f *format.Format, in *format.Input) {
	if err := f.Read(in); err != nil && err != format.ErrStop {
		in.Broken(err)
	}
}

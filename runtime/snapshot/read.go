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
)

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
		r.sameWindow(whole, part, laterWins)
		whole.merge(part, laterWins)
	}
	if now, chosen := options.at(); chosen {
		whole.Now, whole.certainty = now, nowStated
	}
	whole.TimeRange = rangeOf(whole.Jobs.Column("job.submit_time"))
	r.mentionNoUser(whole)
	r.mentionNoProcs(whole)
	r.mentionUnknownNodes(whole)
	r.atMoment(whole)
	r.hideArrivals(whole)
	finishSlurm(whole, &r.diags)
	withoutPasswords(whole.Jobs)
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
	if s, is, err := r.archive(name); is {
		return s, err
	}
	f, err := r.recognise(name)
	if err != nil {
		return &Snapshot{}, r.unpackable(name, err)
	}
	text, err := r.text(name)
	if err != nil {
		return &Snapshot{}, r.unpackable(name, err)
	}
	if f == nil {
		r.unknownFile(name, text)
		return &Snapshot{}, nil
	}
	return r.known(f, name, text), nil
}

// known reads a file in a known format.
func (r *reading) known(f *format, name string, text []byte) *Snapshot {
	s := r.file(f, name, text)
	s.usageFiles = map[int64]string{}
	for i := range s.Usage {
		s.usageFiles[s.Usage[i].StartTime] = name
	}
	if f.origin == fromSlurm {
		s.markSlurmRows()
	}
	return s
}

// directory reads what some format claims, the most exact format first, and
// mentions the rest.
func (r *reading) directory(name string) (*Snapshot, error) {
	names, err := r.list(name)
	if err != nil {
		return nil, err
	}
	whole := &Snapshot{}
	names, m, done, err := r.captured(name, names)
	if err != nil {
		return nil, err
	}
	defer done()
	if m != nil {
		whole.Captures = []*Manifest{m}
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
		i := slices.IndexFunc(formats, func(o format) bool { return o.name == f.name })
		byFormat[i] = append(byFormat[i], n)
	}
	for i := range formats {
		for _, n := range byFormat[i] {
			text, err := r.text(n)
			if err != nil {
				if err := r.unpackable(n, err); err != nil {
					return nil, err
				}
				continue
			}
			part := r.known(&formats[i], n, text)
			r.sameWindow(whole, part, earlierWins)
			whole.merge(part, earlierWins)
		}
	}
	if len(skipped) > 0 {
		r.diags.Infof("snapshot-file-skipped", nowhere, "%s: %s in no known snapshot format left out: %s", name, howMany(len(skipped), "file"), strings.Join(skipped, ", ")).
			Note("name such a file itself to be told why")
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
func (r *reading) recognise(name string) (*format, error) {
	text, err := r.upTo(name, headBytes)
	if err != nil {
		return nil, err
	}
	return recognise(newHead(name, text)), nil
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

// file reads one file with the format that claimed it.
func (r *reading) file(f *format, name string, text []byte) *Snapshot {
	in := r.input(f, name, text)
	in.finish()
	r.diags = append(r.diags, in.diags...)
	return &in.snapshot
}

// input reads a file as far as its format does, without the checks of finish.
func (r *reading) input(f *format, name string, text []byte) *input {
	in := newInput(f, name, text, r.options)
	if err := f.read(in); err != nil && err != errStop {
		in.broken(err)
	}
	return in
}

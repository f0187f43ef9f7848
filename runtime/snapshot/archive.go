package snapshot

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// An archive is a snapshot directory in one file: tar, packed by zstd or gzip or not at all. It is read as
// the directory would be; what it holds is never written anywhere.

// archiveBytes is the most that an archive may unpack to, and archiveFiles how many files.
const (
	archiveBytes = 8 << 30
	archiveFiles = 10_000
)

var errTooMuch = errors.New("it unpacks to more than a snapshot can be")

// errSparse is an archive with a file whose zeros are left out.
var errSparse = errors.New("the archive holds a sparse file")

// errTwice is an archive whose text would depend on who unpacks it.
var errTwice = errors.New("the archive holds a file twice")

// mostUnpacked is the most that a packed file of so many bytes may unpack to. Queues shrink to a twentieth or a
// hundredth; what shrinks to a thousandth was made to fill the memory of who reads it.
func mostUnpacked(packedBytes int64) int64 { return min(archiveBytes, 64<<20+1000*packedBytes) }

// archive reads a file that is an archive; is says whether it is one.
func (r *reading) archive(name string) (s *format.Snapshot, is bool, err error) {
	s = &format.Snapshot{}
	is, err = r.unpacked(name, func() error {
		var err error
		s, err = r.directory(name)
		return err
	})
	return s, is, err
}

// unpacked lets an archive be read as the directory of its name; is says whether it is one. One that cannot be
// unpacked is a finding.
func (r *reading) unpacked(name string, read func() error) (is bool, err error) {
	head, err := r.upTo(name, tarBlock)
	if err != nil || !isTar(head) {
		return false, nil // whoever reads the file says what is wrong with it
	}
	files, err := r.untar(name, func(string) bool { return true })
	if err != nil {
		return true, r.unpackable(name, fmt.Errorf("%s: %w", name, err))
	}
	base := r.fsys
	defer func() { r.fsys = base }()
	r.fsys = files
	return true, read()
}

// tarBlock is the size of a header, at whose end the format's name is.
const tarBlock = 512

func isTar(head []byte) bool {
	return len(head) == tarBlock && string(head[257:262]) == "ustar"
}

// untar reads the files of an archive under the archive's own name; those that are not wanted have no text.
func (r *reading) untar(name string, wanted func(inner string) bool) (*packedFiles, error) {
	in, size, err := r.open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	most := mostUnpacked(size)
	counted := &bounded{in: in, left: most} // also of a tar that is not packed
	files := &packedFiles{root: name, texts: map[string][]byte{}}
	for t := tar.NewReader(counted); ; {
		h, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		inner := path.Clean("/" + h.Name)[1:]
		if h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeGNUSparse || inner == "" {
			continue // folders follow from names; links have no place in a snapshot
		}
		if _, twice := files.texts[inner]; twice {
			return nil, errTwice
		}
		if len(files.texts) == archiveFiles {
			return nil, errTooMuch
		}
		if sparse(h) {
			return nil, errSparse
		}
		if !wanted(inner) {
			files.texts[inner] = nil
			continue
		}
		text, err := io.ReadAll(t)
		if err != nil {
			return nil, err
		}
		files.texts[inner] = text
	}
	// What follows the end of the tar is part of the packed file, whose checksum is at its end.
	if _, err := io.Copy(io.Discard, counted); err != nil {
		return nil, err
	}
	files.lift()
	return files, nil
}

// sparse reports a file whose zeros the tar leaves out: a few bytes may unpack to any length.
func sparse(h *tar.Header) bool {
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return h.Typeflag == tar.TypeGNUSparse
}

// bounded stops a packed file that unpacks to too much.
type bounded struct {
	in   io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooMuch
	}
	return n, err
}

// packedFiles is the files of an archive, under the name of the archive.
type packedFiles struct {
	root  string
	texts map[string][]byte
}

// lift takes away the folder that all files are in: tar is mostly asked to pack a folder.
func (m *packedFiles) lift() {
	for {
		top := ""
		for name := range m.texts {
			folder, _, ok := strings.Cut(name, "/")
			if !ok || folder == "fs" || top != "" && folder != top {
				return
			}
			top = folder
		}
		if top == "" {
			return
		}
		lifted := map[string][]byte{}
		for name, text := range m.texts {
			lifted[strings.TrimPrefix(name, top+"/")] = text
		}
		m.texts = lifted
	}
}

// Open implements fs.FS.
func (m *packedFiles) Open(name string) (fs.File, error) {
	if inner, ok := strings.CutPrefix(name, m.root+"/"); ok {
		if text, ok := m.texts[inner]; ok {
			return newMemoryFile(inner, text), nil
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadDir implements fs.ReadDirFS.
func (m *packedFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	prefix := ""
	if inner, ok := strings.CutPrefix(name, m.root+"/"); ok {
		prefix = inner + "/"
	}
	entries := map[string]memoryInfo{}
	for full, text := range m.texts {
		rest, ok := strings.CutPrefix(full, prefix)
		if !ok {
			continue
		}
		if first, _, deeper := strings.Cut(rest, "/"); deeper {
			entries[first] = memoryInfo{first, 0, fs.ModeDir | 0o555}
		} else {
			entries[first] = memoryInfo{first, int64(len(text)), 0o444}
		}
	}
	var out []fs.DirEntry
	for _, name := range format.SortedKeys(entries) {
		out = append(out, fs.FileInfoToDirEntry(entries[name]))
	}
	return out, nil
}

// Archive writes a .tar.zst.
type Archive struct {
	packed *zstd.Encoder
	tar    *tar.Writer
	names  []string
}

// NewArchive begins an archive.
func NewArchive(w io.Writer) (*Archive, error) {
	packed, err := zstd.NewWriter(w, zstd.WithEncoderCRC(true), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return &Archive{packed: packed, tar: tar.NewWriter(packed)}, nil
}

// Add adds a file.
func (a *Archive) Add(name string, text []byte, at time.Time) error {
	if slices.Contains(a.names, name) {
		return fmt.Errorf("%s is in the archive already", name)
	}
	a.names = append(a.names, name)
	err := a.tar.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)),
		ModTime: at.Truncate(time.Second), Format: tar.FormatPAX})
	if err == nil {
		_, err = a.tar.Write(text)
	}
	return err
}

// Close ends the archive. Without it, it cannot be read.
func (a *Archive) Close() error { return errors.Join(a.tar.Close(), a.packed.Close()) }

// Pack compresses what write writes, by zstd.
func Pack(w io.Writer, write func(io.Writer) error) error {
	packed, err := zstd.NewWriter(w, zstd.WithEncoderCRC(true), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	return errors.Join(write(packed), packed.Close())
}

// maxWindow bounds the memory that a packed file can ask for, as zstd's own command does.
const maxWindow = 128 << 20

// The magic numbers of what can be unpacked.
var gzipMagic, zstdMagic = []byte("\x1f\x8b"), []byte("\x28\xb5\x2f\xfd")

// open opens a file, unpacking gzip and zstd wherever their magic numbers are: several members one after
// the other are one text, as both commands have it. size is that of the file, packed or not.
func (r *reading) open(name string) (text *unpacking, size int64, err error) {
	file, err := r.fsys.Open(name)
	if err != nil {
		return nil, 0, err
	}
	if info, err := file.Stat(); err == nil {
		size = info.Size()
	}
	in := bufio.NewReaderSize(file, format.HeadBytes)
	most := mostUnpacked(size)
	switch magic, _ := in.Peek(4); {
	case bytes.HasPrefix(magic, gzipMagic):
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			_ = file.Close()
			return nil, 0, fmt.Errorf("%s: %w", name, err)
		}
		return &unpacking{&bounded{unpacked, most}, file.Close, true}, size, nil
	case bytes.HasPrefix(magic, zstdMagic):
		unpacked, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			_ = file.Close()
			return nil, 0, fmt.Errorf("%s: %w", name, err)
		}
		return &unpacking{&bounded{unpacked, most}, func() error { unpacked.Close(); return file.Close() },
			true}, size, nil
	}
	return &unpacking{in, file.Close, false}, size, nil
}

type unpacking struct {
	io.Reader
	close  func() error
	packed bool
}

func (u *unpacking) Close() error { return u.close() }

// damagedZstd reports what zstd says of a file that is not what was packed.
func damagedZstd(err error) bool {
	return slices.ContainsFunc([]error{
		zstd.ErrReservedBlockType, zstd.ErrCompressedSizeTooBig, zstd.ErrBlockTooSmall, zstd.ErrUnexpectedBlockSize,
		zstd.ErrMagicMismatch, zstd.ErrWindowSizeExceeded,
		zstd.ErrWindowSizeTooSmall, zstd.ErrDecoderSizeExceeded, zstd.ErrUnknownDictionary,
		zstd.ErrFrameSizeExceeded, zstd.ErrFrameSizeMismatch, zstd.ErrCRCMismatch,
	}, func(known error) bool {
		return errors.Is(err, known)
	})
}

package snapshot

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

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

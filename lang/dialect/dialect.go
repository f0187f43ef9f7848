// Package dialect is what the files of all schedulers have in common, whatever their notation: how large one may be,
// how many findings are reported of it, words with their place, and how included files are read.
package dialect

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

const (
	MaxBytes      = 16 << 20 // of a file: far more than the largest sites write, by hand or by program
	MaxLineTokens = 1 << 16  // of a line: far more than any record with all its keys has
	MaxFindings   = 200      // of a file
)

// Bounds are those of one scheduler's files.
type Bounds struct {
	Prefix  string // of the codes of findings
	Lines   int    // of a file
	Instead string // what to give instead of a larger one
}

// Findings collects as many findings of each file as are reported.
func (b Bounds) Findings() *diag.Bounded {
	return &diag.Bounded{Max: MaxFindings, Code: b.Prefix + "-more-findings"}
}

// Exceeded reports a file that is too large to be one.
func (b Bounds) Exceeded(f *source.File) bool {
	return len(f.Text) > MaxBytes || bytes.Count(f.Text, []byte("\n")) > b.Lines
}

// Report says that a file is too large.
func (b Bounds) Report(f *source.File, ds *diag.Bounded) {
	ds.Errorf(b.Prefix+"-too-large", f.Span(0, 0), "the file has more than %d MB or %d lines", MaxBytes>>20, b.Lines).
		Note("%s", b.Instead)
}

// Word is a piece of a line: its text as the scheduler sees it, without quotes, and the raw bytes it came from.
type Word struct {
	Text string
	Span source.Span
}

// IsZero reports whether the word is absent.
func (w Word) IsZero() bool { return w.Span.IsZero() }

// IsSpace is C's isspace.
func IsSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// IsLetter knows ASCII only, as the schedulers do.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// ReadFile reads an included file. The error is the reason alone, without the file's name.
func ReadFile(fsys fs.FS, name string) ([]byte, error) {
	text, err := fs.ReadFile(fsys, name)
	if why := (*fs.PathError)(nil); errors.As(err, &why) {
		err = why.Err
	}
	return text, err
}

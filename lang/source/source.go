// Package source holds the text of input files and byte ranges into it.
//
// Everything Fairway says about a config points into its text. A Span is a
// pair of byte offsets; line and column exist only when something is printed,
// so parsers never count them and included files need no bookkeeping.
package source

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// File is one input text. It is immutable after NewFile.
type File struct {
	Name string
	Text []byte

	once  sync.Once
	lines []int   // byte offset of each line's first byte
	kept  []piece // of a text that was abridged

	hintOnce, passOnce sync.Once
	hintLines          []int // those with a word of passwords
	pass               *passwords

	lineMutex   sync.Mutex
	lineSecrets map[int][][2]int // where passwords are on a line
	joined      map[int][][2]int // and where on the line that it is joined to with a backslash
}

// NewFile wraps text under the name shown in messages.
func NewFile(name string, text []byte) *File { return &File{Name: name, Text: text} }

// Position is a place as people count it: line and column from 1, the column
// in code points.
type Position struct{ Line, Column int }

// Span returns the range [start, end) clamped to the file.
func (f *File) Span(start, end int) Span {
	n := len(f.Text)
	start = min(max(start, 0), n)
	end = min(max(end, start), n)
	return Span{File: f, Start: int32(start), End: int32(end)}
}

// Position converts a byte offset.
func (f *File) Position(offset int) Position {
	return f.whole(offset, f.position(offset))
}

func (f *File) position(offset int) Position {
	f.index()
	offset = min(max(offset, 0), len(f.Text))
	line := sort.SearchInts(f.lines, offset+1) - 1
	col := utf8.RuneCount(f.Text[f.lines[line]:offset]) + 1
	return Position{Line: line + 1, Column: col}
}

// Line returns the text of a line (from 1) without its line end.
func (f *File) Line(line int) string { return f.line(f.own(line)) }

func (f *File) line(line int) string {
	f.index()
	if line < 1 || line > len(f.lines) {
		return ""
	}
	start, end := f.lines[line-1], len(f.Text)
	if line < len(f.lines) {
		end = f.lines[line]
	}
	for end > start && (f.Text[end-1] == '\n' || f.Text[end-1] == '\r') {
		end--
	}
	return string(f.Text[start:end])
}

func (f *File) index() {
	f.once.Do(func() {
		f.lines = append(make([]int, 0, bytes.Count(f.Text, []byte{'\n'})+1), 0)
		for at := 0; ; {
			i := bytes.IndexByte(f.Text[at:], '\n')
			if i < 0 {
				break
			}
			at += i + 1
			f.lines = append(f.lines, at)
		}
	})
}

// Span is a byte range of a file. The zero Span means "nowhere", for instance
// a built-in default.
type Span struct {
	File       *File
	Start, End int32
}

// IsZero reports whether the span points nowhere.
func (s Span) IsZero() bool { return s.File == nil }

// Text returns the bytes the span covers.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return string(s.File.Text[s.Start:s.End])
}

// Position is the position of the first byte.
func (s Span) Position() Position {
	if s.File == nil {
		return Position{}
	}
	return s.File.Position(int(s.Start))
}

// String is file:line:column, or "" for the zero span.
func (s Span) String() string {
	if s.File == nil {
		return ""
	}
	p := s.Position()
	return fmt.Sprintf("%s:%d:%d", s.File.Name, p.Line, p.Column)
}

// Sub narrows the span to [start, end) relative to its own first byte.
func (s Span) Sub(start, end int) Span {
	if s.File == nil {
		return s
	}
	return s.File.Span(int(s.Start)+start, int(s.Start)+end)
}

// ShownName is how messages name a file that another one includes. path and
// mainPath are both files' paths in one file system, mainShown what the user
// called the main one: an included file is named in the same way, as relative
// to the same folder, or from the root if it lies elsewhere.
func ShownName(mainShown, mainPath, path string) string {
	mainShown = strings.TrimPrefix(mainShown, "./")
	if mainShown == mainPath {
		return path
	}
	if above, ok := strings.CutSuffix(mainShown, mainPath); ok {
		return above + path
	}
	if above, ok := strings.CutSuffix(mainPath, mainShown); ok {
		if below, ok := strings.CutPrefix(path, above); ok {
			return below
		}
		return "/" + path
	}
	return path
}

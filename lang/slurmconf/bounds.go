package slurmconf

import (
	"bytes"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

const (
	// maxFileBytes and maxFileLines are far more than the largest clusters have,
	// whether they write their files by hand or by program.
	maxFileBytes = 16 << 20
	maxFileLines = 1 << 18
	// maxLineTokens is far more than a record with all its keys has.
	maxLineTokens = 1 << 16
	// maxFindings is how many findings of one file are told.
	maxFindings = 200
)

func newFindings() *diag.Bounded {
	return &diag.Bounded{Max: maxFindings, Code: "slurm-more-findings"}
}

func isTooLarge(f *source.File) bool {
	return len(f.Text) > maxFileBytes || bytes.Count(f.Text, []byte("\n")) > maxFileLines
}

// refuse is the tree of a file that is too large: it prints as it is and has no
// settings.
func refuse(f *source.File) *File {
	n := len(f.Text)
	file := &File{Source: f, refused: true}
	start := f.Span(0, 0)
	file.Lines = []*Line{{file: file, Span: start, Junk: Word{Span: start}, logical: &logicalLine{end: n, eol: n}}}
	return file
}

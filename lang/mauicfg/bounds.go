package mauicfg

import (
	"bytes"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

const (
	// maxFileBytes and maxFileLines are far more than any site writes.
	maxFileBytes = 16 << 20
	maxFileLines = 1 << 18
	// maxLineTokens is far more than Maui's line buffer of a kilobyte can hold.
	maxLineTokens = 1 << 16
	// maxFindings is how many findings of one file are told.
	maxFindings = 200
)

func newFindings() *diag.Bounded {
	return &diag.Bounded{Max: maxFindings, Code: "maui-more-findings"}
}

func isTooLarge(f *source.File) bool {
	return len(f.Text) > maxFileBytes || bytes.Count(f.Text, []byte("\n")) > maxFileLines
}

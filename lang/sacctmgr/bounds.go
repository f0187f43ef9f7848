package sacctmgr

import (
	"bytes"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

const (
	// maxFileBytes and maxFileLines are more than the association tree of the
	// largest site takes.
	maxFileBytes = 16 << 20
	maxFileLines = 1 << 20
	// maxLineTokens is far more than an object with all its options has.
	maxLineTokens = 1 << 16
	// maxFindings is how many findings of one file are told.
	maxFindings = 200
)

func newFindings() *diag.Bounded {
	return &diag.Bounded{Max: maxFindings, Code: "sacctmgr-more-findings"}
}

func isTooLarge(f *source.File) bool {
	return len(f.Text) > maxFileBytes || bytes.Count(f.Text, []byte("\n")) > maxFileLines
}

// refuse is the tree of a file that is too large: it prints as it is and has no
// objects.
func refuse(f *source.File) *File {
	return &File{Source: f, tokens: []lexer.Token{{Type: tokenTrivia, Value: string(f.Text)}}, refused: true}
}

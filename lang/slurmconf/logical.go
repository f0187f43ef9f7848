package slurmconf

import (
	"bytes"

	"github.com/fairway-sched/fairway/lang/dialect"
)

// logicalLine is one line as Slurm's parser sees it (parse_config.c,
// get-next-line step): comments removed, continuations joined, escapes resolved.
// Byte i of text was made from the raw bytes [from[i], to[i]) of the file; two
// when it was escaped. Most lines have neither escapes nor continuations: then from
// and to are nil, and text is a part of the file, from start on.
type logicalLine struct {
	text       []byte
	from, to   []int32
	start, end int // raw bytes of the whole line, its line end included
	eol        int // where the line end is; equals end when the file has none
	comments   []rawComment
}

// rawComment is one comment of a logical line; a continued line may have several.
type rawComment struct {
	start, end int
	continues  bool // another physical line follows in the same logical line
	alone      bool // nothing but blanks comes before it on its physical line
}

// rawAt is where byte i of the text begins in the file; the end of the text
// counts as the end of its last byte.
func (l *logicalLine) rawAt(i int) int {
	if l.from == nil {
		return l.start + i
	}
	if i < len(l.from) {
		return int(l.from[i])
	}
	return l.rawEnd(i)
}

// rawEnd is where the byte before i ends in the file.
func (l *logicalLine) rawEnd(i int) int {
	switch {
	case l.to == nil:
		return l.start + i
	case i == 0:
		return l.start
	}
	return int(l.to[i-1])
}

// nextLogicalLine reads the logical line that begins at pos. The order of the
// steps is Slurm's and matters: comments go first, physical line by physical
// line, so a backslash in a comment never continues a line; escapes are resolved
// last, so an escaped backslash at the end does not continue it either.
func nextLogicalLine(file []byte, pos int) logicalLine {
	l := logicalLine{start: pos}
	first := true
	for continues := true; continues && pos < len(file); {
		stop, next := len(file), len(file)
		if i := bytes.IndexByte(file[pos:], '\n'); i >= 0 {
			stop, next = pos+i, pos+i+1
		}
		content := commentStart(file, pos, stop)
		keep := content
		if cut, ok := continuation(file, pos, content); ok {
			keep = cut
		} else {
			continues = false
		}
		if content < stop {
			alone := len(bytes.TrimSpace(file[pos:content])) == 0
			l.comments = append(l.comments, rawComment{content, stop, continues, alone})
		}
		if first && !continues && bytes.IndexByte(file[pos:keep], '\\') < 0 {
			l.text = file[pos:keep:keep]
		} else {
			l.unescape(file, pos, keep)
		}
		first = false
		l.eol, pos = stop, next
	}
	l.end = pos
	return l
}

// commentStart finds the # that begins a comment: one after an even number of
// backslashes (parse_config.c, _strip_comments). Quotes do not protect it.
func commentStart(file []byte, pos, stop int) int {
	backslashes := 0
	for i := pos; i < stop; i++ {
		switch {
		case file[i] == '\\':
			backslashes++
			continue
		case file[i] == '#' && backslashes%2 == 0:
			return i
		}
		backslashes = 0
	}
	return stop
}

// continuation looks for an odd number of backslashes at the end, blanks after
// them allowed, and returns the place of the last (parse_config.c,
// _strip_continuation). The next physical line follows with nothing in between.
func continuation(file []byte, pos, stop int) (cut int, ok bool) {
	for stop > pos && dialect.IsSpace(file[stop-1]) {
		stop--
	}
	n := 0
	for stop-n > pos && file[stop-n-1] == '\\' {
		n++
	}
	return stop - 1, n%2 == 1
}

// unescape appends [pos, stop), turning each \x into x. An escape never spans
// two physical lines: what is left before a continuation has an even number of
// backslashes at its end.
func (l *logicalLine) unescape(file []byte, pos, stop int) {
	for i := pos; i < stop; i++ {
		start := i
		if file[i] == '\\' && i+1 < stop {
			i++
		}
		l.text = append(l.text, file[i])
		l.from = append(l.from, int32(start))
		l.to = append(l.to, int32(i+1))
	}
}

package diag

import "github.com/fairway-sched/fairway/lang/source"

// Bounded collects diagnostics like List, but keeps only Max of them for each
// file; one more, of the given Code, counts the rest. A text that is no
// configuration at all so ends quickly, and its findings fit a screen or two.
type Bounded struct {
	Max  int
	Code string

	list  List
	files map[*source.File]*tally
	over  []*tally // files with more, in the order in which they ran over
}

// tally is what is known about one file: how many findings are kept, and of the
// others their number, the first place and the strongest severity.
type tally struct {
	kept, left int
	first      source.Span
	worst      Severity
}

func (b *Bounded) tally(f *source.File) *tally {
	t := b.files[f]
	if t == nil {
		if b.files == nil {
			b.files = map[*source.File]*tally{}
		}
		t = &tally{}
		b.files[f] = t
	}
	return t
}

// Add appends a diagnostic and returns it for chaining, as List.Add does. One
// too many is only counted, and the result is nil.
func (b *Bounded) Add(sev Severity, code string, span source.Span, format string, args ...any) *Diagnostic {
	t := b.tally(span.File)
	if t.kept < b.Max {
		t.kept++
		return b.list.Add(sev, code, span, format, args...)
	}
	if t.left == 0 {
		t.first, t.worst = span, sev
		b.over = append(b.over, t)
	}
	t.left++
	t.worst = min(t.worst, sev)
	return nil
}

// Errorf adds an error.
func (b *Bounded) Errorf(code string, span source.Span, format string, args ...any) *Diagnostic {
	return b.Add(Error, code, span, format, args...)
}

// Warnf adds a warning.
func (b *Bounded) Warnf(code string, span source.Span, format string, args ...any) *Diagnostic {
	return b.Add(Warning, code, span, format, args...)
}

// Infof adds an info.
func (b *Bounded) Infof(code string, span source.Span, format string, args ...any) *Diagnostic {
	return b.Add(Info, code, span, format, args...)
}

// Kept is how many findings of the file are kept.
func (b *Bounded) Kept(f *source.File) int { return b.tally(f).kept }

// Resume counts what an earlier stage has kept of a file towards Max.
func (b *Bounded) Resume(f *source.File, kept int) { b.tally(f).kept = min(kept, b.Max) }

// List is everything kept, then what counts the rest of each file, in the order
// in which the files ran over.
func (b *Bounded) List() List {
	list := b.list[:len(b.list):len(b.list)]
	for _, t := range b.over {
		what := "findings"
		if t.left == 1 {
			what = "finding"
		}
		list.Add(t.worst, b.Code, t.first, "%d more %s in this file", t.left, what).
			Note("%d findings of a file are shown; the rest mostly follow from these", b.Max)
	}
	return list
}

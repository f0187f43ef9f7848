package draft

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// remarks carries the comments of files: those above a setting and after it go with it, and those that belong
// to no setting are at the end.
type remarks struct {
	files   []*source.File
	written map[Place]bool
}

type Place struct {
	file *source.File
	line int
}

func PlaceAt(s source.Span) Place { return Place{s.File, s.Position().Line} }

// isRemark reports a line that is a comment alone. What includes a file is none.
func isRemark(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "#") && strings.Trim(line, "# \t") != "" && !strings.HasPrefix(line, "#INCLUDE")
}

// See adds a file to those whose comments are carried.
func (r *remarks) See(f *source.File) {
	if f != nil && !slices.Contains(r.files, f) {
		r.files = append(r.files, f)
	}
}

// take is the comment of a line, once.
func (r *remarks) take(f *source.File, line int) string {
	if r.written[Place{f, line}] {
		return ""
	}
	if r.written == nil {
		r.written = map[Place]bool{}
	}
	r.written[Place{f, line}] = true
	return OneLine(f.Line(line))
}

// above are the comments between a setting and the one before it in the file.
func (r *remarks) above(s source.Span) (list []string) {
	if s.IsZero() {
		return nil
	}
	r.See(s.File)
	first := s.Position().Line
	for first > 1 && (isRemark(s.File.Line(first-1)) || strings.Trim(s.File.Line(first-1), "# \t\r") == "") {
		first--
	}
	for line := first; line < s.Position().Line; line++ {
		if isRemark(s.File.Line(line)) {
			if text := r.take(s.File, line); text != "" {
				list = append(list, text)
			}
		}
	}
	return list
}

// behind is the comment at the end of a setting's line, or "".
func (r *remarks) behind(s source.Span) string {
	if s.IsZero() {
		return ""
	}
	_, text, ok := strings.Cut(s.File.Line(s.Position().Line)[s.Position().Column-1:], " #")
	if !ok || r.written[Place{s.File, s.Position().Line}] {
		return ""
	}
	r.take(s.File, s.Position().Line)
	return strings.TrimSpace(strings.TrimPrefix(OneLine("#"+text), "#"))
}

// rest are the comments that no setting took along.
func (r *remarks) rest() (list []string) {
	for _, f := range r.files {
		for line := range strings.Count(string(f.Text), "\n") + 1 {
			if isRemark(f.Line(line + 1)) {
				if text := r.take(f, line+1); text != "" {
					list = append(list, text)
				}
			}
		}
	}
	return list
}

// OneLine is text as a comment can hold it, without passwords.
func OneLine(text string) string {
	return strings.TrimSpace(source.Plain(source.Mask(strings.ReplaceAll(text, "\t", " "))))
}

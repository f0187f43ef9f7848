package lint

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
)

// ignoreComment is # fairway:ignore CODE[,CODE…] [until=DATE] REASON, or with ignore-file for the
// whole file. Policy files may begin comments with // or /*.
var ignoreComment = source.Pattern(`(?m)(#|//|/\*)[ \t]*fairway:(ignore(?:-file)?)\b[ \t]*([^\r\n]*)`)

// ignore is one comment that has a meaning.
type ignore struct {
	codes map[string]bool
	lines [2]int // the first and last that it speaks of; 0: all
	span  source.Span
	used  bool
}

// Ignore takes out the findings that comments in the files silence, and reports comments that do not
// work. asked says which codes are looked for, nil that all are; today is a date, by which comments expire.
func Ignore(list diag.List, files []*source.File, asked func(code string) bool, today time.Time) diag.List {
	var ignores []*ignore
	var faults diag.List
	codes := map[string][]string{} // by what comments call them
	codesOf := func(name string) []string {
		list, ok := codes[name]
		if !ok {
			list = Codes(name)
			codes[name] = list
		}
		return list
	}
	at := map[place][]*ignore{}
	for _, f := range files {
		if !strings.Contains(string(f.Text), "fairway:ignore") {
			continue
		}
		for _, m := range ignoreComment().FindAllSubmatchIndex(f.Text, -1) {
			i := readIgnore(f, m, codesOf, today, &faults)
			if i == nil {
				continue
			}
			ignores = append(ignores, i)
			for line := i.lines[0]; line <= i.lines[1]; line++ {
				at[place{f, line}] = append(at[place{f, line}], i)
			}
		}
	}
	var kept diag.List
	for _, d := range list {
		if !silenced(d, at) {
			kept = append(kept, d)
		}
	}
	for _, i := range ignores {
		if !i.used && (asked == nil || slices.ContainsFunc(keys(i.codes), asked)) {
			addRule(&faults, "ignore-unused", i.span, "this comment silences nothing").
				Note("remove it, or put it on the line of the finding or on the one before")
		}
	}
	kept = append(kept, faults...)
	kept.Sort()
	return kept
}

func addRule(list *diag.List, code string, at source.Span, format string, args ...any) *diag.Diagnostic {
	return list.Add(pages.Of(code).Severity, code, at, format, args...)
}

// readIgnore reads one comment; nil if it means nothing.
func readIgnore(f *source.File, m []int, codesOf func(string) []string, today time.Time, faults *diag.List) *ignore {
	from, to := m[0], m[1]
	said := string(f.Text[m[6]:m[7]])
	if string(f.Text[m[2]:m[3]]) == "/*" {
		if end := bytes.Index(f.Text[from+2:], []byte("*/")); end >= 0 {
			to = from + 2 + end + len("*/")
		}
		said = strings.TrimSuffix(string(f.Text[m[6]:max(to, m[6])]), "*/")
	}
	span := f.Span(from, to)
	words := strings.Fields(said)
	i := &ignore{codes: map[string]bool{}, span: span}
	malformed := func(format string, args ...any) *diag.Diagnostic {
		return addRule(faults, "ignore-malformed", span, format, args...).
			Note("write # fairway:ignore CODE until=2027-01-01 and why; the date may be left out")
	}
	if len(words) == 0 {
		malformed("the comment names no rule")
		return nil
	}
	list, words := ruleList(words)
	for _, name := range list {
		if name == "" {
			malformed("there is a comma without a rule")
			return nil
		}
		codes := codesOf(name)
		if len(codes) == 0 {
			malformed("there is no rule %q", name).DidYouMean(span, name, pages.Codes())
			return nil
		}
		for _, c := range codes {
			i.codes[c] = true
		}
	}
	if len(words) > 0 && strings.HasPrefix(words[0], "until=") {
		until, err := time.Parse(time.DateOnly, strings.TrimPrefix(words[0], "until="))
		if err != nil {
			malformed("%s is no date", words[0])
			return nil
		}
		if words = words[1:]; !today.Before(until.AddDate(0, 0, 1)) {
			addRule(faults, "ignore-expired", span, "this comment has expired on %s", until.Format(time.DateOnly)).
				Note("mend the mistake, or give a new date")
			return nil
		}
	}
	if len(words) == 0 {
		malformed("the comment gives no reason")
		return nil
	}
	if string(f.Text[m[4]:m[5]]) == "ignore" {
		i.lines = linesOf(f, from, to)
	}
	return i
}

// ruleList takes the rules from the beginning of a comment: blanks may be beside the commas, and a colon
// after the last.
func ruleList(words []string) (rules, rest []string) {
	list, n := words[0], 1
	for n < len(words) && (strings.HasSuffix(list, ",") || strings.HasPrefix(words[n], ",")) {
		list += words[n]
		n++
	}
	return strings.Split(strings.TrimSuffix(list, ":"), ","), words[n:]
}

func keys(set map[string]bool) []string {
	var list []string
	for name := range set {
		list = append(list, name)
	}
	return list
}

// lineOf is the line that a comment speaks of: its own, if something is before or after it, else the next
// one that is more than a comment.
func lineOf(f *source.File, from, to int) int {
	start := bytes.LastIndexByte(f.Text[:from], '\n') + 1
	if len(bytes.TrimSpace(f.Text[start:from])) > 0 {
		return f.Position(from).Line
	}
	line := f.Position(to).Line
	behind, _, _ := bytes.Cut(f.Text[to:], []byte("\n"))
	if len(bytes.TrimSpace(behind)) > 0 {
		return line
	}
	for next := line + 1; next <= line+20; next++ {
		text := strings.TrimSpace(f.Line(next))
		if text != "" && text[0] != '#' && !strings.HasPrefix(text, "//") {
			return next
		}
	}
	return line + 1
}

// linesOf is the line that a comment speaks of with those that continue it, or that it continues.
func linesOf(f *source.File, from, to int) [2]int {
	first := lineOf(f, from, to)
	last := first
	for first > 1 && continues(f.Line(first-1)) {
		first--
	}
	for continues(f.Line(last)) {
		last++
	}
	return [2]int{first, last}
}

// continues reports a line that ends in a backslash, as both schedulers join lines; one in a comment
// joins nothing.
func continues(line string) bool {
	text, _, _ := strings.Cut(line, "#")
	return strings.HasSuffix(strings.TrimRight(text, " \t\r"), `\`)
}

// place is a line of a file; the line 0 is all of it.
type place struct {
	file *source.File
	line int
}

func silenced(d *diag.Diagnostic, at map[place][]*ignore) (found bool) {
	if d.Span.IsZero() {
		return false
	}
	for _, where := range []place{{d.Span.File, 0}, {d.Span.File, d.Span.Position().Line}} {
		for _, i := range at[where] {
			if i.codes[d.Code] {
				i.used, found = true, true
			}
		}
	}
	return found
}

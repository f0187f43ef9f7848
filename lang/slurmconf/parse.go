package slurmconf

import (
	"bytes"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Parse reads one file into its syntax tree. The tree is complete whatever the
// text is; the diagnostics say where Slurm's parser would stumble. Includes are
// not followed: see Load.
func Parse(f *source.File) (*File, diag.List) {
	ds := bounds.Findings()
	file := parse(f, ds)
	file.kept = ds.Kept(f)
	return file, ds.List()
}

// Tree is Parse without looking for mistakes.
func Tree(f *source.File) *File {
	file := parseTree(f)
	if !file.refused {
		if _, kind := templateMarker(f); kind != "" {
			file.plain(kind)
		}
	}
	return file
}

func parse(f *source.File, ds *diag.Bounded) *File {
	file := parseTree(f)
	if file.refused {
		bounds.Report(f, ds)
		return file
	}
	if at := bytes.IndexByte(f.Text, 0); at >= 0 {
		ds.Errorf("slurm-nul-byte", f.Span(at, at+1), "the file has a NUL byte").
			Note("Slurm stops reading the line there; the file is binary or in a wide encoding, save it as UTF-8")
	}
	if span, kind := templateMarker(f); kind != "" {
		file.plain(kind)
		if file.branches() {
			ds.Errorf("slurm-template", span, "the file is a template (%s)", kind).
				Note("what is plain is read; the output of the template says more")
		} else {
			ds.Errorf("slurm-template", span, "the file is not complete: it has %s", kind).
				Note("the other lines are read")
		}
	}
	for _, l := range file.Lines {
		checkSyntax(l, ds)
	}
	return file
}

func checkSyntax(l *Line, ds *diag.Bounded) {
	checkInclude(l, ds)
	if l.Include == nil && !l.Junk.IsZero() {
		checkJunk(l, ds)
	}
	for _, p := range l.Pairs {
		checkQuotes(p, ds)
		if p.Op.Text != "=" {
			ds.Warnf("slurm-operator", p.Op.Span, "%q acts like a plain =", p.Op.Text).
				Note("slurm.conf accepts the operator and ignores it: the value replaces, it is not added").Suggest(p.Op.Span, "=")
		}
	}
	checkComments(l, ds)
}

// checkInclude covers an Include in column 1; an indented one is junk.
func checkInclude(l *Line, ds *diag.Bounded) {
	switch inc := l.Include; {
	case inc == nil:
	case inc.Path.IsZero():
		ds.Errorf("slurm-include", inc.Keyword.Span, "Include names no file").Note("write: Include path/to/file.conf")
	case strings.HasPrefix(inc.Path.Text, "="):
		ds.Errorf("slurm-include", inc.Path.Span, "Include takes no equals sign").Note("write: Include path/to/file.conf")
	case strings.Contains(inc.Path.Text, "*"):
		ds.Errorf("slurm-include", inc.Path.Span, "Include does not expand wildcards").
			Note("since 23.11 Slurm skips such a line with an error, before it looked for a file of that literal name; write " +
				"one Include for each file")
	case !l.Junk.IsZero():
		ds.Errorf("slurm-include", l.Junk.Span, "there is text after the path of the Include").
			Note("a path ends at the first blank and cannot be quoted; only a comment may follow")
	}
}

// checkJunk says what is wrong with text that does not match Key=Value.
func checkJunk(l *Line, ds *diag.Bounded) {
	span, raw := l.Junk.Span, l.Junk.Span.Text()
	first, rest, _ := strings.Cut(strings.TrimLeft(raw, " \t"), " ")
	key := strings.TrimRight(raw, "= \t\r\n\\")
	switch {
	case l.overfull:
		ds.Errorf("slurm-syntax", span, "the line has more settings than can be read").
			Note("a setting takes a line of its own")
	case strings.EqualFold(first, "include") && len(l.Pairs) == 0:
		ds.Errorf("slurm-indented-include", span, "Include must begin in column 1").
			Note("an indented Include is read as a setting and refused").
			Suggest(span.File.Span(int(l.Span.Start), int(span.End)), "Include "+strings.TrimSpace(rest))
	case strings.HasPrefix(raw, "\ufeff"):
		ds.Errorf("slurm-syntax", span, "the file begins with a byte order mark").
			Note("Slurm takes it as part of the first key; save the file without it")
	case isKey(key) && strings.ContainsRune(raw, '='):
		ds.Errorf("slurm-missing-value", span, "%s has no value", key).Note("%s", emptyAdvice(key))
	default:
		ds.Errorf("slurm-syntax", span, "%q is not Key=Value", shorten(span.Shown())).
			Note("Slurm refuses the whole file; use double quotes around a value with blanks, # for a comment, and no blanks " +
				"in a key")
	}
}

// emptyAdvice: two quotes are an empty text, and no number, time or word.
func emptyAdvice(key string) string {
	p := Known("global", key)
	for _, record := range []string{"NodeName", "PartitionName"} {
		if p == nil {
			p = Known(record, key)
		}
	}
	if p != nil && (p.Type != "string" || strings.HasSuffix(p.Name, "Type") || strings.HasSuffix(p.Name, "Plugin") ||
		strings.HasSuffix(p.Name, "Port") || p.Effective != "yes" || p.ReplacedBy != "" || p.Until != "") {
		return "give a value, or delete the key"
	}
	return "give a value, write " + key + "=\"\" for an empty one, or delete the key"
}

func isKey(s string) bool {
	for i := range len(s) {
		if !isKeyByte(s[i]) {
			return false
		}
	}
	return s != ""
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// checkQuotes finds quotes that end up in the value: double ones that do not
// enclose the whole of it, or single ones, which mean nothing to Slurm.
func checkQuotes(p Pair, ds *diag.Bounded) {
	switch text := p.Value.Text; {
	case strings.Contains(text, `"`):
		ds.Warnf("slurm-quote", p.Value.Span, "the quotes become part of the value of %s", p.Key.Text).
			Note("a quoted value ends with its second quote and a blank must follow")
	case strings.HasPrefix(text, "'"):
		ds.Warnf("slurm-quote", p.Value.Span, "single quotes become part of the value of %s", p.Key.Text).
			Note("only double quotes keep blanks together")
	}
}

// checkComments looks for a comment that ends a continued line before its
// author thought: comments are removed before continuations are looked for.
func checkComments(l *Line, ds *diag.Bounded) {
	comments := l.logical.comments
	if len(comments) == 0 || len(l.Pairs) == 0 {
		return
	}
	c := comments[len(comments)-1]
	span := l.Span.File.Span(c.start, c.end)
	line := span.Position().Line
	next := strings.TrimSpace(l.Span.File.Line(line + 1))
	if c.continues || next == "" || next[0] == '#' {
		return
	}
	if key, _, _ := strings.Cut(next, "="); c.alone && line > l.Span.Position().Line &&
		Known("global", strings.TrimSpace(key)) == nil {
		ds.Infof("slurm-comment-ends-line", span, "this comment ends the line that was to continue").
			Note("a comment line has no backslash left at its end; move it before the setting")
		return
	}
	if !strings.HasSuffix(strings.TrimRight(span.Text(), " \t\r"), `\`) {
		return
	}
	ds.Infof("slurm-comment-ends-line", span, "the backslash at the end of this comment does not continue the line").
		Note("comments are removed first; move the comment to a line of its own before the setting")
}

package sacctmgr

import (
	"bytes"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Parse reads a flat file into its syntax tree. A text of another kind gets one
// error that says what to give instead.
func Parse(f *source.File) (*File, diag.List) {
	ds := bounds.Findings()
	file := parseTree(f)
	switch {
	case file.refused:
		bounds.Report(f, ds)
	case otherKind(f, ds):
	default:
		for _, l := range file.Lines {
			checkLine(l, ds)
		}
		checkTyped(file, ds)
	}
	file.kept = ds.Kept(f)
	return file, ds.List()
}

// otherKind recognises what people have at hand instead of a dump. Everything
// else that could be reported about such a text would be noise.
func otherKind(f *source.File, ds *diag.Bounded) bool {
	start := f.Span(0, 0)
	switch {
	case IsScript(f.Text):
		ds.Errorf("sacctmgr-script", start, "the file is a script of sacctmgr commands, not a flat file").
			Note("what the commands do depends on the database they run against; give what `sacctmgr dump CLUSTER " +
				"file=FILE` writes afterwards")
	case IsTemplate(f.Text):
		ds.Errorf("sacctmgr-template", start, "the file is a template, not a flat file").
			Note("render the template first and give the result")
	case IsTable(f.Text):
		ds.Errorf("sacctmgr-table", start, "the file is a table with | between its columns, not a flat file").
			Note("tables of `sacctmgr show … -P` are snapshot input; for a policy give what `sacctmgr dump CLUSTER " +
				"file=FILE` writes")
	default:
		return false
	}
	return true
}

// objects are the words that begin a line.
var objects = []string{"Cluster", "Parent", "Account", "User", "QOS"}

// ObjectOf is the word that begins a line, in its own spelling; "" if it is none of them.
func ObjectOf(l *Line) string { return objectNamed(l.Object.Text) }

func objectNamed(word string) string {
	for _, o := range objects {
		if strings.EqualFold(o, word) {
			return o
		}
	}
	return ""
}

// checkLine reports what can be seen without knowing the tree.
func checkLine(l *Line, ds *diag.Bounded) {
	switch {
	case !l.Junk.IsZero():
		ds.Errorf("sacctmgr-syntax", l.Junk.Span, "the line is no object of a flat file").
			Note("write Cluster, Parent, Account, User or QOS, then ' - ', then a name in single quotes and options " +
				"after colons")
		return
	case l.Object.IsZero():
		return
	case ObjectOf(l) == "":
		d := ds.Errorf("sacctmgr-unknown-object", l.Object.Span, "a flat file has no object %s", l.Object.Text).
			Note("objects are %s", strings.Join(objects, ", "))
		d.DidYouMean(l.Object.Span, l.Object.Text, objects)
		return
	case l.Name.Text == "":
		ds.Errorf("sacctmgr-name", l.Object.Span, "%s has no name", l.Object.Text).
			Note("write: %s - 'name'", ObjectOf(l))
	}
	checkQuotes(l.Name, ds)
	for _, o := range l.Options {
		checkQuotes(o.Value, ds)
		switch {
		case o.Key.IsZero():
			ds.Errorf("sacctmgr-option", o.Value.Span, "%q is no Key=value option", o.Value.Text).
				Note("sacctmgr wants an equals sign; a value with a colon must be in quotes")
		case o.Value.Text == "":
			ds.Warnf("sacctmgr-blank-option", o.Key.Span, "%s has no value", o.Key.Text).
				Note("sacctmgr discards the option; delete it")
		}
	}
}

// checkQuotes finds a quote that is never closed, or one in the middle.
func checkQuotes(w Word, ds *diag.Bounded) {
	if raw := w.Span.Text(); raw == w.Text && strings.ContainsAny(raw, `'"`) {
		ds.Errorf("sacctmgr-quote", w.Span, "the quotes of %s do not enclose it", raw).
			Note("put the whole value in one pair of quotes; a single quote within takes double quotes around")
	}
}

var (
	objectLine  = source.Pattern(`(?i)^[\s\v]*(cluster|parent|account|user|qos)[\s\v]+-[\s\v]`)
	commandLine = source.Pattern(`(?i)\bsacctmgr\s|` +
		`^\s*(add|create|modify|remove|delete|list|show)\s+(account|user|qos|cluster|coordinator|assoc\w*)\b`)
	templates = source.Pattern(`\{\{.*?\}\}|\{%.*?%\}|<%[=#-]?\s.*?%>`)
)

// content is the lines that say something, without comments: a remark about
// sacctmgr makes no script.
func content(text []byte) (lines []string) {
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, " #")
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

// IsTemplate reports whether the text must be rendered before it is a flat file.
func IsTemplate(text []byte) bool {
	return slices.ContainsFunc(content(text), templates().MatchString)
}

// IsScript reports whether the text is a list of sacctmgr commands, bare or
// within a shell script, and not the flat file such commands lead to.
func IsScript(text []byte) bool {
	lines := content(text)
	return !slices.ContainsFunc(lines, objectLine().MatchString) &&
		(slices.ContainsFunc(lines, commandLine().MatchString) || bytes.HasPrefix(text, []byte("#!")))
}

// IsTable reports whether the text is a table with | between its columns, as
// sacctmgr show -P prints.
func IsTable(text []byte) bool {
	lines := content(text)
	return len(lines) > 0 && !slices.ContainsFunc(lines, func(l string) bool { return !strings.Contains(l, "|") }) &&
		!slices.ContainsFunc(lines, objectLine().MatchString)
}

// Sniff says from 0 to 100 how much a text looks like a flat file. Scripts of
// sacctmgr commands get a low score rather than none: Parse has the best
// explanation for them. The first few hundred lines decide.
func Sniff(text []byte) int {
	const enough = 1 << 16
	lines := content(text[:min(len(text), enough)])
	objects := 0
	for _, l := range lines {
		if objectLine().MatchString(l) {
			objects++
		}
	}
	switch {
	case objects > 0:
		return 100 * objects / len(lines)
	case slices.ContainsFunc(lines, commandLine().MatchString):
		return 20
	}
	return 0
}

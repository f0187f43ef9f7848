package sacctmgr

import (
	"bytes"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

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

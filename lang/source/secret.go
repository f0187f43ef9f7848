package source

import (
	"regexp"
	"slices"
	"strings"
)

// Hidden stands where a password would.
const Hidden = "(not shown)"

// secretNames are settings whose values are passwords or addresses that may hold one: JobCompLoc is a URL for some plugins
// (slurm.conf manual), the keys are those of Maui's and Moab's CLIENTCFG and RMCFG.
var secretNames = []string{"jobcomploc", "defaultstorageloc", "cskey", "authkey", "key"}

// Secret reports a setting whose value is not for terminals, pages and logs that others read.
func Secret(name string) bool {
	name = strings.ToLower(name)
	for _, known := range secretNames {
		if name == known {
			return true
		}
	}
	for _, end := range []string{"pass", "passwd", "password", "secret"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// setting is a name and what is set: NAME=VALUE with blanks or without, or NAME VALUE where a line begins.
var setting = regexp.MustCompile(`(?:([A-Za-z]\w*)\s*=\s*|^\s*([A-Za-z]\w*)\s+)("[^"]*"?|[^\s"]+)`)

// login is a password in an address: scheme://user:password@host.
var login = regexp.MustCompile(`://[^/\s:@"]*:([^/\s@"]+)@`)

// inner is a setting within the value of another, as in AuthInfo=socket=/run/munge,key=abc.
var inner = regexp.MustCompile(`([A-Za-z]\w*)=([^\s",;=]+)`)

// Mask hides the passwords in a line of a file. What is no password stays as it is.
func Mask(line string) string { return hide(line, secrets(line), 0, len(line)) }

// Shown is a line of the file without its passwords, also those that begin on the line before or go on on the next: both
// schedulers join a line that ends in a backslash with the one behind it.
func (f *File) Shown(line int) string {
	const most = 100 // lines of one setting
	first, last := line, line
	for first > 1 && line-first < most && continues(f.Line(first-1)) {
		first--
	}
	for last-line < most && continues(f.Line(last)) {
		last++
	}
	text := f.Line(line)
	if first == last {
		return Mask(text)
	}
	var joined strings.Builder
	var start, end int
	for n := first; n <= last; n++ {
		part := f.Line(n)
		if n < last {
			part = strings.TrimSuffix(strings.TrimRight(part, " \t"), `\`)
		}
		if n == line {
			start, end = joined.Len(), joined.Len()+len(part)
		}
		joined.WriteString(part)
	}
	own := text[:end-start]
	found := secrets(joined.String())
	for _, s := range secrets(own) { // should the lines not belong together after all
		found = append(found, [2]int{start + s[0], start + s[1]})
	}
	return hide(joined.String(), found, start, end) + text[len(own):]
}

func continues(line string) bool { return strings.HasSuffix(strings.TrimRight(line, " \t"), `\`) }

// secrets is where passwords stand in a text.
func secrets(text string) (found [][2]int) {
	for _, m := range setting.FindAllStringSubmatchIndex(text, -1) {
		for _, name := range [][]int{m[2:4], m[4:6]} {
			if name[0] >= 0 && Secret(text[name[0]:name[1]]) {
				found = append(found, [2]int{m[6], m[7]})
			}
		}
	}
	for _, m := range inner.FindAllStringSubmatchIndex(text, -1) {
		if Secret(text[m[2]:m[3]]) {
			found = append(found, [2]int{m[4], m[5]})
		}
	}
	for _, m := range login.FindAllStringSubmatchIndex(text, -1) {
		found = append(found, [2]int{m[2], m[3]})
	}
	return found
}

// hide is a part of a text without what is secret in it.
func hide(text string, secrets [][2]int, start, end int) string {
	slices.SortFunc(secrets, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	at := start
	for _, s := range secrets {
		if s[0], s[1] = max(s[0], start), min(s[1], end); s[0] >= s[1] || s[1] <= at {
			continue
		}
		if s[0] >= at { // one that another overlaps is hidden with it
			b.WriteString(text[at:s[0]] + Hidden)
		}
		at = s[1]
	}
	return b.String() + text[at:end]
}

package slurmconf

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// statedRelease is the comment by which a file says which release it is for.
var statedRelease = source.Pattern(`(?m)^[ \t]*#[ \t]*fairway:[ \t]*slurm-version[ \t]*=[ \t]*([^\s#,;]+)`)

// Stated finds the comment in a text that says which release of Slurm it is for, such as
// "# fairway: slurm-version=22.05"; zero if there is none.
func Stated(f *source.File) source.Span {
	if !bytes.Contains(f.Text, []byte("fairway:")) {
		return source.Span{} // looking for that word takes far less time
	}
	if m := statedRelease().FindSubmatchIndex(f.Text); m != nil {
		return f.Span(m[2], m[3])
	}
	return source.Span{}
}

// Sources lists the files that lines come from.
func Sources(lines []*Line) (list []*source.File) {
	for _, f := range filesOf(lines) {
		list = append(list, f.Source)
	}
	return list
}

// byRelease are the errors that say what a release no longer has, so that an older one may accept the file.
var byRelease = []string{"slurm-removed-key", "slurm-plugin", "slurm-fatal-setting", "slurm-refused-word"}

// accepting finds the newest release that accepts the lines, or else has the fewest errors: a mistake is one in
// every release, a key that is gone or not there yet is not. What the newest release would refuse besides is
// one finding.
func accepting(lines []*Line, opt Options) (*Config, diag.List) {
	read := func(version string) (*Config, diag.List) {
		return evaluate(lines, Options{Version: version, Fragment: opt.Fragment, guessed: true})
	}
	last := cmp.Or(opt.Until, Newest())
	best, found := read(last)
	newest, most := found, errorsOf(found)
	left := most
	gone := slices.ContainsFunc(most, func(d *diag.Diagnostic) bool { return slices.Contains(byRelease, d.Code) })
	if !gone || hopeless(lines) {
		return best, found
	}
	for i := slices.Index(Versions, last) - 1; i >= 0 && len(left) > 0; i-- {
		cfg, list := read(Versions[i])
		if errors := append(errorsOf(list), ignored(list, newest, most)...); len(errors) < len(left) {
			best, found, left = cfg, list, errors
		}
	}
	if best.Version == last {
		return best, found
	}
	return best, append(found, foundRelease(lines, best.Version, last, most, left))
}

// errorsOf lists the errors, one for a place.
func errorsOf(list diag.List) (errors diag.List) {
	for _, d := range list {
		if d.Severity == diag.Error &&
			!slices.ContainsFunc(errors, func(e *diag.Diagnostic) bool { return e.Span == d.Span && !d.Span.IsZero() }) {
			errors = append(errors, d)
		}
	}
	return errors
}

// ignored lists the errors of the newest release that another does not have because it ignores what is there, as it
// does the option of a later one, or does not look, or refuses more of the line: no sign that the file is for it.
func ignored(list, newest, most diag.List) (found diag.List) {
	has := func(list diag.List, d *diag.Diagnostic) bool {
		return slices.ContainsFunc(list, func(own *diag.Diagnostic) bool { return own.Code == d.Code && own.Span == d.Span })
	}
	for _, d := range most {
		if slices.ContainsFunc(list, func(own *diag.Diagnostic) bool {
			return own.Severity == diag.Error && own.Span == d.Span
		}) {
			continue // it has it
		}
		doubted := func(own *diag.Diagnostic) bool {
			return own.Severity <= diag.Warning && sameLine(own.Span, d.Span) && !has(newest, own)
		}
		if !slices.Contains(byRelease, d.Code) || slices.ContainsFunc(list, doubted) {
			found = append(found, d)
		}
	}
	return found
}

func sameLine(a, b source.Span) bool {
	return !a.IsZero() && a.File == b.File && a.Position().Line == b.Position().Line
}

// cause is a place as one would name it: a key, or a key with the word of its value.
func cause(lines []*Line, at source.Span) string {
	text := shorten(strings.Join(strings.Fields(at.Shown()), " "))
	for _, l := range lines {
		if !contains(l.Span, at) {
			continue
		}
		for _, p := range l.Pairs {
			if contains(p.Value.Span, at) && text != "" {
				return p.Key.Text + "=" + text
			}
		}
	}
	return text
}

func contains(whole, part source.Span) bool {
	return whole.File == part.File && whole.Start <= part.Start && part.End <= whole.End
}

// mostCauses bounds what one message lists.
const mostCauses = 4

// foundRelease says which release the lines are read as, and what keeps the newest from accepting them.
func foundRelease(lines []*Line, version, last string, most, left diag.List) *diag.Diagnostic {
	var causes []string
	at := source.Span{}
	for _, d := range most {
		if slices.ContainsFunc(left, func(l *diag.Diagnostic) bool { return l.Span == d.Span }) {
			continue
		}
		if at.IsZero() {
			at = d.Span
		}
		if text := cause(lines, d.Span); text != "" && !slices.Contains(causes, text) {
			causes = append(causes, text)
		}
	}
	because := strings.Join(causes[:min(len(causes), mostCauses)], ", ")
	switch more := len(causes) - mostCauses; {
	case because == "":
		because = "what other releases have"
	case more > 0:
		because += ", …"
	}
	what := "the newest release that accepts the file"
	if len(left) > 0 {
		what = "the release with the fewest errors"
	}
	var list diag.List
	return list.Infof("slurm-release", at, "read as Slurm %s, %s; %s would refuse it because of %s", version, what,
		last, because).
		Note("say which release it is for: --slurm-version %s, or a comment in the file: # fairway: slurm-version=%s",
			version, version)
}

// Versions are the release branches, oldest first; the last is the default.
var Versions = []string{"2.0", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "14.03", "14.11", "15.08", "16.05", "17.02",
	"17.11",
	"18.08", "19.05", "20.02", "20.11", "21.08", "22.05", "23.02", "23.11", "24.05", "24.11", "25.05", "25.11", "26.05"}

// Newest is the version assumed when none is named.
func Newest() string { return Versions[len(Versions)-1] }

var branchText = source.Pattern(`^(?:slurm[- ])?(\d+\.\d+)(?:[.-].*)?$`)

// Branch reduces a version such as "22.05.8" or "slurm 22.05.8" to its release
// branch. "" is the newest. It reports false for a branch that never was.
func Branch(version string) (string, bool) {
	if version == "" {
		return Newest(), true
	}
	m := branchText().FindStringSubmatch(version)
	if m == nil || !slices.Contains(Versions, m[1]) {
		return "", false
	}
	return m[1], true
}

// Older reports that one version of Slurm came before another. "" is the newest.
func Older(a, b string) bool {
	left, _ := Branch(a)
	right, _ := Branch(b)
	return before(left, right)
}

// before reports whether branch a is older than branch b; "" as in the tables
// is the oldest.
func before(a, b string) bool { return order(a) < order(b) }

// order is a branch as a number, 2205 for 22.05; what is none is as old as the oldest. It is asked
// several times for each key of a file.
func order(branch string) int {
	n := 0
	for i := range len(branch) {
		switch c := branch[i]; {
		case c >= '0' && c <= '9':
			n = n*10 + int(c-'0')
		case c != '.':
			return 200
		}
	}
	if len(branch) == 3 { // 2.6 is 206
		n = n/10*100 + n%10
	}
	return max(n, 200)
}

package attack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fairway-sched/fairway/lang/source"
)

// verb is a row of the program's own table of commands (fairway doc verbs -o json).
type verb struct {
	Name  string   `json:"name"`
	Exits []exit   `json:"exit_codes"`
	Flags []option `json:"flags"`
}

type exit struct {
	Code int `json:"code"`
}

type option struct {
	Name      string   `json:"name"`
	Shorthand string   `json:"shorthand"`
	Type      string   `json:"type"`
	Default   string   `json:"default"`
	Usage     string   `json:"usage"`
	Words     []string `json:"words"`
}

// verbsOf asks a program for its verbs.
func verbsOf(t *testing.T, program string) []verb {
	t.Helper()
	text, err := exec.Command(program, "doc", "verbs", "-o", "json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Verbs []verb `json:"verbs"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Verbs) < 15 {
		t.Fatalf("only %d verbs", len(all.Verbs))
	}
	return all.Verbs
}

// verbOf finds the verb of a command line: the one with the longest name that it begins with.
func verbOf(verbs []verb, words []string) *verb {
	line, found := strings.Join(words, " ")+" ", (*verb)(nil)
	for i, v := range verbs {
		if strings.HasPrefix(line, v.Name+" ") && (found == nil || len(v.Name) > len(found.Name)) {
			found = &verbs[i]
		}
	}
	return found
}

// fault is what is wrong with a run: its kind, in a word, and what was seen.
type fault struct{ kind, seen string }

func (f fault) String() string { return f.kind + ": " + f.seen }

// judge runs an assault on one processor and on four, and says what is wrong with it.
func (p *place) judge(program string, verbs []verb, a *assault) ([]fault, *outcome, error) {
	first, err := p.run(program, a, 1)
	if err != nil {
		return nil, nil, err
	}
	v := verbOf(verbs, a.words)
	faults := p.wrong(v, a, first)
	if len(faults) > 0 || a.brief && first.Code > 2 {
		return faults, first, nil
	}
	second, err := p.run(program, a, 4)
	if err != nil {
		return nil, nil, err
	}
	if faults = p.wrong(v, a, second); len(faults) > 0 {
		return faults, second, nil
	}
	if faults = p.unlike(a, first, second); len(faults) > 0 {
		return faults, first, nil
	}
	faults, err = p.readBack(program, verbs, a, first)
	return faults, first, err
}

var trace = regexp.MustCompile(`(?m)^(panic: |fatal error: |runtime: |unexpected fault address|goroutine \d+ \[).*`)

// wrong is what must not be of any run.
func (p *place) wrong(v *verb, a *assault, o *outcome) (faults []fault) {
	add := func(kind, format string, args ...any) {
		faults = append(faults, fault{kind, fmt.Sprintf(format, args...)})
	}
	if at := trace.FindIndex(o.stderr); at != nil {
		add("trace", "%s", firstLines(o.stderr[at[0]:], 12))
	}
	switch {
	case o.Still:
		add("still", "it did nothing for %s and was ended", stillFor)
	case o.Seconds > mostSeconds:
		add("time", "%.0f s of the processor, more than %d", o.Seconds, mostSeconds)
	case o.Code < 0:
		add("signal", "%s after %.1f s: %s", o.Ended, o.Seconds, firstLines(o.stderr, 3))
	case v == nil:
		if o.Code != 0 && o.Code != 4 {
			add("exit", "no verb, and exit code %d: %s", o.Code, firstLines(o.stderr, 3))
		}
	case !slices.Contains(v.Exits, exit{o.Code}):
		add("exit", "exit code %d of %s is not documented: %s", o.Code, v.Name, firstLines(o.stderr, 3))
	}
	if o.Resident > mostResident {
		add("memory", "%d MB, more than %d", o.Resident>>20, mostResident>>20)
	}
	if (o.Code == 3 || o.Code == 4 || o.Code == 5) && len(bytes.TrimSpace(o.stderr)) == 0 {
		add("silent", "exit code %d and nothing on standard error", o.Code)
	}
	if at := hidden(o.stderr); at != "" {
		add("shown", "standard error has %s", at)
	}
	if !writesInput(a.words) {
		if at := hidden(o.stdout); at != "" {
			add("shown", "standard output has %s", at)
		}
	}
	if why := torn(formsOf(a.words)[""], "", o.stdout); v != nil && o.Code <= 1 && len(o.stdout) > 0 && why != "" {
		add("torn", "standard output %s: %s", why, firstLines(o.stdout, 3))
	}
	return append(faults, p.wrongFiles(v, a, o)...)
}

// writesInput are the verbs that write what Fairway reads back, in which every character stays as it was.
func writesInput(words []string) bool {
	line := strings.Join(words, " ")
	return words[0] == "fmt" && !slices.Contains(words, "--diff") || words[0] == "convert" ||
		strings.HasPrefix(line, "snapshot convert") || strings.HasPrefix(line, "snapshot anonymize")
}

// hidden is the first character of a text that has no form on a page, and what is around it.
func hidden(text []byte) string {
	for i, rest := 0, text; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 || !source.Shown(r) && r != '\n' && r != '\t' {
			return fmt.Sprintf("%q in %q", r, text[max(0, i-60):min(len(text), i+30)])
		}
		i, rest = i+size, rest[size:]
	}
	return ""
}

// outputs are the flags that name a file or folder which is written.
var outputs = map[string]bool{
	"-o": true, "--output": true, "--out": true, "--to": true, "--state": true, "--state-dir": true, "--accounts": true,
	"--example": true, "--gantt": true, "--junit": true, "--keep": true, "--ledger": true, "--map": true, "--rest": true,
	"--write-baseline": true,
}

// mayWrite reports a file that a command line lets the program write: named after a flag of outputs, in such a
// folder, or a lock beside it; a run configuration names others.
func (p *place) mayWrite(a *assault, name string) bool {
	below, err := filepath.Rel(inWork, name)
	if err != nil {
		return false
	}
	words := p.wordsOf(a)
	var targets []string
	for i, w := range words {
		name, value, ok := strings.Cut(w, "=")
		switch {
		case outputs[name] && ok:
		case strings.HasPrefix(w, "-o") && len(w) > 2 && w[1] != '-':
			value = w[2:]
		case outputs[w] && i+1 < len(words):
			value = words[i+1]
		default:
			continue
		}
		targets = append(targets, value)
		if _, file, ok := strings.Cut(value, "="); ok { // FORMAT=PATH
			targets = append(targets, file)
		}
	}
	rewrites := rewrites(words)
	for i, w := range words {
		if rewrites && i > 0 && !strings.HasPrefix(w, "-") {
			targets = append(targets, w)
		}
		if words[0] == "init" { // it makes the project file of a folder, by default of this one
			targets = append(targets, filepath.Join(strings.TrimPrefix(w, words[0]), "fairway.hcl"))
		}
	}
	if _, input := a.files[below]; input && rewrites && words[0] != "fmt" {
		return true // a file that another includes, or that the project file names
	}
	for _, t := range targets {
		if t = strings.TrimPrefix(filepath.Clean(t), p.work+"/"); t == "." && rewrites {
			return true
		}
		for of := below; of != "." && of != "/"; of = path.Dir(of) {
			if like, _ := path.Match(t, of); like || of == t || of == t+".lock" || strings.HasPrefix(t, of+"/") {
				return true
			}
		}
	}
	if words[0] == "push" && slices.ContainsFunc(words, func(w string) bool {
		return strings.HasPrefix(w, "--config") || strings.HasPrefix(w, "--undo") || strings.HasPrefix(w, "--apply")
	}) {
		return true // the run block, the audit or the plan says where
	}
	// what the program did
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "command=") })
}

// rewrites reports a command line that changes its inputs: fmt, and lint or check, which is another name of it, with
// --fix; none of them if it only shows what would change.
func rewrites(words []string) bool {
	has := func(flag string) bool { return slices.Contains(words, flag) }
	switch words[0] {
	case "fmt":
		return !has("--check") && !has("--diff") && !has("--stdout")
	case "lint", "check":
		return (has("--fix") || has("--fix=true")) && !has("--diff")
	}
	return false
}

// reportsRefusal are the verbs whose output says why an input is refused, and those that change several files one by
// one.
var reportsRefusal = map[string]bool{"lint": true, "check": true, "convert": true, "push": true, "fmt": true}

// ofState reports a file of a state directory or of what commands printed, or the lock beside a state.
func ofState(a *assault, name string) bool {
	return strings.HasSuffix(name, ".lock") || slices.ContainsFunc(a.words, func(w string) bool {
		return strings.HasPrefix(w, "--state-dir") || strings.HasPrefix(w, "--keep")
	}) && strings.Contains(name, "/")
}

// pending is the name of a file that is not in its place yet.
var pending = regexp.MustCompile(`^\.[^/]*\d{6,}$|\.partial-|^fairway-live-`)

func (p *place) wrongFiles(v *verb, a *assault, o *outcome) (faults []fault) {
	add := func(kind, format string, args ...any) {
		faults = append(faults, fault{kind, fmt.Sprintf(format, args...)})
	}
	killed := o.Code < 0
	for _, name := range slices.Sorted(maps.Keys(o.after)) {
		text := o.after[name]
		if old, ok := o.before[name]; ok && old == text {
			continue
		}
		if kind := strings.TrimPrefix(text, "d"); kind != text { // a folder, or its mode
			if !p.mayWrite(a, name) {
				add("outside", "the folder %s is made or changed", name)
			}
			continue
		}
		below := strings.TrimPrefix(name, inWork+"/")
		switch {
		case pending.MatchString(path.Base(name)):
			if !killed {
				add("left", "%s is left", name)
			}
			continue
		case !p.mayWrite(a, name):
			if _, ok := a.files[below]; ok {
				add("input", "%s is changed", below)
			} else {
				add("outside", "%s is made", name)
			}
			continue
		}
		_, input := a.files[below] // which was not whole before either
		why := torn(formsOf(a.words)[below], below, []byte(text[strings.IndexByte(text, '\n')+1:]))
		if why != "" && !(input && rewrites(a.words)) {
			add("torn", "%s %s", below, why)
		}
		if v != nil && (o.Code == 3 || o.Code == 4) && !reportsRefusal[v.Name] && !ofState(a, below) {
			add("refused", "%s is written although the exit code is %d", below, o.Code)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.before)) {
		if _, ok := o.after[name]; !ok && !p.mayWrite(a, name) {
			add("input", "%s is removed", name)
		}
	}
	return faults
}

// unlike says what differs between two runs.
func (p *place) unlike(a *assault, first, second *outcome) (faults []fault) {
	if byClock(a.words) {
		return nil
	}
	if first.Code != second.Code {
		return []fault{{"unlike", fmt.Sprintf("exit code %d on one processor, %d on four: %s", first.Code, second.Code,
			firstLines(second.stderr, 3))}}
	}
	for _, s := range []struct {
		what        string
		first, then []byte
	}{{"standard output", first.stdout, second.stdout}, {"standard error", first.stderr, second.stderr}} {
		if bytes.Equal(s.first, s.then) {
			continue
		}
		one, other := strings.Split(string(s.first), "\n"), strings.Split(string(s.then), "\n")
		for i := range one {
			if i >= len(other) || one[i] != other[i] {
				faults = append(faults, fault{"unlike",
					fmt.Sprintf("%s, line %d: %.300q on one processor, %.300q on four", s.what, i+1, one[i],
						slices.Concat(other, []string{""})[min(i, len(other))])})
				break
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(first.after)) {
		if first.after[name] != second.after[name] && path.Base(name) != "lock" { // which says who holds it
			faults = append(faults, fault{"unlike", name + " differs"})
		}
	}
	return faults
}

// byClock are the command lines that write the time or a random key by design.
func byClock(words []string) bool {
	has := func(flags ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(flags, func(f string) bool { return w == f || strings.HasPrefix(w, f+"=") })
		})
	}
	line := strings.Join(words, " ")
	switch {
	case words[0] == "push":
		return true // the age of a snapshot, and times of an audit
	case words[0] == "desk":
		return true // its address has a free port and a random token
	case strings.HasPrefix(line, "snapshot capture"), has("--live"):
		return true
	case strings.HasPrefix(line, "snapshot anonymize"):
		return !has("--key-file")
	case words[0] == "usage":
		return !has("--now")
	}
	return false
}

func firstLines(text []byte, n int) string {
	lines := strings.SplitAfterN(string(text), "\n", n+1)
	short := strings.TrimSpace(strings.Join(lines[:min(n, len(lines))], ""))
	return short[:min(len(short), 1500)]
}

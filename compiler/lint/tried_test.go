package lint_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// Advice is tried: what a finding offers as a fix, and each KEY=VALUE or KEY VALUE that a note says to write, is put
// into the file, which is linted again. The finding is gone then, nothing worse has come, and nothing new is at the
// place.

// untried is advice that is right and does not do all of that, by code, with the reason.
var untried = map[string]string{
	"maui-indented-name":        "what the name sets is looked at only then",
	"maui-documented-only":      "what the name sets is looked at only then",
	"maui-documented-attribute": "what the name sets is looked at only then",
	"slurm-unknown-key":         "what the key sets is looked at only then",
	"slurm-plugin":              "what the plugin needs is looked at only then",
	"slurm-indented-include":    "the file is looked for only then",
	"slurm-feature-twice":       "the other list goes as well",
}

// edit is a text to put in, with where.
type edit struct {
	text  string // as the finding says it
	after []byte
	lines []int // that were changed, in the file after
}

type trial struct {
	files   []*source.File
	version string
	include lower.Files
	code    string // of the findings after whose advice the policy is compiled as well; "" are all
}

func (t trial) lint(at *source.File, text []byte) diag.List {
	return compiler.Lint(t.input(at, text), lint.Options{All: true}).Diags
}

// compiles reports that the policy can be evaluated.
func (t trial) compiles(at *source.File, text []byte) bool {
	return !slices.ContainsFunc(compiler.Compile(t.input(at, text)).Diags, func(d *diag.Diagnostic) bool {
		return d.Severity == diag.Error && d.Code != "slurm-required-key" // a setting makes a part a whole
	})
}

// input has another text for one of the files.
func (t trial) input(at *source.File, text []byte) compiler.Input {
	in := compiler.Input{Options: lower.Options{Version: t.version}, Include: t.include}
	if t.version == "documented" {
		in.Options = lower.Options{Semantics: t.version}
	}
	for _, f := range t.files {
		if f == at {
			f = source.NewFile(f.Name, text)
		}
		in.Files = append(in.Files, f)
	}
	if len(in.Files) == 1 {
		in.Lang = languages[in.Files[0].Name]
	}
	return in
}

// try puts in what each finding offers.
func (t trial) try(tell func(d *diag.Diagnostic, e edit, what string)) (tried int) {
	found := t.lint(nil, nil)
	whole := len(found) > 0 && t.compiles(nil, nil)
	for _, d := range found {
		if d.Span.IsZero() || !slices.ContainsFunc(t.files, func(f *source.File) bool { return f.Name == d.Span.File.Name }) {
			continue
		}
		for _, file := range t.files { // what is set in slurm.conf may be the advice of a finding in the dump
			if d.Span.File.Name != file.Name && file.Name != "slurm.conf" {
				continue
			}
			for _, e := range offered(file, d) {
				tried++
				t.judge(found, d, e, file, tell)
				if (t.code == "" || d.Code == t.code) && whole && !t.compiles(file, e.after) {
					tell(d, e, "the policy does not compile any more")
				}
			}
		}
	}
	return tried
}

func (t trial) judge(found diag.List, d *diag.Diagnostic, e edit, file *source.File,
	tell func(*diag.Diagnostic, edit, string)) {
	after := t.lint(file, e.after)
	before, now := times(found), times(after)
	if now[d.Code] >= before[d.Code] && d.Span.File.Name == file.Name && atPlace(after, d, e) {
		tell(d, e, "the finding stays")
	}
	for _, a := range after {
		if now[a.Code] <= before[a.Code] || a.Code == d.Code || a.Code == "slurm-required-key" ||
			a.Code == "maui-no-server-host" || a.Code == "slurm-no-partition" {
			continue
		}
		switch here := !a.Span.IsZero() && a.Span.File.Name == file.Name &&
			slices.Contains(e.lines, a.Span.Position().Line); {
		case a.Severity < d.Severity:
			tell(d, e, fmt.Sprintf("worse: %s: %s", a.Code, a.Message))
		case here && a.Severity != diag.Info:
			tell(d, e, fmt.Sprintf("new there: %s: %s", a.Code, a.Message))
		}
	}
}

// atPlace reports that a finding of the same code, in the same words, is still there.
func atPlace(after diag.List, d *diag.Diagnostic, e edit) bool {
	fix := strings.HasPrefix(e.text, "fix ")
	return slices.ContainsFunc(after, func(a *diag.Diagnostic) bool {
		return a.Code == d.Code && a.Message == d.Message && (!fix || a.Span.Position().Line == d.Span.Position().Line)
	})
}

func times(list diag.List) map[string]int {
	n := map[string]int{}
	for _, d := range list {
		n[d.Code]++
	}
	return n
}

// offered are the edits that a finding speaks of.
func offered(file *source.File, d *diag.Diagnostic) (list []edit) {
	if d.Fix != nil && d.Fix.Span.File.Name == file.Name {
		text := slices.Concat(file.Text[:d.Fix.Span.Start], []byte(d.Fix.NewText), file.Text[d.Fix.Span.End:])
		line := d.Fix.Span.Position().Line
		list = append(list, edit{text: "fix " + d.Fix.NewText, after: text, lines: []int{line}})
	}
	if d.Span.File.Name != file.Name && file.Name != "slurm.conf" || strings.HasSuffix(file.Name, ".hcl") ||
		d.Span.File.Name == file.Name && strings.HasSuffix(file.Name, "dump.cfg") {
		return list
	}
	for _, n := range d.Notes {
		for _, alternative := range alternatives(n.Text) {
			if e, ok := written(file, d, alternative); ok {
				list = append(list, e)
			}
		}
	}
	return list
}

var (
	pairPattern = regexp.MustCompile(`\b([A-Za-z][A-Za-z0-9]*(?:\[[A-Za-z0-9]+\])?)=("[^"]*"|[^\s;]+)`)
	mauiPattern = regexp.MustCompile(`\b([A-Z][A-Z0-9]{3,}(?:\[[A-Za-z0-9]+\])?) (-?[A-Z0-9][A-Z0-9:.%]*)(?:[\s,;.]|$)`)
	moreValues  = regexp.MustCompile(`^, ([A-Z_]+(?:, [A-Z_]+)*),? or ([A-Z_,]+)`)
)

type pair struct{ key, value string }

// alternatives are what a note says to write, each of which is enough.
func alternatives(note string) (list [][]pair) {
	at := strings.Index(note, "write ")
	if at < 0 {
		return nil
	}
	for _, part := range regexp.MustCompile(`,? or |; `).Split(note[at:], -1) {
		var pairs []pair
		for _, m := range pairPattern.FindAllStringSubmatch(part, -1) {
			pairs = append(pairs, pair{m[1], strings.TrimRight(m[2], ".,;)")})
		}
		if len(pairs) == 0 {
			for _, m := range mauiPattern.FindAllStringSubmatch(strings.TrimPrefix(part, "write ")+" ", -1) {
				pairs = append(pairs, pair{m[1], m[2]})
			}
		}
		if len(pairs) > 0 && !slices.ContainsFunc(pairs, func(p pair) bool { return placeholder(p.value) }) {
			list = append(list, pairs)
		}
	}
	// KEY=A, B or C
	if m := pairPattern.FindStringSubmatchIndex(note[at:]); m != nil {
		value := note[at:][m[4]:m[5]]
		if rest := strings.TrimPrefix(note[at:][m[4]:], strings.TrimRight(value, ",")); moreValues.MatchString(rest) {
			more := moreValues.FindStringSubmatch(rest)
			for _, v := range append(strings.Split(more[1], ", "), more[2]) {
				list = append(list, []pair{{note[at:][m[2]:m[3]], strings.TrimRight(v, ",")}})
			}
		}
	}
	return list
}

func placeholder(value string) bool {
	return strings.ContainsAny(value, "…") || regexp.MustCompile(`^(N|NAME|LIST|name|X|YY\.MM)([^a-z]|$)`).
		MatchString(value)
}

var recordKeys = func() map[string]string {
	keys := map[string]string{}
	for _, p := range stdlib.SlurmParams.Params() {
		switch p.Record {
		case "PartitionName", "NodeName":
			keys[p.Record+"."+p.Name] = p.Name
		case "global":
			keys["."+p.Name] = p.Name
		}
	}
	return keys
}()

// written puts pairs into the file: into the record of the finding where it has such a key, else as lines of their own.
func written(file *source.File, d *diag.Diagnostic, pairs []pair) (e edit, ok bool) {
	lines := strings.SplitAfter(string(file.Text), "\n")
	if !strings.HasSuffix(lines[len(lines)-1], "\n") {
		lines[len(lines)-1] += "\n"
	}
	at := -1
	if d.Span.File.Name == file.Name {
		at = recordStart(lines, d.Span.Position().Line-1)
	}
	if record := pairs[0].key; record == "PartitionName" || record == "NodeName" {
		if pairs[0].value == "DEFAULT" {
			return e, false
		}
		var line []string
		for _, p := range pairs {
			line = append(line, p.key+"="+p.value)
		}
		e.text = strings.Join(line, " ")
		e.after, e.lines = []byte(strings.Join(lines, "")+e.text+"\n"), []int{len(lines)}
		return e, true
	}
	var said []string
	for _, p := range pairs {
		said = append(said, p.key+"="+p.value)
		var line int
		switch {
		case strings.HasSuffix(file.Name, "maui.cfg") || bytes.Contains(file.Text, []byte("SERVERHOST")):
			lines, line = inMaui(lines, at, p)
		default:
			lines, line = inSlurm(lines, at, p)
		}
		if line < 0 {
			return e, false
		}
		e.lines = append(e.lines, line+1)
	}
	e.text, e.after = strings.Join(said, " "), []byte(strings.Join(lines, ""))
	return e, true
}

// recordStart is the first line of a setting that goes on over several.
func recordStart(lines []string, at int) int {
	for at > 0 && strings.HasSuffix(strings.TrimRight(lines[at-1], " \t\r\n"), "\\") {
		at--
	}
	return at
}

func inSlurm(lines []string, at int, p pair) ([]string, int) {
	record := ""
	if at >= 0 {
		record, _, _ = strings.Cut(strings.TrimSpace(lines[at]), "=")
	}
	for _, kind := range []string{"PartitionName", "NodeName"} {
		if strings.EqualFold(record, kind) && recordKeys[kind+"."+p.key] != "" {
			out := slices.Clone(lines)
			token := regexp.MustCompile(`(?i)\b` + p.key + `\s*=\s*("[^"]*"|\S+)`)
			if token.MatchString(out[at]) {
				out[at] = token.ReplaceAllLiteralString(out[at], p.key+"="+p.value)
				return out, at
			}
			body, comment, has := strings.Cut(strings.TrimRight(out[at], "\r\n"), "#")
			out[at] = strings.TrimRight(body, " \t") + " " + p.key + "=" + p.value + "\n"
			if has {
				out[at] = strings.TrimSuffix(out[at], "\n") + " #" + comment + "\n"
			}
			return out, at
		}
	}
	if recordKeys["."+p.key] == "" {
		return lines, -1
	}
	own := regexp.MustCompile(`(?i)^\s*` + p.key + `\s*=`)
	for i := range lines {
		if own.MatchString(lines[i]) {
			out := slices.Clone(lines)
			out[i] = p.key + "=" + p.value + "\n"
			return out, i
		}
	}
	return append([]string{p.key + "=" + p.value + "\n"}, lines...), 0
}

func inMaui(lines []string, at int, p pair) ([]string, int) {
	out := slices.Clone(lines)
	if at < 0 {
		return lines, -1
	}
	if token := regexp.MustCompile(`\b` + regexp.QuoteMeta(p.key) + `=\S+`); token.MatchString(out[at]) {
		out[at] = token.ReplaceAllLiteralString(out[at], p.key+"="+p.value)
		return out, at
	}
	if !stdlib.MauiParams.Names()[strings.SplitN(p.key, "[", 2)[0]] {
		return lines, -1
	}
	for i := range out {
		if words := strings.Fields(out[i]); len(words) > 1 && words[0] == p.key {
			out[i] = p.key + " " + p.value + "\n"
			return out, i
		}
	}
	return append([]string{p.key + " " + p.value + "\n"}, out...), 0
}

// whole completes a part of a configuration, so that what it lacks is not found with every try; where the finding needs
// what it lacks, it stays as it is.
func whole(t trial) trial {
	out := t
	out.files = slices.Clone(t.files)
	for i, f := range t.files {
		has := func(key string) bool { return regexp.MustCompile(`(?mi)^\s*` + key + `\b`).Match(f.Text) }
		more := ""
		switch {
		case f.Name == "maui.cfg" && !has("SERVERHOST"):
			more = "SERVERHOST h\n"
		case f.Name == "slurm.conf":
			for _, need := range []struct{ key, text string }{{"ClusterName", "ClusterName=c\n"},
				{"(SlurmctldHost|ControlMachine)", "SlurmctldHost=h\n"},
				{"NodeName", "NodeName=n1 CPUs=4 RealMemory=64000\n"},
				{"PartitionName", "PartitionName=all Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=60\n"}} {
				if !has(need.key) {
					more += need.text
				}
			}
		}
		if more != "" {
			text := bytes.TrimSuffix(f.Text, []byte("\n"))
			out.files[i] = source.NewFile(f.Name, append(append(slices.Clone(text), '\n'), more...))
		}
	}
	if times(t.lint(nil, nil))[t.code] != times(out.lint(nil, nil))[t.code] {
		return t
	}
	return out
}

// TestAdviceIsTried: of all examples, and of all files of the corpus.
func TestAdviceIsTried(t *testing.T) {
	tried, used := 0, map[string]bool{}
	look := func(where string, one trial) {
		tried += one.try(func(d *diag.Diagnostic, e edit, what string) {
			if untried[d.Code] != "" {
				used[d.Code] = true
				return
			}
			t.Errorf("%s: %s: %s\n\twritten %q: %s", where, d.Code, d.Message, e.text, what)
		})
	}
	for _, c := range fixtures(t) {
		if !strings.Contains(c.version, ">") {
			look(c.page.Code, whole(trial{files: c.files, version: c.version, code: c.page.Code}))
		}
	}
	fsys := beside.Files(t)
	for _, folder := range []string{"maui", "slurm"} {
		files, err := fs.Glob(fsys, "corpus/"+folder+"/*")
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range files {
			if !draws.InSample(i, 3) {
				continue
			}
			if text, err := fs.ReadFile(fsys, name); err == nil {
				look(name, trial{files: []*source.File{source.NewFile(name, text)}, include: lower.Files{FS: fsys, Dir: "."}})
			}
		}
	}
	for key := range untried {
		if !used[key] && draws.Long() {
			t.Errorf("no longer needed: %s", key)
		}
	}
	if tried < 150 {
		t.Errorf("only %d pieces of advice were tried", tried)
	}
	t.Logf("%d pieces of advice tried", tried)
}

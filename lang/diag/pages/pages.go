// Package pages holds what `fairway doc rules` prints of each diagnostic and lint rule: a text file each, named
// by its code. It has what the diagnostic means, why it matters, what to write instead, and examples that tests run.
//
// A file has a head of "key: text" lines, which indented lines continue, and then the files of its examples:
//
//	severity: warning
//	number: SL022
//	source: slurm.conf(5), PriorityWeightAge
//	what: the weight of a fractional factor is below 1000
//	why: a priority is a whole number
//	instead: PriorityWeightAge=1000
//	-- example/slurm.conf --
//	PriorityType=priority/multifactor
//	PriorityWeightAge=10
//	-- quiet@22.05/slurm.conf --
//	PriorityWeightAge=1000
//
// The example is printed, and a test runs it: it is reported. So is what has the mark "fires", but it is not
// printed; what has the mark "quiet" is not reported. After an @ comes the version of Slurm. A part of an input that
// no test can run has the mark "shown". A page is read when it is asked for.
package pages

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/lang/diag"
)

// Areas are the folders, in the order of the reference, with their titles there.
var Areas = []struct{ Folder, Title string }{
	{"maui", "maui.cfg"},
	{"slurm", "slurm.conf"},
	{"sacctmgr", "sacctmgr dumps"},
	{"beside", "Files beside slurm.conf"},
	{"policy", "The policy language"},
	{"expressions", "Expressions"},
	{"lowering", "Lowering"},
	{"checks", "Checks"},
	{"conversion", "Conversion"},
	{"codegen", "Code generation"},
	{"snapshots", "Snapshots"},
	{"evaluation", "Evaluation"},
	{"plans", "Plans"},
	{"replays", "Replays"},
	{"studies", "Studies"},
	{"trees", "Account trees"},
	{"limits", "Limits"},
	{"state", "State files"},
	{"push", "Plans of push"},
	{"run", "Run configurations"},
	{"usage", "Usage from job records"},
	{"views", "Views"},
	{"lint/maui", "Lint of maui.cfg"},
	{"lint/slurm", "Lint of slurm.conf and dumps"},
	{"lint/policy", "Lint of policy files"},
	{"lint/ignore", "Lint of ignore comments"},
	{"lint/queue", "Lint of recorded queues"},
	{"lint/upgrade", "Lint of upgrades"},
}

//go:embed */*.txt */*/*.txt
var files embed.FS

// Page is one file.
type Page struct {
	Code     string
	Severity diag.Severity
	InLint   diag.Severity // the same, or what lint takes it for, because the setting has no effect or the opposite one
	Varies   string        // where it has another severity, and why
	Numbers  []string      // of lint: M Maui, SL Slurm, P policy files, Q queues, U upgrades
	Also     []string      // numbers whose main page is another one
	OnDemand string        // "" of most; "yes", or "unset": of a setting that is left out
	// how lint makes one finding of many in a file: "key", of each text; "file", of all; "" for none
	Fold string

	Source  string // where the fact is documented
	What    string // when it is reported
	Why     string // what goes wrong otherwise
	Case    string // what triggers it, in words, where no short text does
	Instead string // what to write

	examples string
}

// Of finds the page of a code; nil if there is none.
func Of(code string) *Page {
	for i := len(Areas) - 1; i >= 0; i-- { // lint, which asks most often, comes last
		if p := read(Areas[i].Folder + "/" + code + ".txt"); p != nil {
			return p
		}
	}
	return nil
}

func filesIn(folder string) (list []string) {
	entries, _ := files.ReadDir(folder) // a test reads every folder
	for _, e := range entries {
		list = append(list, folder+"/"+e.Name())
	}
	return list
}

// Codes are those of all pages.
func Codes() (list []string) {
	for _, a := range Areas {
		for _, name := range filesIn(a.Folder) {
			list = append(list, codeOf(name))
		}
	}
	return list
}

// In lists the pages of a folder and those below it by their codes; "" has all of them.
func In(folder string) (list []*Page) {
	for _, a := range Areas {
		if folder != "" && a.Folder != folder && !strings.HasPrefix(a.Folder, folder+"/") {
			continue
		}
		names := filesIn(a.Folder)
		slices.SortFunc(names, func(a, b string) int { return strings.Compare(codeOf(a), codeOf(b)) })
		for _, name := range names {
			list = append(list, read(name))
		}
	}
	return list
}

func codeOf(name string) string { return strings.TrimSuffix(path.Base(name), ".txt") }

// Numbered lists the pages of a number, without regard to case: its own first.
func Numbered(number string) (list []*Page) {
	is := func(s string) bool { return strings.EqualFold(s, number) }
	var also []*Page
	for _, p := range In("") {
		if slices.ContainsFunc(p.Numbers, is) {
			list = append(list, p)
		} else if slices.ContainsFunc(p.Also, is) {
			also = append(also, p)
		}
	}
	return append(list, also...)
}

// AllNumbers are those of its own and the others, in their order.
func (p *Page) AllNumbers() []string {
	return slices.Sorted(slices.Values(append(slices.Clone(p.Numbers), p.Also...)))
}

var cache sync.Map // name → *Page

func read(name string) *Page {
	if p, ok := cache.Load(name); ok {
		return p.(*Page)
	}
	text, err := files.ReadFile(name)
	if err != nil {
		return nil
	}
	p, err := parse(codeOf(name), string(text))
	if err != nil {
		panic(fmt.Sprintf("INVARIANT: embedded page %s: %v", name, err))
	}
	cache.Store(name, p)
	return p
}

var severities = map[string]diag.Severity{"error": diag.Error, "warning": diag.Warning, "info": diag.Info}

func parse(code, text string) (*Page, error) {
	p, head := &Page{Code: code}, text
	if i := strings.Index("\n"+text, "\n-- "); i >= 0 {
		head, p.examples = text[:i], text[i:]
	}
	var severity, lint, number, also string
	var last *string
	for line := range strings.Lines(head) {
		line = strings.TrimSuffix(line, "\n")
		if more, ok := strings.CutPrefix(line, "  "); ok && last != nil {
			*last += " " + more
			continue
		}
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "severity":
			last = &severity
		case "lint":
			last = &lint
		case "varies":
			last = &p.Varies
		case "number":
			last = &number
		case "also":
			last = &also
		case "on demand":
			last = &p.OnDemand
		case "fold":
			last = &p.Fold
		case "source":
			last = &p.Source
		case "what":
			last = &p.What
		case "why":
			last = &p.Why
		case "case":
			last = &p.Case
		case "instead":
			last = &p.Instead
		default:
			return nil, fmt.Errorf("%q is no part of a page", key)
		}
		if *last != "" || value == "" {
			return nil, fmt.Errorf("%s is there twice, or empty", key)
		}
		*last = value
	}
	var ok bool
	if p.Severity, ok = severities[severity]; !ok {
		return nil, fmt.Errorf("%q is no severity", severity)
	}
	if p.InLint, ok = severities[lint]; !ok && lint != "" {
		return nil, fmt.Errorf("%q is no severity", lint)
	} else if !ok {
		p.InLint = p.Severity
	}
	p.Numbers, p.Also = strings.Fields(number), strings.Fields(also)
	return p, nil
}

// Case is one example: files that are read together.
type Case struct {
	Kind    string // example, shown, fires or quiet
	Version string // of Slurm; "" if that does not matter
	Files   []File
}

// File is one file of an example.
type File struct{ Name, Text string }

// Cases are the examples. A file with a name that the case has already begins the next one. The sign ␀ is a NUL byte
// there.
func (p *Page) Cases() (list []Case) {
	for _, section := range strings.Split("\n"+strings.TrimSuffix(p.examples, "\n"), "\n-- ")[1:] {
		title, text, _ := strings.Cut(section+"\n", " --\n")
		kind, name, _ := strings.Cut(title, "/")
		kind, version, _ := strings.Cut(kind, "@")
		f := File{name, strings.ReplaceAll(text, "␀", "\x00")}
		if n := len(list) - 1; n >= 0 && list[n].Kind == kind && list[n].Version == version && !list[n].has(name) {
			list[n].Files = append(list[n].Files, f)
			continue
		}
		list = append(list, Case{kind, version, []File{f}})
	}
	return list
}

func (c Case) has(name string) bool {
	return slices.ContainsFunc(c.Files, func(f File) bool { return f.Name == name })
}

// Example is the one that is printed: its text, or its files with their names; "" where there is none.
func (p *Page) Example() string {
	list := p.Cases()
	if len(list) == 0 || list[0].Kind != "example" && list[0].Kind != "shown" {
		return ""
	}
	if len(list[0].Files) == 1 {
		return list[0].Files[0].Text
	}
	var b strings.Builder
	for _, f := range list[0].Files {
		b.WriteString("-- " + f.Name + " --\n" + f.Text)
	}
	return b.String()
}

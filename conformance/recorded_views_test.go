package conformance_test

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/view"
)

// mauiViews are the reports of which the copies keep Maui's text.
var mauiViews = map[string]string{"diagnose-p.txt": "diagnose-p", "diagnose-f.txt": "diagnose-f", "showq.txt": "showq"}

// mauiUnprinted names reports that are not compared, and why.
var mauiUnprinted = map[string]string{
	"p38-usage diagnose-p":      "it has columns of weights that count for running jobs only",
	setspriCase + " diagnose-p": "it was printed after an administrator had set priorities, and in the order before",
	setspriCase + " showq":      "likewise",
}

// TestRecordedViews: what the views print of the first iteration is what Maui's clients printed.
func TestRecordedViews(t *testing.T) {
	compared := map[string]int{}
	for _, r := range recordings(t, "maui") {
		texts, err := fs.Glob(r.files, "expected/*.txt")
		if err != nil {
			t.Fatal(err)
		}
		if len(texts) == 0 {
			continue
		}
		result := r.first(t)
		for _, name := range texts {
			command := mauiViews[strings.TrimPrefix(name, "expected/")]
			if mauiUnprinted[r.name+" "+command] != "" {
				continue
			}
			compared[command]++
			t.Run(r.name+" "+command, func(t *testing.T) { checkView(t, command, string(r.read(t, name)), result) })
		}
	}
	for _, command := range mauiViews {
		if compared[command] < 20 {
			t.Errorf("only %d outputs of %s were compared", compared[command], command)
		}
	}
}

// first evaluates the first iteration.
func (r recording) first(t *testing.T) *engine.Result {
	t.Helper()
	var want mauiExpected
	r.expected(t, &want)
	out := r.compile(t, "maui.cfg", compiler.Input{Lang: lower.Maui})
	if out.Program == nil {
		t.Fatal(format(out.Diags))
	}
	return r.at(t, out.Program, want.Now, nil, engine.Options{Workers: 1, Started: names(want.Starts), Backfilled: both(names(want.Starts), names(want.Backfilled))})
}

// What the reports hold that no input decides: which nodes the jobs that just started run on, and
// names that Maui knows by itself and that nobody uses.
var (
	nodesActive = regexp.MustCompile(`(?m)^ +\d+ of +\d+ Nodes Active.*\n`)
	ownNames    = regexp.MustCompile(`(?m)^(root|ALL)\*? +0\.00 .*\n`)
)

func checkView(t *testing.T, command, want string, result *engine.Result) {
	t.Helper()
	_, want, _ = strings.Cut(want, "\n") // the command
	var b strings.Builder
	for _, v := range view.Views {
		if v.Name == command {
			if err := v.Write(&b, result, view.Options{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := b.String()
	if command == "diagnose-f" {
		want, got = rowsSorted(ownNames.ReplaceAllString(want, "")), rowsSorted(got)
	}
	if len(result.Started) > 0 {
		want, got = nodesActive.ReplaceAllString(want, ""), nodesActive.ReplaceAllString(got, "")
	}
	if got != want {
		t.Errorf("\n%s", diff.Diff("recorded", []byte(want), "printed", []byte(got)))
	}
}

// rowsSorted sorts the rows of each section: Maui's order is that of a hash table.
func rowsSorted(report string) string {
	const rule = "-------------\n"
	sections := strings.Split(report, rule)
	for i := 1; i < len(sections); i++ {
		rows, after, _ := strings.Cut(sections[i], "\n\n")
		lines := strings.Split(strings.TrimSuffix(rows, "\n"), "\n")
		slices.Sort(lines)
		sections[i] = strings.Join(lines, "\n") + "\n\n" + after
	}
	return strings.Join(sections, rule)
}

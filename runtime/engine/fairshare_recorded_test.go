package engine_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/view"
)

// weighed is what was recorded of one iteration's priorities.
type weighed struct {
	Now   int64
	First map[string]struct {
		Sum          float64 `json:"raw_sum"`
		Components   map[string]struct{ Contribution float64 }
		Subfactors   map[string]struct{ Factor, Cap float64 }
		StartInteger int64 `json:"start_priority_int"`
	} `json:"priorities_first_pass"`
	Starts []struct{ Job string }
	Later  []weighed `json:"later_steps"`
}

// shareTerms are the recorded names of the fairshare terms.
var shareTerms = map[string]string{"fsuser": "FSUSER", "fsgroup": "FSGROUP", "fsaccount": "FSACCOUNT", "fsqos": "FSQOS", "fsclass": "FSCLASS"}

// TestRecordedFairshare compares every fairshare factor, what the component adds and the
// whole sum, in every iteration of every recording with an FSPOLICY.
func TestRecordedFairshare(t *testing.T) {
	root := shared(t, "oracle", "maui")
	configs, err := filepath.Glob(filepath.Join(root, "*", "maui.cfg"))
	if err != nil || len(configs) == 0 {
		t.Fatal("no recordings", err)
	}
	cases, factors := 0, 0
	for _, config := range configs {
		if text, err := os.ReadFile(config); err != nil || !regexp.MustCompile(`(?m)^FSPOLICY`).Match(text) {
			continue
		}
		cases++
		t.Run(filepath.Base(filepath.Dir(config)), func(t *testing.T) {
			r := newReplay(t, os.DirFS(filepath.Dir(config)))
			var recorded weighed
			if err := json.Unmarshal(r.read("expected.json"), &recorded); err != nil {
				t.Fatal(err)
			}
			for i, it := range append([]weighed{recorded}, recorded.Later...) {
				factors += r.weigh(t, i, it)
			}
		})
	}
	if cases < 20 || factors < 3000 {
		t.Errorf("only %d recordings and %d factors compared", cases, factors)
	}
}

// weigh evaluates one iteration and compares it; it returns how many factors that were.
func (r *replay) weigh(t *testing.T, iteration int, it weighed) (factors int) {
	var started []string
	for _, s := range it.Starts {
		started = append(started, s.Job)
	}
	result, err := engine.Run(r.program, r.snapshot(it.Now), engine.Options{Workers: 1, Started: started, Previous: r.previous})
	if err != nil || result.Findings.HasErrors() {
		t.Fatal(err, result.Findings)
	}
	for job := range result.Jobs.Rows {
		name, row := id(result, job), int(result.JobRow[job])
		want, ok := it.First[name]
		if !ok {
			t.Errorf("iteration %d: job %s was not recorded", iteration, name)
			continue
		}
		for i := range result.Terms {
			term := &result.Terms[i]
			recorded, weighs := want.Subfactors[shareTerms[r.program.Components[term.Component].Terms[term.Term].Name]]
			if !weighs {
				continue
			}
			factors++
			got := term.Factor[row]
			if term.Cap != nil && term.Cap[row] > 0 {
				got = min(got, term.Cap[row])
			}
			if !near(got, recorded.Factor) {
				t.Errorf("iteration %d, job %s: %s is %v, recorded was %v", iteration, name, r.program.Components[term.Component].Terms[term.Term].Name, got, recorded.Factor)
			}
		}
		for i := range result.Sums {
			if sum := &result.Sums[i]; r.program.Components[sum.Component].Name == "fairshare" && !near(sum.Value[row], want.Components["FS"].Contribution) {
				t.Errorf("iteration %d, job %s: fairshare adds %v, recorded was %v", iteration, name, sum.Value[row], want.Components["FS"].Contribution)
			}
		}
		if !near(result.Score[row], want.Sum) {
			t.Errorf("iteration %d, job %s: the sum is %v, recorded was %v", iteration, name, result.Score[row], want.Sum)
		}
		if result.Priority[row] != want.StartInteger {
			t.Errorf("iteration %d, job %s: priority %d, recorded was %d", iteration, name, result.Priority[row], want.StartInteger)
		}
	}
	r.diagnoseF(t, iteration, result)
	r.previous = r.through(result, it.Now)
	r.age(it.Now, started)
	return factors
}

// diagnoseF compares with what diagnose -f answered at the end of the iteration: byte by byte, but
// for the order of names, which is that of a hash table.
func (r *replay) diagnoseF(t *testing.T, iteration int, result *engine.Result) {
	if r.program.Windows == nil && iteration > 0 {
		return // without FSPOLICY Maui goes on counting what nothing but this report reads
	}
	file := "expected/diagnose-f.txt"
	if iteration > 0 {
		file = fmt.Sprintf("expected/step%d.diagnose-f.txt", iteration)
	}
	_, want, _ := strings.Cut(string(r.read(file)), "\n") // the command
	var b strings.Builder
	if err := view.WriteDiagnoseF(&b, result, view.Options{}); err != nil {
		t.Fatal(err)
	}
	gotHead, got, _ := strings.Cut(b.String(), "\nUSER\n")
	wantHead, want, _ := strings.Cut(want, "\nUSER\n")
	if gotHead != wantHead {
		t.Errorf("iteration %d: diagnose -f begins\n%s\nrecorded was\n%s", iteration, gotHead, wantHead)
	}
	gotLines, wantLines := sorted(got), sorted(want)
	// Maui knows its administrators and an account called ALL, and remembers whose jobs are gone.
	wantLines = slices.DeleteFunc(wantLines, func(line string) bool {
		name, _, _ := strings.Cut(strings.Trim(line, "\n"), " ")
		nobody := strings.TrimRight(strings.ReplaceAll(line, " -------", ""), " +-%*")
		return !slices.Contains(gotLines, line) && strings.Contains(nobody, "   0.00 ") &&
			(name == "root*" || name == "root" || name == "ALL*" || iteration > 0)
	})
	if !slices.Equal(gotLines, wantLines) {
		t.Errorf("iteration %d: diagnose -f has\n%s\nrecorded was\n%s", iteration, strings.Join(gotLines, "\n"), strings.Join(wantLines, "\n"))
	}
}

// sorted are the lines of the report's sections, each with its section before it.
func sorted(text string) []string {
	var lines []string
	section := "USER"
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); line == strings.ToUpper(line) && !strings.ContainsAny(line, " -.") && line != "" {
			section = line
		} else if line != "" && line != "-------------" {
			lines = append(lines, line+"   "+section)
		}
	}
	slices.Sort(lines)
	return lines
}

// near is the precision of the recordings' print.
func near(got, want float64) bool {
	return math.Abs(got-want) <= 1e-9*math.Max(1, math.Max(math.Abs(got), math.Abs(want)))
}

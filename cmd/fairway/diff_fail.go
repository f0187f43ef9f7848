package main

import (
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/impact"
)

// threshold is a --fail-if.
type threshold struct {
	text string
	*celexpr.Threshold
}

// numbers are what conditions may ask for: how many settings differ, and with a snapshot its summary.
func (r *diffed) numbers() map[string]schema.Value {
	out := map[string]schema.Value{}
	if r.queue != nil {
		out = r.queue.Summary.Values()
	}
	differences := 0
	if r.policies != nil {
		differences = r.policies.Effective()
	}
	out["differences"] = schema.IntValue(int64(differences))
	return out
}

// thresholds compiles the conditions, before anything is evaluated.
func (f *diffFlags) thresholds() ([]threshold, error) {
	var scope diffed
	if len(f.snap.paths) > 0 {
		scope.queue = &impact.Comparison{}
	}
	kinds := map[string]schema.Type{}
	for name, v := range scope.numbers() {
		kinds[name] = v.Type
	}
	var out []threshold
	var wrong diag.List
	for _, text := range f.failIf {
		file := source.NewFile("--fail-if", []byte(text))
		t, list := celexpr.NewThreshold(celexpr.Source{Span: file.Span(0, len(text))}, kinds)
		wrong = append(wrong, list...)
		out = append(out, threshold{text, t})
	}
	if len(wrong) == 0 {
		return out, nil
	}
	if scope.queue == nil {
		wrong[0].Note("with --snapshot there are also the numbers of what happens to its queue, such as moved and blocked")
	}
	printDiags(wrong)
	return nil, &exitError{code: exitUsage}
}

// exceeded says which conditions hold, and for what numbers.
func (r *diffed) exceeded(list []threshold) error {
	values := r.numbers()
	failed := false
	for _, t := range list {
		holds, wrong := t.Holds(values)
		if len(wrong) > 0 {
			printDiags(wrong)
			return &exitError{code: exitUsage}
		}
		if !holds {
			continue
		}
		failed = true
		var words []string
		for _, name := range t.Names {
			words = append(words, fmt.Sprintf("%s is %s", name, values[name]))
		}
		fmt.Fprintf(stderr, "fairway: --fail-if %s: %s\n", t.text, strings.Join(words, ", "))
	}
	if failed {
		return &exitError{code: exitFindings}
	}
	return nil
}

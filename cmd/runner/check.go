package runner

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/cmd/vocabulary"
	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/counterexample"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// Where a check does not say how many queues are drawn, and from which seed.
const (
	usualQueues = 200
	usualSeed   = 1
)

// mostQueues bounds what one check costs.
const mostQueues = 5_000

// check looks for a queue that breaks a promise.
func (r *run) check() {
	c := r.test.Check
	property := counterexample.Property{Tries: r.atLeastOne(c.Queues, usualQueues),
		Seed: uint64(number(c.Seed, usualSeed)), Ask: r.ask}
	columns := counterexample.Columns()
	for _, name := range c.Vary {
		if !slices.Contains(columns, name.Value) {
			r.fail(name.Span, "%q is no column that two jobs can differ in", name.Value).
				Note("these are: %s", strings.Join(columns, ", "))
		}
		property.Vary = append(property.Vary, name.Value)
	}
	out := r.compile("")
	if r.stopped || len(r.out.Failures) > 0 {
		return
	}
	property.Program, property.Vocabulary = out.Program, vocabulary.Of(out.Policy, out.Policy)
	broken, pairs, err := property.Find()
	r.out.Checks++
	switch {
	case errors.Is(err, errAsked):
		r.out.Failures = append(r.out.Failures, r.asked...)
	case err != nil:
		r.fail(c.Span, "a drawn queue cannot be evaluated: %v", err)
	case broken != nil:
		r.broken(broken)
	case pairs == 0 && !c.Given.IsSet():
		r.fail(c.Span, "no job has a priority, in %d queues", property.Tries)
	case pairs == 0:
		r.fail(c.Given.Span, "no pair of jobs is what the check is about, in %d queues", property.Tries).
			Note("make `given` wider, let more columns vary, or draw more `queues`")
	}
}

// atLeastOne is a number of queues.
func (r *run) atLeastOne(v schema.Value, usual int64) int {
	n := number(v, usual)
	if n < 1 || n > mostQueues {
		r.fail(r.test.Check.Span, "a check draws between 1 and %d queues, not %d", mostQueues, n)
	}
	return int(n)
}

func number(v schema.Value, usual int64) int64 {
	if !v.Known() {
		return usual
	}
	return v.Int
}

// errAsked ends a search in which a condition could not be evaluated.
var errAsked = errors.New("a condition failed")

// ask evaluates what the check says of two jobs. It is about none without a priority.
func (r *run) ask(result *evaluation.Result, first, second int) (applies, kept bool, err error) {
	if result.JobFailed(first) || result.JobFailed(second) {
		return false, false, nil
	}
	r.result = result
	if r.seen != nil {
		r.seen.add(result, false)
	}
	jobs := map[string]map[string]schema.Value{"a": r.jobValues(first), "b": r.jobValues(second)}
	holds := func(condition policy.Scalar) (bool, error) {
		holds, _, diags := celexpr.Condition(celSource(condition), jobs)
		if len(diags) > 0 {
			r.asked = diags
			return false, errAsked
		}
		return holds, nil
	}
	c := r.test.Check
	if c.Given.IsSet() {
		if applies, err = holds(c.Given); err != nil || !applies {
			return false, false, err
		}
	}
	kept, err = holds(c.Condition)
	return true, kept, err
}

// broken reports a queue that breaks the promise.
func (r *run) broken(b *counterexample.Broken) {
	message := r.test.Check.Message.Value
	if message == "" {
		message = "the condition is false"
	}
	first, second, others := b.Words()
	d := r.fail(r.test.Check.Condition.Span, "%s", message)
	for i, words := range []string{first, second} {
		outcome := fmt.Sprintf("priority %d, %s", b.Result.JobPriority(i), b.Result.State[i])
		if reason := b.Result.Reason[i]; reason != "" {
			outcome += " (" + reason + ")"
		}
		if rank := b.Result.Rank[i]; rank > 0 {
			outcome += fmt.Sprintf(", rank %d", rank)
		}
		d.Note("%s; it has %s", words, outcome)
	}
	if others > 0 {
		d.Note("with %d more in the queue", others)
	}
}

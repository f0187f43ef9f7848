// Package verify compares what a scheduler printed with what Fairway computes from the
// same inputs, number by number, and says what most likely explains each difference.
//
// In: a snapshot that holds recorded priorities, rows of sprio, fairshare factors of
// sshare or reasons, and a way to evaluate the policy over a snapshot. Out: a Report.
// Called by the verb of the same name. It reads no clock and runs nothing.
//
// A scheduler prints rounded numbers that it computed some time before. So every printed
// number is read as the range of values that print like it, and the moment of the
// computation is sought: the second at which most numbers are right. A difference is
// put down to a cause only if the printed number comes out when it is computed again under what the
// cause assumes, or under what two assume.
package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Evaluate runs the policy over a snapshot, as of its Now, with the options that are set and any that
// do not change the result. The result must keep its terms.
type Evaluate func(*snapshot.Snapshot, evaluation.Options) (*evaluation.Result, error)

// Options of a comparison.
type Options struct {
	// PassTime is the moment of the scheduler's last computation of all priorities, in epoch
	// seconds; 0 has it sought.
	PassTime int64
}

// ErrNothing says that the snapshot has nothing to compare with.
var ErrNothing = errors.New("the snapshot has no number that the scheduler computed")

// ErrNoMoment says that numbers do not tell when they were computed.
var ErrNoMoment = errors.New("no moment follows from the numbers that the scheduler printed")

// ErrFindings says that the evaluation has errors: Result.Findings of it has them.
var ErrFindings = errors.New("the policy cannot be evaluated over the snapshot")

// Compare evaluates and compares.
func Compare(s *snapshot.Snapshot, evaluate Evaluate, o Options) (*Report, error) {
	c := &comparison{snapshot: s, evaluate: evaluate}
	r, err := c.at(s.Now)
	if err != nil {
		return nil, err
	}
	c.report.Result, c.report.CapturedAt = r, s.Now
	if r.Findings.HasErrors() {
		return &c.report, nil
	}
	w := windowOf(r, s, o)
	if err := c.priorities(r, w); err != nil {
		return nil, err
	}
	if err := c.reasons(w); err != nil {
		return nil, err
	}
	if len(c.report.Checks) == 0 {
		return nil, ErrNothing
	}
	return &c.report, nil
}

// LastPass finds when the scheduler computed the priorities that it printed, from these numbers. It returns
// ErrNothing if there are none, ErrNoMoment if they agree on none, and ErrFindings.
func LastPass(s *snapshot.Snapshot, evaluate Evaluate) (Pass, error) {
	c := &comparison{snapshot: s, evaluate: evaluate}
	r, err := c.at(s.Now)
	if err == nil && r.Findings.HasErrors() {
		err = ErrFindings
	}
	if err != nil {
		return Pass{}, err
	}
	q, err := c.inquire(r, windowOf(r, s, Options{}))
	if err != nil {
		return Pass{}, err
	}
	p := q.pass(q.readings)
	switch {
	case len(q.checks) == 0:
		return p, ErrNothing
	case p.Telling == 0:
		return p, ErrNoMoment
	case 2*p.Votes <= p.Telling:
		return p, fmt.Errorf("%w: at most %d of %d numbers agree on one", ErrNoMoment, p.Votes, p.Telling)
	}
	return p, nil
}

// comparison is one run of Compare.
type comparison struct {
	snapshot *snapshot.Snapshot
	evaluate Evaluate
	report   Report
	inFront  map[*evaluation.Result]map[string]int64 // see highestWaiting
}

// at evaluates as of a moment.
func (c *comparison) at(epochSeconds int64) (*evaluation.Result, error) {
	s := *c.snapshot
	s.Now = epochSeconds
	return c.evaluate(&s, evaluation.Options{})
}

// inquire reads the numbers that depend on when the scheduler computed them, and how ours move.
func (c *comparison) inquire(r *evaluation.Result, w window) (*inquiry, error) {
	q := &inquiry{comparison: c, window: w, whole: r}
	for _, k := range []*check{queue(r), byPartition(r), sprio(r, c.snapshot.Sprio),
		sshare(r, c.snapshot.Credentials["association"])} {
		if len(k.readings) > 0 || len(k.Skipped) > 0 {
			q.checks = append(q.checks, k)
			q.readings = append(q.readings, k.readings...)
		}
	}
	if len(q.checks) == 0 {
		return q, nil
	}
	return q, q.sample(r)
}

// priorities compares the numbers that depend on when the scheduler computed them.
func (c *comparison) priorities(r *evaluation.Result, w window) error {
	q, err := c.inquire(r, w)
	if err != nil || len(q.checks) == 0 {
		return err
	}
	for _, k := range q.checks {
		var err error
		if k.Pass = q.passOf(k); k.Pass.Time != r.Now {
			if r, err = c.at(k.Pass.Time); err != nil {
				return err
			}
		}
		k.result = r
		for _, s := range subjects(k) {
			if s.judge(); s.equal() {
				k.count(s)
				q.equal = append(q.equal, s)
			} else {
				q.open = append(q.open, s)
			}
		}
	}
	c.report.Result = r
	off := slices.Clone(q.open)
	if err := q.explain(); err != nil {
		return err
	}
	for _, s := range off {
		s.check.count(s)
		c.report.Differences = append(c.report.Differences, s.differences()...)
	}
	for _, k := range q.checks {
		c.report.Checks = append(c.report.Checks, k.Check)
	}
	return nil
}

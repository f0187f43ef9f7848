// Package oracle evaluates a policy the slow and obvious way: job by job, with
// maps and plain loops, reading every rule from its definition once more.
//
// In: ir.Policy and a snapshot. Out: Answer, the score and priority of every job and
// partition, the order of the queue, and for Maui which jobs may start. Tests call it to judge the compiler's
// program, the vector machine and the engine, with which it shares nothing but
// the vocabulary and the evaluator of one expression on one row.
package oracle

import (
	"errors"
	"fmt"
	"math"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Answer is an evaluated queue.
type Answer struct {
	Rows  []Row
	Order []int // waiting jobs that are not held, best first

	queue *queue
}

// Value is a column as expressions see it on a row.
func (a *Answer) Value(id schema.ColumnID, row int) schema.Value {
	return a.queue.value(a.queue.rows[row], id)
}

// Row is one job in one partition.
type Row struct {
	Job      int // index in the snapshot
	Score    Number
	Priority Number // before rounding
	Stored   int64  // what the scheduler would store; meaningless without a priority
	Holds    []bool // per hold of the policy: it holds
	Terms    []Term // of all components, in order
	// Decided is the override that made the priority, -1 if none.
	Decided int
}

// Term is a factor and its value, weight · min(cap, factor). One without weight is
// not live and has none of them.
type Term struct {
	Live                  bool
	Weight, Factor, Value Number
}

// Number is a double, or why there is none.
type Number struct {
	Double float64
	Err    error
}

// Why what expressions give is no score or no priority.
var (
	errValueInfinite = errors.New("the value is infinite")
	errValueNaN      = errors.New("the value is not a number (NaN)")
	errUnordered     = errors.New("NaN values cannot be ordered")
	errScoreInfinite = errors.New("the score is infinite")
	errScoreNaN      = errors.New("the score is not a number (NaN)")
	errTooLarge      = errors.New("the priority does not fit into 64 bits")
	errNotANumber    = errors.New("the priority is not a number (NaN)")
)

// Evaluate scores and orders the jobs of a snapshot. The error names a column that the
// policy needs and no input has.
func Evaluate(p *ir.Policy, s *snapshot.Snapshot) (*Answer, error) {
	q := &queue{policy: p, snap: s}
	if err := q.load(); err != nil {
		return nil, err
	}
	if missing := q.missing(); len(missing) > 0 {
		return nil, fmt.Errorf("no input has %v", missing)
	}
	a := &Answer{queue: q}
	for _, row := range q.rows {
		a.Rows = append(a.Rows, q.evaluate(row))
	}
	a.Order = q.order(a.Rows)
	return a, nil
}

// evaluate is the definition of a priority: the sum, the finish, the integer.
func (q *queue) evaluate(r row) Row {
	get := func(id schema.ColumnID) schema.Value { return q.value(r, id) }
	out := Row{Job: r.job, Decided: -1}
	out.Score, out.Terms = score(q.policy, get)
	finished := finish(&q.policy.Finish, out.Score, get)
	withScore := func(s ir.Scalar) Number { return numberWithScore(s, finished, get) }

	out.Priority = finished
	for i, o := range q.policy.Finish.Overrides {
		when := withScore(o.When)
		if when.Err != nil {
			out.Priority = when
			break
		}
		if when.Double != 0 {
			out.Priority, out.Decided = withScore(o.Value), i
			break
		}
	}
	for _, h := range q.policy.Holds {
		when := withScore(h.When)
		out.Holds = append(out.Holds, when.Err == nil && when.Double != 0)
	}
	switch p := &out.Priority; {
	case p.Err != nil:
	case math.IsNaN(p.Double):
		p.Err = errNotANumber
	case p.Double >= 1<<63 || p.Double < -1<<63:
		p.Err = errTooLarge
	default:
		out.Stored = stored(p.Double, q.policy.Finish.Rounding)
	}
	return out
}

// stored rounds to the integer that the scheduler keeps.
func stored(x float64, rounding string) int64 {
	whole, fraction := math.Modf(x)
	switch {
	case rounding == "floor" && fraction < 0:
		whole--
	case rounding == "nearest" && fraction >= 0.5:
		whole++
	case rounding == "nearest" && fraction <= -0.5:
		whole--
	}
	return int64(whole)
}

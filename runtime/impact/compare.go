// Package impact says what one policy does to a queue that another one does not.
//
// In: the results of two policies over the same snapshot, and their plans where the nodes are known. Out: a
// Comparison: who moves and why, who is stopped or let go, whose share changes, who starts when.
// Called by the command line. It evaluates nothing itself, so its numbers are those of the two runs.
package impact

import (
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// Side is one policy's result. Plan is nil where nothing is planned.
type Side struct {
	Result *evaluation.Result
	Plan   *backfill.Schedule

	// Like names terms, each as component/term, that count what a term of the other side counts. It is of the new side,
	// where the schedulers differ.
	Like map[string]string
}

// Comparison is what changes, the largest changes first.
type Comparison struct {
	Filter  *eval.Filter `json:"filter,omitempty"` // which jobs the lists of jobs are narrowed to; nil for all
	Summary Summary      `json:"summary"`
	Groups  []Group      `json:"groups"`
	Causes  []Causes     `json:"causes"`
	Moves   []Move       `json:"moves"`
	Blocks  []Block      `json:"blocks"`
	Shares  []Share      `json:"fairshare"`
	Starts  []Start      `json:"starts"`
	Lost    []Lost       `json:"lost_work"`

	Unplanned string `json:"unplanned,omitempty"` // why starts are not compared, as the caller knows it

	whole *Comparison // the comparison that this one shows some jobs of; nil for itself
}

// Job names a job to a reader.
type Job struct {
	ID        string `json:"id"`
	User      string `json:"user"`
	Account   string `json:"account"`
	QOS       string `json:"qos"`
	Partition string `json:"partition"`
	index     int
}

// Place is where something was set; nil in JSON where it is not set.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// String is file:line:column.
func (p *Place) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

func placeOf(s source.Span) *Place {
	if s.IsZero() {
		return nil
	}
	at := s.Position()
	return &Place{s.File.Name, at.Line, at.Column}
}

// Results compares. The error is for results of different snapshots.
func Results(before, after Side) (*Comparison, error) {
	x, y := before.Result, after.Result
	if x.Jobs.Rows != y.Jobs.Rows {
		return nil, fmt.Errorf("the two results are of different queues: %d jobs and %d", x.Jobs.Rows, y.Jobs.Rows)
	}
	for job := range x.Jobs.Rows {
		if a, b := eval.JobText(x, "job.id", job), eval.JobText(y, "job.id", job); a != b {
			return nil, fmt.Errorf("the two results are of different queues: one has job %q where the other has job %q", b, a)
		}
	}
	c := &Comparison{Moves: []Move{}, Blocks: []Block{}, Shares: []Share{}, Starts: []Start{}, Lost: []Lost{}}
	c.moves(x, y, after.Like)
	c.blocks(x, y)
	c.shares(x, y)
	c.starts(before, after)
	c.lost(before, after)
	c.groups(x)
	c.causes()
	return c, nil
}

func jobOf(r *evaluation.Result, job int) Job {
	return Job{ID: eval.JobText(r, "job.id", job), User: eval.JobText(r, "job.user", job),
		Account: eval.JobText(r, "job.account", job),
		QOS:     eval.JobText(r, "job.qos", job), Partition: eval.JobText(r, "job.partition", job), index: job}
}

// Narrow is a comparison whose lists of jobs have only those that keep wants, in the given order where there is one,
// and at most so many each; all for 0. What is about the whole queue stays.
func (c *Comparison) Narrow(keep func(job int) bool, order func(a, b int) int, limit int,
	filter *eval.Filter) *Comparison {
	out := *c
	out.Filter, out.whole = filter, c
	out.Moves = narrow(c.Moves, func(m *Move) int { return m.index }, keep, order, limit)
	out.Blocks = narrow(c.Blocks, func(b *Block) int { return b.index }, keep, order, limit)
	out.Starts = narrow(c.Starts, func(s *Start) int { return s.index }, keep, order, limit)
	return &out
}

func narrow[T any](list []T, job func(*T) int, keep func(job int) bool, order func(a, b int) int, limit int) []T {
	out := make([]T, 0, len(list))
	for i := range list {
		if keep(job(&list[i])) {
			out = append(out, list[i])
		}
	}
	if order != nil {
		slices.SortStableFunc(out, func(a, b T) int { return order(job(&a), job(&b)) })
	}
	if limit > 0 {
		out = out[:min(limit, len(out))]
	}
	return out
}

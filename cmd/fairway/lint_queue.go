package main

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/queue"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// lintQueue evaluates the queue and asks the rules that need one. What is in the way of an
// evaluation is reported on standard error: the findings about the files are good without.
func lintQueue(in compiler.Input, s *snapshot.Snapshot, place *snapshotFlags) (diag.List, error) {
	out := compiler.Compile(in)
	if out.Diags.HasErrors() {
		fmt.Fprintln(stderr, "fairway: the policy has errors, so the rules about the queue were not run")
		return nil, nil
	}
	zone, err := place.place()
	if err != nil {
		return nil, err
	}
	r, err := engine.Run(out.Program, s, evaluation.Options{Workers: runtime.GOMAXPROCS(0), Place: zone})
	if err != nil {
		return nil, &exitError{code: runExit(err), err: err}
	}
	if r.Findings.HasErrors() {
		fmt.Fprintln(stderr, "fairway: the queue cannot be evaluated, so the rules about it were not run; `fairway "+
			"eval` says why")
		return nil, nil
	}
	facts, err := queueFacts(out.Policy, r)
	if err != nil {
		return nil, err
	}
	return queue.Findings(out.Policy, facts), nil
}

// queueFacts takes from a result the plain numbers that the rules ask for.
func queueFacts(p *ir.Policy, r *evaluation.Result) (*queue.Facts, error) {
	q := &queue.Facts{Names: map[string][]string{}}
	var rows []int
	direct := r.Jobs.Column("job.direct_priority")
	for _, job := range r.Order {
		row := int(r.RankRow[job])
		if r.Failed.Get(row) {
			continue
		}
		rows = append(rows, row)
		q.Priorities = append(q.Priorities, r.Priority[row])
		if direct != nil && direct.Value(int(job)).Int == 1 {
			q.ByHand++
		}
	}
	for row := range r.Rows.Rows {
		if r.Queued.Get(row) {
			q.Entries++
		}
	}
	for i := range r.Terms {
		t := &r.Terms[i]
		c := &r.Program.Components[t.Component]
		out := queue.Term{Component: c.Name, Term: c.Terms[t.Term].Name}
		for _, row := range rows {
			out.Factors = append(out.Factors, t.Factor[row])
			counted := t.Factor[row]
			if t.Capped(row) {
				counted = t.Cap[row]
			}
			out.Counted = append(out.Counted, counted)
			out.Points = append(out.Points, r.Contribution(t, row))
			out.Effect = append(out.Effect, effect(r, t, row))
			if t.Capped(row) || out.Term == "age" && t.Factor[row] >= 1 {
				out.Saturated++
			}
		}
		if weighed := c.Terms[t.Term].Factor.Reg != program.NoReg; weighed {
			without, err := engine.Reorder(r, compiler.WithoutTerm(p, t.Component, t.Term))
			if err != nil {
				return nil, err
			}
			out.Idle = slices.Equal(without, r.Order)
		}
		q.Terms = append(q.Terms, out)
	}
	for _, object := range []string{"user", "account", "qos"} {
		q.Names[object] = distinctNames(r.Jobs.Column(schema.ColumnID("job." + object)))
	}
	if nodes := r.Snapshot.Nodes; nodes != nil {
		q.Nodes = float64(nodes.Rows)
		if procs := nodes.Column("node.procs"); procs != nil {
			for i := range nodes.Rows {
				q.Procs += float64(procs.Value(i).Int)
			}
		}
	}
	return q, nil
}

// effect is what the score of a row would be less without the term: what it adds, but for what its
// component's cap takes away.
func effect(r *evaluation.Result, t *evaluation.TermColumn, row int) float64 {
	sum := &r.Sums[t.Component]
	if !sum.Capped(row) {
		return r.Contribution(t, row)
	}
	rest := min(sum.Cap[row], sum.Sum[row]-t.Value[row])
	return sum.Value[row] - sum.Weight[row]*rest
}

// distinctNames lists the names that jobs have, sorted.
func distinctNames(c *column.Column) []string {
	if c == nil {
		return nil
	}
	used := map[string]bool{}
	var names []string
	for i := range c.Len() {
		if name := c.Value(i).Str; name != "" && !used[name] {
			used[name] = true
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

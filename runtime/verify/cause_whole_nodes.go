package verify

import (
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
)

// wholeNodes evaluates once more with all processors of the nodes of exclusive jobs (recorded:
// usage-running, big). That needs a cluster whose nodes have the same number.
func wholeNodes(q *inquiry, c *Cause) error {
	for _, k := range q.checks {
		perNode, ok := procsPerNode(k.result)
		if !ok {
			continue
		}
		jobs, changed := withWholeNodes(q.snapshot.Jobs, perNode)
		isOpen := func(s *subject) bool { return s.check == k && changed[s.job] }
		if !slices.ContainsFunc(q.open, isOpen) {
			continue
		}
		at := *q.snapshot
		at.Now, at.Jobs = k.Pass.Time, jobs
		r, err := q.evaluate(&at, engine.Options{ScoresOnly: true})
		if err != nil {
			return err
		}
		q.settle(c, func(s *subject) (string, bool) {
			if !isOpen(s) || !s.fit(func(x *reading) float64 { return x.value(r, x.row) }) {
				return "", false
			}
			return fmt.Sprintf("the job is exclusive and was tried, so all %d processors of its nodes count", jobs.Value("job.procs", s.job).Int), true
		})
	}
	return nil
}

func procsPerNode(r *engine.Result) (int64, bool) {
	nodes, procs := r.Once["cluster.nodes"], r.Once["cluster.procs"]
	if !nodes.Known() || !procs.Known() || nodes.Int <= 0 || procs.Int%nodes.Int != 0 {
		return 0, false
	}
	return procs.Int / nodes.Int, true
}

// withWholeNodes gives exclusive jobs all processors of their nodes.
func withWholeNodes(jobs *column.Table, perNode int64) (out *column.Table, changed map[int]bool) {
	changed = map[int]bool{}
	procs := &column.Column{ID: "job.procs", Type: schema.Int, Ints: make([]int64, jobs.Rows)}
	for job := range jobs.Rows {
		own := jobs.Value("job.procs", job)
		if procs.Ints[job] = own.Int; !own.Known() {
			procs.Missing.Set(job)
		}
		if nodes := jobs.Value("job.nodes", job); nodes.Known() && jobs.Value("job.exclusive", job).Int != 0 && nodes.Int*perNode > own.Int {
			procs.Ints[job] = nodes.Int * perNode
			procs.Missing.Clear(job)
			changed[job] = true
		}
	}
	out = column.NewTable(jobs.Name, jobs.Rows)
	for _, c := range jobs.Columns() {
		out.Put(c)
	}
	out.Put(procs)
	return out, changed
}

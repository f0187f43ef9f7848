package verify

import (
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
)

// wholeNodes evaluates once more with all processors of the nodes of jobs that were tried and share them with no
// other job (recorded: usage-running, big). That needs a cluster whose nodes have the same number.
func wholeNodes(q *inquiry, c *Cause, k *check) (func(*subject) []assumption, error) {
	perNode, ok := procsPerNode(k.result)
	if !ok {
		return nil, nil
	}
	jobs, changed := withWholeNodes(q.snapshot.Jobs, shares.OwnNodes(k.result), perNode)
	isOpen := func(s *subject) bool {
		return s.check == k && changed[s.job] && !neverLookedAt(k.result, s.job)
	}
	if !slices.ContainsFunc(q.open, isOpen) {
		return nil, nil
	}
	at := *q.snapshot
	at.Now, at.Jobs = k.Pass.Time, jobs
	r, err := q.evaluate(&at, evaluation.Options{ScoresOnly: true})
	if err != nil {
		return nil, err
	}
	return func(s *subject) []assumption {
		if !isOpen(s) {
			return nil
		}
		procs := jobs.Int("job.procs", s.job)
		why := fmt.Sprintf("the job has its nodes for itself and was tried, so all %d processors of these count", procs)
		return []assumption{{c, why,
			func(x *reading, value float64) float64 { return value + x.value(r, x.row) - x.ours }}}
	}, nil
}

func procsPerNode(r *evaluation.Result) (int64, bool) {
	nodes, procs := r.Once["cluster.nodes"], r.Once["cluster.procs"]
	if !nodes.Known() || !procs.Known() || nodes.Int <= 0 || procs.Int%nodes.Int != 0 {
		return 0, false
	}
	return procs.Int / nodes.Int, true
}

// withWholeNodes gives jobs all processors of the nodes that they have for themselves.
func withWholeNodes(jobs *column.Table, own func(job int) bool, perNode int64) (*column.Table, map[int]bool) {
	changed := map[int]bool{}
	procs := &column.Column{ID: "job.procs", Type: schema.Int, Ints: make([]int64, jobs.Rows)}
	for job := range jobs.Rows {
		asked := jobs.Value("job.procs", job)
		if procs.Ints[job] = asked.Int; !asked.Known() {
			procs.Missing.Set(job)
		}
		if nodes := jobs.Value("job.nodes", job); nodes.Known() && own(job) && nodes.Int*perNode > asked.Int {
			procs.Ints[job] = nodes.Int * perNode
			procs.Missing.Clear(job)
			changed[job] = true
		}
	}
	out := column.NewTable(jobs.Name, jobs.Rows)
	for _, c := range jobs.Columns() {
		out.Put(c)
	}
	out.Put(procs)
	return out, changed
}

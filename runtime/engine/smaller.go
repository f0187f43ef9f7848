package engine

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
)

// smaller evaluates and plans the queue anew, with a smaller request of one job: priorities go by its size too.
func smaller(r *evaluation.Result, s *backfill.Schedule, o planning.Options) func(int, backfill.Offer) (int64, bool,
	error) {
	o.Progress = nil
	return func(at int, offer backfill.Offer) (int64, bool, error) {
		request := &s.Requests[at]
		snapshot := *r.Snapshot
		snapshot.Jobs = withOffer(r, request, offer)
		again := r.Options
		again.KeepState = false
		if r.Facts.Selects { // whose planner is part of the evaluation
			again.Plan, again.Place, again.Procs = true, o.Place, o.Procs
		}
		result, err := Run(r.Program, &snapshot, again)
		if err != nil || result.State == nil {
			return 0, false, err
		}
		plan, err := plan(result, o)
		if err != nil {
			return 0, false, err
		}
		i := slices.IndexFunc(plan.Requests,
			func(p backfill.Request) bool { return p.Row == request.Row && p.ID == request.ID })
		if i < 0 || plan.Placements[i].By == backfill.ByNone || plan.Placements[i].Never != "" {
			return 0, false, nil
		}
		return max(plan.Placements[i].Start, plan.Now), true, nil
	}
}

// withOffer is the snapshot's jobs with one of them asking for less.
func withOffer(r *evaluation.Result, request *backfill.Request, o backfill.Offer) *column.Table {
	jobs, row := r.Snapshot.Jobs, int(request.Row)
	out := column.NewTable(jobs.Name, jobs.Rows)
	for _, c := range jobs.Columns() {
		out.Put(c)
	}
	if o.WalltimeSeconds != request.WalltimeSeconds {
		putNumber(out, "job.walltime_seconds", row, o.WalltimeSeconds)
		if least := jobs.Value("job.walltime_min_seconds", row); least.Known() && least.Int > o.WalltimeSeconds {
			putNumber(out, "job.walltime_min_seconds", row, o.WalltimeSeconds)
		}
	}
	if o.Tasks != request.Tasks || o.Nodes != request.Nodes {
		putNumber(out, "job.procs", row, o.Tasks*request.PerTask.Procs)
		putNumber(out, "job.tasks", row, o.Tasks)
		if request.Nodes > 0 {
			putNumber(out, "job.nodes", row, o.Nodes)
		}
		if most := jobs.Value("job.nodes_max", row); most.Known() && most.Int > o.Nodes && request.Nodes > 0 {
			putNumber(out, "job.nodes_max", row, o.Nodes)
		}
	}
	return out
}

// putNumber replaces one cell; the table that the column comes from keeps its own.
func putNumber(t *column.Table, id schema.ColumnID, row int, v int64) {
	c := &column.Column{ID: id, Type: schema.Int}
	if old := t.Column(id); old != nil {
		c.Type, c.Ints, c.Missing = old.Type, slices.Clone(old.Ints), slices.Clone(old.Missing)
	} else {
		c.Ints = make([]int64, t.Rows)
		for i := range t.Rows {
			c.Missing.Set(i)
		}
	}
	c.Ints[row] = v
	c.Missing.Clear(row)
	t.Put(c)
}

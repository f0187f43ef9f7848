package engine

import (
	"cmp"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
)

// planNative hands the queue to the native planner.
func (r *Result) planNative(q *planQueue, o PlanOptions) (*backfill.Schedule, error) {
	settings := r.nativeSettings(o)
	requests, rows := q.tasks()
	q.coresDiffer()
	for i := range q.cluster.Nodes {
		switch settings.NodeAccess {
		case "single_job":
			q.cluster.Nodes[i].Sharing = backfill.SingleJob
		case "single_user":
			q.cluster.Nodes[i].Sharing = max(q.cluster.Nodes[i].Sharing, backfill.SingleUser)
		}
	}
	gate := &nativeGate{result: r, rows: rows}
	if r.Limits != nil {
		gate.limits = r.Limits.Clone()
	}
	if r.SlurmLimits != nil {
		gate.slurm = r.SlurmLimits.Clone()
	}
	return backfill.PlanWatched(q.cluster, requests, settings, gate, r.nativeLimits(requests, gate), r.Now, func(done, total int) error {
		if o.Progress != nil {
			o.Progress(done, total)
		}
		return o.Context.Err()
	})
}

// nativeLimits are the limits that the gate asks, over time.
func (r *Result) nativeLimits(requests []backfill.Request, gate *nativeGate) backfill.Limits {
	if gate.limits == nil && gate.slurm == nil {
		return nil
	}
	running := requests
	for i := range requests {
		if r.State[requests[i].Row] != Running {
			running = requests[:i]
			break
		}
	}
	l := &planLimits{result: r, stays: func(job int32) bool { b := r.Why[job]; return b != nil && !changes(b) }}
	if gate.limits != nil {
		l.add(r.Limits.Timeline(r.Now), running, func(q *backfill.Request, _ string) (int, limit.SlurmGot) { return int(q.Row), limit.SlurmGot{} },
			func(job int32) int { return int(job) })
	}
	if gate.slurm != nil {
		l.add(r.SlurmLimits.Timeline(r.Now), running, func(q *backfill.Request, _ string) (int, limit.SlurmGot) {
			return int(r.RankRow[q.Row]), limit.SlurmGot{}
		},
			func(job int32) int { return r.slurmRow(job) })
	}
	return l
}

// nativeGate asks the policy's limits. What stood against a job when the queue was evaluated and does
// not depend on what runs stands against it now.
type nativeGate struct {
	result *Result
	limits *limit.Gate
	slurm  *limit.Slurm    // those of associations and QOS
	rows   map[int32]int32 // of tasks that have no row of their own
}

func (g *nativeGate) row(job int32) int32 {
	if row, ok := g.rows[job]; ok {
		return row
	}
	return job
}

// Check says what stops a job now.
func (g *nativeGate) Check(job int32) string {
	job = g.row(job)
	if b := g.result.Why[job]; b != nil && !changes(b) {
		return b.Text
	}
	if g.slurm != nil {
		if stop := g.slurm.Check(int(g.result.RankRow[job])); stop != nil {
			return stop.Reason
		}
	}
	if g.limits == nil {
		return ""
	}
	for _, bound := range []limit.Bound{limit.Hard, limit.Soft} {
		for _, ask := range []func(int, limit.Bound) (limit.Violation, bool){g.limits.CheckJob, g.limits.CheckActive} {
			if v, over := ask(int(job), bound); over {
				return g.result.limitWord(&v)
			}
		}
	}
	return ""
}

// Start counts a job as running.
func (g *nativeGate) Start(job int32) {
	if g.limits != nil {
		g.limits.AddActive(int(g.row(job)))
	}
	if g.slurm != nil {
		g.slurm.Start(int(g.result.RankRow[g.row(job)]), limit.SlurmGot{})
	}
}

// changes reports a block that passes as time does: begin times and other jobs are the planner's to know, and what runs
// is counted anew.
func changes(b *Block) bool {
	switch b.Kind {
	case BlockBegin, BlockDependency, BlockResources, BlockArray, BlockReservation:
		return true
	case BlockLimit:
		return b.Slurm != nil || b.Limit != nil && (b.Limit.Phase == limit.Active || b.Limit.Phase == limit.Job)
	}
	return false
}

// limitWord is what a limit is called where it stops a job: its own word, else its name.
func (r *Result) limitWord(v *limit.Violation) string {
	return r.limitName(&r.Program.Limits[v.Limit])
}

func (r *Result) limitName(l *program.Limit) string { return cmp.Or(l.Reason, l.Name) }

package planning

import (
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	slurmlimit "github.com/fairway-sched/fairway/runtime/limit/slurm"
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
	"github.com/fairway-sched/fairway/runtime/program"
)

// nativeSettings are the policy's, or what the family's come to.
func nativeSettings(r *evaluation.Result, o Options) *program.NativePlan {
	settings := program.NativePlan{Algorithm: "firstfit", Metric: "procs", ReservationDepth: 1}
	if p := r.Program.Plan; p != nil && p.Native != nil {
		settings = *p.Native
	}
	if o.Depth != nil {
		settings.ReservationDepth = *o.Depth
	}
	return &settings
}

// Native hands the queue to the native planner.
func Native(r *evaluation.Result, q *Queue, o Options) (*backfill.Schedule, error) {
	s, err := native(r, q, o)
	if err != nil || !q.soon.missed(s) {
		return s, err
	}
	q.soon, q.stopped, q.reasons = nil, nil, nil
	q.read()
	return native(r, q, o)
}

func native(r *evaluation.Result, q *Queue, o Options) (*backfill.Schedule, error) {
	settings := nativeSettings(r, o)
	requests, rows := q.tasks()
	q.coresDiffer()
	for i := range q.Cluster.Nodes {
		switch settings.NodeAccess {
		case "single_job":
			q.Cluster.Nodes[i].Sharing = backfill.SingleJob
		case "single_user":
			q.Cluster.Nodes[i].Sharing = max(q.Cluster.Nodes[i].Sharing, backfill.SingleUser)
		}
	}
	gate := &nativeGate{result: r, rows: rows}
	if r.Limits != nil {
		gate.limits = r.Limits.Clone()
	}
	if r.SlurmLimits != nil {
		gate.slurm = r.SlurmLimits.Clone()
	}
	plan := backfill.PlanWatched
	if o.StartsOnly {
		plan = backfill.StartsWatched
	}
	return plan(q.Cluster, requests, settings, gate, nativeLimits(r, requests, gate), r.Now,
		func(done, total int) error {
			if o.Progress != nil {
				o.Progress("starts", done, total)
			}
			return o.Context.Err()
		})
}

// nativeLimits are the limits that the gate asks, over time.
func nativeLimits(r *evaluation.Result, requests []backfill.Request, gate *nativeGate) backfill.Limits {
	if gate.limits == nil && gate.slurm == nil {
		return nil
	}
	running := requests
	for i := range requests {
		if r.State[requests[i].Row] != evaluation.Running {
			running = requests[:i]
			break
		}
	}
	l := &Limits{Result: r, stays: func(job int32) bool { b := r.Why[job]; return b != nil && !changes(b) }}
	if gate.limits != nil {
		l.Count(r.Limits.Timeline(r.Now), running,
			func(q *backfill.Request, _ string) (int, timeline.Got) { return int(q.Row), timeline.Got{} },
			func(job int32) int { return int(job) })
	}
	if gate.slurm != nil {
		l.Count(r.SlurmLimits.Timeline(r.Now), running, func(q *backfill.Request, _ string) (int, timeline.Got) {
			return int(r.RankRow[q.Row]), timeline.Got{}
		},
			func(job int32) int { return SlurmRow(r, job) })
	}
	return l
}

// nativeGate asks the policy's limits. What stood against a job when the queue was evaluated and does
// not depend on what runs is against it now.
type nativeGate struct {
	result *evaluation.Result
	limits *limit.Gate
	slurm  *slurmlimit.Limits // those of associations and QOS
	rows   map[int32]int32    // of tasks that have no row of their own
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
				return limitWord(g.result, &v)
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
		g.slurm.Start(int(g.result.RankRow[g.row(job)]), timeline.Got{})
	}
}

// changes reports a block that passes as time does: begin times and other jobs are the planner's to know, and what runs
// is counted anew.
func changes(b *evaluation.Block) bool {
	switch b.Kind {
	case evaluation.BlockBegin, evaluation.BlockDependency, evaluation.BlockResources, evaluation.BlockArray,
		evaluation.BlockReservation:
		return true
	case evaluation.BlockLimit:
		return b.Slurm != nil || b.Limit != nil && (b.Limit.Phase == limit.Active || b.Limit.Phase == limit.Job)
	}
	return false
}

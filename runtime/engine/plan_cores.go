package engine

import (
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
)

// Slurm gives jobs cores whole; what that means for a plan says runtime/backfill/slurm.

// wholeCoreThreads is how many processors each core of a node has; 0 where they are given one by one or nobody says it. A node
// may have fewer processors than threads: with as many as it has cores each core is one processor.
func (q *planQueue) wholeCoreThreads(t *column.Table, row int) int64 {
	threads, cores, procs := t.Value("node.threads_per_core", row).Int, t.Value("node.cores", row).Int, t.Value("node.procs", row).Int
	if p := q.result.Program.Plan; p == nil || p.Slurm == nil || p.Slurm.Linear || threads < 2 || procs < 1 {
		return 0
	}
	if cores > 0 {
		threads = min(threads, procs/cores)
	}
	if threads < 2 || procs%threads != 0 {
		return 0
	}
	return threads
}

// cores says what a job can do with a core.
func (q *planQueue) cores(out *backfill.Request) {
	jobs, job := q.result.Jobs, int(out.Row)
	out.ThreadsPerCore, out.TasksPerCore = jobs.Value("job.threads_per_core", job).Int, jobs.Value("job.tasks_per_core", job).Int
	if p := q.result.Program.Plan; p != nil && p.Slurm != nil && p.Slurm.OneTaskPerCore && out.TasksPerCore == 0 {
		out.TasksPerCore = 1
	}
}

// occupied brings what a running job is said to have of its nodes to processors of whole cores. scontrol -d lists threads, also those of
// nodes whose cores are one processor each; else it is what the job is said to have in all.
func (q *planQueue) occupied(out *backfill.Request, procs int64) {
	nodes, listed := q.result.Snapshot.Nodes, int64(0)
	for _, s := range out.Allocated {
		listed += s.Procs
	}
	for k := range out.Allocated {
		s := &out.Allocated[k]
		threads, cores := nodes.Value("node.threads_per_core", int(s.Node)).Int, nodes.Value("node.cores", int(s.Node)).Int
		t := max(1, q.cluster.Nodes[s.Node].ThreadsPerCore)
		switch {
		case s.Procs == 0:
		case listed > procs && procs > 0 && threads > 1 && t == 1 && nodes.Value("node.procs", int(s.Node)).Int == cores:
			s.Procs = max(1, s.Procs/threads)
			s.Tasks = max(1, min(s.Tasks, s.Procs/max(1, out.PerTask.Procs)))
		case listed == procs && t > 1 && !q.result.Program.Plan.Slurm.Cores && out.ThreadsPerCore > 0: // of each core so many are counted
			s.Procs = min(upTo(s.Procs, out.ThreadsPerCore)*t, q.cluster.Nodes[s.Node].Capacity.Procs)
		}
		if t > 1 && s.Procs > 0 {
			s.Tasks = min(s.Tasks, max(1, s.Procs/max(1, out.PerTask.Procs)))
		}
	}
}

// upTo is n/by rounded up.
func upTo(n, by int64) int64 { return (n + by - 1) / by }

package planning

import (
	"github.com/fairway-sched/fairway/runtime/backfill"
)

// held says what a running job has of each node, on nodes whose cores are given whole, where no input lists it. Its
// processors are those of its cores (NumCPUs), also of threads that it does not use, so that its tasks cannot be
// counted from them. On several nodes each has the part of its tasks, to the next core.
func (q *Queue) held(out *backfill.Request) {
	jobs, job := q.Result.Jobs, int(out.Row)
	tasks, procs := jobs.Int("job.tasks", job), jobs.Int("job.procs", job)
	if tasks < 1 || procs < int64(len(out.Allocated)) {
		return
	}
	p := q.Result.Program.Plan
	counted := p != nil && p.Slurm != nil && !p.Slurm.Cores // CR_CPU: the processors of its tasks alone
	if counted && procs == tasks*max(1, out.PerTask.Procs) {
		return
	}
	for _, s := range out.Allocated {
		if q.Cluster.Nodes[s.Node].ThreadsPerCore <= 1 {
			return
		}
	}
	n := int64(len(out.Allocated))
	memMB := int64(0)
	if !jobs.Value("job.mem_per_task_mb", job).Known() && out.PerNode.MemMB == 0 {
		memMB = jobs.Int("job.mem_mb", job)
		if memMB == 0 {
			memMB = jobs.Int("job.mem_per_proc_mb", job) * procs
		}
	}
	tasks = max(tasks, n)
	left := procs
	for k := range out.Allocated {
		s, after := &out.Allocated[k], n-int64(k)-1
		s.Tasks = (tasks + after) / (after + 1)
		s.Procs = left
		if after > 0 {
			core := q.Cluster.Nodes[s.Node].ThreadsPerCore
			if counted {
				core = 1
			}
			s.Procs = min((2*left*s.Tasks+tasks*core)/(2*tasks*core)*core, q.Cluster.Nodes[s.Node].Capacity.Procs, left-after)
			s.Procs = max(1, s.Procs)
		}
		s.MemMB = memMB * s.Procs / procs
		tasks, left = tasks-s.Tasks, left-s.Procs
	}
}

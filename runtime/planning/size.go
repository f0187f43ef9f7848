package planning

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// size is how much a job asks for: processors for each task, memory and generic resources for each node, task or
// processor, whichever its scheduler says.
func (q *Queue) size(out *backfill.Request) {
	jobs, job := q.Result.Jobs, int(out.Row)
	number := func(id schema.ColumnID) int64 { return jobs.Value(id, job).Int }
	procs, perTask := number("job.procs"), max(1, number("job.procs_per_task"))
	if tasks := number("job.tasks"); q.Result.Snapshot.Manner().SplitsNoTask &&
		q.Result.State[job] != evaluation.Running &&
		!jobs.Value("job.procs_per_task", job).Known() && tasks > 0 && procs%tasks == 0 {
		perTask = max(1, procs/tasks) // squeue --json of 22.05 prints null, and Slurm splits no task
	}
	out.Nodes, out.NodesMax, out.Tasks, out.TasksPerNode = number("job.nodes"), number("job.nodes_max"),
		number("job.tasks"), number("job.tasks_per_node")
	overcommits := q.Result.Snapshot.Manner().SplitsNoTask && procs > 0 && out.Tasks*perTask > procs
	if out.Tasks < 1 || out.Tasks*perTask < procs || overcommits { // of more tasks than processors one a processor counts
		out.Tasks = max(1, (procs+perTask-1)/perTask)
	}
	out.PerTask.Procs = perTask
	total := func(perTask, all schema.ColumnID) int64 {
		if v := jobs.Value(perTask, job); v.Known() {
			return v.Int
		}
		return (number(all) + out.Tasks - 1) / out.Tasks
	}
	out.PerTask.SwapMB = total("job.swap_per_task_mb", "job.swap_mb")
	out.PerTask.DiskMB = total("job.disk_per_task_mb", "job.disk_mb")
	q.cores(out)
	q.memory(out)
	q.gres(out)
	out.Minimum = backfill.Amounts{MemMB: number("job.node_mem_min_mb"), SwapMB: number("job.node_swap_min_mb"),
		DiskMB: number("job.node_disk_min_mb")}
	out.Oversubscribes = number("job.oversubscribe") != 0
	if number("job.exclusive") != 0 {
		out.Sharing = backfill.SingleJob
	} else if number("job.exclusive_user") != 0 {
		out.Sharing = backfill.SingleUser
	}
}

// memory is asked for by node, processor or task. A job that states it in total alone gets it evenly,
// by node or by task as its manager counts.
func (q *Queue) memory(out *backfill.Request) {
	jobs, job := q.Result.Jobs, int(out.Row)
	all := jobs.Int("job.mem_mb", job)
	perTask, perProc, perNode := jobs.Value("job.mem_per_task_mb", job), jobs.Value("job.mem_per_proc_mb", job),
		jobs.Value("job.mem_per_node_mb", job)
	switch {
	case perTask.Known():
		out.PerTask.MemMB = perTask.Int
	case perNode.Known() && perNode.Int > 0:
		out.PerNode.MemMB = perNode.Int
	case perProc.Known() && perProc.Int > 0:
		out.PerTask.MemMB = perProc.Int * out.PerTask.Procs
	case q.Result.Snapshot.Manner().MemoryByNode && out.Nodes > 0:
		out.PerNode.MemMB = (all + out.Nodes - 1) / out.Nodes
	default:
		out.PerTask.MemMB = (all + out.Tasks - 1) / out.Tasks
	}
}

// running says since when and where a job runs.
func (q *Queue) running(out *backfill.Request) {
	jobs, job := q.Result.Jobs, int(out.Row)
	out.Running = true
	out.Suspended = q.Result.Suspended(job)
	out.PreemptTime = jobs.Int("job.preempt_time", job)
	out.Start = q.Result.Now
	if v := jobs.Value("job.start_time", job); v.Known() {
		out.Start = v.Int
	}
	out.End = min(out.Start, backfill.Forever) + min(out.WalltimeSeconds, backfill.Forever)
	if v := jobs.Value("job.end_time", job); v.Known() {
		out.End = v.Int
	}
	hosts := jobs.Value("job.allocated_hosts", job).List
	if len(hosts) == 0 && len(q.Cluster.Nodes) == 1 {
		out.Allocated = []backfill.Share{{Node: 0, Tasks: out.Tasks}}
		return
	}
	procs := q.allocatedProcs(job, hosts)
	out.Allocated = q.shares(out, hosts, procs)
	if memMB := jobs.Value("job.allocated_mem_mb", job).List; len(memMB) == len(hosts) &&
		len(out.Allocated) == len(hosts) {
		for k := range out.Allocated {
			out.Allocated[k].MemMB = count(memMB[k])
		}
	}
	if len(procs) != len(hosts) && len(out.Allocated) == len(hosts) {
		q.held(out)
	}
	q.whichProcs(out, hosts)
	q.occupied(out, jobs.Int("job.procs", job))
	if len(procs) != len(hosts) && q.splitGuessed(out, hosts) {
		q.unsplit++
	}
}

// mostCPUs is more than any node has.
const mostCPUs = 1 << 12

// whichProcs says which processors a running job has on its nodes, where the snapshot lists them.
func (q *Queue) whichProcs(out *backfill.Request, hosts []string) {
	ids := q.Result.Jobs.Value("job.allocated_cpu_ids", int(out.Row)).List
	if len(ids) != len(hosts) || len(ids) != len(out.Allocated) {
		return
	}
	out.CPUs = make([][]int32, len(ids))
	for k := range ids {
		for part := range strings.SplitSeq(ids[k], ":") {
			first, last, ranged := strings.Cut(part, "-")
			if !ranged {
				last = first
			}
			for id, end := count(first), count(last); id <= end && len(out.CPUs[k]) < mostCPUs; id++ {
				out.CPUs[k] = append(out.CPUs[k], int32(id))
			}
		}
	}
}

// allocatedProcs are the processors on each host: those that are listed, or all threads of the cores that are, which
// are more than the job counts with where it takes whole cores for single processors.
func (q *Queue) allocatedProcs(job int, hosts []string) []string {
	jobs, nodes := q.Result.Jobs, q.Result.Snapshot.Nodes
	procs, cores := jobs.Value("job.allocated_procs", job).List, jobs.Value("job.allocated_cores", job).List
	if len(cores) != len(hosts) || len(cores) == 0 {
		return procs
	}
	threaded := make([]string, len(hosts))
	for i, host := range hosts {
		node, ok := q.Nodes[host]
		if !ok {
			return procs
		}
		threads, _ := q.coresOf(nodes, int(node))
		if threads < 1 {
			return procs
		}
		threaded[i] = strconv.FormatInt(count(cores[i])*threads, 10)
	}
	return threaded
}

// shares counts the tasks on each host: as often as the list names it, or by the processors that it is reported to
// give, else spread evenly.
func (q *Queue) shares(out *backfill.Request, hosts, procs []string) []backfill.Share {
	if q.listed == nil {
		q.listed = make([]int32, len(q.Cluster.Nodes))
	}
	list := make([]backfill.Share, 0, len(hosts))
	for i, host := range hosts {
		node, ok := q.Nodes[host]
		if !ok {
			continue
		}
		k := int(q.listed[node]) - 1
		if k < 0 {
			k, list = len(list), append(list, backfill.Share{Node: node})
			q.listed[node] = int32(len(list))
		}
		tasks := int64(1)
		if len(procs) == len(hosts) {
			if n := count(procs[i]); n > 0 {
				tasks = max(1, (n+out.PerTask.Procs-1)/out.PerTask.Procs)
				list[k].Procs = n
			}
		}
		list[k].Tasks += tasks
	}
	for k := range list {
		q.listed[list[k].Node] = 0
	}
	if len(procs) != len(hosts) && len(list) == len(hosts) && int64(len(list)) < out.Tasks {
		left, n := out.Tasks, int64(len(list))
		for k := range list {
			share := (left + n - int64(k) - 1) / (n - int64(k))
			list[k].Tasks, left = share, left-share
		}
	}
	return list
}

// count reads one number of a list; 0 if it is none.
func count(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0
	}
	return max(0, n)
}

// splitGuessed reports a running job for which no input says how many of its processors are on which of its nodes,
// where that is not clear: a job that has nodes whole has all of each, and tasks_per_node says it all if it comes out
// even.
func (q *Queue) splitGuessed(out *backfill.Request, hosts []string) bool {
	n := int64(len(out.Allocated))
	if n < 2 || n != int64(len(hosts)) || n >= out.Tasks || out.Sharing == backfill.SingleJob || q.wholeNodes(out.Class) ||
		n*out.TasksPerNode == out.Tasks {
		return false
	}
	all, held := int64(0), int64(0)
	for _, s := range out.Allocated {
		all, held = all+q.Cluster.Nodes[s.Node].Capacity.Procs, held+s.Procs
	}
	return all != max(held, out.Tasks*out.PerTask.Procs)
}

// wholeNodes reports that every job of a partition has its nodes for itself.
func (q *Queue) wholeNodes(class string) bool {
	if p := q.Result.Program.Plan; p != nil && p.Slurm != nil && p.Slurm.Linear {
		return true
	}
	return slices.ContainsFunc(q.Cluster.Partitions,
		func(p backfill.Partition) bool { return p.Name == class && p.Sharing == backfill.SingleJob })
}

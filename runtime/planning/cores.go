package planning

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Slurm gives jobs cores whole; what that means for a plan says runtime/backfill/slurm.

// wholeCores reports a policy by which jobs get cores, not processors.
func (q *Queue) wholeCores() bool {
	p := q.Result.Program.Plan
	return p != nil && p.Slurm != nil && !p.Slurm.Linear
}

// coresOf are the threads of each core of a node and its cores, as the snapshot has them, else as slurm.conf does; 0
// where neither says.
func (q *Queue) coresOf(t *column.Table, row int) (threads, cores int64) {
	threads, cores = t.Int("node.threads_per_core", row), t.Int("node.cores", row)
	if threads > 0 && cores > 0 || !q.wholeCores() {
		return threads, cores
	}
	if said, ok := q.configuredCores()[t.Text("node.id", row)]; ok {
		return cmp.Or(threads, said.ThreadsPerCore), cmp.Or(cores, said.Cores)
	}
	if procs := t.Int("node.procs", row); threads == 0 && cores > 0 {
		threads = max(1, procs/cores)
	}
	return threads, cores
}

// configuredCores are what slurm.conf's NodeName records say, by node.
func (q *Queue) configuredCores() map[string]*program.NodeRecord {
	if q.nodeCores == nil {
		q.nodeCores = map[string]*program.NodeRecord{}
		list := q.Result.Program.Plan.NodeRecords
		for i := range list {
			names, _ := slurmtext.ExpandHostlist(list[i].Hosts) // what cannot be read slurm.conf's reader has reported
			for _, name := range names {
				if q.nodeCores[name] == nil {
					q.nodeCores[name] = &list[i]
				}
			}
		}
	}
	return q.nodeCores
}

// wholeCoreThreads is how many processors each core of a node has; 0 where they are given one by one or no input says
// it. A node may have fewer processors than threads: with as many as it has cores each core is one processor.
func (q *Queue) wholeCoreThreads(t *column.Table, row int) int64 {
	procs := t.Int("node.procs", row)
	if !q.wholeCores() || procs < 2 {
		return 0
	}
	threads, cores := q.coresOf(t, row)
	if threads == 0 && q.Result.Program.Plan.Slurm.Cores {
		q.coreless = append(q.coreless, t.Text("node.id", row))
	}
	if cores > 0 {
		threads = min(threads, procs/cores)
	}
	if threads < 2 || procs%threads != 0 {
		return 0
	}
	return threads
}

// socketCores is how many cores each socket of a node has; 0 if that is not known or plans do not need it.
func (q *Queue) socketCores(t *column.Table, row int) int64 {
	if !q.wholeCores() {
		return 0
	}
	cores := t.Int("node.cores_per_socket", row)
	if said, ok := q.configuredCores()[t.Text("node.id", row)]; ok && cores == 0 {
		cores = said.CoresPerSocket
	}
	return max(0, cores)
}

// coresUnknown reports nodes with unknown cores.
func (q *Queue) coresUnknown() {
	if len(q.coreless) == 0 {
		return
	}
	q.Result.Findings.Warnf("plan-cores-unknown", source.Span{}, "jobs get cores whole, and no input says what cores %s",
		haveNodes(q.coreless)).
		Note("each of their processors is planned as a core of its own; add the output of scontrol show node, or the " +
			"NodeName lines of slurm.conf")
}

// haveNodes names the first nodes of a list, with a verb.
func haveNodes(names []string) string {
	const most = 4
	switch n := len(names); {
	case n == 1:
		return "node " + names[0] + " has"
	case n <= most:
		return "nodes " + strings.Join(names, ", ") + " have"
	default:
		return "nodes " + strings.Join(names[:most], ", ") + " and " + strconv.Itoa(n-most) + " more have"
	}
}

// coresDiffer names the partitions where the native planner cannot tell how many cores a job gets: it counts by the
// smallest.
func (q *Queue) coresDiffer() {
	for i := range q.Cluster.Partitions {
		p := &q.Cluster.Partitions[i]
		least, most := int64(0), int64(0)
		for _, n := range p.Nodes {
			t := max(1, q.Cluster.Nodes[n].ThreadsPerCore)
			if most = max(most, t); least == 0 || t < least {
				least = t
			}
		}
		if least != most {
			q.Result.Findings.Warnf("plan-cores-differ", source.Span{},
				"nodes of partition %s have from %d to %d processors a core", p.Name, least, most).
				Note("the native planner counts jobs there as on cores of %d; on others a job gets more, and the plan gives "+
					"that away", least)
		}
	}
}

// cores says what a job can do with a core.
func (q *Queue) cores(out *backfill.Request) {
	jobs, job := q.Result.Jobs, int(out.Row)
	out.ThreadsPerCore, out.TasksPerCore = jobs.Int("job.threads_per_core", job),
		jobs.Int("job.tasks_per_core", job)
	out.TasksPerSocket = jobs.Int("job.tasks_per_socket", job)
	if p := q.Result.Program.Plan; p != nil && p.Slurm != nil && p.Slurm.OneTaskPerCore && out.TasksPerCore == 0 {
		out.TasksPerCore = 1
	}
}

// occupied brings what a running job is reported to have of its nodes to processors of whole cores. scontrol -d lists
// threads, also those of nodes whose cores are one processor each; else it is what the job is reported to have in all.
func (q *Queue) occupied(out *backfill.Request, procs int64) {
	nodes, listed := q.Result.Snapshot.Nodes, int64(0)
	for _, s := range out.Allocated {
		listed += s.Procs
	}
	for k := range out.Allocated {
		s := &out.Allocated[k]
		threads, cores := q.coresOf(nodes, int(s.Node))
		t := max(1, q.Cluster.Nodes[s.Node].ThreadsPerCore)
		switch {
		case s.Procs == 0:
		case listed > procs && procs > 0 && threads > 1 && t == 1 && nodes.Value("node.procs", int(s.Node)).Int == cores:
			s.Procs = max(1, s.Procs/threads)
			s.Tasks = max(1, min(s.Tasks, s.Procs/max(1, out.PerTask.Procs)))
		case listed == procs && t > 1 && !q.Result.Program.Plan.Slurm.Cores && out.ThreadsPerCore > 0:
			// of each core so many are counted
			s.Procs = min(backfill.UpTo(s.Procs, out.ThreadsPerCore)*t, q.Cluster.Nodes[s.Node].Capacity.Procs)
		}
		if t > 1 && s.Procs > 0 {
			s.Tasks = min(s.Tasks, max(1, s.Procs/max(1, out.PerTask.Procs)))
		}
	}
}

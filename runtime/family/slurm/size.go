package slurm

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
	"github.com/fairway-sched/fairway/runtime/program"
)

// sizeProcs are the processors that the job size factor counts. Once slurmctld has looked for nodes for
// a job that has its nodes for itself, it counts all processors of these, although commands go on to print what was
// asked for (recorded: big, usage-running; seen with select/linear). A job was tried if it was looked at after it was
// submitted and not since the priorities were computed. Which nodes it would get is not known: it
// counts where all of the partition's are alike.
func sizeProcs(p *program.Program, jobs *column.Table, values *evaluation.Values, now int64) *column.Column {
	const id = "job.size_procs"
	out := &column.Column{ID: id, Type: schema.Int, Ints: make([]int64, jobs.Rows)}
	given, procs, exclusive := jobs.Column(id), jobs.Column("job.procs"), jobs.Column("job.exclusive")
	type partition struct {
		whole   bool
		perNode int64
	}
	partitions := map[string]partition{}
	for job := range jobs.Rows {
		switch {
		case column.Known(given, job):
			out.Ints[job] = given.Ints[job]
			continue
		case !column.Known(procs, job):
			out.Missing.Set(job)
			continue
		}
		out.Ints[job] = procs.Ints[job]
		if !tried(jobs, job, now) {
			continue
		}
		name := jobs.Text("job.partition", job)
		of, known := partitions[name]
		if !known {
			of = partition{shares.GivesWholeNodes(p, values, name), shares.NodeSize(values, name)}
			partitions[name] = of
		}
		if of.whole || exclusive != nil && exclusive.Ints[job] != 0 {
			out.Ints[job] = shares.WholeNodesOf(of.perNode, out.Ints[job], jobs.Int("job.nodes", job))
		}
	}
	return out
}

// tried reports a waiting job that slurmctld has looked for nodes for.
func tried(jobs *column.Table, job int, now int64) bool {
	at := jobs.Value("job.last_evaluation_time", job)
	return at.Known() && at.Int <= now && at.Int > jobs.Int("job.submit_time", job) &&
		!evaluation.Active[jobs.Text("job.state", job)]
}

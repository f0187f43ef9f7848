package engine

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
)

// sizeProcs are the processors that the job size factor counts. Once slurmctld has looked for nodes for
// an exclusive job, it counts all processors of these, although commands go on to print what was
// asked for (recorded: big, usage-running). A job was tried if it was looked at after it was
// submitted and not since the priorities were computed. Which nodes it would get is not known: it
// counts where all of the partition's are alike.
func sizeProcs(jobs *column.Table, values *credentialValues, now int64) *column.Column {
	const id = "job.size_procs"
	out := &column.Column{ID: id, Type: schema.Int, Ints: make([]int64, jobs.Rows)}
	given, procs, exclusive := jobs.Column(id), jobs.Column("job.procs"), jobs.Column("job.exclusive")
	perNode := map[string]int64{}
	for job := range jobs.Rows {
		switch {
		case isKnown(given, job):
			out.Ints[job] = given.Ints[job]
			continue
		case !isKnown(procs, job):
			out.Missing.Set(job)
			continue
		}
		out.Ints[job] = procs.Ints[job]
		if exclusive == nil || exclusive.Ints[job] == 0 || !tried(jobs, job, now) {
			continue
		}
		partition := jobs.Value("job.partition", job).Str
		size, known := perNode[partition]
		if !known {
			size = nodeSize(values, partition)
			perNode[partition] = size
		}
		out.Ints[job] = max(out.Ints[job], size*max(1, jobs.Value("job.nodes", job).Int))
	}
	return out
}

// tried reports a waiting job that slurmctld has looked for nodes for.
func tried(jobs *column.Table, job int, now int64) bool {
	at := jobs.Value("job.last_evaluation_time", job)
	return at.Known() && at.Int <= now && at.Int > jobs.Value("job.submit_time", job).Int && !active[jobs.Value("job.state", job).Str]
}

// nodeSize is the number of processors of each node of a partition; 0 where they differ or
// nobody says.
func nodeSize(values *credentialValues, partition string) int64 {
	procs, nodes := values.of("partition.procs", partition).Int, values.of("partition.nodes", partition).Int
	if nodes <= 0 || procs%nodes != 0 {
		return 0
	}
	return procs / nodes
}

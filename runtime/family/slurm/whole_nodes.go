package slurm

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/program"
)

func (g *guard) newWholeNodes() *wholeNodes { return &wholeNodes{g, map[string]nodeSizes{}} }

// ownNodes reports a row whose job shares its nodes with no other job.
func (g *guard) ownNodes(row int) bool {
	return g.partition(row).whole || g.result.Jobs.Int("job.exclusive", int(g.result.RowJob[row])) != 0
}

// procs are those that the job of a row gets at least and at most; 0 where it takes no whole nodes, or no input says
// how large they are.
func (w *wholeNodes) procs(row int) (least, most int64) {
	jobs, job := w.guard.result.Jobs, int(w.guard.result.RowJob[row])
	if !w.guard.ownNodes(row) {
		return 0, 0
	}
	sizes := w.of(w.guard.partition(row).name)
	nodes, procs := max(1, jobs.Int("job.nodes", job)), jobs.Int("job.procs", job)
	few, many := howManyHold(sizes.largest, nodes, procs), howManyHold(sizes.smallest, nodes, procs)
	if many >= len(sizes.smallest) {
		return 0, 0
	}
	return max(procs, sizes.smallest[few]), sizes.largest[many]
}

// howManyHold is the number of nodes that hold so many processors, and not fewer than are asked for; the length of the
// sums if all together do not.
func howManyHold(sums []int64, nodes, procs int64) int {
	n, _ := slices.BinarySearch(sums, procs)
	return max(n, int(min(nodes, int64(len(sums)))))
}

// summed are the sums of no size, the first, the first two, and so on.
func summed(sizes []int64) []int64 {
	sums := make([]int64, 1, len(sizes)+1)
	for i, n := range sizes {
		sums = append(sums, sums[i]+n)
	}
	return sums
}

// of are the sizes of a partition's nodes: of those that the snapshot shows and that take jobs, else as the policy has
// them.
func (w *wholeNodes) of(partition string) nodeSizes {
	if sizes, known := w.sizes[partition]; known {
		return sizes
	}
	var sizes []int64
	if nodes := w.guard.result.Snapshot.Nodes; nodes != nil {
		for node := range nodes.Rows {
			n := cmp.Or(nodes.Value("node.procs_usable", node).Int, nodes.Value("node.procs", node).Int)
			if n > 0 && planning.StartsJobs(nodes, node) &&
				slices.Contains(nodes.Value("node.partitions", node).List, partition) {
				sizes = append(sizes, n)
			}
		}
	}
	if sizes == nil {
		if size := shares.NodeSize(w.guard.values, partition); size > 0 {
			sizes = slices.Repeat([]int64{size}, int(w.guard.values.Of("partition.nodes", partition).Int))
		}
	}
	slices.Sort(sizes)
	sums := nodeSizes{smallest: summed(sizes)}
	slices.Reverse(sizes)
	sums.largest = summed(sizes)
	w.sizes[partition] = sums
	return sums
}

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

package slurm

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
	"github.com/fairway-sched/fairway/runtime/planning"
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

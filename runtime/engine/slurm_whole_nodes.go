package engine

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/limit"
)

// wholeNodes are how many processors the jobs get that share their nodes with nobody: all of the nodes that are
// chosen. Limits that are asked once nodes are chosen count these, and not what the job asks for (slurm.md §11.2;
// recorded: limit-exclusive-grp). select/linear, which gives whole nodes to all, is no part of this: before 23.11 it
// is also what a slurm.conf without SelectType has. Which nodes a job would get is not known before, only what it gets at least and at
// most; where all nodes are alike the two are the same.
type wholeNodes struct {
	guard *slurmGuard
	sizes map[string][]int64 // by partition: the processors of its nodes, ascending
}

func (g *slurmGuard) newWholeNodes() *wholeNodes { return &wholeNodes{g, map[string][]int64{}} }

// procs are those that the job of a row gets at least and at most; 0 where it takes no whole nodes, or nobody says how
// large they are.
func (w *wholeNodes) procs(row int) (least, most int64) {
	jobs, job := w.guard.result.Jobs, int(w.guard.result.RowJob[row])
	partition := w.guard.partition(row)
	if !partition.whole && jobs.Value("job.exclusive", job).Int == 0 {
		return 0, 0
	}
	ascending := w.of(partition.name)
	descending := slices.Clone(ascending)
	slices.Reverse(descending)
	nodes, procs := max(1, jobs.Value("job.nodes", job).Int), jobs.Value("job.procs", job).Int
	few, many := howManyHold(descending, nodes, procs), howManyHold(ascending, nodes, procs)
	if many > len(ascending) {
		return 0, 0
	}
	return max(procs, total(ascending[:few])), total(descending[:many])
}

// howManyHold is the number of nodes that hold so many processors, taken in order, and not fewer than are asked for.
func howManyHold(sizes []int64, nodes, procs int64) int {
	n, held := 0, int64(0)
	for n < len(sizes) && held < procs {
		held += sizes[n]
		n++
	}
	if held < procs {
		return len(sizes) + 1
	}
	return max(n, int(min(nodes, int64(len(sizes)+1))))
}

func total(sizes []int64) (sum int64) {
	for _, n := range sizes {
		sum += n
	}
	return sum
}

// of are the sizes of a partition's nodes: of those that the snapshot shows and that take jobs, else as the policy has them.
func (w *wholeNodes) of(partition string) []int64 {
	if sizes, known := w.sizes[partition]; known {
		return sizes
	}
	var sizes []int64
	if nodes := w.guard.result.Snapshot.Nodes; nodes != nil {
		for node := range nodes.Rows {
			n := cmp.Or(nodes.Value("node.procs_usable", node).Int, nodes.Value("node.procs", node).Int)
			if n > 0 && startsJobs(nodes, node) && slices.Contains(nodes.Value("node.partitions", node).List, partition) {
				sizes = append(sizes, n)
			}
		}
	}
	if sizes == nil {
		if size := nodeSize(w.guard.values, partition); size > 0 {
			sizes = slices.Repeat([]int64{size}, int(w.guard.values.of("partition.nodes", partition).Int))
		}
	}
	slices.Sort(sizes)
	w.sizes[partition] = sizes
	return sizes
}

// recordedPlacement: which nodes a job would get is known only once they are chosen: whether those of a group suffice,
// and how large they are. Where slurmctld found that a limit stops the job then, it is right as long as the limit is
// there and some nodes pass it.
func (g *slurmGuard) recordedPlacement(row int) *limit.SlurmStop {
	recorded := g.result.Jobs.Value("job.state_reason", int(g.result.RowJob[row])).Str
	if !decided(recorded) {
		return nil
	}
	_, most := g.whole.procs(row)
	if stop := g.limits.CheckWithNodes(row, limit.SlurmGot{Procs: most}); stop != nil && stop.Reason == recorded {
		return stop
	}
	return nil
}

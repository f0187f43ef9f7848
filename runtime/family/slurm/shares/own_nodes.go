package shares

import (
	"strings"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// GivesWholeNodes reports a partition whose jobs all have their nodes for themselves: by OverSubscribe=EXCLUSIVE, or as
// select/linear gives whole nodes everywhere. Before 23.11 that is also what a slurm.conf without SelectType has.
func GivesWholeNodes(p *program.Program, values *evaluation.Values, partition string) bool {
	linear := p.Plan != nil && p.Plan.Slurm != nil && p.Plan.Slurm.Linear
	return linear || strings.HasPrefix(strings.ToUpper(values.Of("partition.oversubscribe", partition).Str), "EXCLUSIVE")
}

// OwnNodes asks of jobs whether they share their nodes with no other job.
func OwnNodes(r *evaluation.Result) func(job int) bool {
	values := evaluation.NewValues(r.Program, r.Snapshot)
	return func(job int) bool {
		exclusive := r.Jobs.Int("job.exclusive", job) != 0
		return exclusive || GivesWholeNodes(r.Program, values, r.Jobs.Text("job.partition", job))
	}
}

// WholeNodesOf are all processors of the nodes that hold so many, and not fewer than are asked for.
func WholeNodesOf(perNode, procs, nodes int64) int64 {
	if perNode <= 0 {
		return procs
	}
	return max(procs, perNode*max(nodes, (procs-1)/perNode+1))
}

// NodeSize is the number of processors of each node of a partition; 0 where they differ or
// unknown.
func NodeSize(values *evaluation.Values, partition string) int64 {
	procs, nodes := values.Of("partition.procs", partition).Int, values.Of("partition.nodes", partition).Int
	if nodes <= 0 || procs%nodes != 0 {
		return 0
	}
	return procs / nodes
}

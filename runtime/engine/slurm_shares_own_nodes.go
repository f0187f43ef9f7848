package engine

import (
	"strings"

	"github.com/fairway-sched/fairway/runtime/program"
)

// givesWholeNodes reports a partition whose jobs all have their nodes for themselves: by OverSubscribe=EXCLUSIVE, or as
// select/linear gives whole nodes everywhere. Before 23.11 that is also what a slurm.conf without SelectType has.
func givesWholeNodes(p *program.Program, values *credentialValues, partition string) bool {
	linear := p.Plan != nil && p.Plan.Slurm != nil && p.Plan.Slurm.Linear
	return linear || strings.HasPrefix(strings.ToUpper(values.of("partition.oversubscribe", partition).Str), "EXCLUSIVE")
}

// OwnNodes asks of jobs whether they share their nodes with nobody.
func (r *Result) OwnNodes() func(job int) bool {
	values := newCredentialValues(r.Program, r.Snapshot)
	return func(job int) bool {
		exclusive := r.Jobs.Value("job.exclusive", job).Int != 0
		return exclusive || givesWholeNodes(r.Program, values, r.Jobs.Value("job.partition", job).Str)
	}
}

// wholeNodesOf are all processors of the nodes that hold so many, and not fewer than are asked for.
func wholeNodesOf(perNode, procs, nodes int64) int64 {
	if perNode <= 0 {
		return procs
	}
	return max(procs, perNode*max(nodes, (procs-1)/perNode+1))
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

package planning

import (
	"github.com/fairway-sched/fairway/lang/source"
)

// topologyUnknown reports a policy by which nodes are chosen by their switches, of which no input says where they are.
func (q *Queue) topologyUnknown() {
	if p := q.Result.Program.Plan; p == nil || p.Slurm == nil || !p.Slurm.Tree {
		return
	}
	for i := range q.Cluster.Nodes {
		if q.Cluster.Nodes[i].Switches != nil {
			return
		}
	}
	q.Result.Findings.Warnf("plan-topology-unknown", source.Span{}, "nodes are chosen by their switches (TopologyPlugin=topology/tree), and no input says which nodes are on which").
		Note("they are planned by weight and place in the list; give topology.conf or the output of scontrol show topology with the snapshot")
}

package planning

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// configuredSwitches gives nodes without switches in the snapshot those of the policy's topology.conf, the leaf first.
func (q *Queue) configuredSwitches() {
	p := q.Result.Program.Plan
	if p == nil || len(p.Switches) == 0 {
		return
	}
	above := map[string]string{}
	for _, s := range p.Switches {
		names, _ := slurmtext.ExpandHostlist(s.Switches) // what cannot be read lint reports
		for _, below := range names {
			above[below] = s.Name
		}
	}
	for _, s := range p.Switches {
		if s.Switches != "" {
			continue
		}
		path := []string{s.Name}
		for up := above[s.Name]; up != "" && !slices.Contains(path, up); up = above[up] {
			path = append(path, up)
		}
		names, _ := slurmtext.ExpandHostlist(s.Nodes)
		for _, name := range names {
			if at, ok := q.Nodes[name]; ok && q.Cluster.Nodes[at].Switches == nil {
				q.Cluster.Nodes[at].Switches = path
			}
		}
	}
}

// topologyUnknown reports a policy by which nodes are chosen by their switches, for which no input says where they are.
func (q *Queue) topologyUnknown() {
	if p := q.Result.Program.Plan; p == nil || p.Slurm == nil || !p.Slurm.Tree {
		return
	}
	for i := range q.Cluster.Nodes {
		if q.Cluster.Nodes[i].Switches != nil {
			return
		}
	}
	q.Result.Findings.Warnf("plan-topology-unknown", source.Span{},
		"nodes are chosen by their switches (TopologyPlugin=topology/tree), and no input says which nodes are on which").
		Note("they are planned by weight and place in the list; give topology.conf or the output of scontrol show " +
			"topology with the snapshot")
}

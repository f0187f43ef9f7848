package slurm

import "github.com/fairway-sched/fairway/runtime/backfill"

// Nodes may be kept for the jobs of one user: by ExclusiveUser of a partition, or as a job asks for it
// (filter_by_node_owner). slurmctld asks who has them now, also when it looks for a later time, so that backfill keeps
// nothing for a job on nodes where somebody else's jobs run (observed with 22.05).

// strangers are the nodes that a user's job cannot have as long as what runs there does.
type strangers struct {
	user    string
	private bool
}

// private reports a job that has its nodes for its user alone.
func (p *planner) private(r *backfill.Request, partition int32) bool {
	return r.Sharing == backfill.SingleUser || p.in.Cluster.Partitions[partition].Sharing == backfill.SingleUser
}

// ownsNodes reports that some job that runs or waits has nodes for its user alone.
func (p *planner) ownsNodes() bool {
	for k := range p.in.Cluster.Partitions {
		if p.in.Cluster.Partitions[k].Sharing == backfill.SingleUser {
			return true
		}
	}
	for _, list := range [][]backfill.Request{p.in.Running, p.in.Waiting} {
		for k := range list {
			if list[k].Sharing == backfill.SingleUser {
				return true
			}
		}
	}
	return false
}

// privateNow reports a running job that has its nodes for its user alone.
func (p *planner) privateNow(r *backfill.Request) bool {
	for k := range p.in.Cluster.Partitions {
		if p.in.Cluster.Partitions[k].Name == r.Class && p.private(r, int32(k)) {
			return true
		}
	}
	return r.Sharing == backfill.SingleUser
}

// withoutStrangers takes the nodes of other users' jobs from one that wants its nodes for its user alone, and from all
// others those that such jobs have.
func (p *planner) withoutStrangers(e *Entry, nodes set) {
	if !p.owns {
		return
	}
	r := &p.in.Waiting[e.Request]
	who := strangers{r.User, p.private(r, e.Partition)}
	if p.strangers == nil || p.strangersOf != p.epoch {
		p.strangers, p.strangersOf = map[strangers]set{}, p.epoch
	}
	taken := p.strangers[who]
	if taken == nil {
		taken = newSet(len(p.nodes))
		for _, h := range p.running {
			if (who.private || h.private) && p.requestOf(h).User != who.user {
				taken.or(h.nodes)
			}
		}
		p.strangers[who] = taken
	}
	nodes.without(taken)
}

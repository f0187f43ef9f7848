package replay

import (
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/planning"
)

// A pass or a cycle starts nothing where every job that waits asks for more processors than are free on all nodes
// together. It is not planned then; only once the replay is through, and jobs still wait, is it asked why.

// room is what the machine has.
type room struct {
	known bool
	procs int64 // of all nodes, whether jobs may have them or not
	sole  bool  // no processor is of two jobs at a time, and no job is ended for another
}

// measure notes what the machine has, as a plan shows it.
func (c *controller) measure(s *backfill.Schedule) {
	if c.room.known {
		return
	}
	own := c.program.Slurm
	c.room = room{known: true, sole: c.rules.Cores && own != nil && own.Preempt == "" && c.workload.queue == nil}
	for i := range s.Cluster.Partitions {
		c.room.sole = c.room.sole && s.Cluster.Partitions[i].Rows <= 1
	}
	nodes := c.state.Snapshot().Nodes
	for node := range nodes.Rows {
		c.room.procs += max(0, nodes.Value("node.procs", node).Int)
	}
}

// fruitless reports a pass or a cycle that can start nothing. Where a cycle begins at the same moment it sees what the
// plan of the pass has found, and both are made.
func (c *controller) fruitless(only planning.Only) bool {
	both := only == planning.MainPass && c.rules.Backfill && c.changed && c.now == c.nextCycle()
	if c.follows || c.options.general || !c.room.sole || both {
		return false
	}
	free := c.room.procs
	for job := range c.endsAt {
		free -= c.out.Outcomes[job].Procs
	}
	for _, job := range c.waiting {
		if c.out.Outcomes[job].Procs <= free {
			return false
		}
	}
	return true
}

package verify

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// nodesFirst reports a job that a limit stops and that shows that it waits for nodes, where it may: limits on TRES are
// asked once nodes are found. It waits for priority if another job of its partition waits for nodes before it, and for
// resources unless the idle nodes hold it.
func (c *comparison) nodesFirst(job int, r *evaluation.Result, word string) bool {
	first, end := r.Entries(job)
	for row := first; row < end; row++ {
		partition := rowText(r, "job.partition", row)
		switch {
		case word == "Priority":
			if highest, ok := c.highestWaiting(r)[partition]; ok && highest > r.Priority[row] {
				return true
			}
		case slices.Contains(plannerReasons, word) || strings.HasPrefix(word, "ReqNodeNotAvail"):
			if r.Snapshot.Nodes != nil && r.Snapshot.Nodes.Rows > 0 && !idleNodesHold(r, job, partition) {
				return true
			}
		}
	}
	return false
}

// highestWaiting is the highest priority, by partition, of the jobs that may start and so wait for nodes. With
// assoc_limit_stop a job that a limit stops holds its partition up, too.
func (c *comparison) highestWaiting(r *evaluation.Result) map[string]int64 {
	if highest := c.inFront[r]; highest != nil {
		return highest
	}
	highest := map[string]int64{}
	for job, state := range r.State {
		why := r.Why[int32(job)]
		stops := r.Program.Slurm.LimitStop && why != nil && why.Slurm != nil
		if state != evaluation.Eligible && !stops {
			continue
		}
		first, end := r.Entries(job)
		for row := first; row < end; row++ {
			if stops || r.Barred[int32(row)] == nil {
				partition := rowText(r, "job.partition", row)
				highest[partition] = max(highest[partition], r.Priority[row])
			}
		}
	}
	if c.inFront == nil {
		c.inFront = map[*evaluation.Result]map[string]int64{}
	}
	c.inFront[r] = highest
	return highest
}

// idleNodesHold reports a job that the idle nodes of a partition hold, as far as processors tell.
func idleNodesHold(r *evaluation.Result, job int, partition string) bool {
	for _, id := range particular {
		if v := r.Jobs.Value(id, job); v.Known() && (v.Str != "" || v.Int != 0 || len(v.List) > 0) {
			return false
		}
	}
	nodes := r.Snapshot.Nodes
	var procs []int64
	for node := range nodes.Rows {
		if strings.EqualFold(nodes.Value("node.state", node).Str, "idle") &&
			slices.Contains(nodes.Value("node.partitions", node).List, partition) {
			procs = append(procs, nodes.Value("node.procs", node).Int)
		}
	}
	slices.SortFunc(procs, func(a, b int64) int { return cmp.Compare(b, a) })
	count, sum := max(1, r.Jobs.Int("job.nodes", job)), int64(0)
	if int64(len(procs)) < count {
		return false
	}
	for _, n := range procs[:count] {
		sum += n
	}
	return sum >= r.Jobs.Int("job.procs", job)
}

// particular are requests that some nodes meet and others do not.
var particular = []schema.ColumnID{"job.features", "job.hosts", "job.excluded_hosts", "job.reservation",
	"job.gres_per_node", "job.gres_per_task", "job.gres_per_job"}

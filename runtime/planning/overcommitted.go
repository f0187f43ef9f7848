package planning

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
)

// MostOvercommitted bounds how many nodes are named one by one.
const MostOvercommitted = 5

// overcommitted reports nodes on which running jobs have more processors than there are: two pictures of different
// times, or a job that is reported to be where it is not. The plan has the node full until the last of them ends.
func (q *Queue) overcommitted() {
	taken := make([]int64, len(q.Cluster.Nodes))
	each := func(do func(r *backfill.Request, s backfill.Share)) {
		for i := range q.Requests {
			r := &q.Requests[i]
			if r.Suspended || !q.fillsItsNodes(r) {
				continue
			}
			for _, s := range r.Allocated {
				do(r, s)
			}
		}
	}
	each(func(r *backfill.Request, s backfill.Share) { taken[s.Node] += q.procsOn(r, s) })
	n := 0
	for node, procs := range taken {
		at := &q.Cluster.Nodes[node]
		if procs <= at.Capacity.Procs {
			continue
		}
		var jobs []string
		each(func(r *backfill.Request, s backfill.Share) {
			if int(s.Node) == node {
				jobs = append(jobs, r.ID)
			}
		})
		if len(jobs) == 0 {
			continue
		}
		if n++; n > MostOvercommitted {
			continue
		}
		q.Result.Findings.Warnf("plan-node-overcommitted", source.Span{},
			"running jobs have %d processors of %s, which has %d: %s", procs, at.Name, at.Capacity.Procs, SomeOf(jobs)).
			Note("nothing else is planned there until they end; take the jobs and the nodes at one time, or mend " +
				"allocated_hosts, procs or tasks of these jobs")
	}
	if n > MostOvercommitted {
		q.Result.Findings.Warnf("plan-node-overcommitted", source.Span{}, "running jobs have more than there is of %s",
			MoreNodes(n-MostOvercommitted)).
			Note("take the jobs and the nodes at one time")
	}
}

// fillsItsNodes reports a job whose processors no other job has: one that ends gives them away before it is gone, and
// in partitions of OverSubscribe=FORCE or YES several jobs take turns (slurm.conf.5).
func (q *Queue) fillsItsNodes(r *backfill.Request) bool {
	if q.Result.Jobs.Text("job.state", int(r.Row)) == "completing" {
		return false
	}
	sharing := strings.ToUpper(q.credentials().Of("partition.oversubscribe", r.Class).Str)
	return !strings.HasPrefix(sharing, "FORCE") && !strings.HasPrefix(sharing, "YES")
}

// procsOn is how many processors a running job has on a node. Of a Slurm job on several nodes without a word on how
// they are split it is at least one.
func (q *Queue) procsOn(r *backfill.Request, s backfill.Share) int64 {
	switch {
	case r.Sharing == backfill.SingleJob:
		return max(q.Cluster.Nodes[s.Node].Capacity.Procs, 1)
	case s.Procs > 0:
		return s.Procs
	case q.Result.Snapshot.Manner().SharesAreOne && len(r.Allocated) > 1 &&
		q.Result.Jobs.Value("job.allocated_procs", int(r.Row)).List == nil:
		return 1
	}
	return s.Tasks * max(r.PerTask.Procs, 1)
}

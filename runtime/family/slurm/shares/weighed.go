package shares

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
)

// leastSum is the usage below which a difference of exact usage is only what sums round, in seconds.
const leastSum = 1e-6

// weigh goes through the controller's list of jobs as its last pass did, for the usage that classic factors go by. The
// pass before ended at since; a difference of usage below least is none.
func weigh(r *evaluation.Result, t *evaluation.TreeShares, c *evaluation.Charges, since int64, least float64) {
	if t.Model.PassSeconds <= 0 || len(c.List) == 0 {
		return
	}
	turns := make([]tree.Turn, r.Jobs.Rows)
	for job := range turns {
		turns[job] = tree.Turn{Node: -1, Weighed: weighedByPass(r, job)}
		if turns[job].Weighed {
			if node, ok := t.Nodes[r.Jobs.Text("job.association", job)]; ok {
				turns[job].Node = int(node)
			}
		}
	}
	for i := range c.List {
		if x := &c.List[i]; x.End == 0 || x.End > r.Now {
			turns[x.Job].Node, turns[x.Job].Added = x.Node, t.Clock.Added(since, r.Now, &x.Charge)
		}
	}
	inOrder := make([]tree.Turn, 0, len(turns))
	for _, job := range jobList(r) {
		inOrder = append(inOrder, turns[job])
	}
	t.Weighed = t.Ledger.Weighed(inOrder, least)
}

// weighedByPass: a pass computes the priorities of jobs that wait, those that have started since among them, but of
// held ones and those whose priority was set by hand; with CALCULATE_RUNNING those of running jobs too.
func weighedByPass(r *evaluation.Result, job int) bool {
	if r.Jobs.Int("job.held", job) != 0 || r.Jobs.Int("job.direct_priority", job) != 0 {
		return false
	}
	state, start := r.Jobs.Text("job.state", job), r.Jobs.Value("job.start_time", job)
	if evaluation.Active[state] && !r.Program.Tree.CalculateRunning {
		return start.Known() && start.Int >= r.Now
	}
	return state != "done"
}

// jobList are the jobs in the order in which slurmctld keeps them: by the number of the record. What is left of an
// array goes to the end of the list whenever a task is split off, and the task takes its place (recorded:
// backfill-array-limit).
func jobList(r *evaluation.Result) []int {
	record, last := make([]int64, r.Jobs.Rows), map[int64]int64{}
	for job := range record {
		id := r.Jobs.Value("job.record_id", job)
		if !id.Known() {
			record[job] = evaluation.ParseJobID(r.JobID(job)).Job
			continue
		}
		record[job] = id.Int
		if array := r.Jobs.Value("job.array_job_id", job); array.Known() {
			last[array.Int] = max(last[array.Int], id.Int)
		}
	}
	list := make([]int, len(record))
	for job := range list {
		list[job] = job
		if array := r.Jobs.Value("job.array_job_id", job); array.Known() && array.Int == record[job] {
			record[job] = max(record[job], last[array.Int])
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(record[a], record[b]) })
	return list
}

// sayPassBehind: who compares the factors with the usage that sshare prints would not find them.
func sayPassBehind(r *evaluation.Result, t *evaluation.TreeShares) {
	if t.Classic == nil || t.AddedByLastPass(0) == 0 {
		return
	}
	r.Findings.Infof("fairshare-pass-behind", t.Model.Span,
		"classic fairshare goes by the usage that the last pass read as it went: of what is recorded, %.0f that running "+
			"jobs used up to that pass is left out of the usage of accounts", t.AddedByLastPass(0)).
		Note("slurmctld reads the usage of accounts at the start of a pass, before it adds what running jobs used, and " +
			"that of a user when it comes to the user's first waiting job; sshare shows the usage after the pass")
}

package verify

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/engine"
)

// reasons compares why jobs wait, where the evaluation decides that and does not take it over.
// Whether nodes are found is the planner's to say: a job that it may start has no reason of ours.
func (c *comparison) reasons() {
	r := c.report.Result
	recorded := r.Jobs.Column("job.state_reason")
	if recorded == nil || r.Program.Family != "slurm" || r.Why == nil {
		return
	}
	k := Check{Name: "reason", Of: "reasons of waiting jobs"}
	for job := range r.Jobs.Rows {
		theirs := oneWord(recorded.Dict[recorded.Codes[job]])
		ours := oneWord(r.Reason[job])
		switch state := r.State[job]; {
		case state == engine.Running || state == engine.Done || recorded.Missing.Get(job):
		case state == engine.Eligible && ours == theirs:
			k.skip("they depend on the nodes, which are not looked at")
		case state == engine.Held && r.Why[int32(job)] != nil && r.Why[int32(job)].Kind == engine.BlockHold:
			k.skip("who holds a job is taken over")
		default:
			k.compare(c, job, theirs, ours)
		}
	}
	if k.Compared > 0 || len(k.Skipped) > 0 {
		c.report.Checks = append(c.report.Checks, k)
	}
}

func (k *Check) compare(c *comparison, job int, theirs, ours string) {
	k.Compared++
	if theirs == ours {
		k.Equal++
		return
	}
	d := Difference{Check: k.Name, Job: jobText(c.report.Result, "job.id", job), Field: "reason", Words: [2]string{theirs, orNone(ours)}}
	switch {
	case slices.Contains([]string{"", "None"}, theirs):
		d.Cause, d.Why = causeNamed("never-tried"), "no scheduling pass has come to the job"
	case slices.Contains(plannerReasons, theirs):
		d.Cause, d.Why = causeNamed("tried-before"), "the scheduler has not come to the job since the limit was reached, or passes it over"
	}
	if d.Benign() {
		k.Explained++
	} else {
		k.Different++
	}
	c.report.Differences = append(c.report.Differences, d)
}

// plannerReasons are those of jobs that may start and find no place.
var plannerReasons = []string{"Priority", "Resources", "Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs_in_higher_priority_partitions"}

// oneWord writes a reason as scontrol does; squeue prints blanks.
func oneWord(reason string) string { return strings.ReplaceAll(reason, " ", "_") }

func orNone(reason string) string {
	if reason == "" {
		return "none"
	}
	return reason
}

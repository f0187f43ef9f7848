package oracle

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
)

func (q *queue) param(name string) schema.Value {
	for _, v := range q.policy.Params {
		if v.Name == name {
			return v.Value
		}
	}
	return schema.Value{}
}

// accrual is the kind of a JOBPRIOACCRUALPOLICY: always, queue or full.
func accrual(word string) string {
	switch word {
	case "ALWAYS", "NONE":
		return "always"
	case "FULLPOLICY":
		return "full"
	}
	return "queue"
}

// runs: a job that is suspended uses nothing.
func runs(job cells) bool {
	return slices.Contains([]string{"running", "completing"}, job.text("job.state"))
}

// mauiClock: queue time counts from submission, or from when PBS found the job eligible (etime),
// if that is later and submission is not what counts.
func (q *queue) mauiClock(job cells) {
	start, etime := job["job.queue_start_time"], job["job.eligible_time"]
	if q.snap.Family == "pbs" && start.Known() && etime.Known() && etime.Int > start.Int && !q.fromSubmission() {
		job["job.queue_start_time"] = schema.TimestampValue(etime.Int)
	}
}

// fromSubmission: USESYSTEMQUEUETIME is off, which is the manual's default.
func (q *queue) fromSubmission() bool {
	for _, p := range q.policy.Params {
		if p.Name == "USESYSTEMQUEUETIME" {
			return p.Value.Int == 0 || q.follows("queue_time_source") && p.Set.IsZero()
		}
	}
	return true
}

// follows reports whether the policy follows the manual in a point.
func (q *queue) follows(deviation string) bool {
	for _, d := range q.policy.Deviations {
		if d.Name == deviation {
			return d.Documented
		}
	}
	return false
}

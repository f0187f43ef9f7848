package engine

import (
	"fmt"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
)

// OrderRule is one key of the queue's order. Explanations name the first rule that tells two
// jobs apart, so they cannot disagree with the sort.
type OrderRule struct {
	Name string
	Tie  bool                           // asked only where priorities are equal
	Key  func(job int) int64            // the greater stands first
	Why  func(first, second int) string // why the first stands first; for jobs whose keys differ
}

// OrderRules lists the keys of the queue's order, the most significant first. Slurm
// sorts by reservation, partition tier, priority, submit time and job id (sort_job_queue2);
// others by priority. What all rules leave equal keeps the snapshot's order,
// which is the resource manager's.
func (r *Result) OrderRules() []OrderRule {
	if r.Program.Family != "slurm" {
		return []OrderRule{r.priorityRule()}
	}
	return []OrderRule{r.reservationRule(), r.tierRule(), r.priorityRule(), r.submitRule(),
		r.idRule(JobID.job), r.idRule(JobID.part)}
}

func (r *Result) reservationRule() OrderRule {
	return OrderRule{
		Name: "reservation",
		Key: func(job int) int64 {
			return schema.BoolValue(r.Jobs.Value("job.reservation", job).Str != "").Int
		},
		Why: func(int, int) string { return "jobs of a reservation come first" },
	}
}

func (r *Result) tierRule() OrderRule {
	tier := func(job int) int64 { return r.Tier(int(r.RankRow[job])) }
	return OrderRule{Name: "partition tier", Key: tier, Why: func(first, second int) string {
		return fmt.Sprintf("partition tier %d comes before tier %d, whatever the priorities", tier(first), tier(second))
	}}
}

func (r *Result) priorityRule() OrderRule {
	priority := func(job int) int64 { return r.Priority[r.RankRow[job]] }
	return OrderRule{Name: "priority", Key: priority, Why: func(first, second int) string {
		a, b := priority(first), priority(second)
		return fmt.Sprintf("priority %d against %d, %d more", a, b, uint64(a)-uint64(b))
	}}
}

func (r *Result) submitRule() OrderRule {
	submit := func(job int) int64 { return r.Jobs.Value("job.submit_time", job).Int }
	text := func(job int) string {
		if !r.Jobs.Value("job.submit_time", job).Known() {
			return "unknown"
		}
		return time.Unix(submit(job), 0).UTC().Format("2006-01-02 15:04:05Z")
	}
	return OrderRule{Name: "submit time", Tie: true, Key: func(job int) int64 { return ^submit(job) }, // ^ turns the order round without overflow
		Why: func(first, second int) string {
			return "equal priority, submitted earlier: " + text(first) + " against " + text(second)
		}}
}

func (r *Result) idRule(number func(JobID) int64) OrderRule {
	return OrderRule{Name: "job id", Tie: true, Key: func(job int) int64 { return ^number(ParseJobID(r.jobID(job))) },
		Why: func(int, int) string { return "equal priority and submit time, the lower job id comes first" }}
}

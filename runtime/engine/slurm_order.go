package engine

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
)

// queueOrder is the order of Slurm's queue: by expedited requeue, preemption where there is any, reservation, partition
// tier, priority, submit time and job id (sort_job_queue2).
func queueOrder(p *preemption) func(r *Result) []OrderRule {
	return func(r *Result) []OrderRule {
		list := []OrderRule{r.expeditedRule()}
		if p != nil {
			list = append(list, p.rule(r))
		}
		return append(list, r.reservationRule(), r.tierRule(), r.priorityRule(), r.submitRule(),
			r.idRule(func(id JobID) int64 { return id.Job }), r.idRule(func(id JobID) int64 { return id.Part }))
	}
}

// byJob makes a rule's key of one that jobs have, whatever their row.
func (r *Result) byJob(key func(job int) int64) func(row int) int64 {
	return func(row int) int64 { return key(int(r.RowJob[row])) }
}

// expedited is 1 for a job that was requeued to start at once (sbatch --requeue=expedite, 25.11). The
// words of a state are looked at once and not for each job that has it.
func (r *Result) expedited() func(job int) int64 {
	states := r.Jobs.Column("job.state_word")
	if states == nil {
		return func(int) int64 { return 0 }
	}
	at := make([]int64, len(states.Dict))
	for code, words := range states.Dict {
		at[code] = schema.BoolValue(slices.Contains(strings.Split(words, ","), "EXPEDITING")).Int
	}
	return func(job int) int64 {
		if states.Missing.Get(job) {
			return 0
		}
		return at[states.Codes[job]]
	}
}

func (r *Result) expeditedRule() OrderRule {
	return OrderRule{result: r, Name: "expedited requeue", ByRow: r.byJob(r.expedited()),
		Why: func(int, int) string { return "a job whose requeue is expedited comes before all others" }}
}

func (p *preemption) rule(r *Result) OrderRule {
	return OrderRule{result: r, Name: "preemption", Before: func(a, b int) int { return p.compare(r, a, b) }, Why: func(first, second int) string {
		if p.rules.Preempt == "partition_prio" {
			return fmt.Sprintf("it may preempt the other: partition tier %d against %d on nodes that they share", r.Tier(int(r.RankRow[first])), r.Tier(int(r.RankRow[second])))
		}
		a, b := r.Rows.Value("job.qos", int(r.RankRow[first])).Str, r.Rows.Value("job.qos", int(r.RankRow[second])).Str
		if a == b {
			return "it may preempt the other: of two jobs of QOS " + a + " the one of higher priority"
		}
		return "it may preempt the other: QOS " + a + " preempts " + b
	}}
}

func (r *Result) reservationRule() OrderRule {
	return OrderRule{
		result: r,
		Name:   "reservation",
		ByRow: r.byJob(func(job int) int64 {
			return schema.BoolValue(r.Jobs.Value("job.reservation", job).Str != "").Int
		}),
		Why: func(int, int) string { return "jobs of a reservation come first" },
	}
}

func (r *Result) tierRule() OrderRule {
	tier := func(job int) int64 { return r.Tier(int(r.RankRow[job])) }
	return OrderRule{result: r, Name: "partition tier", ByRow: r.Tier, Why: func(first, second int) string {
		return fmt.Sprintf("partition tier %d comes before tier %d, whatever the priorities", tier(first), tier(second))
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
	return OrderRule{result: r, Name: "submit time", Tie: true, ByRow: r.byJob(func(job int) int64 { return ^submit(job) }), // ^ turns the order round without overflow
		Why: func(first, second int) string {
			return "equal priority, submitted earlier: " + text(first) + " against " + text(second)
		}}
}

func (r *Result) idRule(number func(JobID) int64) OrderRule {
	return OrderRule{result: r, Name: "job id", Tie: true, ByRow: r.byJob(func(job int) int64 { return ^number(ParseJobID(r.jobID(job))) }),
		Why: func(int, int) string { return "equal priority and submit time, the lower job id comes first" }}
}

// readTiers looks the tiers up once: the queue's order compares those of many pairs of rows.
func (r *Result) readTiers() {
	tiers := make([]int64, r.Rows.Rows)
	for row := range tiers {
		tiers[row] = r.Tier(row)
	}
	r.tiers = tiers
}

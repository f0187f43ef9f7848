package slurm

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
)

// strangers reports partitions of jobs that the policy's configuration does not
// define: it may be another cluster's. Maui knows classes without any definition.
func strangers(b *score.Binder) {
	set := b.Settings["partition.priority_job_factor"]
	key := b.Rows.Column("job.partition")
	if set == nil || len(set.Rows) == 0 || key == nil {
		return
	}
	jobs := make([]int, len(key.Dict))
	for _, code := range key.Codes {
		jobs[code]++
	}
	for code, name := range key.Dict {
		if _, known := set.Rows[name]; known || jobs[code] == 0 || name == "" {
			continue
		}
		d := b.Findings.Warnf("partition-not-configured", source.Span{},
			"partition %q of %s is not defined in the configuration", name, diag.Count(jobs[code], "job"))
		if _, recorded := evaluation.NameIndex(b.Snapshot.Credentials["partition"], "partition.name")[name]; recorded {
			d.Note("what the snapshot says of the partition is used")
		} else {
			d.Note("Slurm's default is used: PriorityJobFactor=1")
		}
		d.Note("is this the configuration of the cluster that the snapshot is from?")
	}
}

// Order is the order of Slurm's queue where no job may preempt another.
func Order(r *evaluation.Result) []evaluation.OrderRule { return queueOrder(nil)(r) }

// queueOrder is the order of Slurm's queue: by expedited requeue, preemption where there is any, reservation, partition
// tier, priority, submit time and job id (sort_job_queue2).
func queueOrder(p *preemption) func(r *evaluation.Result) []evaluation.OrderRule {
	return func(r *evaluation.Result) []evaluation.OrderRule {
		list := []evaluation.OrderRule{expeditedRule(r)}
		if p != nil {
			list = append(list, p.rule(r))
		}
		return append(list, reservationRule(r), tierRule(r), r.PriorityRule(), submitRule(r),
			idRule(r, func(id evaluation.JobID) int64 { return id.Job }),
			idRule(r, func(id evaluation.JobID) int64 { return id.Part }))
	}
}

// byJob makes a rule's key of one that jobs have, whatever their row.
func byJob(r *evaluation.Result, key func(job int) int64) func(row int) int64 {
	return func(row int) int64 { return key(int(r.RowJob[row])) }
}

// expedited is 1 for a job that was requeued to start at once (sbatch --requeue=expedite, 25.11); nil where there is
// none. The words of a state are looked at once and not for each job that has it.
func expedited(r *evaluation.Result) func(job int) int64 {
	states := r.Jobs.Column("job.state_word")
	if states == nil {
		return nil
	}
	at := make([]int64, len(states.Dict))
	for code, words := range states.Dict {
		at[code] = schema.BoolValue(slices.Contains(strings.Split(words, ","), "EXPEDITING")).Int
	}
	if !slices.Contains(at, 1) {
		return nil
	}
	return func(job int) int64 {
		if states.Missing.Get(job) {
			return 0
		}
		return at[states.Codes[job]]
	}
}

func expeditedRule(r *evaluation.Result) evaluation.OrderRule {
	key := expedited(r)
	none := key == nil
	if none {
		key = func(int) int64 { return 0 }
	}
	return evaluation.OrderRule{Result: r, Name: "expedited requeue", Alike: none, ByRow: byJob(r, key),
		Why: func(int, int) string { return "a job whose requeue is expedited comes before all others" }}
}

func (p *preemption) rule(r *evaluation.Result) evaluation.OrderRule {
	return evaluation.OrderRule{Result: r, Name: "preemption", Before: func(a, b int) int { return p.compare(r, a, b) },
		Why: func(first, second int) string {
			if p.rules.Preempt == "partition_prio" {
				return fmt.Sprintf("it may preempt the other: partition tier %d against %d on nodes that they share",
					r.Tier(int(r.RankRow[first])), r.Tier(int(r.RankRow[second])))
			}
			a, b := r.Rows.Text("job.qos", int(r.RankRow[first])), r.Rows.Text("job.qos", int(r.RankRow[second]))
			if a == b {
				return "it may preempt the other: of two jobs of QOS " + a + " the one of higher priority"
			}
			return "it may preempt the other: QOS " + a + " preempts " + b
		}}
}

func reservationRule(r *evaluation.Result) evaluation.OrderRule {
	reservation := r.Jobs.Column("job.reservation")
	return evaluation.OrderRule{
		Result: r,
		Name:   "reservation",
		Alike:  reservation == nil,
		ByRow:  byJob(r, func(job int) int64 { return schema.BoolValue(column.TextAt(reservation, job) != "").Int }),
		Why:    func(int, int) string { return "jobs of a reservation come first" },
	}
}

func tierRule(r *evaluation.Result) evaluation.OrderRule {
	tier := func(job int) int64 { return r.Tier(int(r.RankRow[job])) }
	return evaluation.OrderRule{Result: r, Name: "partition tier", Alike: sameTiers(r), ByRow: r.Tier,
		Why: func(first, second int) string {
			return fmt.Sprintf("partition tier %d comes before tier %d, whatever the priorities", tier(first), tier(second))
		}}
}

func submitRule(r *evaluation.Result) evaluation.OrderRule {
	times := r.Jobs.Column("job.submit_time")
	submit := func(job int) int64 { return column.IntAt(times, job) }
	text := func(job int) string {
		if !r.Jobs.Value("job.submit_time", job).Known() {
			return "unknown"
		}
		return time.Unix(submit(job), 0).UTC().Format("2006-01-02 15:04:05Z")
	}
	// ^ turns the order round without overflow
	return evaluation.OrderRule{Result: r, Name: "submit time", Tie: true,
		ByRow: byJob(r, func(job int) int64 { return ^submit(job) }),
		Why: func(first, second int) string {
			return "equal priority, submitted earlier: " + text(first) + " against " + text(second)
		}}
}

func idRule(r *evaluation.Result, number func(evaluation.JobID) int64) evaluation.OrderRule {
	return evaluation.OrderRule{Result: r, Name: "job id", Tie: true,
		ByRow: byJob(r, func(job int) int64 { return ^number(evaluation.ParseJobID(r.JobID(job))) }),
		Why:   func(int, int) string { return "equal priority and submit time, the lower job id comes first" }}
}

// sameTiers reports partitions that are all of one tier.
func sameTiers(r *evaluation.Result) bool {
	for _, tier := range r.Tiers {
		if tier != r.Tiers[0] {
			return false
		}
	}
	return r.Tiers != nil
}

// readTiers looks the tiers up once: the queue's order compares those of many pairs of rows.
func readTiers(r *evaluation.Result) {
	tiers, of := make([]int64, r.Rows.Rows), r.Settings["partition.priority_tier"]
	key := r.Rows.Column(of.Key)
	for row := range tiers {
		if tiers[row] = 1; key == nil {
			tiers[row] = r.Tier(row)
		} else if entry := int(key.Codes[row]); column.Known(of.Column, entry) {
			tiers[row] = of.Column.Ints[entry]
		}
	}
	r.Tiers = tiers
}

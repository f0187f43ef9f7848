package verify

import (
	"math"

	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// What is skipped for a reason that several checks have.
const takenOver = "priority/basic hands out numbers once, which are taken over"

// queue reads the priorities that squeue or scontrol printed of waiting jobs, which are whole.
func queue(r *evaluation.Result) *check {
	k := &check{Check: Check{Name: "priority", Of: "priorities of waiting jobs"}}
	recorded := r.Jobs.Column("job.recorded_priority")
	if recorded == nil {
		return k
	}
	basic, unit := takesRecorded(r), usageUnit(r.Snapshot.Credentials["association"])
	for job := range r.Jobs.Rows {
		row := int(r.JobRow[job])
		switch why := keptRow(r, row); {
		case r.State[job] == evaluation.Running || r.State[job] == evaluation.Done:
		case recorded.Missing.Get(job):
			k.skip("no output says the priority")
		case why != "":
			k.skip(why)
		case basic:
			k.skip(takenOver)
		case !r.Failed.Get(row) && r.JobPriority(job) > r.Priority[row]:
			k.skip(kept["incr_only"])
		default:
			k.readings = append(k.readings, stored(r, job, row, recorded.Ints[job], unit))
		}
	}
	return k
}

// byPartition reads the priorities that squeue --json printed of waiting jobs in each of several partitions.
func byPartition(r *evaluation.Result) *check {
	k := &check{Check: Check{Name: "priority by partition", Of: "priorities of waiting jobs in each of their partitions"}}
	basic, unit := takesRecorded(r), usageUnit(r.Snapshot.Credentials["association"])
	for job := range r.Jobs.Rows {
		first, end := r.Entries(job)
		if end-first < 2 || r.State[job] == evaluation.Running || r.State[job] == evaluation.Done {
			continue
		}
		for row := first; row < end; row++ {
			recorded, ok := r.RecordedPriority(row)
			switch why := keptRow(r, row); {
			case !ok:
			case why != "":
				k.skip(why)
			case basic:
				k.skip(takenOver)
			default:
				k.readings = append(k.readings, stored(r, job, row, recorded, unit))
			}
		}
	}
	return k
}

// stored is a priority as the scheduler keeps it. Of slurmctld's, the sum that was cut to it is
// compared, since that moves evenly with time.
func stored(r *evaluation.Result, job, row int, printed int64, unit float64) *reading {
	x := &reading{field: "priority", job: job, row: row, printed: float64(printed)}
	switch {
	case r.Facts.Passes:
		x.low, x.high = truncated(x.printed, 1, math.MaxUint32)
		_, x.slack = shareSlack(r, row, unit)
		x.value = score
	case r.Stored != nil:
		x.low, x.high = truncated(x.printed, math.Inf(-1), math.Inf(1))
		x.value = func(r *evaluation.Result, _ int) float64 { return float64(r.Stored[job]) }
	default:
		x.low, x.high = truncated(x.printed, math.Inf(-1), math.Inf(1))
		x.value = func(r *evaluation.Result, row int) float64 { return float64(r.Priority[row]) }
	}
	return x
}

func score(r *evaluation.Result, row int) float64 { return r.Score[row] }

// halfOfSixth is half a unit of the last decimal of sshare's factors.
const halfOfSixth = 0.5e-6

// shareSlack is what a row's fairshare factor may be off by, and what its priority may be of that; the
// unit is that of usage, which callers look for once and not for each job.
func shareSlack(r *evaluation.Result, row int, unit float64) (factor, weighed float64) {
	node := -1
	if r.Tree != nil {
		n, ok := r.Tree.Node(jobText(r, "job.association", int(r.RowJob[row])))
		if !ok {
			return 0, 0
		}
		node = n
	}
	factor = factorSlack(r, node, unit)
	return factor, factor * math.Abs(weightOf(r, "fairshare", row))
}

package evaluation

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
)

// partitionPrioritiesVersion is the first slurmctld that makes the priorities by partition of a job
// anew when partitions change (_get_priority_internal); it stores them nowhere, so that a restart,
// which `scontrol reconfigure` is by then, loses them too. With INCR_ONLY they fall where the job's
// own does not (recorded).
const partitionPrioritiesVersion = 2405

// keepsPartitionPriorities: before, they were kept like the job's own, the only ones in outputs.
func (r *Result) keepsPartitionPriorities() bool {
	t := r.Program.Tree
	return t != nil && t.IncrOnly && r.Rows != r.Jobs && VersionNumber(r.Program.Version) >= partitionPrioritiesVersion
}

// RecordPartitions makes a row's recorded priority, below which INCR_ONLY does not let it fall, that
// of its partition. One that no output has is computed anew, as after a change of partitions.
func (r *Result) RecordPartitions() {
	given := r.Rows.Column("job.recorded_priority")
	if given == nil || !r.keepsPartitionPriorities() {
		return
	}
	lists := r.Jobs.Column("job.recorded_partition_priorities")
	out := &column.Column{ID: given.ID, Type: schema.Int, Ints: make([]int64, r.Rows.Rows)}
	unknown := 0
	for job := range r.Jobs.Rows {
		first, end := r.Entries(job)
		several := end-first > 1 && RecordedState(r.Jobs, job) == checkpoint.Pending &&
			r.Jobs.Int("job.direct_priority", job) == 0
		if several && r.recordedInPartition(lists, first) < 0 {
			unknown++
		}
		for row := first; row < end; row++ {
			recorded := int64(-1)
			switch {
			case several:
				recorded = r.recordedInPartition(lists, row)
			case column.Known(given, row):
				recorded = given.Ints[row]
			}
			if out.Ints[row] = recorded; recorded < 0 {
				out.Ints[row] = 0
				out.Missing.Set(row)
			}
		}
	}
	r.Rows.Put(out)
	if unknown > 0 {
		r.Findings.Infof("slurm-partition-priorities-unknown", source.Span{},
			"no input says which priority %s of several partitions %s in each", diag.Count(unknown, "job"),
			diag.Agree(unknown, "has", "have")).
			Note("with INCR_ONLY they never fall until partitions change or slurmctld restarts; they are computed anew").
			Note("the output of squeue --json has them")
	}
}

// recordedInPartition is −1 where nothing is recorded.
func (r *Result) recordedInPartition(lists *column.Column, row int) int64 {
	if lists == nil {
		return -1
	}
	name := r.Rows.Text("job.partition", row)
	for _, text := range lists.Lists[lists.Codes[r.RowJob[row]]] {
		if partition, number, _ := strings.Cut(text, "="); partition == name {
			if n, err := strconv.ParseInt(number, 10, 64); err == nil {
				return n
			}
		}
	}
	return -1
}

// RecordedPriority is what was recorded of a row, which is not always what was recorded of its job.
func (r *Result) RecordedPriority(row int) (priority int64, ok bool) {
	lists := r.Jobs.Column("job.recorded_partition_priorities")
	priority = r.recordedInPartition(lists, row)
	return priority, priority >= 0
}

// JobPriority is the priority that the scheduler stores of a job and its commands show: that of the
// first row, unless INCR_ONLY holds it above. The rows queue by their own.
func (r *Result) JobPriority(job int) int64 {
	row := int(r.JobRow[job])
	first, end := r.Entries(job)
	own := r.Jobs.Column("job.recorded_priority")
	if end-first < 2 || r.Priority[row] == 0 || !r.keepsPartitionPriorities() || !column.Known(own, job) ||
		RecordedState(r.Jobs, job) != checkpoint.Pending {
		return r.Priority[row]
	}
	return max(r.Priority[row], own.Ints[job])
}

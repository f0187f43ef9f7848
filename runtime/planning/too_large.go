package planning

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// sizesOfPartitions are the settings by which a partition refuses what is too long or too large for it.
var sizesOfPartitions = map[schema.ColumnID]bool{
	"partition.mem_per_node_max_mb": true, "partition.mem_per_proc_max_mb": true, "partition.nodes": true,
	"partition.nodes_max": true,
	"partition.nodes_min": true, "partition.procs": true, "partition.procs_per_node_max": true,
	"partition.walltime_max_seconds": true,
}

// tooLarge says of a job that each of its partitions refuses for its size or length what it asks for and what there
// is: as long as it is not changed no time will do.
func tooLarge(r *evaluation.Result, job int32) (words string) {
	first, end := r.Entries(int(job))
	for row := first; row < end; row++ {
		b := r.Why[job]
		if end-first > 1 {
			b = r.Barred[int32(row)]
		}
		if b == nil || b.Kind != evaluation.BlockPartition || b.Refusal == nil || !sizesOfPartitions[b.Refusal.Column] {
			return ""
		}
		if words == "" {
			words = r.Says(b.Refusal)
		}
	}
	return words
}

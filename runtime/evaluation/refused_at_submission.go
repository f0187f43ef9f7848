package evaluation

import (
	"slices"
)

// RefusedAtSubmission reports a job that slurmctld would not have taken, so that it would not wait: one that asks for
// a QOS which it may not have, or for a partition that is root's alone; with EnforcePartLimits also one that is beyond
// what its partition takes (slurm.conf.5; seen with 22.05). A job that has been taken waits when that changes.
func (r *Result) RefusedAtSubmission(job int) bool {
	b := r.Why[int32(job)]
	if b == nil || b.Refusal == nil {
		return false
	}
	switch b.Kind {
	case BlockAccess, BlockSubmission:
		return true
	case BlockPartition:
		column := b.Refusal.Column
		state := column == "partition.state" || column == "" // which passes
		return column == "partition.root_only" || !state && r.Program.Slurm != nil &&
			slices.Contains([]string{"ANY", "ALL"}, r.Program.Slurm.PartitionLimits)
	}
	return false
}

package planning

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// admission says which jobs may use a reservation. Slurm asks that a job names it (byName) and that nothing keeps it
// out; in Maui and in policy files whoever is on one of the lists may use it, and if there are none, whoever names it.
type admission struct {
	name, job                             string
	byName                                bool
	users, groups, accounts, qos, classes []string
}

func (a *admission) admits(r *backfill.Request) bool {
	if a.job != "" {
		return r.ID == a.job
	}
	if a.byName {
		return a.named(r) && a.notDenied(a.users, r.User) && a.notDenied(a.accounts, r.Account)
	}
	if a.users == nil && a.groups == nil && a.accounts == nil && a.qos == nil && a.classes == nil {
		return a.named(r)
	}
	for _, list := range []struct {
		names []string
		name  string
	}{{a.users, r.User}, {a.groups, r.Group}, {a.accounts, r.Account}, {a.qos, r.QOS}, {a.classes, r.Class}} {
		if list.name != "" && slices.Contains(list.names, list.name) {
			return true
		}
	}
	return false
}

// named reports a job that asks for the reservation; Slurm takes several, parted by commas.
func (a *admission) named(r *backfill.Request) bool {
	if r.Reservation == "" || a.name == "" {
		return false
	}
	for name := range strings.SplitSeq(r.Reservation, ",") {
		if name == a.name {
			return true
		}
	}
	return false
}

// notDenied: a minus keeps a name out. That the job is on the list was asked when it was submitted.
func (a *admission) notDenied(list []string, name string) bool {
	return !slices.Contains(list, "-"+name)
}

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

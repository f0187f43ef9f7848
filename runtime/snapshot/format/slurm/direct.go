package slurm

import (
	"math"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// sprioFactors are the columns that are all zero for a job whose priority was
// set by hand (sprio prints no factors for it).
var sprioFactors = []string{"age", "assoc", "fairshare", "job_size", "partition", "qos"}

// SprioNoValue is what sprio prints of a site factor or a nice value that it does not have; scontrol takes
// neither so far from 0.
const SprioNoValue = math.MinInt32

// markDirect finds jobs whose priority was set by hand. No output of Slurm
// names them, but sprio shows it: every factor is zero and the priority is not
// what site factor and nice alone would give, max(1, site - nice). Of a job of several
// partitions it prints a row for each with the factor of the partition, which is the
// priority that the row says, and no value for site factor and nice (22.05.8).
func markDirect(jobs, sprio *column.Table, diags *diag.List) {
	ids, jobIDs := sprio.Column(format.SprioColumn("id")), jobs.Column("job.id")
	if ids == nil || jobIDs == nil || sprio.Column(format.SprioColumn("priority")) == nil {
		return
	}
	direct := map[string]bool{}
	for row, code := range ids.Codes {
		if setByHand(sprio, row) {
			direct[ids.Dict[code]] = true
		}
	}
	if len(direct) == 0 || jobs.Column("job.direct_priority") != nil {
		return
	}
	c := &column.Column{ID: "job.direct_priority", Type: schema.Bool, Ints: make([]int64, jobs.Rows)}
	n := 0
	for row, code := range jobIDs.Codes {
		if direct[jobIDs.Dict[code]] {
			c.Ints[row] = 1
			n++
		}
	}
	if n == 0 {
		return
	}
	jobs.Put(c)
	diags.Infof("snapshot-direct-priority", source.Span{}, "%s %s a priority that was set by hand", diag.Count(n, "job"),
		diag.Agree(n, "has", "have")).
		Note("sprio shows them without factors; they keep the recorded priority")
}

func setByHand(sprio *column.Table, row int) bool {
	value := func(name string) (float64, bool) {
		v := sprio.Value(format.SprioColumn(name), row)
		return v.Double, v.Known()
	}
	site, _ := value("site")
	nice, _ := value("nice")
	if site == SprioNoValue || nice == SprioNoValue {
		return true
	}
	for _, name := range sprioFactors {
		if f, ok := value(name); !ok || f != 0 {
			return false
		}
	}
	for _, c := range sprio.Columns() {
		if c.ID.Name() == "tres" && !c.Missing.Get(row) && c.Type == schema.Double && c.Doubles[row] != 0 {
			return false
		}
	}
	priority, ok := value("priority")
	return ok && priority != 0 && priority != max(1, site-nice)
}

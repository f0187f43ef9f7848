package conformance_test

import (
	"testing"

	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

func TestRecordedAccrual(t *testing.T) {
	c := compared{}
	eachSlurm(t, recordings(t, "slurm"), c.accrual)
	c.atLeast(t, map[string]int{"job": 1200})
}

func TestFullRecordedAccrual(t *testing.T) {
	c := compared{}
	eachSlurm(t, fullRecordings(t, "slurm", ""), c.accrual)
	c.atLeast(t, map[string]int{"job": 3200})
}

// accrual takes AccrueTime away from a recording: which jobs' ages grow follows from holds,
// dependencies, begin times and limits on accrual. From when they do is what a scheduling pass wrote
// down, and may be later than eligible time.
func (c compared) accrual(t *testing.T, r *slurmrun.Run) {
	for k := range r.Snapshots {
		s := &r.Snapshots[k]
		var recorded *column.Column
		result := evaluateSlurm(t, r, s, true, func(state *snapshot.Snapshot) {
			recorded = state.Jobs.Column("job.accrue_time")
			rest := column.NewTable(state.Jobs.Name, state.Jobs.Rows)
			for _, c := range state.Jobs.Columns() {
				if c.ID != "job.accrue_time" {
					rest.Put(c)
				}
			}
			state.Jobs = rest
		})
		derived := result.Jobs.Column("job.accrue_time")
		if derived == nil || recorded == nil || result.Program.Slurm.AccrueAlways {
			continue // the policy gives age no weight, or counts from when a job was submitted
		}
		for job := range result.Jobs.Rows {
			begin := result.Jobs.Value("job.begin_time", job)
			if result.Jobs.Value("job.state", job).Str != "pending" || begin.Known() && begin.Int <= s.Now {
				continue // no pass has seen yet that the time has come
			}
			c["job"]++
			if got, want := !derived.Missing.Get(job), !recorded.Missing.Get(job); got != want {
				t.Errorf("%s: job %s accrues %v, recorded was %v (%s)", s.Tag, result.Jobs.Value("job.id", job).Str, got, want, result.Jobs.Value("job.state_reason", job).Str)
			}
		}
	}
}

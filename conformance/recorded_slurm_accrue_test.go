package conformance_test

import (
	"testing"

	"github.com/fairway-sched/fairway/runtime/column"
)

// TestFullDerivedAccrual takes AccrueTime away from the recordings: which jobs' ages grow follows
// from holds, dependencies, begin times and limits on accrual. From when they do is what a
// scheduling pass wrote down, and may be later than eligible time.
func TestFullDerivedAccrual(t *testing.T) {
	compared := 0
	for _, r := range fullRecordings(t, "slurm", `^(limit|eligible-age|age|prio-mix|nice|qos|partition|tres|backfill)-`) {
		t.Run(r.name, func(t *testing.T) {
			var want slurmReasons
			r.expected(t, &want)
			for _, s := range want.Snapshots {
				state := r.stateOf(t, s)
				recorded := state.Jobs.Column("job.accrue_time")
				conf := "inputs/slurm.conf"
				if r.exists(conf + "." + s.Tag) {
					conf += "." + s.Tag
				}
				program := r.policyOf(t, conf, want.Version).Program
				if program.Slurm.AccrueAlways {
					continue
				}
				rest := column.NewTable(state.Jobs.Name, state.Jobs.Rows)
				for _, c := range state.Jobs.Columns() {
					if c.ID != "job.accrue_time" {
						rest.Put(c)
					}
				}
				state.Jobs = rest
				result := evaluate(t, program, state)
				derived := result.Jobs.Column("job.accrue_time")
				if derived == nil {
					continue // the policy gives age no weight
				}
				for job := range rest.Rows {
					begin := rest.Value("job.begin_time", job)
					if rest.Value("job.state", job).Str != "pending" || begin.Known() && begin.Int <= s.Now {
						continue // no pass has seen yet that the time has come
					}
					compared++
					if got, want := !derived.Missing.Get(job), !recorded.Missing.Get(job); got != want {
						t.Errorf("%s: job %s accrues %v, recorded was %v (%s)", s.Tag, rest.Value("job.id", job).Str, got, want, rest.Value("job.state_reason", job).Str)
					}
				}
			}
		})
	}
	if compared < 100 {
		t.Errorf("only %d jobs were compared", compared)
	}
}

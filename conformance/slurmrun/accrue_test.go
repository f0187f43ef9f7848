package slurmrun_test

import (
	"strconv"
	"testing"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

func TestRecordedAccrual(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.Copies(t, "slurm"), c.accrual)
	c.atLeast(t, map[string]int{"job": 1200})
}

func TestFullRecordedAccrual(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.FullSlurm(t, ""), c.accrual)
	c.atLeast(t, map[string]int{"job": 3200})
}

// accrual takes AccrueTime away from a recording: which jobs' ages grow follows from holds,
// dependencies, begin times and limits on accrual. From when they do is what a scheduling pass wrote
// down, and may be later than eligible time.
func (c compared) accrual(t *testing.T, r *slurmrun.Run) {
	for k := range r.Snapshots {
		s := &r.Snapshots[k]
		var recorded *column.Column
		result := recordedtest.EvaluateSlurm(t, r, s, true, func(state *snapshot.Snapshot) {
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
				t.Errorf("%s: job %s accrues %v, recorded was %v (%s)", s.Tag, result.Jobs.Value("job.id", job).Str, got, want,
					result.Jobs.Value("job.state_reason", job).Str)
			}
		}
	}
}

func TestRecordedAccrueCounts(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.Copies(t, "slurm"), c.accrueCounts)
	c.atLeast(t, map[string]int{"counter": 2500})
}

func TestFullRecordedAccrueCounts(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.FullSlurm(t, `^(limit|eligible|backfill-max-job)-`), c.accrueCounts)
	c.atLeast(t, map[string]int{"counter": 800, "array": 15})
}

// accrueCounts: slurmctld counts the jobs whose ages grow everywhere, each task of an array for one;
// here with limits so high that they stop nobody.
func (c compared) accrueCounts(t *testing.T, r *slurmrun.Run) {
	for k := range r.Snapshots {
		s := &r.Snapshots[k]
		text, ok := r.Text(s, "assoc_mgr.txt")
		p, err := r.Program(s, true)
		if err != nil {
			t.Fatal(err)
		}
		if !ok || p.Slurm == nil || !p.Slurm.Limits || p.Slurm.AccrueAlways {
			continue
		}
		partitioned := map[string]bool{} // what is printed is found by account and user alone
		for i := range p.Tree.Associations {
			a := &p.Tree.Associations[i]
			if a.Partition != "" {
				partitioned[a.Account+"/"+a.User] = true
			}
			p.Limits = append(p.Limits, program.Limit{Name: "GrpJobsAccrue", Kind: "GrpJobsAccrue", Object: "association",
				Row: a.Key(), Counts: "jobs", Hard: 1 << 30, When: program.NoReg})
		}
		snap, err := r.Read(s, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		used := managedUse(text)
		for _, counter := range recordedtest.Evaluate(t, p, snap).SlurmLimits.Counters(true) {
			want, ok := used["association "+counter.Name+" GrpJobsAccrue"]
			if counter.Kind != "GrpJobsAccrue" || counter.Object != "association" || !ok || partitioned[counter.Name] {
				continue
			}
			c["counter"]++
			if want != strconv.FormatInt(counter.InUse, 10) {
				t.Errorf("%s: of %s %d accrue, recorded was %s", s.Tag, counter.Name, counter.InUse, want)
			}
		}
		for job := range snap.Jobs.Rows {
			if snap.Jobs.Value("job.array_tasks", job).Int > 1 && snap.Jobs.Value("job.accrue_time", job).Known() {
				c["array"]++
			}
		}
	}
}

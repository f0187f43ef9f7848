package bench

import (
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/impact"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/report/plan"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/synth"
)

const site = "../../examples/slurm-verify"

// policy compiles the policy of the example site, with further lines of slurm.conf.
func policy(b testing.TB, more string) *compiler.Output {
	conf, err := os.ReadFile(site + "/slurm.conf")
	if err != nil {
		b.Fatal(err)
	}
	users, err := os.ReadFile(site + "/assoc.cfg")
	if err != nil {
		b.Fatal(err)
	}
	out := compiler.Compile(compiler.Input{Files: []*source.File{
		source.NewFile("slurm.conf", append(conf, more...)), source.NewFile("assoc.cfg", users)}})
	if out.Program == nil {
		b.Fatal(out.Diags[0].Message)
	}
	return out
}

// queue is the example site's, with so many jobs: what snapshot synth makes of it.
func queue(b testing.TB, jobs int) *snapshot.Snapshot {
	recorded, _, err := snapshot.Read(os.DirFS(site), []string{"snapshot"}, snapshot.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s, err := synth.Queue(recorded, synth.Options{Jobs: jobs, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// planned evaluates and plans, as the verb plan does.
func planned(b testing.TB, out *compiler.Output, s *snapshot.Snapshot) impact.Side {
	r, err := engine.Run(out.Program, s, evaluation.Options{Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	schedule, err := engine.Plan(r, planning.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return impact.Side{Result: r, Plan: schedule}
}

// cpu is the processor time of the process until now.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// perJob reports the processor time of a job: with n log n it grows by a fifth from 1,000 jobs to 100,000.
func perJob(b *testing.B, jobs int, begun time.Duration) {
	b.ReportMetric(float64(cpu()-begun)/float64(b.N*jobs), "cpu-ns/job")
}

var sizes = []int{1000, 10_000, 100_000}

// BenchmarkPlan is a queue evaluated and planned as slurmctld does it, with all starts and what each job waits for,
// from a snapshot that has been read to the table of the first starts.
func BenchmarkPlan(b *testing.B) {
	for _, jobs := range sizes {
		b.Run(fmt.Sprint(jobs), func(b *testing.B) {
			out, s := policy(b, ""), queue(b, jobs)
			begun := cpu()
			for b.Loop() {
				side := planned(b, out, s)
				err := plan.WritePlanTable(io.Discard, &plan.Plan{Result: side.Result, Schedule: side.Plan, Planner: "slurm",
					Limit: 50})
				if err != nil {
					b.Fatal(err)
				}
			}
			perJob(b, jobs, begun)
		})
	}
}

// BenchmarkDiff is what a change of one weight does to a queue, with a plan of both policies.
func BenchmarkDiff(b *testing.B) {
	for _, jobs := range sizes {
		b.Run(fmt.Sprint(jobs), func(b *testing.B) {
			before, after, s := policy(b, ""), policy(b, "PriorityWeightAge=300000\n"), queue(b, jobs)
			begun := cpu()
			for b.Loop() {
				c, err := impact.Results(planned(b, before, s), planned(b, after, s))
				if err != nil {
					b.Fatal(err)
				}
				if err := c.WriteText(io.Discard, 20, 0); err != nil {
					b.Fatal(err)
				}
			}
			perJob(b, jobs, begun)
		})
	}
}

// TestPlanGrows: a plan of sixteen times as many jobs takes less than twice sixteen times as long. A loop over all jobs
// in one over all jobs takes it further.
func TestPlanGrows(t *testing.T) {
	few, many := 2000, 32_000
	if draws.Long() {
		few, many = 5000, 80_000
	}
	out := policy(t, "")
	least := func(jobs int) time.Duration {
		s, least := queue(t, jobs), time.Duration(1<<62)
		for range 3 {
			begun := cpu()
			planned(t, out, s)
			least = min(least, cpu()-begun)
		}
		return least
	}
	if a, b := least(few), least(many); b > 2*a*time.Duration(many/few) {
		t.Errorf("%d jobs take %v, %d jobs %v", few, a, many, b)
	}
}

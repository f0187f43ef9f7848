package engine

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

const benchScratch = `policy "p" {
  param "WAITS" {
    type    = "number"
    default = 10
  }
  user "u7" { priority = 100 }
  component "site" {
    weight = 2
    term "waits" {
      weight = "param.WAITS"
      factor = "job.queue_minutes"
    }
    term "procs" {
      weight = 3
      factor = "double(job.procs)"
    }
    term "user" {
      weight = 1
      factor = "double(user.priority)"
    }
  }
}
`

// benchLimits leave a part of a long queue.
const benchLimits = `USERCFG[DEFAULT] MAXIJOB=20 MAXPROC=640
GROUPCFG[DEFAULT] MAXPROC=2000
`

// BenchmarkSteps is a state of 100,000 jobs: its first evaluation, and the next one after a step.
func BenchmarkSteps(b *testing.B) {
	const jobs = 100_000
	s := queueOf(jobs)
	for _, f := range []struct {
		name  string
		lang  lower.Lang
		text  string
		param string
	}{{"maui", lower.Maui, benchMaui, "XFACTORWEIGHT"}, {"maui-limits", lower.Maui, benchMaui + benchLimits, "XFACTORWEIGHT"},
		{"slurm", lower.Slurm, benchSlurm, "PriorityWeightFairshare"},
		{"scratch", lower.HCL, benchScratch, "WAITS"}} {
		file := source.NewFile("bench", []byte(f.text))
		compiled := func(weight string) *program.Program {
			out := compiler.Compile(compiler.Input{Lang: f.lang, Files: []*source.File{file},
				Options: lower.Options{Params: []lower.ParamOverride{{Name: f.param, Value: weight}}}})
			if out.Program == nil || out.Diags.HasErrors() {
				b.Fatal(out.Diags)
			}
			return out.Fused
		}
		programs := [2]*program.Program{compiled("1100"), compiled("1200")}
		evaluate := func(b *testing.B, state *State) {
			if _, err := state.Evaluate(); err != nil {
				b.Fatal(err)
			}
		}
		step := func(err error) {
			if err != nil {
				b.Fatal(err)
			}
		}
		for _, c := range []struct {
			name string
			step func(state *State, i int)
		}{
			{"first", nil},
			{"nothing", func(*State, int) {}},
			{"weight", func(state *State, i int) { state.Set(programs[i%2]) }},
			{"hold", func(state *State, i int) {
				if id := fmt.Sprint(500 + i/2); i%2 == 0 {
					step(state.Hold(id))
				} else {
					step(state.Release(id))
				}
			}},
			{"submit", func(state *State, i int) {
				step(state.Submit(snapshot.Cells{"job.id": schema.StringValue(fmt.Sprint("n", i)),
					"job.user": schema.StringValue("u7"),
					"job.qos":  schema.StringValue("q1"), "job.partition": schema.StringValue("p1"), "job.procs": schema.IntValue(4),
					"job.walltime_seconds": schema.IntValue(3600)}))
			}},
			{"start", func(state *State, i int) { step(state.Start(fmt.Sprint(20000 + i))) }},
			{"end", func(state *State, i int) { step(state.End(fmt.Sprint(30000 + i))) }},
		} {
			b.Run(f.name+"/"+c.name, func(b *testing.B) {
				b.ReportAllocs()
				state := New(programs[1], s, evaluation.Options{Workers: 1})
				if c.step == nil {
					begun, i := processTime(b), 0
					for b.Loop() {
						evaluate(b, New(programs[1], s, evaluation.Options{Workers: 1}))
						i++
					}
					b.ReportMetric(float64(processTime(b)-begun)/1e6/float64(i), "cpu-ms/op")
					return
				}
				evaluate(b, state)
				begun, i := processTime(b), 0
				for b.Loop() {
					c.step(state, i)
					evaluate(b, state)
					i++
				}
				b.ReportMetric(float64(processTime(b)-begun)/1e6/float64(i), "cpu-ms/op")
			})
		}
	}
}

// processTime is the processor time of this process: others on the machine do not disturb it.
func processTime(b testing.TB) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

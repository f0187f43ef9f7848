package engine

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/draws"
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

// weighed are policies with a weight that a step changes. The first evaluation takes so many times as long as one after
// that step, or after a hold, by half of what was measured.
var weighed = []weighedPolicy{
	{"maui", benchMaui, "XFACTORWEIGHT", lower.Maui, 3, 2.5},
	{"maui-limits", benchMaui + benchLimits, "XFACTORWEIGHT", lower.Maui, 0.8, 0.8},
	{"slurm", benchSlurm, "PriorityWeightFairshare", lower.Slurm, 9, 7.5},
	{"scratch", benchScratch, "WAITS", lower.HCL, 6, 5},
}

type weighedPolicy struct {
	name, text, param string
	lang              lower.Lang
	weight, hold      float64
}

// programs are those of two weights.
func (f *weighedPolicy) programs(tb testing.TB) (list [2]*program.Program) {
	file := source.NewFile("bench", []byte(f.text))
	for i, weight := range []string{"1100", "1200"} {
		out := compiler.Compile(compiler.Input{Lang: f.lang, Files: []*source.File{file},
			Options: lower.Options{Params: []lower.ParamOverride{{Name: f.param, Value: weight}}}})
		if out.Program == nil || out.Diags.HasErrors() {
			tb.Fatal(out.Diags)
		}
		list[i] = out.Fused
	}
	return list
}

func evaluateOnce(tb testing.TB, state *State) {
	if _, err := state.Evaluate(); err != nil {
		tb.Fatal(err)
	}
}

// TestStepsAreFast: after a changed weight, and after a hold, the next evaluation costs a part of the first one.
func TestStepsAreFast(t *testing.T) {
	if !draws.Long() {
		t.Skip("FAIRWAY_LONG is not set")
	}
	const rounds = 10
	s := queueOf(100_000)
	for _, f := range weighed {
		programs := f.programs(t)
		state := New(programs[1], s, evaluation.Options{Workers: 1})
		timed := func(n int, evaluate func(i int)) time.Duration {
			begun := processTime(t)
			for i := range n {
				evaluate(i)
			}
			return (processTime(t) - begun) / time.Duration(n)
		}
		first := timed(3, func(int) { evaluateOnce(t, New(programs[1], s, evaluation.Options{Workers: 1})) })
		evaluateOnce(t, state)
		weight := timed(rounds, func(i int) {
			state.Set(programs[i%2])
			evaluateOnce(t, state)
		})
		hold := timed(rounds, func(i int) {
			if err := state.Hold(fmt.Sprint(500 + i)); err != nil {
				t.Fatal(err)
			}
			evaluateOnce(t, state)
		})
		t.Logf("%s: first %v, weight %v, hold %v", f.name, first, weight, hold)
		if got := float64(first) / float64(weight); got < f.weight {
			t.Errorf("%s: the first takes %.1f times as long as one after a changed weight, less than %v", f.name, got, f.weight)
		}
		if got := float64(first) / float64(hold); got < f.hold {
			t.Errorf("%s: the first takes %.1f times as long as one after a hold, less than %v", f.name, got, f.hold)
		}
	}
}

// BenchmarkSteps is a state of 100,000 jobs: its first evaluation, and the next one after a step.
func BenchmarkSteps(b *testing.B) {
	const jobs = 100_000
	s := queueOf(jobs)
	for _, f := range weighed {
		programs := f.programs(b)
		evaluate := func(b *testing.B, state *State) { evaluateOnce(b, state) }
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

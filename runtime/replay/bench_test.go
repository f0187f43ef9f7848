package replay

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Whole replays of made-up workloads: EASY on one pool, Maui, and Slurm with fair share, limits and backfill.

const easyText = `
policy "easy" {
  component "wait" {
    weight = 1
    term "queue_seconds" {
      weight = 1
      factor = "double(job.queue_seconds)"
    }
  }
  backfill {
    algorithm         = "firstfit"
    reservation_depth = 1
  }
}
`

const mauiText = `
RMPOLLINTERVAL        00:01:00
BACKFILLPOLICY        FIRSTFIT
RESERVATIONPOLICY     CURRENTHIGHEST
QUEUETIMEWEIGHT       1
SIMINITIALQUEUEDEPTH  0
`

const slurmText = `
ClusterName=c
SlurmctldHost=c
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=associations,limits,qos
SchedulerType=sched/backfill
SchedulerParameters=bf_window=4320,bf_continue,bf_max_job_test=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/multifactor
PriorityWeightFairshare=100000
PriorityWeightAge=10000
PriorityWeightJobSize=1000
PriorityDecayHalfLife=7-0
NodeName=n[0001-1000] CPUs=16 Sockets=2 CoresPerSocket=8
PartitionName=main Nodes=ALL Default=YES MaxTime=7-0
`

// slurmDump are the accounts of slurmText: four, of which each has twenty users, with limits.
func slurmDump() string {
	var b strings.Builder
	b.WriteString("Cluster - 'c':Fairshare=1:QOS='normal'\nParent - 'root'\n")
	for g := range 4 {
		fmt.Fprintf(&b, "Account - 'a%d':Description='a':Organization='a':Fairshare=%d:GrpTRES=cpu=9000\n", g, g+1)
	}
	for g := range 4 {
		fmt.Fprintf(&b, "Parent - 'a%d'\n", g)
		for u := range 20 {
			fmt.Fprintf(&b, "User - 'u%d':DefaultAccount='a%d':Fairshare=1:MaxJobs=200\n", u, g)
		}
	}
	return b.String()
}

// benchProgram compiles policy files, by their names.
func benchProgram(tb testing.TB, lang lower.Lang, texts ...string) *program.Program {
	tb.Helper()
	in := compiler.Input{Lang: lang, Options: lower.Options{}}
	for i, text := range texts {
		in.Files = append(in.Files, source.NewFile(fmt.Sprintf("policy%d", i), []byte(text)))
	}
	out := compiler.Compile(in)
	if out.Diags.HasErrors() {
		tb.Fatalf("%v", out.Diags[0].Message)
	}
	return out.Program
}

// benchJobs draws a workload for so many processors: sizes are powers of two, run times log-normal, limits what users
// write. The load is that of the machine over the time in which jobs come.
func benchJobs(tb testing.TB, jobs int, procs, most int64, load float64) *Workload {
	tb.Helper()
	draw := rand.New(rand.NewPCG(22, uint64(procs)))
	limits := []int64{300, 900, 1800, 3600, 7200, 14400, 28800, 43200, 86400, 172800}
	type job struct{ size, seconds, limit int64 }
	list, work := make([]job, jobs), 0.0
	for i := range list {
		j := &list[i]
		j.size = min(most, 1<<draw.IntN(int(math.Log2(float64(most)))+1))
		j.seconds = min(86400, max(30, int64(3600*math.Exp(1.2*draw.NormFloat64()))))
		fits := slices.IndexFunc(limits, func(l int64) bool { return l >= j.seconds })
		j.limit = limits[fits+draw.IntN(min(3, len(limits)-fits))]
		work += float64(j.size * j.seconds)
	}
	span := work / (float64(procs) * load)
	at := make([]int64, jobs)
	for i := range at {
		at[i] = int64(draw.Float64() * span)
	}
	slices.Sort(at)
	b := column.NewBuilder("job")
	for i, j := range list {
		b.Row()
		b.String("job.id", fmt.Sprint(i+1))
		b.String("job.user", fmt.Sprintf("u%d", draw.IntN(20)))
		b.String("job.account", fmt.Sprintf("a%d", draw.IntN(4)))
		b.String("job.partition", "main")
		b.Time("job.submit_time", 1_700_000_000+at[i]-at[0])
		b.Int("job.procs", j.size)
		b.Int("job.tasks", j.size)
		b.Int("job.nodes", 0) // none is stated
		b.Int("job.walltime_seconds", j.limit)
		b.Int("job.runtime_seconds", j.seconds)
	}
	return NewWorkload(b.Table(), Selection{Runtime: Recorded})
}

// benchNodes are a machine of nodes alike.
func benchNodes(tb testing.TB, nodes, procs int) *snapshot.Snapshot {
	tb.Helper()
	b := column.NewBuilder("node")
	for i := range nodes {
		b.Row()
		b.String("node.id", fmt.Sprintf("n%02d", i))
		b.Int("node.procs", int64(procs))
	}
	return &snapshot.Snapshot{Nodes: b.Table()}
}

func benchReplay(b *testing.B, p *program.Program, machine func() *snapshot.Snapshot, w *Workload, procs int64) {
	b.ReportAllocs()
	var waits float64
	for b.Loop() {
		r, err := Run(p, machine(), w, Options{Evaluation: evaluation.Options{Procs: procs}})
		if err != nil {
			b.Fatal(err)
		}
		if len(r.Started) != len(w.Jobs) {
			b.Fatalf("%d of %d jobs start: %v", len(r.Started), len(w.Jobs), r.Report()[0].Message)
		}
		waits = 0
		for i := range r.Outcomes {
			waits += float64(r.Outcomes[i].Start - r.Outcomes[i].Submit)
		}
	}
	b.ReportMetric(float64(len(w.Jobs)*b.N)/b.Elapsed().Seconds(), "jobs/s")
	b.ReportMetric(waits/float64(len(w.Jobs)), "wait_s")
}

// BenchmarkEasy: one pool of 256 processors.
func BenchmarkEasy(b *testing.B) {
	p := benchProgram(b, lower.HCL, easyText)
	for _, load := range []float64{0.9, 1.1} {
		b.Run(fmt.Sprintf("load=%v", load), func(b *testing.B) {
			benchReplay(b, p, func() *snapshot.Snapshot { return &snapshot.Snapshot{} }, benchJobs(b, 10_000, 256, 256, load),
				256)
		})
	}
}

// BenchmarkMaui: 128 processors on 32 nodes, first fit, one reservation, an iteration each minute.
func BenchmarkMaui(b *testing.B) {
	p := benchProgram(b, lower.Maui, mauiText)
	for _, load := range []float64{0.95, 1.15} {
		b.Run(fmt.Sprintf("load=%v", load), func(b *testing.B) {
			benchReplay(b, p, func() *snapshot.Snapshot { return benchNodes(b, 32, 4) }, benchJobs(b, 500, 128, 128, load), 0)
		})
	}
}

// BenchmarkSlurm: 1,000 nodes, fair share, limits of accounts and users, backfill.
func BenchmarkSlurm(b *testing.B) {
	p := benchProgram(b, "", slurmText, slurmDump())
	for _, load := range []float64{0.9} {
		b.Run(fmt.Sprintf("load=%v", load), func(b *testing.B) {
			benchReplay(b, p, func() *snapshot.Snapshot { return &snapshot.Snapshot{Nodes: ConfiguredNodes(p)} },
				benchJobs(b, 2_000, 16_000, 2048, load), 0)
		})
	}
}

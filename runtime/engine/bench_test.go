package engine

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/oracle"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/family"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/vm"
)

const benchMaui = `SERVERHOST head
QUEUETIMEWEIGHT 10
QUEUETIMECAP    4320
XFACTORWEIGHT   100
XFACTORCAP      1000
USERWEIGHT      2
GROUPWEIGHT     1
QOSWEIGHT       5
CLASSWEIGHT     3
RESWEIGHT       1
PROCWEIGHT      4
PROCCAP         512
MEMWEIGHT       1
PSWEIGHT        1
PSCAP           100000
USERCFG[u7]     PRIORITY=100
QOSCFG[q1]      PRIORITY=1000 QTWEIGHT=3
CLASSCFG[p2]    PRIORITY=50
`

const benchSlurm = `ClusterName=c
SlurmctldHost=head
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=10000
PriorityWeightJobSize=500
PriorityWeightPartition=1000
PriorityWeightQOS=2000
PriorityWeightTRES=CPU=1000,Mem=500,GRES/gpu=3000
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageTRES=gres/gpu
GresTypes=gpu
NodeName=n[1-100] CPUs=64 RealMemory=256000 Gres=gpu:4
PartitionName=p0 Nodes=n[1-100] PriorityJobFactor=10
PartitionName=p1 Nodes=n[1-50] PriorityJobFactor=5
PartitionName=p2 Nodes=n[51-100]
`

// families are the policies measured: the library's, as sites configure them.
var families = []struct {
	name string
	lang lower.Lang
	text string
}{{"maui", lower.Maui, benchMaui}, {"slurm", lower.Slurm, benchSlurm}}

func benchProgram(b testing.TB, lang lower.Lang, text string) *compiler.Output {
	out := compiler.Compile(compiler.Input{Lang: lang, Files: []*source.File{source.NewFile("bench", []byte(text))}})
	if out.Program == nil {
		b.Fatal(out.Diags[0].Message)
	}
	return out
}

// queueOf makes a waiting queue of 2,000 users; the same one every time.
func queueOf(jobs int) *snapshot.Snapshot {
	const now = 1_700_000_000
	r := rand.New(rand.NewSource(1))
	t := column.NewBuilder("jobs")
	for i := range jobs {
		t.Row()
		procs := int64(1) << r.Intn(8)
		t.String("job.id", fmt.Sprint(i))
		t.String("job.user", fmt.Sprint("u", r.Intn(2000)))
		t.String("job.group", fmt.Sprint("g", r.Intn(50)))
		t.String("job.account", fmt.Sprint("a", r.Intn(100)))
		t.String("job.qos", fmt.Sprint("q", r.Intn(4)))
		t.String("job.partition", fmt.Sprint("p", r.Intn(3)))
		t.String("job.state", "pending")
		t.Time("job.submit_time", now-int64(r.Intn(1_000_000)))
		t.Time("job.accrue_time", now-int64(r.Intn(900_000)))
		t.Int("job.walltime_seconds", int64(60*(1+r.Intn(2880))))
		t.Int("job.procs", procs)
		t.Int("job.tasks", procs)
		t.Int("job.procs_per_task", 1)
		t.Int("job.nodes", 1+procs/64)
		t.Int("job.mem_mb", 2048*procs)
		t.Int("job.mem_per_task_mb", 2048)
		t.Double("job.tres(cpu)", float64(procs))
		t.Double("job.tres(mem)", float64(2048*procs))
		t.Double("job.tres(gres/gpu)", float64(r.Intn(3)))
		t.Int("job.nice", int64(r.Intn(3)))
	}
	nodes := column.NewBuilder("nodes")
	for range 100 {
		nodes.Row()
		nodes.Int("node.procs", 64)
		nodes.Int("node.mem_mb", 256000)
	}
	associations := column.NewBuilder("association")
	for account := range 100 {
		associations.Row()
		associations.String("association.name", fmt.Sprintf("a%d/u%d", account, account))
		associations.Double("association.fairshare_factor", r.Float64())
	}
	qos := column.NewBuilder("qos")
	for i := range 4 {
		qos.Row()
		qos.String("qos.name", fmt.Sprint("q", i))
		qos.Int("qos.priority", int64(10*i))
	}
	return &snapshot.Snapshot{Now: now, Jobs: t.Table(), Nodes: nodes.Table(),
		Credentials: map[string]*column.Table{"association": associations.Table(), "qos": qos.Table()}}
}

// bound derives and binds as Run does, and returns what the machine needs.
func bound(b testing.TB, p *program.Program, s *snapshot.Snapshot) (*vm.Machine, vm.Binding) {
	run, err := New(p, s, evaluation.Options{}).begin()
	if err != nil {
		b.Fatal(err)
	}
	row := family.Of(p)
	run.Clock, run.Rules, run.Facts = clock(run), row.Order, row.Facts
	own := row.Begin(run)
	run.Stages = own
	binder, err := bind(run, own)
	if err != nil || binder.Findings.HasErrors() {
		b.Fatal(err, binder)
	}
	return run.Machine, vm.Binding{Rows: run.Rows.Rows, Columns: binder.Columns}
}

func perRow(b *testing.B, rows int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
}

// BenchmarkScore is the machine alone: fused, and with every term kept for explanations.
func BenchmarkScore(b *testing.B) {
	for _, f := range families {
		out := benchProgram(b, f.lang, f.text)
		for _, c := range []struct {
			name    string
			program *program.Program
			jobs    int
			workers int
		}{{"fused_100k", out.Fused, 100_000, 1}, {"fused_1M", out.Fused, 1_000_000, 1},
			{"fused_1M_2workers", out.Fused, 1_000_000, 2}, {"explained_100k", out.Program, 100_000, 1}} {
			b.Run(f.name+"/"+c.name, func(b *testing.B) {
				machine, binding := bound(b, c.program, queueOf(c.jobs))
				for b.Loop() {
					if _, err := machine.Run(binding, c.program.Scored(), c.workers); err != nil {
						b.Fatal(err)
					}
				}
				perRow(b, c.jobs)
			})
		}
	}
}

// BenchmarkTwins evaluates 20,000 rows by cel-go, by the oracle and by the machine; they agree
// before anything is measured.
func BenchmarkTwins(b *testing.B) {
	const jobs = 20_000
	s := queueOf(jobs)
	for _, f := range families {
		out := benchProgram(b, f.lang, f.text)
		r, err := Run(out.Fused, s, evaluation.Options{Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(f.name+"/cel-go", func(b *testing.B) {
			_, binding := bound(b, out.Fused, s)
			row := celPriority(b, out.Policy, binding)
			for i := range jobs {
				if got := row(i); score.Round(got, out.Policy.Finish.Rounding) != r.Priority[i] {
					b.Fatalf("row %d: cel-go has %v, the machine %d", i, got, r.Priority[i])
				}
			}
			for b.Loop() {
				for i := range jobs {
					row(i)
				}
			}
			perRow(b, jobs)
		})
		b.Run(f.name+"/oracle", func(b *testing.B) {
			few := queueOf(200) // it is quadratic in more than one place
			for b.Loop() {
				if _, err := oracle.Evaluate(out.Policy, few); err != nil {
					b.Fatal(err)
				}
			}
			perRow(b, 200)
		})
		b.Run(f.name+"/machine", func(b *testing.B) {
			machine, binding := bound(b, out.Fused, s)
			for b.Loop() {
				if _, err := machine.Run(binding, out.Fused.Scored(), 1); err != nil {
					b.Fatal(err)
				}
			}
			perRow(b, jobs)
		})
	}
}

// BenchmarkRun is the whole engine: derivation, binding, scoring, states, ranks.
func BenchmarkRun(b *testing.B) {
	s := queueOf(100_000)
	for _, f := range families {
		out := benchProgram(b, f.lang, f.text)
		b.Run(f.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Run(out.Fused, s, evaluation.Options{Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
			perRow(b, 100_000)
		})
	}
}

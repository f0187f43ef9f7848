package replay

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

const windowsText = `
policy "shares" {
  fairshare "windows" {
    usage    = "dedicated_proc_seconds"
    interval = "1h"
    depth    = 4
    decay    = 0.5
  }
  user "u0" {
    fairshare { target = 40.0 }
  }
  component "wait" {
    weight = 1
    term "queue_seconds" {
      weight = 1
      factor = "double(job.queue_seconds)"
    }
  }
  component "share" {
    weight = 100
    term "user" {
      weight = 10
      factor = "user.fairshare_delta"
    }
  }
  user "DEFAULT" {
    limit "jobs" { hard = 4 }
  }
  backfill {
    algorithm         = "firstfit"
    reservation_depth = 2
  }
}
`

const moreMauiText = mauiText + `
FSPOLICY              DEDICATEDPS
FSINTERVAL            1:00:00
FSDEPTH               4
FSDECAY               0.7
FSWEIGHT              100
FSUSERWEIGHT          10
XFACTORWEIGHT         50
RESERVATIONDEPTH      2
JOBMAXOVERRUN         0:05:00
SIMINITIALQUEUEDEPTH  2
USERCFG[DEFAULT]      FSTARGET=30 MAXJOB=3
`

const moreSlurmText = `
ClusterName=c
SlurmctldHost=c
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=associations,limits,qos
SchedulerType=sched/backfill
SchedulerParameters=bf_window=4320,bf_continue
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PriorityType=priority/multifactor
PriorityWeightFairshare=100000
PriorityWeightAge=10000
PriorityDecayHalfLife=0-1
NodeName=n[1-4] CPUs=4 Sockets=1 CoresPerSocket=4
PartitionName=main Nodes=ALL Default=YES MaxTime=7-0 PriorityTier=1
PartitionName=urgent Nodes=n[1-2] MaxTime=7-0 PriorityTier=5 PreemptMode=OFF
`

// drawnRun draws a workload for a machine of four nodes of four processors.
func drawnRun(draw *rand.Rand, jobs int, slurm bool) *Workload {
	b, at := column.NewBuilder("job"), int64(1_700_000_000)
	for k := range jobs {
		at += draw.Int64N(3) * draw.Int64N(900)
		limit := 60 * (1 + draw.Int64N(120))
		b.Row()
		b.String("job.id", fmt.Sprint(k+1))
		b.String("job.user", fmt.Sprint("u", draw.IntN(3)))
		b.String("job.account", fmt.Sprint("a", draw.IntN(2)))
		b.Time("job.submit_time", at)
		procs := 1 + draw.Int64N(12) + draw.Int64N(20)/19*16 // some are larger than the machine
		b.Int("job.procs", procs)
		b.Int("job.tasks", procs)
		b.Int("job.walltime_seconds", limit)
		b.Int("job.runtime_seconds", 1+draw.Int64N(limit)+draw.Int64N(5)/4*draw.Int64N(1500))
		if !slurm {
			continue
		}
		b.String("job.partition", []string{"main", "main", "main", "urgent"}[draw.IntN(4)])
		switch draw.IntN(6) {
		case 0:
			b.String("job.dependency", fmt.Sprint("afterany:", 1+draw.IntN(k+1)))
		case 1:
			b.Time("job.begin_time", at+draw.Int64N(3600))
		}
	}
	return NewWorkload(b.Table(), Selection{Runtime: Recorded})
}

// told is all that a replay came to.
func told(r *Result) string {
	var text strings.Builder
	fmt.Fprintln(&text, r.Begin, r.End, r.Started, r.Nodes, r.Procs)
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		fmt.Fprintln(&text, *o.Job, o.Start, o.End, o.By, o.Nodes, o.Never, o.Cancelled, o.Earlier)
	}
	for _, d := range append(r.Findings, r.Report()...) {
		fmt.Fprintln(&text, d.Code, d.Severity, d.Span, d.Message, d.Notes)
	}
	m := r.Measure(r.Begin)
	fmt.Fprintln(&text, m.All, m.Groups, m.Shares, *m.Series)
	return text.String()
}

// patient is a context that ends after it was asked so often.
type patient struct {
	context.Context
	left int
}

func (p *patient) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterrupted: a replay that is interrupted again and again, at drawn times, comes to what it comes to at once.
func TestInterrupted(t *testing.T) {
	small := func() *snapshot.Snapshot { return benchNodes(t, 4, 4) }
	cases := []struct {
		name    string
		program *program.Program
		machine func() *snapshot.Snapshot
		procs   int64
		slurm   bool
	}{
		{name: "pool", program: benchProgram(t, lower.HCL, easyText), procs: 16,
			machine: func() *snapshot.Snapshot { return &snapshot.Snapshot{} }},
		{name: "nodes", program: benchProgram(t, lower.HCL, easyText), machine: small},
		{name: "windows", program: benchProgram(t, lower.HCL, windowsText), machine: small},
		{name: "maui", program: benchProgram(t, lower.Maui, mauiText), machine: small},
		{name: "maui with shares", program: benchProgram(t, lower.Maui, moreMauiText), machine: small},
		{name: "slurm", program: benchProgram(t, "", moreSlurmText, slurmDump()), slurm: true},
		{name: "slurm without preemption", program: benchProgram(t, "", soleSlurmText, slurmDump()), slurm: true},
	}
	rounds := 1
	if os.Getenv("FAIRWAY_LONG") != "" {
		rounds = 40
	}
	draw := rand.New(rand.NewPCG(22, 9))
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for range rounds {
				w := drawnRun(draw, 25, c.slurm)
				machine := func() *snapshot.Snapshot {
					if c.machine != nil {
						return c.machine()
					}
					return &snapshot.Snapshot{Nodes: ConfiguredNodes(c.program)}
				}
				o := Options{Evaluation: evaluation.Options{Procs: c.procs}}
				if c.procs == 0 && draw.IntN(2) == 0 {
					o.Outages = drawnOutages(draw, machine().Nodes, w)
				}
				asked := &patient{left: 1 << 30}
				asked.Context, o.Context = t.Context(), asked
				whole, err := Run(c.program, machine(), w, o)
				if err != nil {
					t.Fatal(err)
				}
				want, most := told(whole), 1<<30-asked.left
				got, times := interruptedRun(t, c.program, machine, w, o, func() int { return draw.IntN(most/2 + 2) })
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("at once -, interrupted %d times +\n%s", times, diff)
				}
			}
		})
	}
}

// interruptedRun plays with interruptions until it is through.
func interruptedRun(t *testing.T, p *program.Program, machine func() *snapshot.Snapshot, w *Workload, o Options,
	after func() int) (got string, times int) {
	t.Helper()
	for ; ; times++ {
		left := after()
		if times > 4 {
			left = 1 << 30
		}
		o.Context, o.Log = &patient{t.Context(), left}, &Log{}
		r, err := Run(p, machine(), w, o)
		if err == nil {
			return told(r), times
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := o.Log.Write(&text, &Origin{Program: "x"}); err != nil {
			t.Fatal(err)
		}
		log, _, diags := ReadLog(source.NewFile("checkpoint", text.Bytes()))
		if log == nil {
			t.Fatal(diags[0].Message)
		}
		if diff := cmp.Diff(o.Log, log); diff != "" {
			t.Fatalf("written -, read +\n%s", diff)
		}
		o.Resume = log
	}
}

// TestMisfits: a log of another replay is refused wherever it does not fit, and no log lets a replay panic.
func TestMisfits(t *testing.T) {
	draw := rand.New(rand.NewPCG(22, 10))
	p := benchProgram(t, "", moreSlurmText, slurmDump())
	machine := func() *snapshot.Snapshot { return &snapshot.Snapshot{Nodes: ConfiguredNodes(p)} }
	w := drawnRun(draw, 25, true)
	log := &Log{}
	if _, err := Run(p, machine(), w, Options{Log: log}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		spoil func(*Log, int) bool
	}{
		{"time", func(l *Log, k int) bool { l.Looks[k].At++; return true }},
		{"unknown job", func(l *Log, k int) bool {
			return changeDid(l, k, func(d *Did) { d.Starts = append(d.Starts, Start{Job: "x", By: "main"}) })
		}},
		{"started twice", func(l *Log, k int) bool {
			return l.Looks[k].Did != nil && len(l.Looks[k].Did.Starts) > 0 &&
				changeDid(l, k, func(d *Did) { d.Starts = append(d.Starts, d.Starts[0]) })
		}},
		{"last look", func(l *Log, _ int) bool {
			return changeDid(l, l.From, func(d *Did) { d.Removed = append(d.Removed, "1") })
		}},
		{"what was left", func(l *Log, _ int) bool { l.Left = &checkpoint.Checkpoint{Family: "maui"}; return true }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for spoiled := false; !spoiled; {
				past := *log
				past.Looks = slices.Clone(log.Looks)
				if spoiled = c.spoil(&past, draw.IntN(log.From)); !spoiled {
					continue
				}
				if r, err := Run(p, machine(), w, Options{Resume: &past}); err == nil {
					t.Errorf("it is played to %d", r.End)
				}
			}
		})
	}
	other := drawnRun(draw, 25, true)
	if _, err := Run(p, machine(), other, Options{Resume: log}); err == nil {
		t.Error("the log of another workload is taken")
	}
}

func changeDid(l *Log, k int, change func(*Did)) bool {
	did := *l.Looks[k].did()
	did.Starts = slices.Clone(did.Starts)
	change(&did)
	l.Looks[k].Did = &did
	return true
}

// TestDiffers: each part of what a replay is of counts.
func TestDiffers(t *testing.T) {
	of := func() *Origin {
		return &Origin{"1.0", []Input{{"maui.cfg", "a"}, {"w.swf", "b"}}, []string{"--procs 4", "--seed 2"}}
	}
	for _, c := range []struct {
		change func(*Origin)
		want   string
	}{
		{func(*Origin) {}, ""},
		{func(o *Origin) { o.Program = "1.1" }, "it was written by Fairway 1.0, and this is 1.1"},
		{func(o *Origin) { o.Inputs[1] = Input{"v.swf", "c"} }, "v.swf is not w.swf as it was then"},
		{func(o *Origin) { o.Inputs[1].Name = "v.swf" }, ""},
		{func(o *Origin) { o.Inputs = o.Inputs[:1] }, "it is of w.swf too"},
		{func(o *Origin) { o.Inputs = append(o.Inputs, Input{"n.json", "d"}) }, "n.json is not part of it"},
		{func(o *Origin) { o.Options = o.Options[:1] }, "it is played with --seed 2"},
		{func(o *Origin) { o.Options = append(o.Options, "--now 3") }, "it is played without --now 3"},
	} {
		now := of()
		c.change(now)
		if got := of().Differs(now); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// FuzzReadLog: whatever a checkpoint is, it is read or refused with a place in it, and what is read is written as it
// was.
func FuzzReadLog(f *testing.F) {
	log := Log{Nodes: []string{"n1", "n2"}, Procs: 8, From: 1, Left: &checkpoint.Checkpoint{Family: "slurm", Time: 7},
		Looks: []Look{{At: 5, Finds: true}, {At: 6, Keeps: true, Did: &Did{
			Starts: []Start{{"1", "main", []backfill.Share{{Node: 1, Tasks: 2, Procs: 2}}, &Names{User: "u"}}},
			Stops:  []Stop{{"2", "requeue", 6, 9}}, Removed: []string{"3"}}}}}
	of := Origin{"1.0", []Input{{"maui.cfg", "a"}}, []string{"--seed 2"}}
	var text bytes.Buffer
	if err := log.Write(&text, &of); err != nil {
		f.Fatal(err)
	}
	lines, _, _ := strings.Cut(text.String(), `{"sha256"`)
	f.Add(lines)
	f.Add(lines[:len(lines)/2])
	f.Add(strings.Replace(lines, "[1,2,2,0]", "[2,2,2,0]", 1))
	f.Add(strings.Replace(lines, `"from":1`, `"from":9`, 1))
	f.Add("{}")
	f.Add("")
	f.Fuzz(func(t *testing.T, lines string) {
		sum := sha256.Sum256([]byte(lines))
		for _, text := range []string{lines, lines + fmt.Sprintf("{\"sha256\":\"%x\"}\n", sum)} {
			log, of, diags := ReadLog(source.NewFile("checkpoint", []byte(text)))
			if log == nil {
				if !diags.HasErrors() || diags[0].Span.IsZero() || len(diags[0].Notes) == 0 {
					t.Fatalf("refused without a place or advice: %v", diags)
				}
				continue
			}
			var first, second bytes.Buffer
			if err := log.Write(&first, of); err != nil {
				t.Fatal(err)
			}
			again, same, _ := ReadLog(source.NewFile("checkpoint", first.Bytes()))
			if again == nil {
				t.Fatalf("what is written is not read:\n%s", first.String())
			}
			if err := again.Write(&second, same); err != nil || first.String() != second.String() {
				t.Fatalf("%v: not the same again:\n%s", err, first.String())
			}
		}
	})
}

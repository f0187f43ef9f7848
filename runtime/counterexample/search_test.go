package counterexample_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/counterexample"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

var cluster = []counterexample.Partition{{Name: "batch", Nodes: 16, NodeProcs: 64, NodeMemMB: 65536}}

func compile(t *testing.T, name, text string) *program.Program {
	t.Helper()
	out := compiler.Compile(compiler.Input{Files: []*source.File{source.NewFile(name, []byte(text))}})
	if out.Program == nil {
		t.Fatal(out.Diags[0].Message)
	}
	return out.Program
}

func search(t *testing.T, v counterexample.Vocabulary, first, second string) *counterexample.Example {
	t.Helper()
	v.Partitions = cluster
	s := counterexample.Search{Vocabulary: v, Seed: 1, Tries: 200}
	for i, text := range []string{first, second} {
		s.Programs[i] = compile(t, "maui.cfg", "SERVERHOST head\n"+text)
	}
	e, _, err := s.Find()
	if err != nil {
		t.Fatal(err)
	}
	if e == nil {
		return nil
	}
	again, _, _ := s.Find()
	if !reflect.DeepEqual(e.Queue, again.Queue) || !reflect.DeepEqual(e.Places, again.Places) {
		t.Error("the same search found something else")
	}
	replay(t, e, s.Programs)
	return e
}

// replay: the text of an example, read by itself, gives the places that it claims.
func replay(t *testing.T, e *counterexample.Example, programs [2]*program.Program) {
	t.Helper()
	var text bytes.Buffer
	if err := e.Write(&text); err != nil {
		t.Fatal(err)
	}
	read, diags, err := snapshot.Read(fstest.MapFS{"q.json": {Data: text.Bytes()}}, []string{"q.json"}, snapshot.Options{})
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	for k, p := range programs {
		r, err := engine.Run(p, read, evaluation.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range e.Queue.Jobs {
			want := e.Places[k][i]
			if r.Priority[r.JobRow[i]] != want.Priority || r.Rank[i] != want.Rank || r.State[i] != want.State ||
				r.Reason[i] != want.Reason {
				t.Errorf("policy %d, job %d: priority %d, rank %d, %s; claimed %+v", k, i, r.Priority[r.JobRow[i]], r.Rank[i],
					r.State[i], want)
			}
		}
	}
}

// TestPair: two weights against one order the jobs otherwise, and two jobs are enough to see it.
func TestPair(t *testing.T) {
	e := search(t, counterexample.Vocabulary{Users: []string{"amy", "bo"}}, "QUEUETIMEWEIGHT 1\n",
		"QUEUETIMEWEIGHT 1\nPROCWEIGHT 1000\n")
	if e == nil || len(e.Queue.Jobs) != 2 || e.Kind != counterexample.Reversed {
		t.Fatalf("%+v", e)
	}
	a, b := e.Queue.Jobs[0], e.Queue.Jobs[1]
	if a.Procs == b.Procs || a.User != b.User || a.State == "running" || b.State == "running" {
		t.Errorf("it can be simpler: %v; %v", a.String(), b.String())
	}
	if what := e.What("old.cfg", "new.cfg"); !strings.Contains(what, "under old.cfg and after it under new.cfg") {
		t.Error(what)
	}
}

// TestState: a limit stops a job of one user alone, at one processor more than it allows.
func TestState(t *testing.T) {
	e := search(t, counterexample.Vocabulary{Users: []string{"amy", "bo"}, Procs: []int64{700}}, "QUEUETIMEWEIGHT 1\n",
		"QUEUETIMEWEIGHT 1\nUSERCFG[amy] MAXPROC=700\n")
	if e == nil || len(e.Queue.Jobs) != 1 || e.Queue.Jobs[0].User != "amy" || e.Queue.Jobs[0].Procs <= 700 ||
		e.Places[0][0].State != evaluation.Eligible {
		t.Fatalf("%+v", e)
	}
}

// TestRefused: a job that one policy would refuse at submission says least, and it is reported what becomes of it.
func TestRefused(t *testing.T) {
	const conf = "ClusterName=c\nSlurmctldHost=h\nAccountingStorageType=accounting_storage/slurmdbd\nPriorityType=priority/multifactor\nPriorityFlags=NO_NORMAL_ALL\nPriorityWeightQOS=1\nNodeName=n[1-16] CPUs=64\nPartitionName=batch Nodes=ALL\n"
	const dump = "QOS - 'normal':Priority=1\nQOS - 'high':Priority=9\nCluster - 'c':QOS=normal\nParent - " +
		"'root'\nAccount - 'bio'\nParent - 'bio'\nUser - 'amy'\n"
	of := func(conf string) *program.Program {
		out := compiler.Compile(compiler.Input{Files: []*source.File{source.NewFile("slurm.conf", []byte(conf)),
			source.NewFile("assoc.cfg", []byte(dump))}})
		if out.Program == nil {
			t.Fatal(out.Diags[0].Message)
		}
		return out.Program
	}
	strict := strings.Replace(conf, "PriorityType", "AccountingStorageEnforce=limits,qos\nPriorityType", 1)
	s := counterexample.Search{Seed: 1, Tries: 100, Programs: [2]*program.Program{of(conf), of(strict)},
		Vocabulary: counterexample.Vocabulary{Partitions: cluster, QOS: []string{"normal", "high"},
			Members: [][2]string{{"bio", "amy"}}, Associations: true}}
	e, _, err := s.Find()
	if err != nil || e == nil || e.Kind != counterexample.Refused ||
		e.What("a", "b") != "job 1 is eligible under a and refused at submission under b" ||
		!strings.HasSuffix(e.Places[1][0].String(), "refused at submission (InvalidQOS)") {
		t.Fatalf("%+v %v", e, err)
	}
	s.Programs[1] = of(strings.Replace(strict, "PriorityWeightQOS=1",
		"PriorityWeightQOS=0\nPriorityFavorSmall=YES\nPriorityWeightJobSize=100000", 1))
	if e, _, err = s.Find(); err != nil || e == nil || e.Kind != counterexample.Tied {
		t.Fatalf("what says more comes first: %+v %v", e, err)
	}
}

// TestCounts: a limit on a number of jobs that no small queue has is met, and no more jobs stay than it takes.
func TestCounts(t *testing.T) {
	e := search(t, counterexample.Vocabulary{Users: []string{"amy"}, Counts: []int64{25}}, "QUEUETIMEWEIGHT 1\n",
		"QUEUETIMEWEIGHT 1\nUSERCFG[amy] MAXJOB=25\n")
	if e == nil || e.Kind != counterexample.Starts || len(e.Queue.Jobs) != 26 {
		t.Fatalf("%+v", e)
	}
}

// TestUsage: a target moves jobs only of who used something.
func TestUsage(t *testing.T) {
	const shares = "QUEUETIMEWEIGHT 1\nFSPOLICY DEDICATEDPS\nFSWEIGHT 1\nFSUSERWEIGHT 100\nFSDEPTH 2\n"
	e := search(t, counterexample.Vocabulary{Users: []string{"amy", "bo"}, Usage: true}, "QUEUETIMEWEIGHT 1\n",
		shares+"USERCFG[DEFAULT] FSTARGET=10-\n")
	if e == nil || len(e.Queue.Used) != 1 || len(e.Queue.Jobs) != 2 {
		t.Fatalf("%+v", e)
	}
}

// TestTied: where only one policy tells jobs apart, that is shown; where neither does, their order means nothing.
func TestTied(t *testing.T) {
	e := search(t, counterexample.Vocabulary{Groups: []string{"chem"}},
		"QUEUETIMEWEIGHT 0\nCREDWEIGHT 1\nGROUPWEIGHT 1\nGROUPCFG[chem] PRIORITY=20\n", "QUEUETIMEWEIGHT 0\n")
	if e == nil || e.Kind != counterexample.Tied ||
		!strings.Contains(e.What("a", "b"), "under b they have the same priority") {
		t.Fatalf("%+v", e)
	}
}

// TestSame: of policies that mean the same there is none, and rounding is no difference.
func TestSame(t *testing.T) {
	for _, second := range []string{"QUEUETIMEWEIGHT 2\n", "QUEUETIMEWEIGHT 1\nUSERCFG[amy] PRIORITY=5\n"} {
		if e := search(t, counterexample.Vocabulary{Users: []string{"amy"}}, "QUEUETIMEWEIGHT 1\n", second); e != nil {
			t.Errorf("%s: %s", second, e.What("first", "second"))
		}
	}
	const half = "policy \"p\" {\n  component \"c\" {\n    term \"t\" {\n      factor = \"job.queue_minutes / 2.0 + " +
		"%s\"\n    }\n  }\n}\n"
	s := counterexample.Search{Vocabulary: counterexample.Vocabulary{Partitions: cluster}, Tries: 200,
		Programs: [2]*program.Program{
			compile(t, "a.fairway.hcl", strings.Replace(half, "%s", "(job.procs > 3 ? 0.4 : 0.0)", 1)),
			compile(t, "b.fairway.hcl", strings.Replace(half, "%s", "(job.procs > 3 ? 0.0 : 0.4)", 1))}}
	if e, _, err := s.Find(); e != nil || err != nil {
		t.Errorf("less than a point apart: %+v %v", e, err)
	}
}

// TestItself: no policy differs from itself, whatever it reads.
func TestItself(t *testing.T) {
	p := compile(t, "p.fairway.hcl",
		"policy \"p\" {\n  component \"c\" {\n    term \"t\" { factor = \"has(job.features) && job.features.size() > 0 ? "+
			"1.0 : double(job.procs)\" }\n  }\n}\n")
	v := counterexample.Vocabulary{Partitions: cluster, Features: []string{"ib"}, GPUs: []int64{1}, Nice: true,
		Usage: true, Shares: true, Associations: true, RecordedQOS: []string{"normal"}, Licenses: []string{"m"}, Swap: true,
		Counts: []int64{3}}
	s := counterexample.Search{Programs: [2]*program.Program{p, p}, Vocabulary: v, Tries: 50}
	if e, _, err := s.Find(); e != nil || err != nil {
		t.Errorf("%+v %v", e, err)
	}
}

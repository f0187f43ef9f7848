package counterexample_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/counterexample"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/program"
)

func search(t *testing.T, first, second string) *counterexample.Example {
	t.Helper()
	s := counterexample.Search{Names: counterexample.Names{Users: []string{"amy", "bo"}}, Seed: 1, Tries: 200}
	for i, text := range []string{first, second} {
		out := compiler.Compile(compiler.Input{Files: []*source.File{source.NewFile("maui.cfg", []byte("SERVERHOST head\n"+text))}})
		if out.Program == nil {
			t.Fatal(out.Diags[0].Message)
		}
		s.Programs[i] = out.Program
	}
	e, err := s.Find()
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := s.Find(); !reflect.DeepEqual(e, again) {
		t.Error("the same search found something else")
	}
	return e
}

// TestPair: two weights against one order the jobs otherwise, and two jobs are enough to see it.
func TestPair(t *testing.T) {
	e := search(t, "QUEUETIMEWEIGHT 1\n", "QUEUETIMEWEIGHT 1\nPROCWEIGHT 1000\n")
	if e == nil || len(e.Jobs) != 2 || !strings.Contains(e.What, "is before job") {
		t.Fatalf("%+v", e)
	}
	a, b := e.Jobs[0], e.Jobs[1]
	if a.Procs == b.Procs || a.User != b.User || a.Running || b.Running {
		t.Errorf("it can be simpler: %v; %v", a.String(), b.String())
	}
}

// TestState: a limit stops a job of one user alone.
func TestState(t *testing.T) {
	e := search(t, "QUEUETIMEWEIGHT 1\n", "QUEUETIMEWEIGHT 1\nUSERCFG[amy] MAXPROC=2\n")
	if e == nil || len(e.Jobs) != 1 || e.Jobs[0].User != "amy" || e.Jobs[0].Procs <= 2 || e.Places[0][0].State != engine.Eligible {
		t.Fatalf("%+v", e)
	}
}

// TestSame: of policies that mean the same there is none.
func TestSame(t *testing.T) {
	if e := search(t, "QUEUETIMEWEIGHT 1\n", "QUEUETIMEWEIGHT 2\n"); e != nil { // the same order
		t.Errorf("%s: %+v", e.What, e.Jobs)
	}
}

// TestItself: no policy differs from itself, whatever it reads.
func TestItself(t *testing.T) {
	const text = "policy \"p\" {\n  component \"c\" {\n    term \"t\" { factor = \"job.features.size() > 0 ? 1.0 : double(job.procs)\" }\n  }\n}\n"
	out := compiler.Compile(compiler.Input{Files: []*source.File{source.NewFile("p.fairway.hcl", []byte(text))}})
	if out.Program == nil {
		t.Fatal(out.Diags[0].Message)
	}
	s := counterexample.Search{Programs: [2]*program.Program{out.Program, out.Program}, Tries: 20}
	if e, _ := s.Find(); e != nil {
		t.Errorf("%+v", e)
	}
}

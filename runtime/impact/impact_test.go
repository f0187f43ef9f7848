package impact_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/impact"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// story is a recorded queue of the examples with its policy, and an edit of it.
type story struct {
	name  string
	files []string
	now   int64
	edit  [][2]string // a pattern of the first file, and what is there then
}

const noon = 1795176000 // 2026-11-20T12:00:00Z

var stories = []story{
	{"slurm-queue", []string{"slurm.conf", "assoc.cfg"}, noon,
		[][2]string{{`PriorityWeightAge=\d+`, "PriorityWeightAge=9000"},
			{`PriorityWeightFairshare=\d+`, "PriorityWeightFairshare=2000"}}},
	{"slurm-queue", []string{"slurm.conf", "assoc.cfg"}, noon, [][2]string{{`MaxTime=\S+`, "MaxTime=0:10:00"}}},
	{"slurm-plan", []string{"slurm.conf"}, noon,
		[][2]string{{`JobSize=2000`, "JobSize=0"}, {`bf_window=4320`, "bf_window=60"}, {`MaxTime=2-0`, "MaxTime=6:00:00"}}},
	{"maui-queue", []string{"maui.cfg"}, 0,
		[][2]string{{`XFACTORWEIGHT\s+\d+`, "XFACTORWEIGHT 1"}, {`RESCAP\s+\d+`, "RESCAP 10"}}},
	{"maui-limits", []string{"maui.cfg"}, 0,
		[][2]string{{`MAXPS=\S+`, "MAXPS=10,20"}, {`BACKFILLPOLICY\s+\S+`, "BACKFILLPOLICY FIRSTFIT"}}},
	{"maui-fairshare", []string{"maui.cfg"}, 0,
		[][2]string{{`FSDEPTH\s+\d+`, "FSDEPTH 1"}, {`FSTARGET=\d+`, "FSTARGET=5"}}},
}

func (s *story) folder() string { return filepath.Join("../../examples", s.name) }

func (s *story) read(t *testing.T) *snapshot.Snapshot {
	t.Helper()
	snap, diags, err := snapshot.Read(os.DirFS(s.folder()), []string{"."}, snapshot.Options{Now: s.now})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	return snap
}

func (s *story) compile(t *testing.T, edited bool) *compiler.Output {
	t.Helper()
	var in compiler.Input
	for i, name := range s.files {
		text, err := os.ReadFile(filepath.Join(s.folder(), name))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range s.edit {
			if edited && i == 0 {
				changed := regexp.MustCompile(e[0]).ReplaceAll(text, []byte(e[1]))
				if string(changed) == string(text) {
					t.Fatalf("%s does not stand in %s", e[0], name)
				}
				text = changed
			}
		}
		in.Files = append(in.Files, source.NewFile(name, text))
	}
	out := compiler.Compile(in)
	if out.Program == nil {
		t.Fatal(out.Diags)
	}
	return out
}

func evaluate(t *testing.T, s *snapshot.Snapshot, out *compiler.Output) impact.Side {
	t.Helper()
	r, err := engine.Run(out.Program, s, evaluation.Options{Workers: 1})
	if err != nil || r.Findings.HasErrors() {
		t.Fatal(err, r)
	}
	side := impact.Side{Result: r}
	if s.Nodes != nil && s.Nodes.Rows > 0 {
		if side.Plan, err = engine.Plan(r, planning.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	return side
}

func compared(t *testing.T, x, y impact.Side) *impact.Comparison {
	t.Helper()
	c, err := impact.Results(x, y)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Before and after are two evaluations: with one snapshot for both, as diff has it, each job has the rank, the
// priority, the state and the start that it has in a run of its own, and what is not listed has not changed.
func TestSameNumbers(t *testing.T) {
	moves, blocks, starts := 0, 0, 0
	for _, s := range stories {
		shared := s.read(t)
		c := compared(t, evaluate(t, shared, s.compile(t, false)), evaluate(t, shared, s.compile(t, true)))
		x, y := evaluate(t, s.read(t), s.compile(t, false)), evaluate(t, s.read(t), s.compile(t, true))
		moved, stopped, started := map[string]impact.Move{}, map[string]impact.Block{}, map[string]impact.Start{}
		for _, m := range c.Moves {
			moved[m.ID] = m
		}
		for _, b := range c.Blocks {
			stopped[b.ID] = b
		}
		for _, p := range c.Starts {
			started[p.ID] = p
		}
		moves, blocks, starts = moves+len(moved), blocks+len(stopped), starts+len(started)
		for job := range x.Result.Jobs.Rows {
			id := x.Result.Jobs.Value("job.id", job).Str
			m, listed := moved[id]
			want := impact.Move{Job: m.Job, Places: m.Places, Change: m.Change, Cause: m.Cause, OldRank: x.Result.Rank[job],
				NewRank:     y.Result.Rank[job],
				OldPriority: x.Result.JobPriority(job), NewPriority: y.Result.JobPriority(job)}
			if ranked := want.OldRank != 0 || want.NewRank != 0; listed && m != want ||
				!listed && ranked && (want.OldRank != want.NewRank || want.OldPriority != want.NewPriority) {
				t.Errorf("%s: job %s: listed %v: %+v, and two runs say %+v", s.name, id, listed, m, want)
			}
			a, b := x.Result.State[job].String(), y.Result.State[job].String()
			if stop, ok := stopped[id]; ok && (stop.Old.State != a || stop.New.State != b) || !ok && a != b {
				t.Errorf("%s: job %s: %s and %s, listed as %+v", s.name, id, a, b, stop)
			}
			if x.Plan == nil {
				continue
			}
			from, to := startOf(x.Plan, job), startOf(y.Plan, job)
			p, ok := started[id]
			if ok && (value(p.OldStart) != from || value(p.NewStart) != to) || !ok && from != to && a != "running" {
				t.Errorf("%s: job %s starts at %d and %d, listed as %+v", s.name, id, from, to, p)
			}
		}
	}
	if moves < 20 || blocks < 5 || starts < 5 {
		t.Errorf("%d moves, %d blocks, %d starts: the stories test little", moves, blocks, starts)
	}
}

func startOf(s *backfill.Schedule, job int) int64 {
	for _, p := range s.Placements {
		if int(p.Job) == job {
			return p.Start
		}
	}
	return 0
}

func value(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

// A job that one policy alone stops has neither won nor lost places: it is blocked, or let go, and counts as nothing
// else.
func TestStoppedWinsNothing(t *testing.T) {
	stopped := 0
	for _, s := range stories {
		snap := s.read(t)
		c := compared(t, evaluate(t, snap, s.compile(t, false)), evaluate(t, snap, s.compile(t, true)))
		change := map[string]string{}
		for _, b := range c.Blocks {
			if change[b.ID] = b.Change; b.Change == "other" {
				change[b.ID] = ""
			}
		}
		up, down := 0, 0
		for _, m := range c.Moves {
			if m.Change != change[m.ID] || m.Change != "" && m.Places != 0 {
				t.Errorf("%s: job %s moves by %d and is %q, among the blocks %q", s.name, m.ID, m.Places, m.Change, change[m.ID])
			}
			switch {
			case m.Change != "":
				stopped++
			case m.Places > 0:
				up++
			case m.Places < 0:
				down++
			}
		}
		if up != c.Summary.Up || down != c.Summary.Down {
			t.Errorf("%s: %d up and %d down, the summary says %d and %d", s.name, up, down, c.Summary.Up, c.Summary.Down)
		}
	}
	if stopped == 0 {
		t.Error("no job is stopped that moves: the stories test nothing")
	}
}

// A window that is too short takes reservations away, though every job is expected to start when it was.
func TestLostReservation(t *testing.T) {
	s := story{"slurm-plan", []string{"slurm.conf"}, noon,
		[][2]string{{`SchedulerParameters=.*`, "SchedulerParameters=bf_window=300"}}}
	snap := s.read(t)
	x, y := evaluate(t, snap, s.compile(t, false)), evaluate(t, snap, s.compile(t, true))
	there, back := compared(t, x, y), compared(t, y, x)
	lost := 0
	for _, p := range there.Starts {
		if p.OldBy == "reservation" && p.NewBy == "estimate" && *p.Later == 0 {
			lost++
		}
	}
	if lost == 0 || there.Summary.LostReservation != lost || there.Summary.FoundReservation != 0 ||
		back.Summary.FoundReservation != lost {
		t.Errorf("%d jobs: %+v, and back %+v", lost, there.Summary, back.Summary)
	}
	if len(there.Groups) > 0 {
		t.Errorf("nobody gains or loses a place or time, but there are %+v", there.Groups)
	}
	if text := strings.Join(there.Verdict(), "\n"); !strings.Contains(text,
		"have only an estimate instead of a reservation") {
		t.Error(text)
	}
}

// A job of several partitions has the priority of one and ranks by another: its change has a cause all the same.
func TestEveryChangeHasCause(t *testing.T) {
	s := story{"slurm-queue", []string{"slurm.conf", "assoc.cfg"}, noon,
		[][2]string{{`PartitionName=batch`, "PartitionName=bulk"}}}
	snap := s.read(t)
	c := compared(t, evaluate(t, snap, s.compile(t, false)), evaluate(t, snap, s.compile(t, true)))
	for _, m := range c.Moves {
		if m.OldPriority != m.NewPriority && m.Cause == nil {
			t.Errorf("job %s has priority %d instead of %d for no cause", m.ID, m.NewPriority, m.OldPriority)
		}
	}
	if len(c.Moves) != 8 {
		t.Errorf("%d jobs change", len(c.Moves))
	}
}

// diff(P, P) is empty.
func TestSame(t *testing.T) {
	for _, s := range stories {
		snap := s.read(t)
		c := compared(t, evaluate(t, snap, s.compile(t, true)), evaluate(t, snap, s.compile(t, true)))
		if !c.Same() || len(c.Groups)+len(c.Causes) > 0 || c.Summary.Moved+c.Summary.Swapped != 0 {
			t.Errorf("%s: %+v", s.name, c)
		}
	}
}

// The other way round everybody moves back.
func TestBack(t *testing.T) {
	for _, s := range stories {
		snap := s.read(t)
		x, y := evaluate(t, snap, s.compile(t, false)), evaluate(t, snap, s.compile(t, true))
		there, back := compared(t, x, y), compared(t, y, x)
		places := map[string]int32{}
		for _, m := range there.Moves {
			places[m.ID] = m.Places
		}
		for _, m := range back.Moves {
			if places[m.ID] != -m.Places {
				t.Errorf("%s: job %s moves by %d and back by %d", s.name, m.ID, places[m.ID], m.Places)
			}
		}
		a, b := there.Summary, back.Summary
		if a.Blocked != b.Released || a.Up != b.Down || a.Later != b.Sooner || a.LostStart != b.FoundStart ||
			a.Swapped != b.Swapped || a.Shares != b.Shares {
			t.Errorf("%s: %+v and back %+v", s.name, a, b)
		}
	}
}

// Everything that is listed can be written as JSON: no infinite number, no NaN.
func TestJSON(t *testing.T) {
	for _, s := range stories {
		snap := s.read(t)
		c := compared(t, evaluate(t, snap, s.compile(t, false)), evaluate(t, snap, s.compile(t, true)))
		if _, err := json.Marshal(c); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

// The count of inversions equals the slow and obvious one.
func TestInversions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		var list []int32
		for _, v := range random.Perm(n) {
			list = append(list, int32(v))
		}
		want := int64(0)
		for i := range list {
			for j := range i {
				if list[j] > list[i] {
					want++
				}
			}
		}
		if got := impact.Inversions(list); got != want {
			t.Fatalf("%d elements: %d, want %d", n, got, want)
		}
		for i, v := range list {
			if int(v) != i {
				t.Fatalf("not sorted: %v", list)
			}
		}
	}
}

// Results of different queues are no comparison.
func TestOtherQueue(t *testing.T) {
	a, b := stories[0], stories[2]
	x, y := evaluate(t, a.read(t), a.compile(t, false)), evaluate(t, b.read(t), b.compile(t, false))
	if _, err := impact.Results(x, y); err == nil {
		t.Error("queues of other jobs are compared")
	}
	if reflect.DeepEqual(x, y) {
		t.Error("the queues are the same")
	}
}

// TestPoints: priorities of millions keep all their digits.
func TestPoints(t *testing.T) {
	for f, want := range map[float64]string{1234567: "+1234567", -4294967295: "-4294967295", 0.25: "+0.25",
		999999.4: "+999999"} {
		if got := impact.Points(f); got != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
	if got := impact.Later(-94732800); got != "1096-10:40:00 sooner" {
		t.Error(got)
	}
}

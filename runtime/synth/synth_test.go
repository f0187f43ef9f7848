package synth_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/synth"
)

const now = 1_700_000_000

func drawSnapshot(t *rapid.T) *snapshot.Snapshot {
	b, sprio := column.NewBuilder("job"), column.NewBuilder("sprio")
	b.Declare("job.recorded_priority", schema.Int)
	b.Declare("job.array_job_id", schema.Int)
	b.Declare("job.dependency", schema.String)
	b.Declare("job.recorded_partition_priorities", schema.StringList)
	sprio.Declare(snapshot.SprioColumn("id"), schema.String)
	for i := range rapid.IntRange(1, 12).Draw(t, "jobs") {
		b.Row()
		id := fmt.Sprint(100 + i)
		switch form := rapid.SampledFrom([]string{"", "", "_3", ".head"}).Draw(t, "form"); form {
		case "_3":
			b.Int("job.array_job_id", int64(100+i))
			fallthrough
		default:
			id += form
		}
		b.String("job.id", id)
		b.String("job.user", rapid.SampledFrom([]string{"amy", "bob", "eve"}).Draw(t, "user"))
		b.Int("job.procs", int64(rapid.IntRange(1, 64).Draw(t, "procs")))
		b.String("job.state", rapid.SampledFrom([]string{"pending", "pending", "pending", "running", "done", ""}).
			Draw(t, "state"))
		if rapid.IntRange(0, 9).Draw(t, "known") > 0 {
			at := int64(now - rapid.IntRange(5, 100_000).Draw(t, "ago"))
			b.Time("job.submit_time", at)
			b.Time("job.eligible_time", at+5)
		}
		b.Int("job.recorded_priority", int64(i))
		b.List("job.recorded_partition_priorities", []string{"p=" + fmt.Sprint(i)})
		if i > 0 && rapid.Bool().Draw(t, "depends") {
			b.String("job.dependency", "afterok:"+fmt.Sprint(100+rapid.IntRange(0, i-1).Draw(t, "on")))
		}
		sprio.Row()
		sprio.String(snapshot.SprioColumn("id"), id)
	}
	return &snapshot.Snapshot{Now: now, Family: "slurm", Jobs: b.Table(), Sprio: sprio.Table()}
}

func text(t *rapid.T, s *snapshot.Snapshot) string {
	var out bytes.Buffer
	if err := snapshot.WriteJSON(&out, s); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// model is what a copy has of the job it is made after.
func model(jobs *column.Table, row int) string {
	return fmt.Sprint(jobs.Value("job.user", row).Str, jobs.Value("job.procs", row).Int, jobs.Value("job.state", row).Str)
}

// TestQueue: as many jobs as were asked for, numbered in the order of their submission, each after one of the
// waiting jobs and in their times; running jobs are as they were. The same seed gives the same queue, and the
// given one stays as it is.
func TestQueue(t *testing.T) {
	made := 0
	draws.Check(t, func(t *rapid.T) {
		s := drawSnapshot(t)
		before := text(t, s)
		o := synth.Options{Jobs: rapid.IntRange(0, 60).Draw(t, "n"), Seed: rapid.Uint64().Draw(t, "seed")}
		out, err := synth.Queue(s, o)
		if err != nil {
			waits := strings.Contains(before, `"state": "pending"`)
			if waits {
				t.Fatal(err)
			}
			return
		}
		made += out.Jobs.Rows
		again, _ := synth.Queue(s, o)
		if d := cmp.Diff(text(t, out), text(t, again)); d != "" {
			t.Fatalf("the same seed: %s", d)
		}
		if text(t, s) != before {
			t.Fatal("the given snapshot is another one")
		}
		if out.Jobs.Rows != o.Jobs {
			t.Fatalf("%d jobs, want %d", out.Jobs.Rows, o.Jobs)
		}
		models, waiting, times := map[string]bool{}, 0, []int64{}
		running := map[string]string{}
		for row := range s.Jobs.Rows {
			switch s.Jobs.Value("job.state", row).Str {
			case "running":
				running[s.Jobs.Value("job.id", row).Str] = fmt.Sprint(model(s.Jobs, row), s.Jobs.Value("job.submit_time", row),
					s.Jobs.Value("job.recorded_priority", row))
			case "pending", "":
				models[model(s.Jobs, row)] = true
				waiting++
				if at := s.Jobs.Value("job.submit_time", row); at.Known() {
					times = append(times, at.Int)
				}
			}
		}
		last, ids, active := int64(0), map[string]bool{}, 0
		for row := range out.Jobs.Rows {
			id, at := out.Jobs.Value("job.id", row).Str, out.Jobs.Value("job.submit_time", row)
			if ids[id] {
				t.Fatalf("two jobs %s", id)
			}
			ids[id] = true
			if out.Jobs.Value("job.state", row).Str == "running" {
				active++
				if got := fmt.Sprint(model(out.Jobs, row), at, out.Jobs.Value("job.recorded_priority", row)); got != running[id] {
					t.Fatalf("running job %s is %s, was %s", id, got, running[id])
				}
				continue
			}
			number, _ := strconv.ParseInt(strings.FieldsFunc(id, func(c rune) bool { return c < '0' || c > '9' })[0], 10, 64)
			if number <= last || number < 100 || number < int64(100+s.Jobs.Rows) {
				t.Fatalf("job %s after %d, of %d", id, last, s.Jobs.Rows)
			}
			last = number
			if array := out.Jobs.Value("job.array_job_id", row); array.Known() && array.Int != number {
				t.Fatalf("job %s of array %d", id, array.Int)
			}
			if !models[model(out.Jobs, row)] {
				t.Fatalf("job %s is like none: %s", id, model(out.Jobs, row))
			}
			if out.Jobs.Value("job.recorded_priority", row).
				Known() || len(out.Jobs.Value("job.recorded_partition_priorities", row).List) > 0 {
				t.Fatalf("job %s has a priority that was computed for another", id)
			}
			if at.Known() && (at.Int < slices.Min(times) || at.Int > now ||
				out.Jobs.Value("job.eligible_time", row).Int != min(at.Int+5, now)) {
				t.Fatalf("job %s submitted at %d", id, at.Int)
			}
			for _, on := range strings.FieldsFunc(out.Jobs.Value("job.dependency", row).Str,
				func(c rune) bool { return c < '0' || c > '9' }) {
				if n, _ := strconv.ParseInt(on, 10, 64); n >= number {
					t.Fatalf("job %s waits for %s", id, on)
				}
			}
		}
		if o.Jobs >= waiting+len(running) && active != len(running) {
			t.Fatalf("%d of %d jobs still run", active, len(running))
		}
		if out.Sprio.Rows != active {
			t.Fatalf("sprio has %d rows for %d running jobs", out.Sprio.Rows, active)
		}
	})
	if made < 100 && !t.Failed() {
		t.Errorf("only %d jobs were made: the generator has gone blind", made)
	}
}

// TestLike: a long queue has each user's share of jobs and the median times of the given one.
func TestLike(t *testing.T) {
	b := column.NewBuilder("job")
	for i := range 100 {
		b.Row()
		b.String("job.id", fmt.Sprint(i))
		b.String("job.state", "pending")
		b.String("job.user", map[bool]string{true: "amy", false: "bob"}[i%4 == 0])
		b.Time("job.submit_time", int64(now-i*i))
	}
	s := &snapshot.Snapshot{Now: now, Jobs: b.Table()}
	out, err := synth.Queue(s, synth.Options{Jobs: 20_000, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	amy, times := 0, []int64{}
	for row := range out.Jobs.Rows {
		if out.Jobs.Value("job.user", row).Str == "amy" {
			amy++
		}
		times = append(times, out.Jobs.Value("job.submit_time", row).Int)
	}
	slices.Sort(times)
	if amy < 4700 || amy > 5300 {
		t.Errorf("amy has %d of 20000 jobs instead of a quarter", amy)
	}
	if median := now - times[len(times)/2]; median < 45*45 || median > 55*55 {
		t.Errorf("half of the jobs wait %d s, of the given queue 2500", median)
	}
	if len(slices.Compact(times)) < 2000 {
		t.Errorf("20000 jobs were submitted at %d times", len(slices.Compact(times)))
	}
}

// TestBurst: jobs that came all at once stay most of the queue at that time, and what happened to them has happened.
func TestBurst(t *testing.T) {
	b := column.NewBuilder("job")
	for i := range 10 {
		at := int64(now - 90_000)
		if i == 9 {
			at = now - 10
		}
		b.Row()
		b.String("job.id", fmt.Sprint(100+i))
		b.Time("job.submit_time", at)
		b.Time("job.last_evaluation_time", now-1)
		b.Time("job.begin_time", now+50)
	}
	out, err := synth.Queue(&snapshot.Snapshot{Now: now, Jobs: b.Table()}, synth.Options{Jobs: 10_000, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	first := 0
	for row := range out.Jobs.Rows {
		at := out.Jobs.Value("job.submit_time", row).Int
		if at == now-90_000 {
			first++
		}
		if evaluated := out.Jobs.Value("job.last_evaluation_time", row).Int; at > now || evaluated > now ||
			out.Jobs.Value("job.begin_time", row).Int <= now {
			t.Fatalf("a job submitted %d s ago was looked at %d s ago", now-at, now-evaluated)
		}
	}
	if first < 7800 || first > 8200 { // 8 of 10; the seed is fixed
		t.Errorf("%d of 10000 came with the burst", first)
	}
}

func TestRefused(t *testing.T) {
	b := column.NewBuilder("job")
	b.Row()
	b.String("job.id", "1")
	b.String("job.state", "running")
	for want, s := range map[string]*snapshot.Snapshot{"no list of jobs": {},
		"every job of the snapshot runs": {Jobs: b.Table()}} {
		if _, err := synth.Queue(s, synth.Options{Jobs: 5}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

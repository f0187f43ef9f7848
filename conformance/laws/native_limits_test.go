package laws

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/explain"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestNativeLimits: under the limits of a policy from scratch, soft and hard, on a machine with room for all, a plan
// starts each job at the second that trying one after the other finds. Explain says of a blocked job when its limit
// passes, which of a job that waits alone is its start.
func TestNativeLimits(t *testing.T) {
	late, never, soft := 0, 0, 0
	draws.Check(t, func(t *rapid.T) {
		q := drawLimited(t)
		out := compile(t, compiler.Input{}, q.policy())
		files := fstest.MapFS{"q.json": {Data: []byte(q.snapshot())}}
		s, diags, err := snapshot.Read(files, []string{"q.json"}, snapshot.Options{})
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		r, err := engine.Run(out.Program, s, evaluation.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := engine.Plan(r, planning.Options{Procs: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		starts := q.plan()
		waiting := 0
		for i := range plan.Placements {
			at, row := &plan.Placements[i], int(plan.Requests[i].Row)
			if at.By == backfill.ByRunning {
				continue
			}
			waiting++
			got := at.Start
			if at.By == backfill.ByNone {
				got = 0
				never++
			} else if got > q.now {
				late++
			}
			if got != starts[row] {
				t.Fatalf("job %d starts at %d, tried one by one %d\n%s", row, got, starts[row], q)
			}
		}
		for row := range q.jobs {
			if r.Why[int32(row)] == nil {
				continue
			}
			if l := r.Why[int32(row)].Limit; l != nil && l.Bound.String() == "soft" {
				soft++
			}
			var b bytes.Buffer
			if err := explain.WriteExplainJSON(&b, r, row, nil, eval.Options{}); err != nil {
				t.Fatal(err)
			}
			var said struct {
				Blocks []struct {
					Why      struct{ Limit string }
					PassesBy int64 `json:"passes_by"`
				}
			}
			if err := json.Unmarshal(b.Bytes(), &said); err != nil {
				t.Fatal(err)
			}
			for _, block := range said.Blocks {
				for k := range q.limits {
					if want := q.passes(k, row); q.limits[k].name == block.Why.Limit && block.PassesBy != want {
						t.Fatalf("limit %s lets job %d pass by %d, tried one by one %d\n%s",
							block.Why.Limit, row, block.PassesBy, want, q)
					}
				}
				if len(q.limits) == 1 && waiting == 1 && block.PassesBy != starts[row] {
					t.Fatalf("job %d passes by %d and starts at %d\n%s", row, block.PassesBy, starts[row], q)
				}
			}
		}
	})
	if late == 0 || never == 0 || soft == 0 {
		t.Errorf("%d jobs start late, %d never and %d are over a soft limit", late, never, soft)
	}
}

// limited is a queue under limits, and the slow way to plan it.
type limited struct {
	now    int64
	limits []plainLimit
	jobs   []plainJob // the running ones first, then the waiting ones in the order of their priority
}

type plainLimit struct {
	name, counts string
	hard, soft   int64 // 0: none
}

type plainJob struct {
	user           string
	procs, seconds int64
	start          int64 // of running jobs
}

func drawLimited(t *rapid.T) *limited {
	q := &limited{now: 1_700_000_000}
	kinds := rapid.SampledFrom([]string{"jobs", "procs", "proc_seconds", "walltime"})
	for _, counts := range rapid.SliceOfNDistinct(kinds, 1, 2, rapid.ID[string]).Draw(t, "counts") {
		l := plainLimit{name: "most_" + counts, counts: counts}
		scale := map[string]int64{"jobs": 1, "procs": 4, "proc_seconds": 120, "walltime": 40}[counts]
		l.hard = scale * rapid.Int64Range(0, 3).Draw(t, "hard")
		l.soft = scale * rapid.Int64Range(0, 3).Draw(t, "soft")
		if l.hard == 0 && l.soft == 0 {
			l.soft = scale
		}
		q.limits = append(q.limits, l)
	}
	for range rapid.IntRange(0, 4).Draw(t, "running") {
		j := drawPlainJob(t)
		j.start = q.now - rapid.Int64Range(0, j.seconds-1).Draw(t, "ran")
		q.jobs = append(q.jobs, j)
	}
	for range rapid.IntRange(1, 4).Draw(t, "waiting") {
		q.jobs = append(q.jobs, drawPlainJob(t))
	}
	return q
}

func drawPlainJob(t *rapid.T) plainJob {
	return plainJob{
		user:    rapid.SampledFrom([]string{"ana", "ana", "bo"}).Draw(t, "user"),
		procs:   rapid.Int64Range(1, 5).Draw(t, "procs"),
		seconds: rapid.Int64Range(1, 30).Draw(t, "seconds"),
	}
}

func (q *limited) String() string { return q.policy() + q.snapshot() }

func (q *limited) policy() string {
	var b strings.Builder
	b.WriteString("policy \"p\" {\n  component \"age\" {\n    term \"t\" { factor = \"job.queue_seconds\" }\n  }\n")
	b.WriteString("  user \"DEFAULT\" {\n")
	for _, l := range q.limits {
		fmt.Fprintf(&b, "    limit %q {\n      count = %q\n", l.name, l.counts)
		if l.hard > 0 {
			fmt.Fprintf(&b, "      hard = %d\n", l.hard)
		}
		if l.soft > 0 {
			fmt.Fprintf(&b, "      soft = %d\n", l.soft)
		}
		b.WriteString("    }\n")
	}
	return b.String() + "  }\n}\n"
}

func (q *limited) snapshot() string {
	var jobs []string
	for i, j := range q.jobs {
		state := `"pending"`
		if j.start > 0 {
			state = fmt.Sprintf(`"running", "start_time": %d`, j.start)
		}
		jobs = append(jobs, fmt.Sprintf(
			`  {"id": "%d", "user": %q, "procs": %d, "walltime_seconds": %d, "submit_time": %d, "state": %s}`,
			i, j.user, j.procs, j.seconds, q.now-1000+int64(i), state))
	}
	return fmt.Sprintf("{\"format_version\": 1, \"now\": %d, \"jobs\": [\n%s\n]}\n", q.now, strings.Join(jobs, ",\n"))
}

// placed is a job with its time.
type placed struct {
	plainJob
	from, to int64
}

// has is what a job has of a limit at a moment.
func (l *plainLimit) has(p placed, at int64) int64 {
	switch {
	case at < p.from || at >= p.to:
		return 0
	case l.counts == "procs":
		return p.procs
	case l.counts == "proc_seconds":
		return p.procs * (p.to - at)
	case l.counts == "walltime":
		return p.to - at
	}
	return 1
}

// allows: all that the job's user has at each moment of its run is within the limit; of its two numbers the tighter one
// counts.
func (l *plainLimit) allows(others []placed, p placed) bool {
	for at := p.from; at < p.to; at++ {
		sum := l.has(p, at)
		for _, other := range others {
			if other.user == p.user {
				sum += l.has(other, at)
			}
		}
		if l.hard > 0 && sum > l.hard || l.soft > 0 && sum > l.soft {
			return false
		}
	}
	return true
}

func (q *limited) running() (list []placed) {
	for _, j := range q.jobs {
		if j.start > 0 {
			list = append(list, placed{j, j.start, j.start + j.seconds})
		}
	}
	return list
}

// plan starts in order what may start now, and then the others in order as soon as each may; 0 is never.
func (q *limited) plan() []int64 {
	starts, list := make([]int64, len(q.jobs)), q.running()
	try := func(i int, at int64) bool {
		p := placed{q.jobs[i], at, at + q.jobs[i].seconds}
		for k := range q.limits {
			if !q.limits[k].allows(list, p) {
				return false
			}
		}
		starts[i], list = at, append(list, p)
		return true
	}
	for i := range q.jobs {
		if q.jobs[i].start == 0 {
			try(i, q.now)
		}
	}
	for i := range q.jobs {
		for at := q.now; q.jobs[i].start == 0 && starts[i] == 0 && at < q.now+300; at++ {
			try(i, at)
		}
	}
	return starts
}

// passes is when a limit lets a job run if no other starts; 0 is never.
func (q *limited) passes(limit, job int) int64 {
	for at := q.now; at < q.now+300; at++ {
		if q.limits[limit].allows(q.running(), placed{q.jobs[job], at, at + q.jobs[job].seconds}) {
			return at
		}
	}
	return 0
}

package limit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
)

// twin says what a gate must say, the slow way: it keeps lists of jobs, adds up their use
// whenever it is asked, and compares names.
type twin struct {
	limits []program.Limit
	jobs   []testJob
	maui   bool
	now    int64
	in     map[string][]int // per phase: jobs counted, once for each time they were added
	when   [][]bool
}

type testJob struct {
	creds map[string]string // user, group, account, partition, qos
	procs, nodes, seconds, start,
	mem int64
	held  int64 // nodes that it has, if hosts are named
	pe    float64
	state string // pending, running, suspended
}

func (j testJob) cred(per []string) (string, bool) {
	var names []string
	for _, o := range per {
		if j.creds[o] == "" {
			return "", false
		}
		names = append(names, j.creds[o])
	}
	return strings.Join(names, "\x00"), true
}

func (w *twin) int(x int64) int64 {
	if w.maui {
		return int64(int32(x))
	}
	return x
}

// amount is what is left of a running job for its owners' limits, and all of it for those on single
// jobs. Maui counts what is suspended like what waits.
func (w *twin) amount(j testJob, counts, phase string) int64 {
	left := j.seconds
	if phase != limit.Job && (j.state == "running" || j.state == "suspended" && !w.maui) {
		left = max(0, left-(w.now-j.start))
	}
	switch counts {
	case "jobs":
		return 1
	case "procs":
		return w.int(j.procs)
	case "nodes":
		if j.held > 0 && !w.maui {
			return j.held
		}
		return w.int(j.nodes)
	case "proc_seconds":
		return w.int(w.int(j.procs) * w.int(left))
	case "processor_equivalents":
		return w.int(int64(j.pe))
	case "walltime":
		return w.int(left)
	}
	return w.int(j.mem)
}

// own is the limit for a job among those of one kind: of those that say most about whom they
// concern, the last.
func (w *twin) own(kind []int, job int) int {
	best, found := -1, -1
	for _, i := range kind {
		l, j := w.limits[i], w.jobs[job]
		says := 0
		if l.Object != "" && !l.Others {
			if j.creds[l.Object] != l.Row {
				continue
			}
			says = 10
		}
		meant := true
		for k, name := range l.Cross {
			per := l.Per
			if l.Object != "" {
				per = per[1:]
			}
			if name != "" {
				says++
				meant = meant && j.creds[per[k]] == name
			}
		}
		if meant && says >= best {
			best, found = says, i
		}
	}
	return found
}

func (w *twin) holds(i, job int) bool {
	return i < 0 || w.limits[i].When == program.NoReg || w.when[i][job]
}

// use adds up what the counted jobs with the same credentials use.
func (w *twin) use(kind []int, phase, name, counts string, per []string) int64 {
	var sum int64
	for _, other := range w.in[phase] {
		if n, ok := w.jobs[other].cred(per); ok && n == name && w.holds(w.own(kind, other), other) {
			sum += w.amount(w.jobs[other], counts, phase)
		}
	}
	return w.int(sum)
}

// row is what limits of one kind have in common, with the limits.
type row struct {
	object, counts string
	per            []string
	atLeast        bool
	byName         bool
	limits         []int
}

// rows lists the kinds of limits of a phase in the order in which they are asked.
func (w *twin) rows(phase string) []row {
	var list []row
	find := func(object, counts, per string, atLeast bool, name string) *row {
		for i := range list {
			r := &list[i]
			if r.object == object && r.counts == counts && strings.Join(r.per, " ") == per && r.atLeast == atLeast &&
				r.byName == (name != "") && (name == "" || w.limits[r.limits[0]].Name == name) {
				return r
			}
		}
		list = append(list, row{object: object, counts: counts, per: strings.Fields(per), atLeast: atLeast,
			byName: name != ""})
		return &list[len(list)-1]
	}
	for i, l := range w.limits {
		switch {
		case l.Phase != phase:
		case l.Override && !l.Existing:
			objects := l.Reach
			if objects == nil && phase == limit.Job {
				objects = []string{""}
			} else if objects == nil {
				objects = []string{"user", "group", "account", "partition", "qos"}
			}
			for _, o := range objects {
				find(o, l.Counts, o, false, "")
			}
		case !l.Override:
			name := ""
			if !w.maui || l.When != program.NoReg {
				name = l.Name
			}
			r := find(l.Object, l.Counts, strings.Join(l.Per, " "), l.AtLeast, name)
			r.limits = append(r.limits, i)
		}
	}
	if !w.maui {
		return list
	}
	var sorted []row
	for _, o := range []string{"user", "group", "account", "partition", "qos", ""} {
		for n := range 4 {
			for _, c := range []string{"jobs", "procs", "nodes", "proc_seconds", "processor_equivalents", "walltime", "memory"} {
				for _, r := range list {
					if r.object == o && len(r.per) == n && r.counts == c {
						sorted = append(sorted, r)
					}
				}
			}
		}
	}
	return sorted
}

func (w *twin) check(phase string, job int, b limit.Bound, skip func(row) bool) (limit.Violation, bool) {
	for _, r := range w.rows(phase) {
		name, ok := w.jobs[job].cred(r.per)
		if !ok || skip != nil && skip(r) {
			continue
		}
		in := w.own(r.limits, job)
		for i, l := range w.limits {
			reaches := l.Reach == nil && (phase == limit.Job) == (r.object == "") || slices.Contains(l.Reach, r.object)
			if l.Override && l.Phase == phase && l.Counts == r.counts && reaches && !r.byName && !r.atLeast &&
				w.jobs[job].creds[l.Object] != "" && (l.Others || w.jobs[job].creds[l.Object] == l.Row) && !(l.Existing && in < 0) {
				in = i
				break
			}
		}
		if in < 0 || !w.holds(in, job) {
			continue
		}
		bound := w.limits[in].Soft
		if b == limit.Hard {
			bound = w.limits[in].Hard
		}
		request, use := w.amount(w.jobs[job], r.counts, phase), w.use(r.limits, phase, name, r.counts, r.per)
		if bound == program.NoLimit || r.atLeast && request >= bound || !r.atLeast && w.int(use+request) <= bound {
			continue
		}
		return limit.Violation{Limit: in, Per: r.per, Value: bound, InUse: use, Request: request, Counts: r.counts,
			Phase: phase,
			Bound: b}, true
	}
	return limit.Violation{}, false
}

// table is the twin's jobs as the gate reads them.
func (w *twin) table() *column.Table {
	b := column.NewBuilder("jobs")
	for _, j := range w.jobs {
		b.Row()
		for _, o := range []string{"user", "group", "account", "partition", "qos"} {
			b.String(schema.ColumnID("job."+o), j.creds[o])
		}
		b.Int("job.procs", j.procs)
		b.Int("job.nodes", j.nodes)
		b.Int("job.mem_mb", j.mem)
		b.Int("job.walltime_seconds", j.seconds)
		b.Double("job.processor_equivalents", j.pe)
		b.String("job.state", j.state)
		b.Declare("job.start_time", schema.Timestamp)
		if j.state != "pending" {
			b.Time("job.start_time", j.start)
		}
		var hosts []string
		for n := range j.held {
			hosts = append(hosts, fmt.Sprint("n", n/2), fmt.Sprint("n", n))
		}
		b.List("job.allocated_hosts", hosts)
	}
	return b.Table()
}

var testObjects = []string{"user", "group", "account", "partition", "qos"}

func drawJob(t *rapid.T, now int64) testJob {
	j := testJob{creds: map[string]string{}}
	for _, o := range testObjects {
		j.creds[o] = rapid.SampledFrom([]string{"a", "b", "c", ""}).Draw(t, o)
	}
	large := rapid.IntRange(0, 9).Draw(t, "large") == 0 // to reach the end of a C int
	j.procs = rapid.Int64Range(0, 8).Draw(t, "procs")
	j.seconds = rapid.Int64Range(0, 100).Draw(t, "seconds")
	if large {
		j.procs, j.seconds = j.procs*100000, j.seconds*100000
	}
	j.nodes, j.mem = rapid.Int64Range(0, 3).Draw(t, "nodes"), rapid.Int64Range(0, 50).Draw(t, "mem")
	j.pe = rapid.Float64Range(0, 9).Draw(t, "pe")
	if j.state = rapid.SampledFrom([]string{"pending", "pending", "running", "running", "suspended"}).
		Draw(t, "state"); j.state != "pending" {
		j.start = now - rapid.Int64Range(0, 120).Draw(t, "elapsed")
		j.held = rapid.Int64Range(1-min(j.nodes, 1), 3).Draw(t, "held")
	}
	return j
}

func drawLimit(t *rapid.T, maui bool) program.Limit {
	l := program.Limit{Name: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "name"), When: program.NoReg,
		Counts: rapid.SampledFrom([]string{"jobs", "jobs", "jobs", "procs", "nodes", "proc_seconds", "processor_equivalents",
			"walltime", "memory"}).Draw(t, "counts"),
		Phase: rapid.SampledFrom([]string{limit.Idle, limit.Active, limit.Active, limit.Job}).Draw(t, "phase")}
	bound := rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Range(0, 60), rapid.Just(program.NoLimit))
	l.Soft, l.Hard = bound.Draw(t, "soft"), bound.Draw(t, "hard")
	if maui && rapid.IntRange(0, 3).Draw(t, "overrides") == 0 {
		l.Override, l.Object, l.Row, l.Per = true, "qos", rapid.SampledFrom([]string{"a", "b"}).
			Draw(t, "row"), []string{"qos"}
		l.Existing = rapid.Bool().Draw(t, "existing")
		if l.Phase != limit.Job && rapid.Bool().Draw(t, "reaches") {
			l.Reach = []string{"user"}
		}
		return l
	}
	if rapid.IntRange(0, 3).Draw(t, "conditional") == 0 {
		l.When = 1
	}
	l.AtLeast = l.Phase == limit.Job && rapid.Bool().Draw(t, "least")
	if rapid.IntRange(0, 4).Draw(t, "whole") == 0 {
		if l.Phase != limit.Job && rapid.Bool().Draw(t, "each") {
			l.Per = []string{rapid.SampledFrom(testObjects).Draw(t, "per")}
		}
		return l
	}
	l.Object = rapid.SampledFrom([]string{"user", "user", "partition", "qos", "group", "account"}).Draw(t, "object")
	l.Row, l.Per = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "row"), []string{l.Object}
	if l.Others = rapid.Bool().Draw(t, "others"); l.Others {
		l.Row = "DEFAULT"
	}
	if other := rapid.SampledFrom([]string{"user", "partition", "partition", "qos"}).
		Draw(t, "other"); l.Phase != limit.Job && other != l.Object && rapid.Bool().Draw(t, "crossed") {
		l.Per = append(l.Per, other)
		if rapid.Bool().Draw(t, "named") {
			l.Cross = []string{rapid.SampledFrom([]string{"a", ""}).Draw(t, "cross")}
		}
	}
	return l
}

// TestGateIsTwin: whatever is counted and asked in whatever order, the gate says what the
// twin says: the same limit, value, use and request.
func TestGateIsTwin(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		w := &twin{now: 1000, maui: rapid.Bool().Draw(t, "maui"), in: map[string][]int{}}
		w.jobs = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) testJob { return drawJob(t, w.now) }), 1, 12).Draw(t, "jobs")
		w.limits = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) program.Limit { return drawLimit(t, w.maui) }), 1, 12).
			Draw(t, "limits")
		bits := make([]column.Bitmap, len(w.limits))
		w.when = make([][]bool, len(w.limits))
		for i := range w.limits {
			w.when[i] = rapid.SliceOfN(rapid.Bool(), len(w.jobs), len(w.jobs)).Draw(t, "when")
			for job, yes := range w.when[i] {
				if yes {
					bits[i].Set(job)
				}
			}
		}
		p := &program.Program{Limits: w.limits}
		if w.maui {
			p.Counting = cInts
		}
		g, diags := limit.New(p, w.table(), limit.Options{Now: w.now, When: bits})
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			job := rapid.IntRange(0, len(w.jobs)-1).Draw(t, "job")
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0, 1:
				g.AddActive(job)
				w.in[limit.Active] = append(w.in[limit.Active], job)
			case 2, 3:
				g.AddIdle(job)
				w.in[limit.Idle] = append(w.in[limit.Idle], job)
			case 4:
				if rapid.Bool().Draw(t, "active") {
					g.ResetActive()
					w.in[limit.Active] = nil
				} else {
					g.ResetIdle()
					w.in[limit.Idle] = nil
				}
			}
			compare(t, g, w, rapid.IntRange(0, len(w.jobs)-1).Draw(t, "asked"))
		}
	})
}

// compare asks both about a job in every phase.
func compare(t *rapid.T, g *limit.Gate, w *twin, job int) {
	loaded := func(r row) bool { return w.maui && (r.object != "" || r.counts == "walltime") }
	for _, b := range []limit.Bound{limit.Soft, limit.Hard} {
		for _, ask := range []struct {
			phase  string
			onLoad bool
			gate   func(int, limit.Bound) (limit.Violation, bool)
			skip   func(row) bool
		}{
			{limit.Active, false, g.CheckActive, nil},
			{limit.Idle, false, g.CheckIdle, nil},
			{limit.Job, false, g.CheckJob, loaded},
			{limit.Job, true, func(job int, _ limit.Bound) (limit.Violation, bool) { return g.CheckLoaded(job) },
				func(r row) bool { return !loaded(r) }},
		} {
			bound := b
			if ask.onLoad {
				bound = limit.Hard // there is no other
			}
			got, gotOK := ask.gate(job, b)
			want, wantOK := w.check(ask.phase, job, bound, ask.skip)
			if g, w := fmt.Sprint(gotOK, got.Limit, got.Per, got.Value, got.InUse, got.Request, got.Counts, got.Phase),
				fmt.Sprint(wantOK, want.Limit, want.Per, want.Value, want.InUse, want.Request, want.Counts, want.Phase); g != w &&
				(gotOK || wantOK) {
				t.Fatalf("%s %s of job %d: gate says %s, twin %s", b, ask.phase, job, g, w)
			}
		}
	}
}

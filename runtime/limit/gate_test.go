package limit_test

import (
	"math"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
)

// cInts is Maui's way of counting.
var cInts = program.Counting{Wraps: true, Asked: true, Suspended: true, SoftFirst: true, OneEach: true, AtLoad: true}

// lines makes a table of waiting jobs of one processor, one line each:
// user group account class qos procs seconds.
func lines(text string) *column.Table {
	b := column.NewBuilder("jobs")
	b.Declare("job.state", schema.String)
	for line := range strings.Lines(strings.TrimSpace(text)) {
		words := strings.Fields(line)
		b.Row()
		for i, o := range []string{"user", "group", "account", "partition", "qos"} {
			b.String(schema.ColumnID("job."+o), strings.Trim(words[i], "-"))
		}
		for i, id := range []schema.ColumnID{"job.procs", "job.walltime_seconds"}[:len(words)-5] {
			n := int64(0)
			for _, digit := range words[5+i] {
				n = 10*n + int64(digit-'0')
			}
			b.Int(id, n)
		}
	}
	return b.Table()
}

func limited(object, name, counts, phase string, soft, hard int64) program.Limit {
	l := program.Limit{Object: object, Row: name, Others: name == "DEFAULT", Counts: counts, Phase: phase, Soft: soft,
		Hard: hard, When: program.NoReg}
	if object != "" {
		l.Per = []string{object}
	}
	return l
}

func overriding(l program.Limit) program.Limit { l.Override = true; return l }

func crossing(l program.Limit, object string, names ...string) program.Limit {
	l.Per, l.Cross = append(l.Per, object), names
	return l
}

const none = program.NoLimit

// TestRules walks through the queue as an eligibility pass does: each job that passes is
// counted. What is wanted is who passes and what stops the others, in Maui's words.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits []program.Limit
		jobs   string
		want   string
	}{
		{"own before others", []program.Limit{limited("user", "DEFAULT", "jobs", limit.Active, 2, 2),
			limited("user", "amy", "jobs", limit.Active, 1, 1)},
			`amy g - c q 1 1
			amy g - c q 1 1
			bob g - c q 1 1
			bob g - c q 1 1
			bob g - c q 1 1`, `passes
			violates active HARD MAXJOB limit of 1 for user amy  (R: 1, U: 1)
			passes
			passes
			violates active HARD MAXJOB limit of 2 for user bob  (R: 1, U: 2)`},
		{"explicitly none", []program.Limit{limited("user", "DEFAULT", "jobs", limit.Active, 0, 0),
			limited("user", "amy", "jobs", limit.Active, none, none)},
			`amy g - c q 1 1
			bob g - c q 1 1`, `passes
			violates active HARD MAXJOB limit of 0 for user bob  (R: 1, U: 0)`},
		{"user before group, jobs before procs",
			[]program.Limit{limited("group", "g", "jobs", limit.Active, 0, 0),
				limited("user", "amy", "procs", limit.Active, 0, 0),
				limited("group", "g", "procs", limit.Active, 0, 0)},
			`amy g - c q 1 1
			bob g - c q 1 1`, `violates active HARD MAXPROC limit of 0 for user amy  (R: 1, U: 0)
			violates active HARD MAXJOB limit of 0 for group g  (R: 1, U: 0)`},
		{"an override reaches every credential, also where nothing was",
			[]program.Limit{overriding(limited("qos", "hi", "jobs", limit.Active, 1, 1))},
			`amy g a1 c lo 1 1
			amy g a1 c hi 1 1
			bob g a1 c hi 1 1
			bob h a1 c hi 1 1
			bob h a2 c hi 1 1
			bob h a2 d lo 1 1
			cat h - d hi 1 1`, `passes
			violates active HARD MAXJOB limit of 1 for user amy  (R: 1, U: 1)
			violates active HARD MAXJOB limit of 1 for group g  (R: 1, U: 1)
			violates active HARD MAXJOB limit of 1 for acct a1  (R: 1, U: 1)
			violates active HARD MAXJOB limit of 1 for class c  (R: 1, U: 1)
			passes
			violates active HARD MAXJOB limit of 1 for group h  (R: 1, U: 1)`},
		{"an override may lift", []program.Limit{overriding(limited("qos", "hi", "jobs", limit.Active, none, none)),
			limited("user", "DEFAULT", "jobs", limit.Active, 0, 0)},
			`amy g - c lo 1 1
			amy g - c hi 1 1`, `violates active HARD MAXJOB limit of 0 for user amy  (R: 1, U: 0)
			passes`},
		{"of what the manual's override replaces, something must be there",
			[]program.Limit{{Object: "qos", Row: "hi", Counts: "procs", Phase: limit.Active, Soft: 2, Hard: 2,
				Override: true, Existing: true, When: program.NoReg}, limited("user", "amy", "procs", limit.Active, 1, 1)},
			`amy g - c hi 2 1
			amy g - c hi 1 1
			bob g - c hi 9 1`, `passes
			violates active HARD MAXPROC limit of 2 for user amy  (R: 1, U: 2)
			passes`},
		{"class and user", []program.Limit{crossing(limited("partition", "c", "procs", limit.Active, 2, 2), "user")},
			`amy g - c q 2 1
			amy g - d q 2 1
			bob g - c q 1 1
			amy g - c q 1 1`, `passes
			passes
			passes
			violates active HARD MAXPROC limit of 2 for class c user (R: 1, U: 2)`},
		{"a pair of names before one",
			[]program.Limit{crossing(limited("partition", "c", "jobs", limit.Active, 1, 1), "user", "amy"),
				crossing(limited("partition", "c", "jobs", limit.Active, 0, 0), "user"),
				crossing(limited("partition", "DEFAULT", "jobs", limit.Active, 2, 2), "user", "bob")},
			`amy g - c q 1 1
			bob g - c q 1 1
			bob g - d q 1 1
			cat g - d q 1 1`, `passes
			violates active HARD MAXJOB limit of 0 for class c user (R: 1, U: 0)
			passes
			passes`},
		{"no credential, no limit", []program.Limit{limited("account", "DEFAULT", "jobs", limit.Active, 0, 0)},
			`amy g - c q 1 1
			amy g a c q 1 1`, `passes
			violates active HARD MAXJOB limit of 0 for acct a  (R: 1, U: 0)`},
		{"procs times seconds", []program.Limit{limited("user", "DEFAULT", "proc_seconds", limit.Active, 72000, 98696)},
			`amy g - c q 2 34948
			amy g - c q 8 3600
			amy g - c q 1 1`, `passes
			passes
			violates active HARD MAXPS limit of 98696 for user amy  (R: 1, U: 98696)`},
		{"what does not fit a C int wraps", []program.Limit{limited("user", "DEFAULT", "proc_seconds", limit.Active, 5, 5)},
			`amy g - c q 65536 65536
			amy g - c q 32768 65536
			amy g - c q 1 6`, `passes
			passes
			passes`},
		{"everybody", []program.Limit{limited("", "", "jobs", limit.Active, 1, 1)},
			`amy g - c q 1 1
			bob h - d r 1 1`, `passes
			violates active HARD MAXJOB limit of 1 for par ALL  (R: 1, U: 1)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			jobs := lines(c.jobs)
			g, diags := limit.New(&program.Program{Counting: cInts, Limits: c.limits}, jobs, limit.Options{})
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			job := 0
			for want := range strings.Lines(c.want) {
				want = strings.TrimSpace(want)
				got := "passes"
				if v, no := g.CheckActive(job, limit.Hard); no {
					got = maui.LimitText(&v, "ALL")
				} else {
					g.AddActive(job)
				}
				if got != want {
					t.Errorf("job %d: %s, want %s", job, got, want)
				}
				job++
			}
		})
	}
}

// TestPhases: what is checked on loading, of the job alone, and of waiting and submitted jobs.
func TestPhases(t *testing.T) {
	atLeast := limited("user", "DEFAULT", "procs", limit.Job, 2, 2)
	atLeast.AtLeast = true
	p := &program.Program{Counting: cInts, Limits: []program.Limit{
		limited("", "", "procs", limit.Job, 4, 4), limited("", "", "walltime", limit.Job, 100, 100),
		limited("partition", "c", "walltime", limit.Job, 50, 50), atLeast,
		limited("user", "DEFAULT", "jobs", limit.Idle, 1, 2), limited("user", "DEFAULT", "jobs", limit.Submit, 1, 1)}}
	g, _ := limit.New(p, lines("amy g - c q 5 60\namy g - d q 1 200\namy g - d q 2 20"), limit.Options{})
	text := func(v limit.Violation, no bool, how func(*limit.Violation) string) string {
		if !no {
			return "passes"
		}
		return how(&v)
	}
	check := func(what string, v limit.Violation, no bool, how func(*limit.Violation) string, want string) {
		if got := text(v, no, how); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	par := func(v *limit.Violation) string { return maui.LimitText(v, "DEFAULT") }
	v, no := g.CheckJob(0, limit.Soft)
	check("size", v, no, par, "violates system SOFT MAXPROC limit of 4 for par DEFAULT  (R: 5, U: 0)")
	v, no = g.CheckLoaded(0)
	check("loaded", v, no, maui.LoadText, "wclimit too high (60 > 50)")
	v, no = g.CheckLoaded(1)
	check("least", v, no, maui.LoadText, "procs too low (1 < 2)")
	v, no = g.CheckLoaded(2)
	check("small", v, no, maui.LoadText, "passes")
	g.AddIdle(2)
	v, no = g.CheckIdle(2, limit.Soft)
	check("idle", v, no, par, "violates idle SOFT MAXJOB limit of 1 for user amy  (R: 1, U: 1)")
	v, no = g.CheckIdle(2, limit.Hard)
	check("idle, hard", v, no, par, "passes")
	g.AddSubmitted(0)
	v, no = g.CheckSubmitted(1, limit.Hard)
	check("submitted", v, no, par, "violates submit HARD MAXJOB limit of 1 for user amy  (R: 1, U: 1)")
	if n := len(g.Standings(0)); n != 6 {
		t.Errorf("job 0 is under %d limits, not 6", n)
	}
	if list := g.Counters(false); len(list) != 2 || list[0].Names[0] != "amy" || list[0].InUse != 1 {
		t.Errorf("counters: %+v", list)
	}
	g.ResetIdle()
	if list := g.Counters(false); len(list) != 1 || len(g.Counters(true)) != 2 {
		t.Errorf("counters after a reset: %+v", list)
	}
}

// TestScratch: without Maui limits are asked as they stand, by name, and do not wrap.
func TestScratch(t *testing.T) {
	big := limited("user", "amy", "proc_seconds", limit.Active, math.MaxInt32, math.MaxInt32)
	big.Name, big.Reason = "big", "too much"
	few := limited("user", "DEFAULT", "jobs", limit.Active, 1, 1)
	few.Name = "few"
	own := limited("user", "amy", "jobs", limit.Active, 3, 3)
	own.Name = "own"
	g, _ := limit.New(&program.Program{Limits: []program.Limit{big, few, own}},
		lines("amy g - c q 65536 65536\namy g - c q 1 1"), limit.Options{})
	if v, no := g.CheckActive(0, limit.Soft); !no || v.Limit != 0 || v.Request != 1<<32 {
		t.Errorf("%v %+v", no, v)
	}
	g.AddActive(1)
	if v, no := g.CheckActive(1, limit.Soft); !no || v.Limit != 1 { // few is for amy too: her limit has another name
		t.Errorf("%v %+v", no, v)
	}
	if g.ResetActive(); len(g.Counters(false)) != 0 {
		t.Error("something is left")
	}
}

// TestUnknownAmounts proves that the finding is reported for what jobs do not state.
func TestUnknownAmounts(t *testing.T) {
	for _, counts := range []string{"nodes", "walltime", "processor_equivalents", "proc_seconds", "memory"} {
		b := column.NewBuilder("jobs")
		b.Row()
		b.String("job.user", "amy")
		b.Int("job.procs", 1)
		_, diags := limit.New(&program.Program{Limits: []program.Limit{limited("user", "amy", counts, limit.Active, 1, 1)}},
			b.Table(),
			limit.Options{})
		if len(diags) != 1 || diags[0].Code != "limit-amount-unknown" || len(diags[0].Notes) == 0 {
			t.Errorf("%s: %v", counts, diags)
		}
	}
	b := column.NewBuilder("jobs")
	for _, job := range []struct {
		state string
		nodes int64
		hosts []string
	}{{"running", 0, nil}, {"running", 0, []string{"n1", "n2", "n1"}}, {"running", 1, nil}, {"pending", 0, nil}} {
		b.Row()
		b.String("job.user", "amy")
		b.String("job.state", job.state)
		b.Int("job.nodes", job.nodes)
		b.List("job.allocated_hosts", job.hosts)
	}
	g, diags := limit.New(&program.Program{Limits: []program.Limit{limited("user", "amy", "nodes", limit.Active, 9, 9)}},
		b.Table(),
		limit.Options{})
	if len(diags) != 1 || !strings.HasPrefix(diags[0].Message, "1 of 4 jobs do not state job.nodes") {
		t.Errorf("of the jobs that run on nodes of their own one says how many neither way: %v", diags)
	}
	for job := range 3 {
		g.AddActive(job)
	}
	if c := g.Counters(false); len(c) != 1 || c[0].InUse != 3 {
		t.Errorf("two hosts and a node are counted as %+v", c)
	}
	if len(pages.In("limits")) != 3 { // the others are in TestSlurmFindings
		t.Error("a code is not tested")
	}
	nothing := []program.Limit{limited("user", "bob", "walltime", limit.Active, 1, 1),
		limited("user", "amy", "nodes", limit.Active, none, none),
		overriding(limited("qos", "hi", "processor_equivalents", limit.Active, 1, 1))}
	if _, diags := limit.New(&program.Program{Counting: cInts, Limits: nothing}, lines("amy g - c q 1"),
		limit.Options{}); len(diags) > 0 {
		t.Error("nobody is bounded by what is not known:", diags)
	}
	_, diags = limit.New(&program.Program{Limits: []program.Limit{limited("user", "amy", "gres/tape", limit.Active, 1, 1),
		limited("user", "amy", "gpus", limit.Active, 1, 1)}},
		lines("amy g - c q 1 1"), limit.Options{})
	if len(diags) > 0 {
		t.Error("absence of a resource is zero:", diags)
	}
}

// TestStandingWraps: what is reported to be violated is what the gate finds, also beyond Maui's C int.
func TestStandingWraps(t *testing.T) {
	p := &program.Program{Counting: cInts,
		Limits: []program.Limit{limited("user", "amy", "proc_seconds", limit.Active, 100, 100)}}
	g, _ := limit.New(p, lines("amy g - c q 65536 32767\namy g - c q 65536 1"), limit.Options{})
	g.AddActive(0)
	_, over := g.CheckActive(1, limit.Hard)
	st := g.Standings(1)
	if len(st) != 1 || over || st[0].Violates(limit.Hard) {
		t.Errorf("the gate says %t, the standing %+v", over, st)
	}
}

// TestWholeTime: limits on single jobs look at the time that a job asks for, also when it runs.
func TestWholeTime(t *testing.T) {
	b := column.NewBuilder("jobs")
	b.Row()
	b.String("job.user", "amy")
	b.String("job.state", "running")
	b.Int("job.procs", 2)
	b.Int("job.walltime_seconds", 100)
	b.Time("job.start_time", 60)
	p := &program.Program{Counting: cInts,
		Limits: []program.Limit{limited("user", "amy", "walltime", limit.Job, 99, 99),
			limited("", "", "proc_seconds", limit.Job, 199, 199),
			limited("user", "amy", "walltime", limit.Active, 59, 59)}}
	g, _ := limit.New(p, b.Table(), limit.Options{Now: 100})
	if v, over := g.CheckLoaded(0); !over || v.Request != 100 {
		t.Errorf("when it is loaded it asks for %+v (%t)", v, over)
	}
	if v, over := g.CheckJob(0, limit.Hard); !over || v.Request != 200 {
		t.Errorf("the system sees %+v (%t)", v, over)
	}
	if v, over := g.CheckActive(0, limit.Hard); !over || v.Request != 60 {
		t.Errorf("its user has %+v (%t) left", v, over)
	}
}

package engine_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

const now = 1_700_000_000

// policyOf compiles a maui.cfg, or a policy file if the text has a policy block.
func policyOf(t *testing.T, text string, deviations ...string) *program.Program {
	t.Helper()
	in := compiler.Input{Lang: lower.Maui, Files: []*source.File{source.NewFile("maui.cfg", []byte(text))},
		Options: lower.Options{Deviations: deviations}}
	if strings.Contains(text, `policy "`) {
		in.Lang, in.Files = lower.HCL, []*source.File{source.NewFile("site.fairway.hcl", []byte(text))}
	}
	out := compiler.Compile(in)
	if out.Diags.HasErrors() {
		t.Fatal(out.Diags[0].Message)
	}
	return out.Program
}

// queueOf is a snapshot of jobs that differ from a plain one, which waits for an hour, in what each
// text says.
func queueOf(t *testing.T, at int64, jobs ...string) *snapshot.Snapshot {
	t.Helper()
	for i, job := range jobs {
		plain := map[string]string{"id": fmt.Sprintf(`"%d"`, i+1), "user": `"amy"`, "partition": `"batch"`,
			"state": `"pending"`, "submit_time": fmt.Sprint(now - 3600),
			"walltime_seconds": "3600", "procs": "1", "tasks": "1", "procs_per_task": "1", "nodes": "0"}
		fields := []string{job}
		for name, value := range plain {
			if !strings.Contains(job, `"`+name+`":`) {
				fields = append(fields, fmt.Sprintf("%q:%s", name, value))
			}
		}
		jobs[i] = "{" + strings.Trim(strings.Join(fields, ","), ",") + "}"
	}
	text := fmt.Sprintf(`{"format_version":1,"now":%d,"nodes":[{"id":"n1","procs":8,"up":true},{"id":"n2","procs":8,"up":false}],"jobs":[%s]}`, at, strings.Join(jobs, ",\n"))
	s, diags, err := snapshot.Read(fstest.MapFS{"queue.json": {Data: []byte(text)}}, []string{"queue.json"},
		snapshot.Options{})
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	return s
}

func run(t *testing.T, p *program.Program, s *snapshot.Snapshot, o evaluation.Options) *evaluation.Result {
	t.Helper()
	r, err := engine.Run(p, s, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Findings.HasErrors() {
		t.Fatal(r.Findings[0].Message)
	}
	return r
}

// TestResets: what makes a job's queue time begin anew, by accrual policy.
func TestResets(t *testing.T) {
	for _, c := range []struct {
		what, config, job string
		state             evaluation.State
		kind, reason      string
		queue, full       bool // QUEUEPOLICY resets, FULLPOLICY resets
	}{
		{"nothing", "", "", evaluation.Eligible, "", "", false, false},
		{"a hold", "", `"held":true`, evaluation.Held, evaluation.BlockHold,
			"has non-idle expected state (expected state: Hold)", false, true},
		{"a user's hold", "", `"held":true,"state_word":"UserHold"`, evaluation.Held, evaluation.BlockHold,
			"has the following hold(s) in place:  User", false, true},
		{"a dependency", "", `"dependency":"afterok:9"`, evaluation.Blocked, evaluation.BlockDependency, "Dependency", false,
			true},
		{"a begin time", "", fmt.Sprintf(`"begin_time":%d`, now+93784), evaluation.Blocked, evaluation.BlockBegin,
			"has not reached its start date (1:02:03:04 to startdate)", false, false},
		{"a begin time today", "", fmt.Sprintf(`"begin_time":%d`, now+7384), evaluation.Blocked, evaluation.BlockBegin,
			"has not reached its start date (2:03:04 to startdate)", false, false},
		{"its size", "", `"procs":9,"tasks":9`, evaluation.Blocked, evaluation.BlockResources,
			"has the following hold(s) in place:  Defer", false, false},
		{"its class", "CLASSCFG[batch] MAX.WCLIMIT=1:00", "", evaluation.Eligible, "", "", false, false},
		{"a shorter class", "CLASSCFG[batch] MAX.WCLIMIT=0:59", "", evaluation.Blocked, evaluation.BlockSize,
			"has the following hold(s) in place:  Batch", false, true},
		{"a negative priority", "REJECTNEGPRIOJOBS TRUE\nUSERWEIGHT 1\nUSERCFG[amy] PRIORITY=-1000", "", evaluation.Blocked,
			evaluation.BlockPriority, "", false, true},
		// maui.md §9 P11
		{"an enabled one", "REJECTNEGPRIOJOBS TRUE\nENABLENEGJOBPRIORITY TRUE\nUSERWEIGHT 1\nUSERCFG[amy] PRIORITY=-1000", "",
			evaluation.Blocked, evaluation.BlockPriority, "", false, true},
		{"an allowed one", "ENABLENEGJOBPRIORITY TRUE\nUSERWEIGHT 1\nUSERCFG[amy] PRIORITY=-1000", "", evaluation.Eligible,
			"", "", false, false},
		{"a limit", "USERCFG[amy] MAXPROC=3", `"procs":4,"tasks":4`, evaluation.Blocked, evaluation.BlockLimit,
			"violates active SOFT MAXPROC limit of 3 for user amy  (R: 4, U: 0)", true, true},
		{"the system's limit", "SYSTEMMAXPROCPERJOB 3", `"procs":4,"tasks":4`, evaluation.Blocked, evaluation.BlockLimit,
			"violates system SOFT MAXPROC limit of 3 for par DEFAULT  (R: 4, U: 0)", true, true},
		{"an idle limit", "USERCFG[amy] MAXIPROC=3", `"procs":4,"tasks":4`, evaluation.Blocked, evaluation.BlockLimit,
			"is blocked by idle job policy", true, true},
		{"a soft limit", "USERCFG[amy] MAXPROC=3,9", `"procs":4,"tasks":4`, evaluation.Blocked, evaluation.BlockLimit,
			"violates active SOFT MAXPROC limit of 3 for user amy  (R: 4, U: 0)", false, false},
		{"a fairshare cap", "FSPOLICY DEDICATEDPS\nUSERCFG[amy] FSTARGET=100^", "", evaluation.Blocked, evaluation.BlockCap,
			"would violate (null) FS cap in partition DEFAULT", false, true},
	} {
		for policy, reset := range map[string]bool{"ALWAYS": false, "QUEUEPOLICY": c.queue, "FULLPOLICY": c.full} {
			t.Run(c.what+"/"+policy, func(t *testing.T) {
				p := policyOf(t, "JOBPRIOACCRUALPOLICY "+policy+"\n"+c.config+"\n")
				r := run(t, p, queueOf(t, now, c.job), evaluation.Options{})
				if r.State[0] != c.state || r.Reason[0] != c.reason {
					t.Errorf("the job is %s: %q", r.State[0], r.Reason[0])
				}
				if b := r.Why[0]; (b == nil) != (c.kind == "") || b != nil && b.Kind != c.kind {
					t.Errorf("it is blocked by %+v, not by %q", b, c.kind)
				}
				want := int64(now - 3600)
				if reset {
					want = now
				}
				if got := r.Next().Jobs[0].QueueStart; got != want {
					t.Errorf("queue time counts from %d, not %d", got-now, want-now)
				}
				if passed := r.Next().Jobs[0].EligibleSeconds > 0; passed != (c.state == evaluation.Eligible ||
					c.what == "a soft limit") {
					t.Errorf("queue time was renewed: %t", passed)
				}
			})
		}
	}
}

// TestAlso: of several things that stop a job the first gives the reason.
func TestAlso(t *testing.T) {
	p := policyOf(t, "CLASSCFG[batch] MAX.WCLIMIT=0:59\nUSERCFG[amy] MAXPROC=3\n")
	r := run(t, p, queueOf(t, now, `"procs":9,"tasks":9,"held":true,"dependency":"x"`), evaluation.Options{})
	var texts []string
	for _, b := range append([]*evaluation.Block{r.Why[0]}, r.Why[0].Also...) {
		texts = append(texts, b.Text)
	}
	want := []string{"has non-idle expected state (expected state: Hold)", "has the following hold(s) in place:  Batch",
		"has the following hold(s) in place:  Defer", "has non-idle expected state (expected state: Deferred)", "Dependency",
		"violates active SOFT MAXPROC limit of 3 for user amy  (R: 9, U: 0)"}
	if !slices.Equal(texts, want) {
		t.Errorf("the job is stopped by\n%q, not\n%q", texts, want)
	}
}

// TestResume: what a job's clock takes over from the last iteration, and what resets it whatever
// the accrual policy.
func TestResume(t *testing.T) {
	p := policyOf(t, "JOBPRIOACCRUALPOLICY ALWAYS\n")
	before := func(state string, eligible int64) *checkpoint.Checkpoint {
		return &checkpoint.Checkpoint{Family: "maui", Time: now - 60, Jobs: []checkpoint.Job{
			{ID: "1", SubmitTime: now - 3600, FirstSeen: now - 3000, State: state, QueueStart: now - 1200,
				EligibleSeconds: eligible, Bypass: 3}}}
	}
	for _, c := range []struct {
		what          string
		previous      *checkpoint.Checkpoint
		job           string
		since, start  int64 // seconds ago
		bypass, first int64
	}{
		{"a first iteration", nil, "", 3600, 3600, 0, 0},
		{"never eligible", before("pending", 0), "", 1200, 1200, 3, 3000},
		{"eligible once", before("pending", 600), "", 600, 1200, 3, 3000},
		{"requeued", before("running", 600), "", 600, 0, 3, 3000},
		{"released", before("held", 0), "", 0, 0, 3, 3000},
		{"still held", before("held", 0), `"held":true`, 1200, 1200, 3, 3000},
		{"another job of that id", before("pending", 600), fmt.Sprintf(`"submit_time":%d`, now-30), 30, 30, 0, 0},
		{"the snapshot knows", before("pending", 600), `"bypass_count":7`, 600, 1200, 7, 3000},
	} {
		r := run(t, p, queueOf(t, now, c.job), evaluation.Options{Previous: c.previous})
		next := r.Next().Jobs[0]
		if got := now - r.Jobs.Value("job.queue_start_time", 0).Int; got != c.since {
			t.Errorf("%s: it has waited %d s, not %d", c.what, got, c.since)
		}
		if now-next.QueueStart != c.start || next.Bypass != c.bypass || now-next.FirstSeen != c.first {
			t.Errorf("%s: next is %+v", c.what, next)
		}
	}
}

// TestEtime: under PBS queue time counts from when the server found the job eligible.
func TestEtime(t *testing.T) {
	p := policyOf(t, "")
	s := queueOf(t, now, fmt.Sprintf(`"eligible_time":%d`, now-60))
	if r := run(t, p, s, evaluation.Options{}); now-r.Jobs.Value("job.queue_start_time", 0).Int != 3600 {
		t.Error("the eligible time of another resource manager counts")
	}
	s.Family = "pbs"
	if r := run(t, p, s, evaluation.Options{}); now-r.Jobs.Value("job.queue_start_time", 0).Int != 60 {
		t.Error("etime does not count")
	}
}

// TestQueueTimeSource: USESYSTEMQUEUETIME, and what the manual says of it.
func TestQueueTimeSource(t *testing.T) {
	state := func(eligible int64) *checkpoint.Checkpoint {
		return &checkpoint.Checkpoint{Family: "maui", Time: now - 60, Jobs: []checkpoint.Job{
			{ID: "1", SubmitTime: now - 3600, FirstSeen: 1, State: "pending", QueueStart: now - 1200,
				EligibleSeconds: eligible}}}
	}
	for _, c := range []struct {
		config         string
		manual         bool
		never, already int64 // seconds that it has waited: never eligible, eligible for 600 s
	}{
		{"", false, 1200, 600},
		{"USESYSTEMQUEUETIME TRUE", false, 1200, 600},
		{"USESYSTEMQUEUETIME FALSE", false, 3600, 600},
		{"", true, 3600, 3600},
		{"USESYSTEMQUEUETIME TRUE", true, 1200, 600},
		{"USESYSTEMQUEUETIME FALSE", true, 3600, 3600},
	} {
		var deviations []string
		if c.manual {
			deviations = []string{"queue_time_source"}
		}
		p := policyOf(t, c.config+"\n", deviations...)
		for eligible, want := range map[int64]int64{0: c.never, 600: c.already} {
			r := run(t, p, queueOf(t, now, ""), evaluation.Options{Previous: state(eligible)})
			if got := now - r.Jobs.Value("job.queue_start_time", 0).Int; got != want {
				t.Errorf("%q, manual %t, eligible %d: it has waited %d s, not %d", c.config, c.manual, eligible, got, want)
			}
		}
	}
}

// TestRunPriority: the caps of Maui are at the wrong places.
func TestRunPriority(t *testing.T) {
	running := fmt.Sprintf(`"state":"running","start_time":%d,"procs":2,"tasks":2`, now-600)
	const weights = "QUEUETIMEWEIGHT 0\nUSERWEIGHT 1\nUSERCFG[amy] PRIORITY=7\nUSAGEWEIGHT 2\nCONSUMEDWEIGHT " +
		"3\nREMAININGWEIGHT 1\nPERCENTWEIGHT 10\n"
	const consumed, remaining, percent = 2 * 600, 2 * 3000, 600 * 100 / 3000
	for config, want := range map[string]float64{
		"":                    7 + 2*(3*consumed+remaining+10*percent),
		"CONSUMEDCAP 100":     7 + 2*(3*consumed+remaining+10*percent),
		"REMAININGCAP 100":    7 + 2*(3*100+remaining+10*percent),
		"PERCENTCAP 1":        7 + 2*(3*consumed+remaining+10*percent),
		"USAGECAP 500":        7 + 2*500,
		"CONSUMEDWEIGHT 0":    7 + 2*(remaining+10*percent),
		"USAGEWEIGHT 0":       7,
		"EXECUTIONTIMECAP 1":  7 + 2*(3*consumed+remaining+10*percent),
		"USERCFG[x] MAXJOB=1": 7 + 2*(3*consumed+remaining+10*percent),
	} {
		r := run(t, policyOf(t, weights+config+"\n"), queueOf(t, now, running, "", `"state":"running"`),
			evaluation.Options{Started: []string{"2"}})
		if got := r.RunPriority[0]; got != want {
			t.Errorf("%s: the run priority is %v, not %v", config, got, want)
		}
		if got := r.RunPriority[1]; config == "" && got != 7+2*3600 {
			t.Errorf("a job that starts now has %v", got)
		}
		if !math.IsNaN(r.RunPriority[2]) {
			t.Error("a job that runs since nobody knows when has a run priority")
		}
	}
}

// TestBypass: a job that backfill starts overtakes those above it that wait.
func TestBypass(t *testing.T) {
	p := policyOf(t, "USERWEIGHT 1\nQUEUETIMEWEIGHT 0\nBYPASSWEIGHT 1000\nUSERCFG[bob] PRIORITY=10\nUSERCFG[amy] "+
		"PRIORITY=5\n")
	s := func() *snapshot.Snapshot {
		return queueOf(t, now, `"user":"bob"`, "", "", `"user":"bob","held":true`)
	}
	for _, c := range []struct {
		o    evaluation.Options
		want []int64
	}{
		{evaluation.Options{}, []int64{0, 0, 0, 0}},
		{evaluation.Options{Started: []string{"3"}}, []int64{0, 0, 0, 0}},
		{evaluation.Options{Started: []string{"3"}, Backfilled: []string{"3"}}, []int64{1, 1, 0, 0}},
		{evaluation.Options{Backfilled: []string{"3"}}, []int64{1, 1, 0, 0}},
		{evaluation.Options{Started: []string{"2", "3"}, Backfilled: []string{"3"}}, []int64{1, 0, 0, 0}},
	} {
		r := run(t, p, s(), c.o)
		var got []int64
		for _, j := range r.Next().Jobs {
			got = append(got, j.Bypass)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: jobs were overtaken %v times, not %v", c.o, got, c.want)
		}
		if want := 10 + 1000*c.want[0]; r.Stored[0] != want {
			t.Errorf("%+v: bob's priority is %d, not %d", c.o, r.Stored[0], want)
		}
	}
}

// TestBypassOfList: a job that a limit keeps out of backfill's list is not overtaken, although the
// hard walk, which came to it before it came to its user's running job, took it.
func TestBypassOfList(t *testing.T) {
	p := policyOf(t, "USERCFG[bob] MAXJOB=1\n")
	r := run(t, p, queueOf(t, now, fmt.Sprintf(`"user":"bob","submit_time":%d`, now-9000),
		fmt.Sprintf(`"user":"bob","state":"running","start_time":%d`, now-60),
		fmt.Sprintf(`"submit_time":%d`, now-8000), ""), evaluation.Options{Backfilled: []string{"4"}})
	for job, want := range []int64{0, 0, 1, 0} {
		if got := r.Next().Jobs[job].Bypass; got != want {
			t.Errorf("job %d was overtaken %d times, not %d", job+1, got, want)
		}
	}
}

// TestQueueDisplay: the manual's queue shows jobs over an active limit, but not those over an idle one.
func TestQueueDisplay(t *testing.T) {
	const config = "USERCFG[amy] MAXJOB=1 MAXIJOB=2\n"
	jobs := []string{fmt.Sprintf(`"state":"running","start_time":%d`, now-600), fmt.Sprintf(`"submit_time":%d`, now-9000),
		fmt.Sprintf(`"submit_time":%d`, now-8000), ""}
	for name, want := range map[string][]evaluation.State{
		"blocked": {evaluation.Running, evaluation.Blocked, evaluation.Blocked, evaluation.Blocked},
		"shown":   {evaluation.Running, evaluation.Eligible, evaluation.Eligible, evaluation.Blocked},
	} {
		var deviations []string
		if name == "shown" {
			deviations = []string{"queue_display"}
		}
		r := run(t, policyOf(t, config, deviations...), queueOf(t, now, slices.Clone(jobs)...), evaluation.Options{})
		if !slices.Equal(r.State, want) {
			t.Errorf("%s: states are %v, not %v", name, r.State, want)
		}
		if name == "shown" && !slices.Equal(maui.Of(r).Idle, []int32{1, 2}) {
			t.Errorf("shown are %v", maui.Of(r).Idle)
		}
	}
}

func TestOptionErrors(t *testing.T) {
	p := policyOf(t, "")
	s := func() *snapshot.Snapshot { return queueOf(t, now, "", `"state":"running"`) }
	for _, c := range []struct {
		o    evaluation.Options
		want string
	}{
		{evaluation.Options{Started: []string{"9"}}, "job 9 is to start, but the snapshot has no such job"},
		{evaluation.Options{Started: []string{"2"}}, "job 2 is to start, but it is running already"},
		{evaluation.Options{Started: []string{"1", "1"}}, "job 1 is to start, but it is named twice"},
		{evaluation.Options{Backfilled: []string{"9"}}, "job 9 is to start, but the snapshot has no such job"},
		{evaluation.Options{Previous: &checkpoint.Checkpoint{Family: "maui", Time: now + 1}},
			"the state is of 2023-11-14T22:13:21Z, which is after the time to evaluate, 2023-11-14T22:13:20Z"},
		{evaluation.Options{Previous: &checkpoint.Checkpoint{Time: now}},
			"the state is of a policy from scratch, but this is a maui policy"},
	} {
		if _, err := engine.Run(p, s(), c.o); err == nil || err.Error() != c.want {
			t.Errorf("the error is %v, not %s", err, c.want)
		}
	}
}

// TestThrottle: the limits of a policy from scratch.
func TestThrottle(t *testing.T) {
	p := policyOf(t, `policy "site" {
  component "age" {
    weight = 1
    term "minutes" {
      weight = 1
      factor = "job.queue_minutes"
    }
  }
  hold "long" {
    when   = "job.walltime_seconds > 86400"
    reason = "too long"
  }
  limit "jobs" {
    count = "jobs"
    per   = ["user"]
    phase = "active"
    hard  = 2
  }
  limit "idle_jobs" {
    per    = ["account"]
    hard   = 3
    soft   = 1
    reason = "AccountQueue"
  }
  limit "submit_jobs" {
    count = "jobs"
    per   = ["group"]
    phase = "submit"
    hard  = 1
  }
}`)
	s := queueOf(t, now,
		`"state":"running"`,
		`"account":"a"`,
		fmt.Sprintf(`"account":"a","submit_time":%d`, now-7200),
		`"state":"running","user":"bob"`,
		`"state":"running","user":"bob"`,
		`"user":"bob"`,
		`"walltime_seconds":100000`,
		`"group":"g","user":"eve"`,
		fmt.Sprintf(`"group":"g","user":"eve","submit_time":%d`, now-7200),
		`"user":"dan"`, `"user":"dan"`)
	r := run(t, p, s, evaluation.Options{Started: []string{"10"}})
	for job, want := range []string{"running", "blocked AccountQueue", "eligible", "running", "running", "blocked jobs",
		"held too long",
		"blocked submit_jobs", "eligible", "running", "eligible"} {
		if got := strings.TrimSpace(r.State[job].String() + " " + r.Reason[job]); got != want {
			t.Errorf("job %d is %s, not %s", job+1, got, want)
		}
	}
	if b := r.Why[5]; b == nil || b.Limit == nil || b.Limit.Name != "bob" || b.Limit.InUse != 2 {
		t.Errorf("job 6 is blocked by %+v", b)
	}
	if r.Next() == nil || len(r.Next().Jobs) != 11 || r.Next().Family != "" {
		t.Errorf("next is %+v", r.Next())
	}
	if r.Rank[2] != 1 || r.Rank[6] != 0 || r.Rank[0] != 0 {
		t.Errorf("ranks are %v", r.Rank)
	}
}

// TestTies: jobs of equal priority keep the order in which iterations came to know them.
func TestTies(t *testing.T) {
	p := policyOf(t, "QUEUETIMEWEIGHT 0\nUSERWEIGHT 1\nUSERCFG[amy] PRIORITY=5\n")
	previous := &checkpoint.Checkpoint{Family: "maui", Time: now - 60, Jobs: []checkpoint.Job{
		{ID: "2", SubmitTime: now - 3600, FirstSeen: now - 60, State: "pending", QueueStart: now - 3600},
		{ID: "4", SubmitTime: now - 3600, FirstSeen: now - 120, State: "pending", QueueStart: now - 3600}}}
	r := run(t, p, queueOf(t, now, "", "", "", ""), evaluation.Options{Previous: previous})
	if want := []int32{3, 1, 0, 2}; !slices.Equal(maui.Of(r).Idle, want) {
		t.Errorf("they are in the order %v, not %v", maui.Of(r).Idle, want)
	}
}

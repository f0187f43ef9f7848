package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/maui"
)

// TestDependentWalks: a job that waits for another passes the walks: it takes a place among the idle ones,
// and limits reset its queue time, as that of any other; the filters stop it.
func TestDependentWalks(t *testing.T) {
	first, then := fmt.Sprintf(`"dependency":"afterok:9","submit_time":%d`, now-9000), `"user":"amy"`
	r := run(t, policyOf(t, "USERCFG[amy] MAXIJOB=1\n"), queueOf(t, now, first, then), evaluation.Options{})
	if !slices.Equal(r.State, []evaluation.State{evaluation.Blocked, evaluation.Blocked}) ||
		r.Why[0].Kind != evaluation.BlockDependency || r.Why[1].Kind != evaluation.BlockLimit {
		t.Errorf("the jobs are %v: %+v, %+v", r.State, r.Why[0], r.Why[1])
	}
	if r.Next().Jobs[0].EligibleSeconds != 0 {
		t.Error("a dependent job's queue time was renewed")
	}
	for policy, want := range map[string]int64{"ALWAYS": now - 9000, "QUEUEPOLICY": now, "FULLPOLICY": now} {
		p := policyOf(t, "JOBPRIOACCRUALPOLICY "+policy+"\nUSERCFG[amy] MAXPROC=3\n")
		r := run(t, p, queueOf(t, now, first+`,"procs":4,"tasks":4`), evaluation.Options{})
		if got := r.Next().Jobs[0].QueueStart; got != want {
			t.Errorf("%s: over a hard limit its queue time counts from %d, not %d", policy, got-now, want-now)
		}
	}
}

// TestSuspendedWalks: a suspended job uses nothing, takes a place among the idle ones with the whole of
// its time, and is listed with those that run (recorded: b07).
func TestSuspendedWalks(t *testing.T) {
	suspended := fmt.Sprintf(`"state":"suspended","submit_time":%d,"start_time":%d`, now-9000, now-1800)
	for _, c := range []struct {
		config string
		second evaluation.State
	}{
		{"USERCFG[amy] MAXJOB=1", evaluation.Eligible},
		{"USERCFG[amy] MAXIJOB=1", evaluation.Blocked},
		{"USERCFG[amy] MAXIPS=7199", evaluation.Blocked},
		{"USERCFG[amy] MAXIPS=7200", evaluation.Eligible},
	} {
		r := run(t, policyOf(t, c.config+"\n"), queueOf(t, now, suspended, ""), evaluation.Options{})
		if r.State[0] != evaluation.Running || r.State[1] != c.second || r.Why[0] != nil {
			t.Errorf("%s: the jobs are %v", c.config, r.State)
		}
		if slices.Contains(maui.Of(r).Idle, 0) || !slices.Contains(r.Taken[1], 0) {
			t.Errorf("%s: idle are %v, the hard walk took %v", c.config, maui.Of(r).Idle, r.Taken[1])
		}
		if got := r.Next().Jobs[0]; got.EligibleSeconds != 9000 || got.State != "running" {
			t.Errorf("%s: next is %+v", c.config, got)
		}
	}
	r := run(t, policyOf(t, ""), queueOf(t, now, suspended, "", ""), evaluation.Options{Backfilled: []string{"3"}})
	if got := []int64{r.Next().Jobs[0].Bypass, r.Next().Jobs[1].Bypass}; !slices.Equal(got, []int64{0, 1}) {
		t.Errorf("the suspended and the waiting job were overtaken %v times", got)
	}
}

// TestStopOrder: a negative priority is asked before begin time and size, so under FULLPOLICY it resets
// the clock of jobs that those stop as well, and is the reason.
func TestStopOrder(t *testing.T) {
	p := policyOf(t, "JOBPRIOACCRUALPOLICY FULLPOLICY\nREJECTNEGPRIOJOBS TRUE\nUSERWEIGHT 1\nUSERCFG[amy] PRIORITY=-1000\n")
	r := run(t, p, queueOf(t, now, fmt.Sprintf(`"begin_time":%d`, now+60), `"procs":9,"tasks":9`, `"held":true`,
		fmt.Sprintf(`"user":"bob","begin_time":%d`, now+60)), evaluation.Options{})
	for job, want := range []struct{ kind, also string }{
		{evaluation.BlockPriority, evaluation.BlockBegin}, {evaluation.BlockPriority, evaluation.BlockResources},
		{evaluation.BlockHold, evaluation.BlockPriority}, {evaluation.BlockBegin, ""},
	} {
		b := r.Why[job]
		if b.Kind != want.kind || (len(b.Also) > 0) != (want.also != "") || want.also != "" && b.Also[0].Kind != want.also {
			t.Errorf("job %d is stopped by %+v", job+1, b)
		}
		if reset := r.Next().Jobs[job].QueueStart == now; reset != (job < 3) {
			t.Errorf("job %d: its clock was reset: %t", job+1, reset)
		}
	}
}

// TestNegativeOnce: a job whose priority was negative in the hard walk alone, since its clock was reset then,
// is stopped by that, and not by a limit that nobody can name.
func TestNegativeOnce(t *testing.T) {
	p := policyOf(t, "JOBPRIOACCRUALPOLICY FULLPOLICY\nREJECTNEGPRIOJOBS TRUE\nQUEUETIMEWEIGHT -2\n")
	r := run(t, p, queueOf(t, now, ""), evaluation.Options{})
	if b := r.Why[0]; r.State[0] != evaluation.Blocked || b.Kind != evaluation.BlockPriority || b.Limit != nil ||
		r.Stored[0] != 0 {
		t.Errorf("the job is %s by %+v, and its priority is %d", r.State[0], b, r.Stored[0])
	}
}

// TestNoPriority: a job without a priority would pass all limits, as the walks do not come to it; it is blocked.
// One that runs is counted all the same.
func TestNoPriority(t *testing.T) {
	const broken = `policy "p" {
  use = "maui"
  component "c" {
    term "t" { factor = "100 / job.gpus" }
  }
  user "amy" {
    limit "jobs" { hard = 1 }
  }
}`
	jobs := []string{`"gpus":0`, `"gpus":1`, `"gpus":0,"held":true`,
		fmt.Sprintf(`"gpus":0,"state":"running","start_time":%d`, now-60)}
	for name, text := range map[string]string{"maui": broken,
		"scratch": "policy \"p\" {\n" + broken[len("policy \"p\" {\n  use = \"maui\"\n"):]} {
		r := run(t, policyOf(t, text), queueOf(t, now, slices.Clone(jobs)...), evaluation.Options{})
		if !slices.Equal(r.State, []evaluation.State{evaluation.Blocked, evaluation.Blocked, evaluation.Held,
			evaluation.Running}) {
			t.Errorf("%s: the jobs are %v", name, r.State)
		}
		if r.Why[0].Kind != evaluation.BlockFailed || r.Reason[0] == "" || r.Why[1].Kind != evaluation.BlockLimit ||
			r.Why[1].Limit.InUse != 1 {
			t.Errorf("%s: %+v, %+v", name, r.Why[0], r.Why[1])
		}
	}
}

// TestQueueDisplayHard: the manual's queue shows jobs over a hard limit too, within the limits of idle jobs.
func TestQueueDisplayHard(t *testing.T) {
	jobs := []string{fmt.Sprintf(`"state":"running","start_time":%d,"submit_time":%d`, now-600, now-20000)}
	for i := range 4 {
		jobs = append(jobs, fmt.Sprintf(`"submit_time":%d`, now-9000+1000*i))
	}
	for _, c := range []struct {
		config string
		idle   []int32
	}{
		{"USERCFG[amy] MAXJOB=1 MAXIJOB=2", []int32{1, 2}},
		{"USERCFG[amy] MAXJOB=1", []int32{1, 2, 3, 4}},
		{"USERCFG[amy] MAXPS=4000,9000 MAXIJOB=3", []int32{1, 2, 3}},
		{"USERCFG[amy] MAXJOB=1\nGROUPCFG[g] MAXJOB=1", []int32{1, 2, 3, 4}},
	} {
		r := run(t, policyOf(t, c.config+"\n", "queue_display"), queueOf(t, now, slices.Clone(jobs)...), evaluation.Options{})
		if !slices.Equal(maui.Of(r).Idle, c.idle) {
			t.Errorf("%s: shown are %v, not %v", c.config, maui.Of(r).Idle, c.idle)
		}
		for job := 1; job < 5; job++ {
			if r.Why[job] == nil || (r.State[job] == evaluation.Eligible) != slices.Contains(c.idle, int32(job)) {
				t.Errorf("%s: job %d is %s", c.config, job+1, r.State[job])
			}
		}
	}
}

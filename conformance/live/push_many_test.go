//go:build live

package live_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tenth is a policy by which every tenth task goes first.
const tenth = `policy "tenth" {
  component "tenth" {
    weight = 1
    term "tenth" {
      weight = 5000
      factor = "job.array_task_id % 10 == 0 ? 1.0 : 0.0"
    }
  }
}
`

// TestPushMany: ten thousand waiting jobs, of which a tenth changes: how long capture, evaluation and push take.
func TestPushMany(t *testing.T) {
	c := newPushCluster(t, strings.NewReplacer("SchedulerParameters=", "MaxJobCount=20000\nSchedulerParameters="))
	fairway := build(t)
	for range 10 {
		id := c.run("sbatch", "--parsable", "--uid=man", "--account=biology", "-p", "shut", "-n1", "-t60",
			"--output=/dev/null", "--array=1-1000", "--wrap=exec sleep 1")
		c.run("scontrol", "update", "JobId="+id+"_[1-999]", "SiteFactor=0") // gives each task a record of its own
	}
	c.eventually("all jobs have a priority", 90*time.Second, func() error {
		if n := len(c.site()); n != 10000 {
			return fmt.Errorf("sprio lists %d jobs", n)
		}
		return nil
	})
	c.write("tenth.fairway.hcl", tenth, 0o644)

	clock := time.Now()
	timed := func(args ...string) time.Duration {
		t.Helper()
		clock = time.Now()
		r := c.fairway(fairway, args...)
		c.must(r.error())
		return time.Since(clock)
	}
	capture := timed("snapshot", "capture", "--quiet", "--to", "queue")
	accounts := filepath.Join("queue", "policy", "sacctmgr_dump.cfg")
	plan := timed("push", c.conf, accounts, "tenth.fairway.hcl", "-s", "queue", "--to", "slurm", "--out", "plan.json")
	apply := timed("push", "--apply", "plan.json", "--state-dir", "state.d")
	again := timed("push", c.conf, "tenth.fairway.hcl", "--live", "--to", "slurm", "--yes", "--quiet", "--state-dir",
		"state.d")
	t.Logf("10000 waiting jobs, 1000 change: capture %s, evaluation and plan %s, sending and looking what took %s; all "+
		"of it again with nothing to change %s",
		capture.Round(time.Millisecond), plan.Round(time.Millisecond), apply.Round(time.Millisecond),
		again.Round(time.Millisecond))

	changed := 0
	for _, value := range c.site() {
		if value == "5000" {
			changed++
		}
	}
	if changed != 1000 {
		t.Errorf("%d jobs have the site factor that the policy wants, not 1000", changed)
	}
	c.exact(c.plan(), "after push")
	audit, err := os.ReadFile(filepath.Join(c.dir, "state.d", "audit.jsonl"))
	c.must(err)
	if n := strings.Count(string(audit), `"event":"begin"`); n != 1 {
		t.Errorf("%d runs sent something, not 1", n)
	}
}

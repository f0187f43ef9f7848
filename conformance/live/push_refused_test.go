//go:build live

package live_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestPushRefused: slurmctld refuses any change of a job that is larger than its partition. More such jobs of one user
// than a batch has, or a second, keep nobody else from their values.
func TestPushRefused(t *testing.T) {
	c := newPushCluster(t, strings.NewReplacer("PriorityMaxAge", "MaxJobCount=5000\nPriorityMaxAge"))
	fairway := build(t)
	submit := func(args ...string) string {
		return c.run(append([]string{"sbatch", "--parsable", "--output=/dev/null", "--wrap=exec sleep 1", "-t10"},
			args...)...)
	}
	const tooLarge, others = 510, 40
	larger := map[string]bool{}
	for range tooLarge {
		larger[submit("--uid=daemon", "--account=physics", "-p", "short", "-n40")] = true
	}
	for range others {
		submit("--uid=man", "--account=biology", "-p", "shut", "-n3")
	}
	c.eventually("all jobs have a priority", time.Minute, func() error {
		if n := len(c.site()); n != tooLarge+others {
			return fmt.Errorf("sprio lists %d jobs", n)
		}
		return nil
	})
	// Those that are refused come first.
	c.write("first.fairway.hcl", strings.Replace(house, "'biology' ? 1.0 : 0.0", "'physics' ? 1.0 : 0.5", 1), 0o644)
	push := func(want string, args ...string) {
		t.Helper()
		r := c.fairway(fairway, append([]string{"push", c.conf, "first.fairway.hcl", "--live", "--to", "slurm", "--yes", "-o",
			"table", "-o", "prom=push.prom"}, args...)...)
		if r.exit != 0 || !strings.Contains(r.text, want) {
			t.Fatalf("push %v ends with %d and not with %q:\n%s", args, r.exit, want, r.text)
		}
	}
	changed := func() (n int) {
		for id, value := range c.site() {
			if value != "0" {
				n++
				if larger[id] {
					t.Errorf("job %s is larger than its partition, and is changed", id)
				}
			}
		}
		return n
	}

	// Two of them are all that a second has; the deadline comes before all were tried.
	for id := range larger {
		if len(larger) > 2 {
			delete(larger, id)
			c.run("scancel", id)
		}
	}
	push(fmt.Sprintf(": %d changed, 0 had their value, 0 skipped, 0 did not take\n  2 refused: Requested partition "+
		"configuration not available now (job ", others), "--state-dir", "slow", "--rate", "2")
	if n := changed(); n != others {
		t.Errorf("%d jobs are changed, not %d", n, others)
	}
	for range tooLarge - 2 {
		larger[submit("--uid=daemon", "--account=physics", "-p", "short", "-n40")] = true
	}
	c.write("first.fairway.hcl", strings.Replace(house, "'biology' ? 1.0 : 0.0", "'physics' ? 1.0 : 0.75", 1), 0o644)
	push(fmt.Sprintf(": %d changed, 0 had their value, 0 skipped, 0 did not take\n  %d refused: Requested partition "+
		"configuration not available now (job ", others, tooLarge), "--state-dir", "state.d")
	if n := changed(); n != others {
		t.Errorf("%d jobs are changed, not %d", n, others)
	}
	push(": 0 changed, 0 had their value, 0 skipped, 0 did not take", "--state-dir", "state.d")
	for id := range larger {
		c.run("scontrol", "update", "JobId="+id, "Partition=shut", "NumTasks=2")
		break
	}
	push(": 1 changed, 0 had their value, 0 skipped, 0 did not take", "--state-dir", "state.d")
}

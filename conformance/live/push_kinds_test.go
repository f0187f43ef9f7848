//go:build live

package live_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestPushKinds: jobs of several partitions whose priority was set by hand, which sprio prints without values, and
// components of heterogeneous jobs, of which the number of the job stands for all.
func TestPushKinds(t *testing.T) {
	c := newPushCluster(t, strings.NewReplacer())
	fairway := build(t)
	submit := func(args ...string) string {
		return c.run(append([]string{"sbatch", "--parsable", "--uid=daemon", "--account=physics", "--output=/dev/null", "-p", "shut", "-t10"}, args...)...)
	}
	alone, other := submit("-n3", "--wrap=true"), submit("-n4", "-p", "main,shut", "--nodelist=gone1", "--wrap=true")
	het := submit("-n1", ":", "-p", "shut", "-n2", "-t20", "--wrap=true")
	set := func(job, what string, value int) {
		c.run("scontrol", "update", "JobId="+job, fmt.Sprintf("%s=%d", what, value))
	}
	set(other, "Priority", 123456)
	c.eventually("all wait", 30*time.Second, func() error {
		if got := c.priorities(); len(got) < 4 || got[alone] == "0" || got[het+"+1"] == "0" {
			return fmt.Errorf("the queue is %v", got)
		}
		return nil
	})
	push := func(want string, args ...string) {
		t.Helper()
		r := c.fairway(fairway, append([]string{"push", c.conf, "house.fairway.hcl", "--live", "--to", "slurm", "--state-dir", "state.d", "--yes"}, args...)...)
		if r.exit != 0 || !strings.Contains(r.text, want) {
			t.Fatalf("push %v ends with %d and not with %q:\n%s", args, r.exit, want, r.text)
		}
	}
	same := func(when string, want map[string]string) {
		t.Helper()
		got := c.priorities()
		for job, priority := range want {
			if got[job] != priority {
				t.Errorf("%s job %s has priority %s, not %s", when, job, got[job], priority)
			}
		}
	}

	// What was set by hand is left alone, and a second run has nothing to do.
	push(" 0 did not take")
	push(": 0 changed, 0 had their value, 0 skipped, 0 did not take")
	same("after a push by site factor", map[string]string{other: "123456"})

	// By priority all are set by hand, and seen as what they are.
	push(" 0 did not take", "--by", "priority")
	first := c.priorities()
	if first[other] == "123456" || first[other] == "1" {
		t.Errorf("job %s of two partitions has %s", other, first[other])
	}
	for range 2 {
		push(": 0 changed, 0 had their value, 0 skipped, 0 did not take", "--by", "priority")
		same("after a further push by priority", first)
	}

	// A component that somebody sets after the plan keeps that, and all of the rest is taken back.
	c.write("house.fairway.hcl", strings.Replace(house, "-700", "-650", 1), 0o644)
	plan := []string{"push", c.conf, "house.fairway.hcl", "--live", "--keep", "kinds", "--to", "slurm", "--by", "priority", "--out", "plan.json"}
	c.must(c.fairway(fairway, plan...).error())
	set(het+"+1", "Priority", 888888)
	r := c.fairway(fairway, "push", "--apply", "plan.json", "--state-dir", "state.d")
	if r.exit != 0 || !strings.Contains(r.text, "1 skipped, 0 did not take") {
		t.Errorf("--apply ends with %d:\n%s", r.exit, r.text)
	}
	same("after --apply", map[string]string{het + "+1": "888888"})
	if got := c.priorities()[het+"+0"]; got == first[het+"+0"] || got == "888888" {
		t.Errorf("the leader has %s", got)
	}
	c.must(c.fairway(fairway, "push", "--undo", c.plan().Run, "--state-dir", "state.d").error())
	want := map[string]string{het + "+1": "888888"}
	for job, priority := range first {
		if job != het+"+1" {
			want[job] = priority
		}
	}
	same("after --undo", want)
}

// priorities are those of squeue, by the ids with which it tells components apart.
func (c *cluster) priorities() map[string]string {
	c.t.Helper()
	list := map[string]string{}
	for line := range strings.Lines(c.run("squeue", "-h", "-a", "--array-unique", "-O", "JobArrayID:|,PriorityLong:|")) {
		if cells := strings.Split(line, "|"); len(cells) > 1 {
			list[cells[0]] = cells[1]
		}
	}
	return list
}

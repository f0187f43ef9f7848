//go:build live

package live_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"strconv"
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
		return c.run(append([]string{"sbatch", "--parsable", "--uid=daemon", "--account=physics", "--output=/dev/null", "-p",
			"shut", "-t10"}, args...)...)
	}
	alone, other := submit("-n3", "--wrap=true"), submit("-n4", "-p", "main,shut", "--nodelist=gone1", "--wrap=true")
	het := submit("-n1", ":", "-p", "shut", "-n2", "-t20", "--wrap=true")
	set := func(job, setting string) { c.run("scontrol", "update", "JobId="+job, setting) }
	set(other, "Priority=123456")
	c.eventually("all wait", 30*time.Second, func() error {
		if got := c.priorities(); len(got) < 4 || got[alone] == "0" || got[het+"+1"] == "0" {
			return fmt.Errorf("the queue is %v", got)
		}
		return nil
	})
	push := func(want string, args ...string) {
		t.Helper()
		r := c.fairway(fairway, append([]string{"push", c.conf, "house.fairway.hcl", "--live", "--to", "slurm", "--state-dir",
			"state.d", "--yes"}, args...)...)
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
	c.evaluated(fairway, "set by hand")

	// A component that is right within the threshold is not touched when the leader changes, nor by the undoing of that.
	records := c.column("JobID")
	leader, second := records[het+"+0"], records[het+"+1"]
	right := c.site()
	add := func(record string, by int) string {
		value, err := strconv.Atoi(right[record])
		c.must(err)
		return strconv.Itoa(value + by)
	}
	set(het+"+0", "SiteFactor="+add(leader, 500))
	set(het+"+1", "SiteFactor="+add(second, 10))
	sites := func(when, first, other string) {
		t.Helper()
		if got := c.site(); got[leader] != first || got[second] != other {
			t.Errorf("%s the components have %s and %s, not %s and %s", when, got[leader], got[second], first, other)
		}
	}
	push(": 1 changed, 0 had their value, 0 skipped, 0 did not take", "--threshold", "50")
	sites("after a push of the leader", right[leader], add(second, 10))
	runs := strings.Split(strings.TrimSpace(c.fairway(fairway, "push", "--runs", "--state-dir", "state.d").text), "\n")
	last, _, _ := strings.Cut(runs[len(runs)-1], " ")
	r := c.fairway(fairway, "push", "--yes", "--undo", last, "--state-dir", "state.d")
	if r.exit != 0 || !strings.Contains(r.text, ": 1 changed, 0 had their value, 0 skipped, 0 did not take") {
		t.Errorf("--undo ends with %d:\n%s", r.exit, r.text)
	}
	sites("after its undoing", add(leader, 500), add(second, 10))
	push(": 2 changed, 0 had their value, 0 skipped, 0 did not take")
	sites("without a threshold", right[leader], right[second])

	// Released, a job that was set by hand has no factor that a run left meanwhile.
	c.run("scontrol", "release", other)
	if got := c.site()[other]; got != "0" {
		t.Errorf("job %s is released with the site factor %s", other, got)
	}
	push(": 1 changed, 0 had their value, 0 skipped, 0 did not take")
	c.evaluated(fairway, "released")
	set(other, "Priority=123456")

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
	plan := []string{"push", c.conf, "house.fairway.hcl", "--live", "--keep", "kinds", "--to", "slurm", "--by", "priority",
		"--out", "plan.json"}
	c.must(c.fairway(fairway, plan...).error())
	set(het+"+1", "Priority=888888")
	r = c.fairway(fairway, "push", "--apply", "plan.json", "--state-dir", "state.d")
	if r.exit != 0 || !strings.Contains(r.text, "1 skipped, 0 did not take") {
		t.Errorf("--apply ends with %d:\n%s", r.exit, r.text)
	}
	same("after --apply", map[string]string{het + "+1": "888888"})
	if got := c.priorities()[het+"+0"]; got == first[het+"+0"] || got == "888888" {
		t.Errorf("the leader has %s", got)
	}
	c.must(c.fairway(fairway, "push", "--yes", "--undo", c.plan().Run, "--state-dir", "state.d").error())
	want := map[string]string{het + "+1": "888888"}
	for job, priority := range first {
		if job != het+"+1" {
			want[job] = priority
		}
	}
	same("after --undo", want)
}

// evaluated: eval has the priorities of squeue, whatever form jobs are read in, and verify finds no other number.
func (c *cluster) evaluated(fairway, when string) {
	c.t.Helper()
	for _, form := range []string{"squeue", "json", "scontrol"} {
		to := filepath.Join(c.t.TempDir(), form)
		c.must(c.fairway(fairway, "snapshot", "capture", "--quiet", "--jobs", form, "--to", to).error())
		files := []string{c.conf, filepath.Join(to, "policy", "sacctmgr_dump.cfg"), "--snapshot", to, "-o", "json"}
		text, err := c.try(append([]string{fairway, "eval"}, files...)...)
		c.must(err)
		var result struct {
			Jobs []struct {
				ID       string
				Priority int64
			}
		}
		c.must(json.Unmarshal(text, &result))
		got, want := map[string]string{}, map[string]string{}
		for _, job := range result.Jobs {
			got[job.ID] = fmt.Sprint(job.Priority)
		}
		for job, record := range c.column("JobID") {
			want[record] = c.priorities()[job]
		}
		if !maps.Equal(got, want) {
			c.t.Errorf("%s, %s: eval has the priorities %v, and squeue %v", when, form, got, want)
		}
		said := c.fairway(fairway, append([]string{"verify"}, files...)...)
		var report struct {
			Checks []struct {
				Name                string
				Compared, Different int
			}
		}
		c.must(json.Unmarshal([]byte(said.text), &report))
		for _, check := range report.Checks {
			// The reason of a job of several partitions, one of which is down, is that of the one that was tried last.
			if check.Different > 0 && check.Name != "reason" || check.Compared == 0 && check.Name == "priority" {
				c.t.Errorf("%s, %s: verify says of %s:\n%s", when, form, check.Name, said.text)
			}
		}
	}
}

// priorities are those of squeue.
func (c *cluster) priorities() map[string]string { return c.column("PriorityLong") }

// column is a field of squeue, by the ids with which it tells components apart.
func (c *cluster) column(field string) map[string]string {
	c.t.Helper()
	list := map[string]string{}
	for line := range strings.Lines(c.run("squeue", "-h", "-a", "--array-unique", "-O", "JobArrayID:|,"+field+":|")) {
		if cells := strings.Split(line, "|"); len(cells) > 1 {
			list[cells[0]] = cells[1]
		}
	}
	return list
}

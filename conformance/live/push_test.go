//go:build live

package live_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// house is a policy on top of slurm.conf, by which small jobs of biologists go first.
const house = `policy "house" {
  component "house" {
    weight = 1
    term "account" { 
      weight = 40000 
      factor = "job.account == 'biology' ? 1.0 : 0.0" 
    }
    term "small" { 
      weight = -700 
      factor = "double(job.procs)" 
    }
  }
}
`

// still are slurm.conf's weights without what changes from minute to minute.
var still = strings.NewReplacer("PriorityWeightAge=100000", "PriorityWeightAge=0", "PriorityWeightFairshare=200000",
	"PriorityWeightFairshare=0")

// newPushCluster has a queue whose native priorities do not move.
func newPushCluster(t *testing.T, change *strings.Replacer) *cluster {
	c := newCluster(t)
	text, err := os.ReadFile(c.conf)
	c.must(err)
	c.must(os.WriteFile(c.conf, []byte(change.Replace(still.Replace(string(text)))), 0o644))
	c.write("accounts.cfg", accounts, 0o644)
	c.run("sacctmgr", "-i", "load", "file=accounts.cfg", "clean")
	for _, argv := range qualities {
		c.run(argv...)
	}
	c.control()
	c.write("house.fairway.hcl", house, 0o644)
	return c
}

// TestPush: slurmctld has exactly the priorities that the policy wants, its queue is in their order, and
// all of it can be taken back; also when slurmctld, or push, is killed in the middle.
func TestPush(t *testing.T) {
	c := newPushCluster(t, strings.NewReplacer())
	c.submit()
	fairway := build(t)
	c.eventually("the scheduler goes over all jobs", 30*time.Second, func() error {
		if n := len(c.site()); n < 20 {
			return fmt.Errorf("sprio lists %d jobs", n)
		}
		return nil
	})
	c.saved() // jobs are started
	before := c.site()
	split := c.run("scontrol", "-o", "show", "job")
	array := after(split, "ArrayJobId=")
	c.run("scontrol", "update", "JobId="+array+"_2", "SiteFactor=17") // gets a record of its own

	// Texts in which slurmctld takes a line break, and scontrol prints it: each passes for a record of another job there.
	record := "\nJobId=" + c.waiting +
		" JobName=x UserId=root(0) GroupId=root(0) Priority=1 Nice=0 Account=physics QOS=normal JobState=RUNNING " +
		"Reason=None SubmitTime=2026-11-20T12:00:00 Partition=shut"
	forging := c.run("sbatch", "--parsable", "--uid=man", "--account=biology", "--output=/dev/null",
		"--wrap=exec sleep 240", "-p", "shut", "-n3", "-t30",
		"-J", "forged"+record, "--comment=forged"+record, "--chdir=/tmp/forged"+record)
	if n := strings.Count(c.run("scontrol", "-o", "show", "job"), "JobId="+c.waiting+" "); n != 4 {
		t.Errorf("scontrol prints %d records of job %s, of which 3 are forged", n, c.waiting)
	}

	// A plan, and what happens to two jobs before it is carried out.
	c.must(c.fairway(fairway, "push", c.conf, "house.fairway.hcl", "--live", "--keep", "kept", "--to", "slurm", "--out",
		"plan.json").error())
	plan := c.plan()
	if len(plan.Changes) < 15 {
		t.Fatalf("only %d jobs change: %+v", len(plan.Changes), plan.Skipped)
	}
	for _, name := range []string{forging, c.waiting, array + "_2", array} {
		record := name
		if name == array+"_2" {
			record = c.run("squeue", "-h", "--array-unique", "-j", name, "-O", "JobID")
		}
		if !slices.ContainsFunc(plan.Changes, func(p planned) bool { return p.Job == name && p.Name == record }) {
			t.Errorf("the plan has no change of job %s, whose record is %s", name, record)
		}
	}
	touched, held := plan.Changes[3].Name, plan.Changes[4].Name
	c.run("scontrol", "update", "JobId="+touched, "SiteFactor=-4321")
	c.run("scontrol", "hold", held)
	apply := []string{"push", "--apply", "plan.json", "--state-dir", "state.d", "--timeout", "8s"}
	r := c.fairway(fairway, apply...)
	c.must(r.error())
	if !strings.Contains(r.text, "0 had their value, 2 skipped, 0 did not take") {
		t.Errorf("two jobs were changed since:\n%s", r.text)
	}
	if got := c.site()[touched]; got != "-4321" {
		t.Errorf("what an administrator set is %s now", got)
	}
	c.exact(plan, "after push", touched, held)
	c.inOrder(plan, touched, held)

	if r := c.fairway(fairway, "push", "--yes", "--undo", plan.Run, "--state-dir", "state.d"); r.error() != nil {
		t.Error(r.error())
	}
	c.run("scontrol", "update", "JobId="+touched, "SiteFactor="+before[touched])
	c.run("scontrol", "release", held)
	c.same(before, "after undo", array+"_2")

	// From cron: once, and not again.
	cron := []string{"push", c.conf, "house.fairway.hcl", "--live", "--to", "slurm", "--yes", "--quiet", "--state-dir",
		"state.d"}
	begun := func() int {
		audit, err := os.ReadFile(filepath.Join(c.dir, "state.d", "audit.jsonl"))
		c.must(err)
		return bytes.Count(audit, []byte(`"event":"begin"`))
	}
	runs := begun()
	// the second lifts jobs off the floor of priorities, of which slurmctld does not say how far below they were
	for i := range 3 {
		if r := c.fairway(fairway, cron...); r.exit != 0 || r.text != "" {
			t.Fatalf("push --quiet ends with %d:\n%s", r.exit, r.text)
		}
		now := begun()
		if sent := now > runs; i == 0 && !sent || i == 2 && sent {
			t.Errorf("of the first run and the last, which has nothing to send, run %d sends: %v", i+1, sent)
		}
		runs = now
	}
	pushed := c.site()

	// The controller dies in the middle, then push itself. A new policy makes all change once more.
	real := c.program("scontrol")
	for i, kill := range []string{
		fmt.Sprintf("kill -9 %d; sleep 1; tail -n +6 $in | %s", c.pid("slurmctld"), real),
		"kill -9 $PPID; exit 1",
	} {
		c.write("house.fairway.hcl", strings.Replace(house, "-700", fmt.Sprint(-800-100*i), 1), 0o644)
		c.must(os.RemoveAll(filepath.Join(c.dir, "kept")))
		c.must(c.fairway(fairway, "push", c.conf, "house.fairway.hcl", "--live", "--keep", "kept", "--to", "slurm", "--out",
			"plan.json").error())
		plan = c.plan()
		c.saved() // what slurmctld forgets is what is changed now
		c.program("scontrol", "#!/bin/sh\nset -f\nif [ $# -gt 0 ]; then exec "+real+" \"$@\"; fi\nin="+c.dir+
			"/in\ncat > $in\nhead -n 5 $in | "+real+"\n"+kill+"\n")
		r := c.fairway(fairway, append(slices.Clone(apply), "--state-dir", "state.d")...)
		if r.exit == 0 { // -1 is that it was killed
			t.Fatalf("push does not say that the controller is dead:\n%s", r.text)
		}
		t.Logf("killed: exit %d, %s", r.exit, strings.TrimSpace(r.text))
		c.must(os.Remove(filepath.Join(c.dir, "bin", "scontrol")))
		if i == 0 {
			c.restart("slurmctld")
		}
		if same := maps.Equal(pushed, c.site()); same && i == 1 {
			t.Error("nothing was sent before push was killed")
		}
		c.must(c.fairway(fairway, apply...).error())
		c.exact(plan, "after a kill")
		pushed = c.site()
	}
	t.Logf("%s", c.fairway(fairway, "push", "--runs", "--state-dir", "state.d").text)
}

// saved waits until slurmctld has written down all that its jobs are now. It does so some time after a change; what it
// is writing meanwhile may be older, what it writes next is not.
func (c *cluster) saved() {
	c.t.Helper()
	for i := range 2 {
		began := time.Now()
		c.run("scontrol", "update", "JobId="+c.waiting, fmt.Sprint("Comment=", i))
		c.eventually("slurmctld saves its jobs", time.Minute, func() error {
			info, err := os.Stat(filepath.Join(c.dir, "state", "job_state"))
			if err == nil && !info.ModTime().After(began) {
				err = errors.New("job_state is of before")
			}
			return err
		})
	}
}

// pushPlan is what push --out wrote.
type pushPlan struct {
	Run     string
	Changes []planned
	Skipped []struct{ Job, Why string }
}

type planned struct {
	Job, Name     string
	Priority, New int64
}

func (c *cluster) plan() (p pushPlan) {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, "plan.json"))
	c.must(err)
	c.must(json.Unmarshal(text, &p))
	return p
}

// site are the site factors that sprio prints, by record.
func (c *cluster) site() map[string]string {
	c.t.Helper()
	site := map[string]string{}
	for line := range strings.Lines(c.run("sprio", "-h", "-o", "%i|%S")) {
		id, value, _ := strings.Cut(strings.TrimSpace(line), "|")
		site[strings.TrimSpace(id)] = strings.TrimSpace(value)
	}
	return site
}

func (c *cluster) same(want map[string]string, when string, but ...string) {
	c.t.Helper()
	got := c.site()
	for id, value := range want {
		if now, ok := got[id]; ok && now != value && !slices.Contains(but, id) {
			c.t.Errorf("%s the site factor of %s is %s, and was %s", when, id, now, value)
		}
	}
}

// exact: sprio prints the priorities that the policy wants, to the last digit.
func (c *cluster) exact(p pushPlan, when string, but ...string) {
	c.t.Helper()
	var have []string
	for line := range strings.Lines(c.run("sprio", "-h", "-o", "%i|%Y")) {
		have = append(have, strings.ReplaceAll(strings.TrimSpace(line), " ", ""))
	}
	right := 0
	for _, change := range p.Changes {
		if slices.Contains(but, change.Name) {
			continue
		}
		record := after(c.run("scontrol", "-o", "show", "job", change.Name), "JobId=")
		switch {
		case slices.Contains(have, fmt.Sprintf("%s|%d", record, change.Priority)):
			right++
		case slices.ContainsFunc(have, func(s string) bool { return strings.HasPrefix(s, record+"|") }):
			c.t.Errorf("%s sprio has not %d for job %s:\n%s", when, change.Priority, change.Name, strings.Join(have, "\n"))
		} // else it has started
	}
	if right < 10 {
		c.t.Errorf("%s only %d priorities are compared", when, right)
	}
	c.t.Logf("%s sprio prints exactly what the policy wants of %d jobs", when, right)
}

// inOrder: squeue sorts the jobs as the policy does.
func (c *cluster) inOrder(p pushPlan, but ...string) {
	c.t.Helper()
	rank := map[string]int64{}
	for _, change := range p.Changes {
		if !slices.Contains(but, change.Name) {
			rank[change.Name] = change.Priority
		}
	}
	last, seen := int64(1)<<40, 0
	for line := range strings.Lines(c.run("squeue", "-h", "-t", "PD", "-S", "-Q", "-o", "%A")) {
		if priority, ok := rank[strings.TrimSpace(line)]; ok {
			if seen++; priority > last {
				c.t.Errorf("job %s of priority %d stands behind one of %d", strings.TrimSpace(line), priority, last)
			}
			last = priority
		}
	}
	if seen < 10 {
		c.t.Errorf("the queue has only %d of the jobs", seen)
	}
}

// after is the number that follows a word.
func after(text, word string) string {
	_, rest, _ := strings.Cut(text, word)
	value, _, _ := strings.Cut(rest, " ")
	return value
}

// ran is how a command of ours ended.
type ran struct {
	exit int
	text string
}

func (r *ran) error() error {
	if r.exit != 0 {
		return fmt.Errorf("it ends with %d:\n%s", r.exit, r.text)
	}
	return nil
}

// fairway runs the program in the cluster's folder; commands that a test puts into bin come before Slurm's.
func (c *cluster) fairway(binary string, args ...string) *ran {
	c.t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir = c.dir
	cmd.Env = append(append(os.Environ(), c.env...), "PATH="+filepath.Join(c.dir, "bin")+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	r := &ran{text: string(out)}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		r.exit, err = exit.ExitCode(), nil
	}
	c.must(err)
	return r
}

// program is where a program is, or puts a script in its place.
func (c *cluster) program(name string, script ...string) string {
	c.t.Helper()
	if len(script) == 0 {
		path, err := exec.LookPath(name)
		c.must(err)
		return path
	}
	path := filepath.Join(c.dir, "bin", name)
	c.must(os.MkdirAll(filepath.Dir(path), 0o755))
	c.must(os.WriteFile(path, []byte(script[0]), 0o755))
	return path
}

func (c *cluster) pid(name string) int {
	for _, d := range c.running {
		if d.name == name {
			return d.cmd.Process.Pid
		}
	}
	c.t.Fatalf("%s does not run", name)
	return 0
}

// restart starts a daemon again that was killed.
func (c *cluster) restart(name string) {
	c.t.Helper()
	i := slices.IndexFunc(c.running, func(d *daemon) bool { return d.name == name })
	<-c.running[i].done
	if status, ok := c.running[i].cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		c.t.Errorf("%s was not killed: %v", name, c.running[i].cmd.ProcessState)
	}
	c.running = slices.Delete(c.running, i, i+1)
	c.start(c.dir, c.env, name, "-D", "-i")
	c.eventually(name, 30*time.Second, func() error { _, err := c.try("sprio", "-h"); return err })
}

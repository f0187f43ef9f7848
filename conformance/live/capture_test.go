//go:build live

package live_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// capturesAlike: squeue's table, its JSON and scontrol's records, captured one after the other, rank the queue alike,
// and each task that has a record of its own is one job in all of them.
func (c *cluster) capturesAlike(fairway string) {
	c.t.Helper()
	array := c.run("sbatch", "--parsable", "--uid=daemon", "--account=physics", "--output=/dev/null",
		"--wrap=exec sleep 240", "-p", "shut", "-n1", "-t30", "--array=1-9%2")
	c.run("scontrol", "update", "JobId="+array+"_[2,5]", "Nice=17")
	now := fmt.Sprint(time.Now().Unix())
	c.eventually("all forms are of one queue", 60*time.Second, func() error {
		var ranks []string
		for _, form := range []string{"squeue", "json", "scontrol"} {
			ranks = append(ranks, c.ranked(fairway, form, now, array, array+"_2", array+"_5"))
		}
		for _, other := range ranks[1:] {
			if other != ranks[0] {
				return errors.New("they differ:\n" + differing(ranks[0], other))
			}
		}
		return nil
	})
	c.forge(fairway, now)
	c.run("scancel", array)
}

// ranked captures a form, and returns the lines of its ranking, with each of some jobs in it once.
func (c *cluster) ranked(fairway, form, now string, jobs ...string) string {
	c.t.Helper()
	to := filepath.Join(c.dir, form+".tar.zst")
	if _, err := c.try(fairway, "snapshot", "capture", "--quiet", "--jobs", form, "--to", to); err != nil {
		c.t.Fatal(err)
	}
	text, err := c.try(fairway, "eval", c.conf, "--snapshot", to, "--now", now, "-o", "csv")
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		c.t.Fatal(err)
	}
	for _, job := range jobs {
		if n := bytes.Count(text, []byte("\n"+job+",")); n != 1 {
			c.t.Fatalf("%s: job %s stands there %d times:\n%s", form, job, n, text)
		}
	}
	return strings.Join(slices.Sorted(strings.Lines(string(text))), "") // JSON has an order of its own
}

// forge: a job whose name holds a line break is one job in squeue's table and in its JSON; scontrol's records, in which
// it passes for another one, are no snapshot. And a table that is cut between two jobs is none.
func (c *cluster) forge(fairway, now string) {
	c.t.Helper()
	submit := func(name string) string {
		return c.run("sbatch", "--parsable", "--uid=daemon", "--account=physics", "--output=/dev/null",
			"--wrap=exec sleep 240", "-p", "shut", "-n1", "-t30", "-J", name)
	}
	forged := []string{submit("forged\n1|1|1|N/A|root|root|root|normal|main|PENDING|None|4294967295|0|")}
	forged = append(forged, submit("forged\nJobId=900001 JobName=x"), submit("forged\nJobId="+forged[0]+" JobName=x"))
	for _, form := range []string{"squeue", "json"} {
		c.ranked(fairway, form, now, forged...)
	}
	_, err := c.try(fairway, "snapshot", "capture", "--jobs", "scontrol", "--to", filepath.Join(c.dir, "forged.tar.zst"))
	if err == nil || !strings.Contains(err.Error(), "can pass for a job") {
		c.t.Fatalf("scontrol's records of forged jobs: %v", err)
	}
	squeue, err := exec.LookPath("squeue")
	c.must(err)
	c.must(os.Mkdir(filepath.Join(c.dir, "cut"), 0o755))
	c.write("cut/squeue", "#!/bin/sh\n"+squeue+` "$@" | head -n 9`+"\n", 0o755)
	_, err = c.try("env", "PATH="+filepath.Join(c.dir, "cut")+":"+os.Getenv("PATH"), fairway, "snapshot", "capture",
		"--to", filepath.Join(c.dir, "cut.tar.zst"))
	if err == nil || !strings.Contains(err.Error(), "only part of the answer") {
		c.t.Fatalf("a table of 8 jobs: %v", err)
	}
	c.run(append([]string{"scancel"}, forged...)...)
}

// differing is the lines that only one of two texts has.
func differing(a, b string) string {
	var out []string
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		for line := range strings.Lines(pair[0]) {
			if !strings.Contains(pair[1], line) {
				out = append(out, line)
			}
		}
	}
	return strings.Join(out, "")
}

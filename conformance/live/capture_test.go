//go:build live

package live_test

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// capturesAlike: squeue's table and its JSON, captured one after the other, rank the queue alike; and a
// job whose name holds a line break is one job in both, and so is each task that has a record of its own.
func (c *cluster) capturesAlike(fairway string) {
	c.t.Helper()
	forged := c.run("sbatch", "--parsable", "--uid=daemon", "--account=physics", "--output=/dev/null", "--wrap=exec sleep 240",
		"-p", "shut", "-n1", "-t30", "-J", "forged\n1|1|1|N/A|root|root|root|normal|main|PENDING|None|4294967295|0|")
	array := c.run("sbatch", "--parsable", "--uid=daemon", "--account=physics", "--output=/dev/null", "--wrap=exec sleep 240", "-p", "shut", "-n1", "-t30", "--array=1-9%2")
	c.run("scontrol", "update", "JobId="+array+"_[2,5]", "Nice=17")
	now := fmt.Sprint(time.Now().Unix())
	c.eventually("both forms are of one queue", 60*time.Second, func() error {
		var ranks []string
		for _, form := range []string{"squeue", "json"} {
			to := filepath.Join(c.dir, form+".tar.zst")
			if _, err := c.try(fairway, "snapshot", "capture", "--quiet", "--jobs", form, "--to", to); err != nil {
				c.t.Fatal(err)
			}
			text, err := c.try(fairway, "eval", c.conf, "--snapshot", to, "--now", now, "-o", "csv")
			var exit *exec.ExitError
			if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
				c.t.Fatal(err)
			}
			for _, job := range []string{forged, array, array + "_2", array + "_5"} {
				if n := bytes.Count(text, []byte("\n"+job+",")); n != 1 {
					c.t.Fatalf("%s: job %s stands there %d times:\n%s", form, job, n, text)
				}
			}
			lines := slices.Sorted(strings.Lines(string(text))) // JSON has an order of its own
			ranks = append(ranks, strings.Join(lines, ""))
		}
		if ranks[0] != ranks[1] {
			return errors.New("they differ:\n" + differing(ranks[0], ranks[1]))
		}
		return nil
	})
	c.run("scancel", forged, array)
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

//go:build live

package live_test

import (
	"fmt"
	"strings"
)

// submit makes a queue that has everything a priority depends on: jobs of all users, sizes, partitions and
// QOS, that run, wait, are held or depend on others.
func (c *cluster) submit() {
	c.t.Helper()
	users := []string{"daemon:physics", "bin:physics", "sys:optics", "games:optics", "man:biology", "lp:biology",
		"mail:guests", "news:guests"}
	n := 0
	sbatch := func(args ...string) (id string) {
		user, account, _ := strings.Cut(users[n%len(users)], ":")
		n++
		return c.run(append([]string{"sbatch", "--parsable", "--uid=" + user, "--account=" + account, "--output=/dev/null",
			"--wrap=exec sleep 240"}, args...)...)
	}
	for i := range 8 {
		sbatch("-p", "main", "-n2", "-t", fmt.Sprint(60+i))
	}
	var ids []string
	for i := range 24 {
		ids = append(ids, sbatch("-p", []string{"main", "short", "main,short", "shut"}[i%4], "-n", fmt.Sprint(1+i%9), "-t",
			fmt.Sprint(10+i),
			"--qos="+[]string{"normal", "high", "low"}[i%3], fmt.Sprint("--mem-per-cpu=", 100+50*i)))
	}
	c.waiting = ids[3]
	sbatch("-p", "main", "-n3", "-t30", "--nice=150")
	sbatch("-p", "main", "-n3", "-t30", "--hold")
	sbatch("-p", "main", "-n16", "-t30", "--exclusive")
	sbatch("-p", "main", "-n4", "-t30", "--begin=now+2hours")
	sbatch("-p", "shut", "-n4", "-t30", "--array=1-6")
	sbatch("-p", "main", "-n1", "-t30", "--dependency=afterok:"+ids[3])
	c.run("scontrol", "update", "JobId="+sbatch("-p", "shut", "-n2", "-t30"), "Priority=4711")
	c.run("scontrol", "update", "JobId="+sbatch("-p", "shut", "-n2", "-t30"), "SiteFactor=-333")
}

package laws

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/conformance/oracle"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// drawLimits sets limits that some jobs meet and some do not.
func drawLimits(t *rapid.T, names []string, some int) map[string]int64 {
	limits := map[string]int64{}
	for _, name := range names {
		if rapid.IntRange(0, some).Draw(t, "sets") > 0 {
			continue
		}
		numbers := []int64{1, 2, 3, 5}
		switch {
		case strings.Contains(name, "Mins"), strings.HasSuffix(name, "Wall"):
			numbers = []int64{10, 30, 60, 90, 240}
		case strings.Contains(name, "TRES"):
			numbers = []int64{1, 2, 4, 8, 16}
		}
		limits[name] = rapid.SampledFrom(numbers).Draw(t, name)
	}
	return limits
}

// drawLimitedCluster makes a cluster whose associations and QOS have limits, with jobs that run and wait.
func drawLimitedCluster(t *rapid.T) (c *oracle.Cluster, conf string) {
	c = drawCluster(t)
	c.NodeCPUs = rapid.Int64Range(1, 6).Draw(t, "node size")
	c.Safe, c.WholeNodes = rapid.Bool().Draw(t, "safe"), rapid.IntRange(0, 3).Draw(t, "whole nodes") == 0
	minutes := rapid.Int64Range(0, 100)
	used := func() map[string]int64 {
		return map[string]int64{"GrpWall": minutes.Draw(t, "wall"), "GrpTRESMins": minutes.Draw(t, "minutes")}
	}
	var users []oracle.Association
	for i := range c.Associations {
		a := &c.Associations[i]
		a.Limits, a.Used = drawLimits(t,
			[]string{"GrpJobs", "GrpWall", "GrpTRES", "GrpTRESMins", "GrpTRESRunMins", "MaxJobs", "MaxWall", "MaxTRES",
				"MaxTRESMins"}, 20), used()
		if a.User != "" && a.User != "root" {
			users = append(users, *a)
		}
	}
	for _, name := range []string{"normal", "q", "r"} {
		limits := drawLimits(t, []string{"GrpJobs", "GrpWall", "MaxJobsPA", "MaxJobsPU", "MaxWall", "GrpTRES", "GrpTRESMins",
			"GrpTRESRunMins", "MaxTRES", "MaxTRESMins", "MinTRES", "MaxTRESPA", "MaxTRESPU"}, 12)
		c.QOS = append(c.QOS, oracle.ClusterQOS{Name: name, Limits: limits, Used: used()})
	}
	for i := range rapid.IntRange(1, 10).Draw(t, "jobs") {
		a := rapid.SampledFrom(users).Draw(t, "association")
		j := oracle.ClusterJob{ID: fmt.Sprint(100 + i), User: a.User, Account: a.Account,
			QOS:  rapid.SampledFrom([]string{"normal", "q", "r"}).Draw(t, "qos"),
			CPUs: rapid.Int64Range(1, 9).Draw(t, "cpus"), Minutes: rapid.SampledFrom([]int64{5, 15, 60, 100}).
				Draw(t, "time limit")}
		j.Exclusive = rapid.IntRange(0, 3).Draw(t, "exclusive") == 0
		if rapid.Bool().Draw(t, "runs") {
			j.Start = now - rapid.SampledFrom([]int64{1, 61, 290, 4000}).Draw(t, "since")
		}
		c.Jobs = append(c.Jobs, j)
	}
	conf = "AccountingStorageEnforce=associations,limits,qos\n"
	if c.Safe {
		conf = "AccountingStorageEnforce=associations,limits,qos,safe\n"
	}
	conf += fmt.Sprintf("NodeName=n[1-20] CPUs=%d\nPartitionName=p Nodes=ALL\n", c.NodeCPUs)
	if c.WholeNodes {
		conf += "SelectType=select/linear\n"
	}
	return c, conf
}

// TestGeneratedSlurmLimits: limit(compile(conf, dump), S) = oracle.limit(C) for Slurm: which waiting jobs a limit
// stops, of their QOS, association or accounts, and what squeue says.
func TestGeneratedSlurmLimits(t *testing.T) {
	stopped, free := map[string]int{}, 0
	draws.Check(t, func(t *rapid.T) {
		c, conf := drawLimitedCluster(t)
		got, text := runCluster(t, conf, c)
		for job := range c.Jobs {
			if j := &c.Jobs[job]; j.Start == 0 {
				want, state := c.Stopped(j), evaluation.Eligible
				if want != "" {
					state = evaluation.Blocked
					stopped[want]++
				} else {
					free++
				}
				if got.Reason[job] != want || got.State[job] != state {
					t.Fatalf("job %s is %s with reason %q, oracle says %q\n%s", j.ID, got.State[job], got.Reason[job], want, text)
				}
			}
		}
	})
	t.Logf("%d jobs may start; stopped: %v", free, stopped)
	if len(stopped) < 12 || free == 0 {
		t.Errorf("only %d limits stopped a job", len(stopped))
	}
}

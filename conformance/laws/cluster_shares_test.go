package laws

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/conformance/oracle"
)

// TestGeneratedShares: share(compile(conf, dump), S) = oracle.share(C) for Slurm: the factor of every user and
// the priority of each one's job, by Fair Tree as it is and as it is documented, and by the classic formula.
func TestGeneratedShares(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		c.Pass = 300
		drawTurns(t, c)
		weight := rapid.SampledFrom([]int64{1, 1000, 1_000_000}).Draw(t, "weight")
		conf := fmt.Sprintf("PriorityWeightFairshare=%d\nPriorityCalcPeriod=5\nPriorityDecayHalfLife=0\n", weight)
		var want map[string]float64
		var deviations []string
		exact := true
		if rapid.Bool().Draw(t, "classic") {
			damp := rapid.SampledFrom([]int64{1, 2, 5}).Draw(t, "damp")
			conf += fmt.Sprintf("PriorityFlags=NO_FAIR_TREE\nFairShareDampeningFactor=%d\n", damp)
			want, exact = c.Classic(damp), false
		} else {
			merge := rapid.Bool().Draw(t, "merge")
			if merge {
				deviations = []string{"fair_tree_ties"}
			}
			want = c.FairTree(merge)
		}
		got, text := runCluster(t, conf, c, deviations...)
		if got.Tree == nil {
			t.Fatalf("no fairshare was computed: %v\n%s", got.Findings, text)
		}
		for name, factor := range want {
			node, ok := got.Tree.Node(name)
			if !ok {
				t.Fatalf("no association %s\n%s", name, text)
			}
			if f := got.Tree.Factors().Factor[node]; f != factor && (exact || math.Abs(f-factor) > 1e-10) {
				t.Fatalf("factor of %s is %v, oracle has %v\n%s", name, f, factor, text)
			}
		}
		for job, j := range c.Jobs {
			if j.Start > 0 {
				continue
			}
			sum := float64(weight) * want[j.Account+"/"+j.User]
			low, high := max(1, math.Floor(sum)), max(1, math.Floor(sum))
			if !exact {
				low, high = max(1, math.Floor(sum-1e-3)), max(1, math.Floor(sum+1e-3))
			}
			if p := float64(got.Priority[got.JobRow[job]]); p < low || p > high {
				t.Fatalf("priority of job %s is %v, oracle has %v of %v\n%s", j.ID, p, low, sum, text)
			}
		}
	})
}

// drawTurns gives each user some jobs, which wait or run; of running ones the usage has been added.
func drawTurns(t *rapid.T, c *oracle.Cluster) {
	for i := range c.Associations {
		if a := &c.Associations[i]; a.User != "" {
			for range rapid.IntRange(i%2, 2).Draw(t, "jobs") { // root, at 1, has one
				c.Jobs = append(c.Jobs, oracle.ClusterJob{User: a.User, Account: a.Account, CPUs: 1, Minutes: 100})
			}
		}
	}
	c.Jobs = rapid.Permutation(c.Jobs).Draw(t, "list")
	for i := range c.Jobs {
		j := &c.Jobs[i]
		j.ID = fmt.Sprint(100 + i)
		if rapid.Bool().Draw(t, "runs") {
			j.CPUs, j.Start = rapid.Int64Range(1, 64).Draw(t, "processors"), now-rapid.Int64Range(1, 1000).Draw(t, "since")
			for k := range c.Associations {
				if a := &c.Associations[k]; a.User == j.User && a.Account == j.Account {
					a.Usage += float64(j.CPUs * (now - j.Start))
				}
			}
		}
	}
}

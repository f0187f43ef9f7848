package tree

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestRecordedJobs compares the factors that priorities took, which sprio prints with
// seven decimals. A job for several partitions goes by the association of
// the first, a job without association has none.
func TestRecordedJobs(t *testing.T) {
	jobs := 0
	recordings(t, func(r *recorded) {
		if w := r.setting("PriorityWeightFairshare"); w == "" || w == "0" {
			return
		}
		usage := r.usage(t)
		for k := range r.Snapshots {
			s := &r.Snapshots[k]
			if len(s.Associations) == 0 {
				continue
			}
			c := r.compute(s, usage[k])
			factors := c.fair.Factor
			if c.classic {
				factors = c.old.Factor
			}
			for _, j := range s.Jobs {
				if len(j.Sprio) == 0 {
					continue
				}
				jobs++
				got := 0.0
				if node := c.node(j); node >= 0 {
					got = factors[node]
				}
				if want := j.Sprio[0].Normalized.Fairshare; math.Abs(got-want) > 0.5001e-7 {
					t.Errorf("%s %s: factor of job %d is %v, recorded %v", r.name, s.Tag, j.ID, got, want)
				}
			}
		}
	})
	if jobs < 4000 {
		t.Errorf("only %d jobs", jobs)
	}
}

// node is the association that a job is charged to.
func (c *comparison) node(j recordedJob) int {
	first, _, _ := strings.Cut(j.Partition, ",")
	for _, partition := range []string{first, ""} {
		node := slices.IndexFunc(c.tree.Associations, func(a Association) bool {
			return a.Account == j.Account && a.User == j.User && a.Partition == partition
		})
		if node >= 0 {
			return node
		}
	}
	return -1
}

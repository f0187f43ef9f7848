package engine

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/fairshare"
)

// caps asks whether a job may start by the fairshare caps of its credentials.
type caps struct {
	result *Result
	gate   *fairshare.Gate // nil: the policy has no fairshare
	codes  [len(fairshare.Objects)][]uint32
}

func newCaps(r *Result) *caps {
	c := &caps{result: r}
	if r.Windows == nil {
		return c
	}
	var names [len(fairshare.Objects)][]string
	for o, object := range fairshare.Objects {
		if col := r.Jobs.Column(schema.ColumnID("job." + object)); col != nil {
			names[o], c.codes[o] = col.Dict, col.Codes
		}
	}
	c.gate = r.Windows.Gate(names)
	return c
}

// check reports the first cap that a job would exceed.
func (c *caps) check(job int) (fairshare.Violation, bool) {
	if c.gate == nil {
		return fairshare.Violation{}, false
	}
	var codes fairshare.Codes
	for o := range codes {
		if c.codes[o] != nil {
			codes[o] = c.codes[o][job]
		}
	}
	jobs := c.result.Jobs
	request := fairshare.Request(c.result.Windows.Model, jobs.Value("job.procs", job).Int, jobs.Value("job.walltime_seconds", job).Int,
		jobs.Value("job.processor_equivalents", job).Double)
	return c.gate.Check(codes, request)
}

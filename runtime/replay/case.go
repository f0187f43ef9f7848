package replay

import (
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Case is one replay to be measured: what a study of many policies, workloads and seeds has of each of its cells.
// Equal cases come to equal figures, to the bit.
type Case struct {
	Program  *program.Program
	Machine  *snapshot.Snapshot // its nodes, and the queue that it begins with if it has jobs
	Workload *Workload
	Arrivals Arrivals
	Seed     uint64 // of what is drawn; the zero Arrivals draw nothing
	WarmUp   int64  // seconds from the begin whose jobs are played and not counted
	Options  Options
}

// Play plays a case and measures it.
func (c *Case) Play() (*Result, *Measured, error) {
	result, err := Run(c.Program, c.Machine, c.Workload.Drawn(c.Arrivals, c.Seed), c.Options)
	if err != nil {
		return nil, nil, err
	}
	return result, result.Measure(result.Begin + c.WarmUp), nil
}

package evaluation

import (
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// Run is an evaluation under way: its result, and what the stages hand on to each other.
type Run struct {
	*Result
	Clock   *Clock
	Machine *vm.Machine
	Binding vm.Binding                                   // what the program reads
	Out     *vm.Output                                   // what it computed
	Asked   *vm.Output                                   // what its holds of a phase say; nil where they are not asked
	Holds   []column.Bitmap                              // by the policy's holds: the rows that each holds
	Sorted  []int32                                      // all jobs by the falling priorities of their first rows; nil until they are asked for
	Derived *column.Table                                // the jobs with the columns that follow from each job alone
	Stages  any                                          // what the scheduler does in it
	Stated  diag.List                                    // what there is to say about usage that the policy states
	Told    diag.List                                    // what was found before anything was computed
	NodesOf func() (of map[string][]string, listed bool) // the nodes of each partition, where any says which it is in
	Before  *Earlier                                     // an evaluation of the same state before this one; nil: there was none
}

// MoveClock makes the clock one that this evaluation may move: that of an earlier one stays as it is.
func (run *Run) MoveClock() {
	if run.Before != nil && run.Clock == run.Before.Clock {
		run.Clock = NewClock(run.Program, run.Snapshot, run.Options.Previous)
	}
}

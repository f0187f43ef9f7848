package evaluation

import (
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// Run is an evaluation under way: its result, and what the stages hand on to each other.
type Run struct {
	*Result
	Clock   *Clock
	Machine *vm.Machine
	Binding vm.Binding      // what the program reads
	Out     *vm.Output      // what it computed
	Asked   *vm.Output      // what its holds of a phase say; nil where they are not asked
	Holds   []column.Bitmap // by the policy's holds: the rows that each holds
	Derived *column.Table   // the jobs with the columns that follow from each job alone
	Stages  any             // what the scheduler does in it
	Before  *Earlier        // an evaluation of the same state before this one; nil: there was none
}

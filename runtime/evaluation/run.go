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
	Holds   []column.Bitmap // by the policy's holds: the rows that each holds
}

package engine

import (
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// underWay is an evaluation under way: its result, and what the stages hand on to each other.
type underWay struct {
	*Result
	Clock   *clock
	Machine *vm.Machine
	Binding vm.Binding      // what the program reads
	Out     *vm.Output      // what it computed
	Holds   []column.Bitmap // by the policy's holds: the rows that each holds
}

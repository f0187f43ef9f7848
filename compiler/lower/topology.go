package lower

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/slurmfiles"
	"github.com/fairway-sched/fairway/lang/source"
)

// switchesOf are the switches of a topology.conf, in its order. What is wrong with it lint reports.
func switchesOf(f *source.File) (list []ir.Switch) {
	for _, s := range slurmfiles.Switches(f) {
		list = append(list, ir.Switch(s))
	}
	return list
}

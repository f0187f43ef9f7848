package codegen

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/runtime/program"
)

// slurmPlan carries how slurmctld places jobs; nil for other families.
func slurmPlan(p *ir.Policy) *program.SlurmPlan {
	if p.SlurmPlan == nil {
		return nil
	}
	s := program.SlurmPlan(*p.SlurmPlan)
	return &s
}

package codegen

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/runtime/program"
)

// slurm carries what slurmctld enforces; nil for other families.
func slurm(p *ir.Policy) *program.Slurm {
	if p.Enforced == nil {
		return nil
	}
	e := program.Slurm(*p.Enforced)
	return &e
}

package codegen

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/runtime/program"
)

// plan collects how jobs are placed.
func plan(p *ir.Policy) *program.Plan {
	out := &program.Plan{Native: p.Plan.Native, Maui: p.Plan.Maui, Slurm: slurmPlan(p), Licenses: p.Plan.Licenses,
		NodeCores: nodeCores(p)}
	for i := range p.Reservations {
		out.Reservations = append(out.Reservations, program.Reservation(p.Reservations[i]))
	}
	return out
}

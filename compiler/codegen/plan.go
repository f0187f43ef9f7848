package codegen

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/runtime/program"
)

// plan collects how jobs are placed.
func plan(p *ir.Policy) *program.Plan {
	out := p.Plan
	out.Switches = p.Switches
	if out.NodeRecords, out.Partition = p.NodeRecords, p.Partition; p.SlurmPlan != nil {
		out.Slurm = &p.SlurmPlan.SlurmPlan
	}
	for i := range p.Reservations {
		out.Reservations = append(out.Reservations, program.Reservation(p.Reservations[i]))
	}
	return &out
}

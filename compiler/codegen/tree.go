package codegen

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/runtime/program"
)

// treeModels are the fairshare models that are trees.
var treeModels = []string{program.FairTree, program.Classic, program.DepthOblivious}

// tree finds the policy's account tree; nil without.
func tree(p *ir.Policy) *program.Tree {
	i := slices.IndexFunc(p.Fairshare, func(f ir.Fairshare) bool { return slices.Contains(treeModels, f.Model) })
	if i < 0 {
		return nil
	}
	f := &p.Fairshare[i]
	t := &program.Tree{
		Algorithm: f.Model, Damp: max(1, f.Setting("dampening_factor").Value.Int),
		HalfLifeSeconds: f.Setting("half_life").Value.Int,
		PassSeconds:     f.Setting("calc_period").Value.Int, Reset: f.Setting("reset_period").Value.Str,
		Bill:             f.Setting("billing").Value.Str,
		CalculateRunning: f.Setting("calculate_running").Value.Int != 0,
		IncrOnly:         f.Setting("incr_only").Value.Int != 0,
		TRES:             f.Setting("tres").Value.List, Span: f.Span,
	}
	t.Weights = f.Billing
	t.Associations = program.TreeOrder(slices.Clone(f.Associations), p.Version)
	return t
}

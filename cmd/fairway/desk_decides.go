package main

import (
	"context"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/edit"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/impact"
)

// decides is, by the keys of weights, the share of pairs of ranked jobs that would be the other way round if what it
// weighs counted nothing.
func (d *deskServer) decides(ctx context.Context, s *deskSide) (map[string]float64, error) {
	shares, known := map[string]float64{}, map[edit.Part]float64{}
	return shares, withoutEach(ctx, s.out.Policy, s.result, func(w *edit.Setting, part edit.Part, order []int32) {
		if _, ok := known[part]; !ok {
			known[part] = impact.Swapped(s.result.Order, order)
		}
		shares[w.Key] = max(shares[w.Key], known[part])
	})
}

// withoutEach gives for each weight, and each part of the priority that it weighs, the order in which jobs were if that
// counted nothing.
func withoutEach(ctx context.Context, p *ir.Policy, r *evaluation.Result,
	each func(w *edit.Setting, part edit.Part, order []int32)) error {
	known := map[edit.Part][]int32{}
	settings := edit.Settings(p)
	for i := range settings {
		for _, part := range settings[i].Weighs {
			order, ok := known[part]
			if !ok {
				var err error
				if order, err = engine.Reorder(r, compiler.WithoutTerm(p, part.Component, part.Term)); err == nil {
					err = ctx.Err()
				}
				if err != nil {
					return err
				}
				known[part] = order
			}
			each(&settings[i], part, order)
		}
	}
	return nil
}

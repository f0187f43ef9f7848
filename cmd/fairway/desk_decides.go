package main

import (
	"context"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/edit"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/impact"
)

// decides is, by the keys of weights, the share of pairs of ranked jobs that would be the other way round if what it
// weighs counted nothing.
func (d *deskServer) decides(ctx context.Context, s *deskSide) (map[string]float64, error) {
	shares, known := map[string]float64{}, map[edit.Part]float64{}
	for _, w := range edit.Settings(s.out.Policy) {
		for _, part := range w.Weighs {
			share, ok := known[part]
			if !ok {
				order, err := engine.Reorder(s.result, compiler.WithoutTerm(s.out.Policy, part.Component, part.Term))
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					return nil, err
				}
				share = impact.Swapped(s.result.Order, order)
				known[part] = share
			}
			shares[w.Key] = max(shares[w.Key], share)
		}
	}
	return shares, nil
}

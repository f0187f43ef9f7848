package lower

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/stdlib"
)

// mauiBackfill carries what the planner will need.
func (f *front) mauiBackfill(cfg *mauicfg.Config) {
	planning := map[string]bool{"backfill": true, "reservation": true, "node": true}
	for _, row := range stdlib.MauiParams.Params() {
		if !planning[row.Category] {
			continue
		}
		for _, p := range cfg.Params {
			if p.Name == row.Name {
				name := p.Name
				if p.Index != "" {
					name += "[" + p.Index + "]"
				}
				f.backfill = append(f.backfill, ir.Setting{Name: name, Value: mauiValue(p.Value), Unit: row.Unit, Span: p.Span})
			}
		}
	}
}

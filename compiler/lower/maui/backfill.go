package maui

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/stdlib"
)

// planning are the categories of parameters that say how jobs are placed.
var planning = map[string]bool{
	"backfill":             true,
	"reservation":          true,
	"standing reservation": true,
	"node":                 true,
	"nodeset":              true,
	"preempt":              true,
}

// planned are the families whose attributes say it too; of credentials it is their partitions alone.
var planned = map[string]bool{"SRCFG": true, "NODECFG": true}

// backfill carries what the planner needs: parameters by name and index, and attributes as
// FAMILY[name] ATTRIBUTE.
func (f *reader) backfill(cfg *mauicfg.Config) {
	for _, row := range stdlib.MauiParams.Params() {
		if !planning[row.Category] {
			continue
		}
		for _, p := range cfg.Params {
			if p.Name == row.Name {
				f.Backfill = append(f.Backfill, ir.Setting{Name: ir.SettingName(p.Name, p.Index, ""),
					Value: Value(p.Value), Unit: row.Unit, Span: p.Span})
			}
		}
	}
	for i := range cfg.Objects {
		o := &cfg.Objects[i]
		for _, a := range o.Attrs {
			if planned[o.Family] || a.Name == "PDEF" || a.Name == "PLIST" {
				f.Backfill = append(f.Backfill, ir.Setting{Name: ir.SettingName(o.Family, o.Index, a.Name),
					Value: Value(a.Value), Span: a.Span})
			}
		}
	}
}

package lower

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/mauicfg"
)

// mauiFairshare carries the fairshare windows.
func (f *front) mauiFairshare(cfg *mauicfg.Config) {
	policy := cfg.Param("FSPOLICY", "")
	if policy != nil && policy.Value.Text != "" {
		fs := ir.Fairshare{Model: "windows", Span: policy.Span}
		for _, s := range []struct{ param, name string }{{"FSPOLICY", "usage"}, {"FSINTERVAL", "interval"}, {"FSDEPTH", "depth"}, {"FSDECAY", "decay"}} {
			if p := cfg.Param(s.param, ""); p != nil {
				fs.Settings = append(fs.Settings, ir.Setting{Name: s.name, Value: mauiValue(p.Value), Span: p.Span})
			}
		}
		for i := range cfg.Objects {
			o := &cfg.Objects[i]
			if a := o.Attr("FSTARGET", ""); a != nil && mauiFamilies[o.Family] != "" {
				fs.Targets = append(fs.Targets, ir.Target{Object: mauiFamilies[o.Family], Name: o.Index,
					Kind: string(a.Value.Target), Value: a.Value.Float, Span: a.Span})
			}
		}
		f.fairshare = append(f.fairshare, fs)
	}
}

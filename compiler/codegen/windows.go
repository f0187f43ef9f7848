package codegen

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/runtime/program"
)

// windows finds the policy's fairshare windows. Those that count nothing, because a maui.cfg has
// no FSPOLICY, are dormant: reports show what is set, and that is all.
func windows(p *ir.Policy) (active, dormant *program.Windows) {
	for i := range p.Fairshare {
		f := &p.Fairshare[i]
		if f.Model != "windows" {
			continue
		}
		w := &program.Windows{
			Usage: f.Setting("usage").Value.Str, Ratio: f.Setting("ratio").Value.Int != 0,
			IntervalSeconds: f.Setting("interval").Value.Int, Depth: int(f.Setting("depth").Value.Int),
			Decay: f.Setting("decay").Value.Double, Targets: f.Targets, Span: f.Span,
		}
		if w.Usage == "" {
			return nil, w
		}
		return w, nil
	}
	return nil, nil
}

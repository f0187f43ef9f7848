package maui

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/lang/mauicfg"
)

// targetKinds are the suffixes of FSTARGET as the policy language calls them.
var targetKinds = map[mauicfg.TargetKind]string{
	mauicfg.Target:      "target",
	mauicfg.Floor:       "floor",
	mauicfg.Ceiling:     "ceiling",
	mauicfg.AbsoluteCap: "cap",
	mauicfg.RelativeCap: "relative_cap",
}

// fairshare carries the fairshare targets; the windows are parameters.
func (f *reader) fairshare(cfg *mauicfg.Config, opt front.Options) {
	for i := range cfg.Objects {
		o := &cfg.Objects[i]
		a := o.Attr("FSTARGET", "")
		object := Objects[o.Family]
		if a == nil || object == "" || object == "cluster" { // SYSCFG's is stored and never read
			continue
		}
		f.Targets = append(
			f.Targets,
			ir.Target{
				Object: object,
				Name:   o.Index,
				Others: o.Index == "DEFAULT" && DefaultShared(opt, object),
				Kind:   targetKinds[a.Value.Target],
				Value:  a.Value.Float,
				Span:   a.Span,
				Source: o.Family + "[" + o.Index + "] FSTARGET",
			},
		)
	}
}

// DefaultShared: the DEFAULT row is that of every credential without a target of its own, but
// for classes, whatever the manual says of them (MFSCalcFactor; Δ4).
func DefaultShared(o front.Options, object string) bool {
	return object != "partition" || o.Documented("class_default")
}

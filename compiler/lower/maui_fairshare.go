package lower

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/mauicfg"
)

// mauiTargetKinds are the suffixes of FSTARGET as the policy language calls them.
var mauiTargetKinds = map[mauicfg.TargetKind]string{
	mauicfg.Target: "target", mauicfg.Floor: "floor", mauicfg.Ceiling: "ceiling", mauicfg.AbsoluteCap: "cap", mauicfg.RelativeCap: "relative_cap",
}

// mauiFairshare carries the fairshare targets; the windows are parameters.
func (f *front) mauiFairshare(cfg *mauicfg.Config, opt Options) {
	for i := range cfg.Objects {
		o := &cfg.Objects[i]
		a := o.Attr("FSTARGET", "")
		object := mauiFamilies[o.Family]
		if a == nil || object == "" || object == "cluster" { // SYSCFG's is stored and never read
			continue
		}
		f.targets = append(f.targets, ir.Target{Object: object, Name: o.Index, Others: o.Index == "DEFAULT" && opt.defaultShared(object),
			Kind: mauiTargetKinds[a.Value.Target], Value: a.Value.Float, Span: a.Span, Source: o.Family + "[" + o.Index + "] FSTARGET"})
	}
}

// defaultShared: the DEFAULT row is that of every credential without a target of its own, but
// for classes, whatever the manual says of them (MFSCalcFactor; Δ4).
func (o Options) defaultShared(object string) bool {
	return object != "partition" || o.documented("class_default")
}

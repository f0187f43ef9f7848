package lower

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/runtime/program"
)

// stated is the usage of usage blocks. Windows need to know what all used: the kind of credential that names most of it
// says it where the block does not.
func (l *lowering) stated(blocks []policy.Usage) []ir.Usage {
	windows := slices.ContainsFunc(l.out.Fairshare, func(f ir.Fairshare) bool { return f.Model == "windows" })
	var list []ir.Usage
	for i := range blocks {
		b := &blocks[i]
		u := ir.Usage{Name: b.Name, At: b.At.Int, Total: b.Total.Value.Number(), Span: b.Span}
		for _, x := range b.Used {
			u.Used = append(u.Used, program.Used{Object: x.Object, Name: x.Name, Amount: x.Value.Number(), Span: x.Span})
		}
		if windows && !b.Total.IsSet() {
			_, u.Total = u.Named()
		}
		list = append(list, u)
	}
	return list
}

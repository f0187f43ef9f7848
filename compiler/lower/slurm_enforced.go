package lower

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/slurmconf"
)

// enforced reads what slurmctld enforces from the parameters, once all are known.
func (l *lowering) enforced() *ir.Enforced {
	if l.family != "slurm" {
		return nil
	}
	text := func(name string) string {
		if p := l.params.by[name]; p != nil {
			return p.Value.Str
		}
		return ""
	}
	e, _ := slurmconf.ParseEnforce(text("AccountingStorageEnforce"))
	flags := slurmconf.ParsePriorityFlags(text("PriorityFlags"), l.out.Version)
	out := &ir.Enforced{
		Associations: e.Associations,
		Limits:       e.Limits,
		QOS:          e.QOS,
		Safe:         e.Safe,
		AccrueAlways: flags.AccrueAlways,
		FairTree:     flags.FairTree,
		TRES:         trackedTRES(text("AccountingStorageTRES"), l.out.Version),
	}
	out.LimitStop = l.out.Option("assoc_limit_stop").On()
	out.PartitionLimits, _ = slurmconf.EnforcePartLimits(text("EnforcePartLimits"))
	out.Preempt, out.PreemptWithin, out.PreemptPriority = preemption(text("PreemptType"), text("PreemptMode"))
	if p := l.params.by["PriorityWeightFairshare"]; p != nil {
		out.FairshareWeight = float64(p.Value.Int)
	}
	for _, f := range l.fronts {
		for _, object := range f.Complete {
			if !slices.Contains(out.Complete, object) {
				out.Complete = append(out.Complete, object)
			}
		}
	}
	if slices.Contains(l.opt.Without, "limits") {
		out.Limits, out.Safe = false, false
	}
	return out
}

// preemption reads which jobs preempt which; without a mode nothing is preempted (slurm_preemption_enabled).
func preemption(kind, mode string) (by string, within, priority bool) {
	by = strings.TrimPrefix(strings.ToLower(kind), "preempt/")
	words := strings.FieldsFunc(strings.ToUpper(mode), func(r rune) bool { return r == ',' || r == ' ' })
	if by == "none" || by == "" || len(words) == 0 || slices.Contains(words, "OFF") {
		return "", false, false
	}
	return by, slices.Contains(words, "WITHIN"), slices.Contains(words, "PRIORITY")
}

package slurm

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
)

// flagsRules are the rules about PriorityFlags and what goes badly with them.
var flagsRules = []rule.Rule{
	{Code: "slurm-dampening-unused", Check: unusedDampening},
	{Code: "slurm-size-without-time", Check: sizeWithoutTime},
	{Code: "slurm-incr-only-fairshare", Check: incrOnlyFairshare},
	{Code: "slurm-calculate-running-idle", Check: calculateRunning},
	{Code: "slurm-accrue-limits-ignored", Check: accrueLimits},
	{Code: "slurm-site-plugin", Check: sitePlugin},
	{Code: "slurm-threshold-incr-only", Check: thresholdIncrOnly},
}

func unusedDampening(p *rule.Pass) {
	if !p.Multifactor() {
		return
	}
	if both := p.Word("PriorityFlags", "FAIR_TREE") &&
		p.Flag("PriorityFlags", "DEPTH_OBLIVIOUS"); both &&
		!p.FairTree() {
		p.Report(p.At("PriorityFlags"),
			"FAIR_TREE has no effect beside DEPTH_OBLIVIOUS, which chooses the classic algorithm").
			Note("keep the one that is meant")
	}
	if p.Since("19.05") && p.Word("PriorityFlags", "FAIR_TREE") && p.Word("PriorityFlags", "NO_FAIR_TREE") {
		p.Report(p.At("PriorityFlags"),
			"FAIR_TREE has no effect beside NO_FAIR_TREE, which chooses the classic algorithm").
			Note("keep the one that is meant")
	}
	if !p.FairTree() {
		return
	}
	if p.IsSet("FairShareDampeningFactor") && p.Number("FairShareDampeningFactor") != 1 {
		d := p.Report(p.At("FairShareDampeningFactor"), "FairShareDampeningFactor has no effect under Fair Tree")
		if p.Since("19.05") {
			d.Note("Fair Tree is the default since 19.05; PriorityFlags=NO_FAIR_TREE chooses the classic algorithm")
		}
		d.Note("remove the line")
	}
	if !p.Since("19.05") && p.Flag("PriorityFlags", "FAIR_TREE") && p.Flag("PriorityFlags", "DEPTH_OBLIVIOUS") {
		p.Report(p.At("PriorityFlags"), "DEPTH_OBLIVIOUS has no effect beside FAIR_TREE").
			Note("keep the one that is meant")
	}
}

// unlimited lists the partitions in which a job that asks for no time may run for ever.
func unlimited(p *rule.Pass) (list []*ir.Record) {
	for _, r := range p.Records["PartitionName"] {
		if limit := r.Attr("MaxTime"); (limit == nil || limit.Infinite) && r.Attr("DefaultTime") == nil {
			list = append(list, r)
		}
	}
	return list
}

func sizeWithoutTime(p *rule.Pass) {
	if !p.Multifactor() || !p.Since("2.6") || !p.Flag("PriorityFlags", "SMALL_RELATIVE_TO_TIME") ||
		p.Number("PriorityWeightJobSize") == 0 {
		return
	}
	if list := unlimited(p); len(list) > 0 {
		p.Report(p.At("PriorityFlags"), "jobs without a time limit in partition %s get nothing for their size",
			list[0].Name).
			NoteAt(list[0].Span, "it has neither MaxTime nor DefaultTime").
			Note("SMALL_RELATIVE_TO_TIME divides by the limit; write DefaultTime on the partition")
	}
}

func incrOnlyFairshare(p *rule.Pass) {
	if p.Multifactor() && p.Since("17.02") && p.Flag("PriorityFlags", "INCR_ONLY") &&
		p.Number("PriorityWeightFairshare") > 0 {
		p.Report(p.At("PriorityFlags"), "with INCR_ONLY fairshare cannot lower a job any more").
			NoteAt(p.At("PriorityWeightFairshare"), "fairshare is weighed here").
			Note("a job keeps the best fairshare it ever had; remove INCR_ONLY")
	}
}

func calculateRunning(p *rule.Pass) {
	none := p.Text("PreemptType") == "" || strings.EqualFold(p.Text("PreemptType"), "preempt/none")
	if p.Multifactor() && p.Flag("PriorityFlags", "CALCULATE_RUNNING") && none && !p.Flag("PreemptMode", "GANG") {
		p.Report(p.At("PriorityFlags"), "CALCULATE_RUNNING has no use without preemption").
			Note("remove the word, unless people read sprio of running jobs")
	}
}

func accrueLimits(p *rule.Pass) {
	if !p.Flag("PriorityFlags", "ACCRUE_ALWAYS") {
		return
	}
	for _, kind := range []string{"association", "QOS"} {
		for _, r := range p.Records[kind] {
			for i := range r.Attrs {
				if a := &r.Attrs[i]; strings.Contains(a.Name, "Accrue") && a.Number() > 0 {
					p.Report(a.Span, "%s of %s is not checked", a.Name, r.Name).
						NoteAt(p.At("PriorityFlags"), "ACCRUE_ALWAYS lets all jobs age").
						Note("remove the flag or the limit")
					return
				}
			}
		}
	}
}

func sitePlugin(p *rule.Pass) {
	if own := ownTerms(p); p.IsSet("PrioritySiteFactorPlugin") && len(own) > 0 {
		p.Report(p.At("PrioritySiteFactorPlugin"), "the plugin overwrites the site factor in every cycle").
			NoteAt(own[0].Span, "terms of a policy file reach Slurm by way of the site factor").
			Note("remove PrioritySiteFactorPlugin")
	}
}

func thresholdIncrOnly(p *rule.Pass) {
	if !p.Flag("PriorityFlags", "INCR_ONLY") {
		return
	}
	const message = "with INCR_ONLY every job comes above the threshold in time"
	if w := p.Option("bf_min_prio_reserve"); w.IsSet() && w.Number() > 0 {
		p.Report(w.Set, message).NoteAt(p.At("PriorityFlags"), "the flag is set here").Note("remove one of the two")
	}
	for _, kind := range []string{"association", "QOS"} {
		for _, r := range p.Records[kind] {
			if a := r.Attr("MinPrioThresh"); a.Number() > 0 {
				p.Report(a.Span, message).
					NoteAt(p.At("PriorityFlags"), "the flag is set here").
					Note("remove one of the two")
				return
			}
		}
	}
}

package lint

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// slurmFlags are the rules about PriorityFlags and what goes badly with them.
var slurmFlags = []Rule{
	{"slurm-dampening-unused", unusedDampening},
	{"slurm-size-without-time", sizeWithoutTime},
	{"slurm-incr-only-fairshare", incrOnlyFairshare},
	{"slurm-calculate-running-idle", calculateRunning},
	{"slurm-accrue-limits-ignored", accrueLimits},
	{"slurm-site-plugin", sitePlugin},
	{"slurm-threshold-incr-only", thresholdIncrOnly},
}

func unusedDampening(p *pass) {
	if !p.multifactor() {
		return
	}
	if both := p.word("PriorityFlags", "FAIR_TREE") && p.flag("PriorityFlags", "DEPTH_OBLIVIOUS"); both && !p.fairTree() {
		p.report(p.at("PriorityFlags"), "FAIR_TREE has no effect beside DEPTH_OBLIVIOUS, which chooses the classic algorithm").Note("keep the one that is meant")
	}
	if p.since("19.05") && p.word("PriorityFlags", "FAIR_TREE") && p.word("PriorityFlags", "NO_FAIR_TREE") {
		p.report(p.at("PriorityFlags"), "FAIR_TREE has no effect beside NO_FAIR_TREE, which chooses the classic algorithm").Note("keep the one that is meant")
	}
	if !p.fairTree() {
		return
	}
	if p.isSet("FairShareDampeningFactor") && p.number("FairShareDampeningFactor") != 1 {
		d := p.report(p.at("FairShareDampeningFactor"), "FairShareDampeningFactor has no effect under Fair Tree")
		if p.since("19.05") {
			d.Note("Fair Tree is the default since 19.05; PriorityFlags=NO_FAIR_TREE chooses the classic algorithm")
		}
		d.Note("remove the line")
	}
	if !p.since("19.05") && p.flag("PriorityFlags", "FAIR_TREE") && p.flag("PriorityFlags", "DEPTH_OBLIVIOUS") {
		p.report(p.at("PriorityFlags"), "DEPTH_OBLIVIOUS has no effect beside FAIR_TREE").Note("keep the one that is meant")
	}
}

// unlimited lists the partitions in which a job that asks for no time may run for ever.
func (p *pass) unlimited() (list []*ir.Record) {
	for _, r := range p.records["PartitionName"] {
		if limit := r.Attr("MaxTime"); (limit == nil || limit.Infinite) && r.Attr("DefaultTime") == nil {
			list = append(list, r)
		}
	}
	return list
}

func sizeWithoutTime(p *pass) {
	if !p.multifactor() || !p.since("2.6") || !p.flag("PriorityFlags", "SMALL_RELATIVE_TO_TIME") || p.number("PriorityWeightJobSize") == 0 {
		return
	}
	if list := p.unlimited(); len(list) > 0 {
		p.report(p.at("PriorityFlags"), "jobs without a time limit in partition %s get nothing for their size", list[0].Name).
			NoteAt(list[0].Span, "it has neither MaxTime nor DefaultTime").
			Note("SMALL_RELATIVE_TO_TIME divides by the limit; write DefaultTime on the partition")
	}
}

func incrOnlyFairshare(p *pass) {
	if p.multifactor() && p.since("17.02") && p.flag("PriorityFlags", "INCR_ONLY") && p.number("PriorityWeightFairshare") > 0 {
		p.report(p.at("PriorityFlags"), "with INCR_ONLY fairshare cannot lower a job any more").
			NoteAt(p.at("PriorityWeightFairshare"), "fairshare is weighed here").
			Note("a job keeps the best fairshare it ever had; remove INCR_ONLY")
	}
}

func calculateRunning(p *pass) {
	none := p.text("PreemptType") == "" || strings.EqualFold(p.text("PreemptType"), "preempt/none")
	if p.multifactor() && p.flag("PriorityFlags", "CALCULATE_RUNNING") && none && !p.flag("PreemptMode", "GANG") {
		p.report(p.at("PriorityFlags"), "CALCULATE_RUNNING has no use without preemption").Note("remove the word, unless people read sprio of running jobs")
	}
}

func accrueLimits(p *pass) {
	if !p.slurm() || !p.flag("PriorityFlags", "ACCRUE_ALWAYS") {
		return
	}
	for _, kind := range []string{"association", "QOS"} {
		for _, r := range p.records[kind] {
			for i := range r.Attrs {
				if a := &r.Attrs[i]; strings.Contains(a.Name, "Accrue") && a.Number() > 0 {
					p.report(a.Span, "%s of %s is not asked", a.Name, r.Name).
						NoteAt(p.at("PriorityFlags"), "ACCRUE_ALWAYS lets all jobs age").
						Note("remove the flag or the limit")
					return
				}
			}
		}
	}
}

func sitePlugin(p *pass) {
	if own := p.ownTerms(); p.slurm() && p.isSet("PrioritySiteFactorPlugin") && len(own) > 0 {
		p.report(p.at("PrioritySiteFactorPlugin"), "the plugin overwrites the site factor in every cycle").
			NoteAt(own[0].Span, "terms of a policy file reach Slurm by way of the site factor").
			Note("remove PrioritySiteFactorPlugin")
	}
}

func thresholdIncrOnly(p *pass) {
	if !p.slurm() || !p.flag("PriorityFlags", "INCR_ONLY") {
		return
	}
	const message = "with INCR_ONLY every job comes above the threshold in time"
	if w := p.Option("bf_min_prio_reserve"); w.IsSet() && w.Number() > 0 {
		p.report(w.Set, message).NoteAt(p.at("PriorityFlags"), "the flag stands here").Note("remove one of the two")
	}
	for _, kind := range []string{"association", "QOS"} {
		for _, r := range p.records[kind] {
			if a := r.Attr("MinPrioThresh"); a.Number() > 0 {
				p.report(a.Span, message).NoteAt(p.at("PriorityFlags"), "the flag stands here").Note("remove one of the two")
				return
			}
		}
	}
}

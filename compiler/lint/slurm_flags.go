package lint

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
)

// slurmFlags are the rules about PriorityFlags and what goes badly with them.
var slurmFlags = []Rule{
	{ID: "SL035", CodeDoc: diag.CodeDoc{Code: "slurm-dampening-unused", Severity: diag.Warning,
		What: "FairShareDampeningFactor is set under Fair Tree, or FAIR_TREE stands beside DEPTH_OBLIVIOUS or NO_FAIR_TREE", Why: "Fair Tree ranks associations and dampens nothing; of the two algorithms one wins",
		Example: "PriorityType=priority/multifactor\nFairShareDampeningFactor=5\n", Instead: "PriorityFlags=NO_FAIR_TREE beside it, or no factor"},
		Source: "slurm.conf(5), FairShareDampeningFactor, PriorityFlags", check: unusedDampening},
	{ID: "SL038", CodeDoc: diag.CodeDoc{Code: "slurm-size-without-time", Severity: diag.Warning,
		What: "SMALL_RELATIVE_TO_TIME is set and a partition has no time limit for jobs that ask for none", Why: "the size is divided by the limit, so jobs without one have a factor near 0",
		Example: "PriorityType=priority/multifactor\nPriorityFlags=SMALL_RELATIVE_TO_TIME\nPriorityWeightJobSize=1000\nPartitionName=a\n", Instead: "DefaultTime=60 on the partition"},
		Source: "slurm.conf(5), PriorityFlags", check: sizeWithoutTime},
	{ID: "SL045", CodeDoc: diag.CodeDoc{Code: "slurm-incr-only-fairshare", Severity: diag.Warning,
		What: "INCR_ONLY is set and fairshare has a weight", Why: "a job's priority never falls, so usage after its submission costs its user nothing",
		Example: "PriorityType=priority/multifactor\nAccountingStorageType=accounting_storage/slurmdbd\nPriorityFlags=INCR_ONLY\nPriorityWeightFairshare=1000\n", Instead: "no INCR_ONLY"},
		Source: "slurm.conf(5), PriorityFlags", check: incrOnlyFairshare},
	{ID: "SL046", CodeDoc: diag.CodeDoc{Code: "slurm-calculate-running-idle", Severity: diag.Info,
		What: "CALCULATE_RUNNING is set without preemption", Why: "the priority of a running job decides nothing then, and computing it costs time",
		Example: "PriorityType=priority/multifactor\nPriorityFlags=CALCULATE_RUNNING\n", Instead: "no CALCULATE_RUNNING"},
		Source: "slurm.conf(5), PriorityFlags", check: calculateRunning},
	{ID: "SL047", CodeDoc: diag.CodeDoc{Code: "slurm-accrue-limits-ignored", Severity: diag.Warning,
		What: "ACCRUE_ALWAYS is set and there are limits on accruing jobs", Why: "with the flag all jobs age from their submission, and the limits are not asked",
		Example: "PriorityType=priority/multifactor\nPriorityFlags=ACCRUE_ALWAYS\n", Instead: "one of the two"},
		Source: "slurm.conf(5), PriorityFlags; sacctmgr(1), MaxJobsAccrue", check: accrueLimits},
	{ID: "SL053", CodeDoc: diag.CodeDoc{Code: "slurm-site-plugin", Severity: diag.Error,
		What: "PrioritySiteFactorPlugin is set beside a policy file with terms of its own", Why: "the plugin writes the site factor in every cycle, over what another program put there",
		Example: "PriorityType=priority/multifactor\nPrioritySiteFactorPlugin=site_factor/example\n", Instead: "no PrioritySiteFactorPlugin"},
		Source: "slurm.conf(5), PrioritySiteFactorPlugin", check: sitePlugin},
	{ID: "SL105", CodeDoc: diag.CodeDoc{Code: "slurm-threshold-incr-only", Severity: diag.Warning,
		What: "MinPrioThresh or bf_min_prio_reserve is set beside INCR_ONLY", Why: "priorities only rise, so sooner or later every job is above the threshold",
		Example: "PriorityType=priority/multifactor\nPriorityFlags=INCR_ONLY\nSchedulerParameters=bf_min_prio_reserve=1000\n", Instead: "no threshold, or no INCR_ONLY"},
		Source: "slurm.conf(5), SchedulerParameters; sacctmgr(1), MinPrioThreshold", check: thresholdIncrOnly},
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

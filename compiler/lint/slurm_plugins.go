package lint

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// slurmPlugins are the rules about node selection, preemption and defaults that changed.
var slurmPlugins = []Rule{
	{"slurm-memory-per-cpu", memoryPerCPU},
	{"slurm-force-without-memory", forceWithoutMemory},
	{"slurm-preemption-idle", idlePreemption},
	{"slurm-preempt-mode", preemptMode},
	{"slurm-impossible-jobs-wait", impossibleJobsWait},
	{"slurm-select-default", selectDefault},
	{"slurm-priority-default", priorityDefault},
	{"slurm-fair-tree-default", fairTreeDefault},
}

func memoryPerCPU(p *pass) {
	if !p.slurm() || !strings.EqualFold(p.text("SelectType"), "select/linear") {
		return
	}
	for _, name := range []string{"DefMemPerCPU", "MaxMemPerCPU"} {
		if p.isSet(name) && p.number(name) > 0 {
			p.memoryUnit(name, p.at(name))
		}
	}
	said := map[source.Span]bool{} // what partitions inherit stands in one place
	for _, r := range p.records["PartitionName"] {
		for _, name := range []string{"DefMemPerCPU", "MaxMemPerCPU"} {
			if a := r.Attr(name); a.Number() > 0 && !said[a.Span] {
				said[a.Span] = true
				p.memoryUnit(name, a.Span)
			}
		}
	}
}

func (p *pass) memoryUnit(name string, at source.Span) {
	p.report(at, "%s is by the processor, but select/linear allocates whole nodes", name).Note("write %sNode, or SelectType=select/cons_tres", strings.TrimSuffix(name, "CPU"))
}

func forceWithoutMemory(p *pass) {
	if !p.slurm() || p.flag("SelectTypeParameters", "MEMORY") {
		return
	}
	for _, r := range p.records["PartitionName"] {
		a := r.Attr("OverSubscribe")
		own := r.Attr("SelectTypeParameters")
		if own != nil && strings.Contains(strings.ToUpper(own.Text), "MEMORY") {
			continue
		}
		if a != nil && strings.HasPrefix(strings.ToUpper(a.Text), "FORCE") && !strings.HasSuffix(a.Text, ":1") {
			p.report(a.Span, "jobs in %s share processors, and nothing keeps their memory within the node", r.Name).
				Note("write SelectTypeParameters=CR_Core_Memory, or CR_CPU_Memory")
			return
		}
	}
}

func idlePreemption(p *pass) {
	list := p.records["PartitionName"]
	if !p.slurm() || !strings.EqualFold(p.text("PreemptType"), "preempt/partition_prio") || len(list) == 0 || p.Facts.Partial {
		return
	}
	for _, r := range list {
		if p.tier(r) != p.tier(list[0]) {
			return
		}
	}
	p.report(p.at("PreemptType"), "all partitions have the tier %d, so nothing is ever preempted", p.tier(list[0])).
		Note("give the partition whose jobs preempt a higher PriorityTier, or write PreemptType=preempt/none")
}

// preemptMode follows the test that slurmctld makes at its start; GANG may stand beside any mode.
func preemptMode(p *pass) {
	if !p.slurm() || !p.isSet("PreemptType") && !p.isSet("PreemptMode") || slices.Contains(p.Facts.Refused, "PreemptType") || slices.Contains(p.Facts.Refused, "PreemptMode") {
		return
	}
	none := p.text("PreemptType") == "" || strings.EqualFold(p.text("PreemptType"), "preempt/none")
	var modes []string
	gang := false
	for _, word := range strings.Split(strings.ToUpper(p.text("PreemptMode")), ",") {
		switch word = strings.TrimSpace(word); word {
		case "GANG":
			gang = true
		case "", "OFF", "WITHIN":
		default:
			modes = append(modes, word)
		}
	}
	at := p.at("PreemptMode")
	if at.IsZero() {
		at = p.at("PreemptType")
	}
	switch {
	case none && len(modes) > 0:
		p.report(at, "PreemptMode=%s needs a PreemptType", modes[0]).Note("write PreemptType=preempt/qos or preempt/partition_prio, or PreemptMode=OFF")
	case !none && len(modes) == 0:
		d := p.report(at, "%s needs a PreemptMode other than OFF", p.text("PreemptType"))
		if !p.isSet("PreemptMode") {
			d.Note("OFF is the default")
		}
		d.Note("write PreemptMode=REQUEUE, CANCEL or SUSPEND,GANG")
	case !none && strings.Join(modes, ",") == "SUSPEND" && !gang:
		p.report(at, "PreemptMode=SUSPEND needs GANG").Note("gang scheduling resumes suspended jobs; write PreemptMode=SUSPEND,GANG")
	}
}

func impossibleJobsWait(p *pass) {
	if !p.slurm() || !p.isSet("EnforcePartLimits") && !p.all || p.Enforced == nil || p.Enforced.PartitionLimits != "NO" {
		return
	}
	at := p.at("EnforcePartLimits")
	if at.IsZero() {
		at = p.whole()
	}
	p.report(at, "a job that no partition can run is taken and waits for ever").Note("write EnforcePartLimits=ALL, or ANY for jobs that name several partitions")
}

func selectDefault(p *pass) {
	if p.slurm() && !p.since("23.11") && !p.isSet("SelectType") && !p.Facts.Partial && p.global != nil {
		p.report(p.whole(), "SelectType is not set: in %s that is select/linear, from 23.11 on select/cons_tres", p.Version).Note("write which is meant")
	}
}

func priorityDefault(p *pass) {
	if p.slurm() && !p.since("23.11") && !p.isSet("PriorityType") && !p.Facts.Partial && p.global != nil {
		p.report(p.whole(), "PriorityType is not set: in %s that is priority/basic, from 23.11 on priority/multifactor", p.Version).Note("write which is meant")
	}
}

func fairTreeDefault(p *pass) {
	if p.multifactor() && !p.since("19.05") && p.since("14.11") && p.number("PriorityWeightFairshare") > 0 && !p.flag("PriorityFlags", "FAIR_TREE") {
		p.report(p.at("PriorityWeightFairshare"), "fairshare is classic in %s; from 19.05 on it is Fair Tree, unless NO_FAIR_TREE is set", p.Version).
			Note("nothing to do before the upgrade: up to 18.08 NO_FAIR_TREE would switch Fair Tree on")
	}
}
